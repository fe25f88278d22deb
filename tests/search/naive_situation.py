"""Slices and extra komi again, from lists of margins, as Baudiš 2011, ch. 4 tells them."""

from __future__ import annotations

import math
import statistics
from typing import Any

from goengine.board import BLACK
from goengine.rules.game import Game


class NaiveSituation:
    """One search for a move in `game`, from its begin on."""

    def __init__(self, game: Game, parameters: Any, komi: float) -> None:
        """komi: extra komi at its begin."""
        self.method = ("none", "linear", "score", "value", "median")[int(parameters.dynamic_komi)]
        self.extra_komi = komi
        self.ratchet = math.inf
        self.black_wins = 0.5
        self.n_slices = 0
        self._side = 1 if game.to_play == BLACK else -1
        self._parameters = parameters
        self._game = game
        self._slice: list[float] = []
        n_stones = sum(1 for _ in game.stones())
        self._filled = n_stones / game.size**2

    def tell(self, margin: float) -> None:
        """One more result: black's margin in the game as it is."""
        self._slice.append(margin)
        length = self._parameters["komi_results" if self.method == "median" else "komi_slice"]
        if len(self._slice) < length:
            return
        self.n_slices += 1
        self.black_wins = _share(self._slice)
        self._adjust([self._side * (each - self.extra_komi) for each in self._slice])
        self._slice = []

    def _adjust(self, ours: list[float]) -> None:
        """ours: margins of who searches, after extra komi."""
        p, given = self._parameters, self._side * self.extra_komi
        if self.method in ("none", "linear") or len(self._game.moves) < p.komi_opening:
            return
        if self.method == "score":
            rate = 1 / (1 + math.exp(float(p.komi_steepness * (self._filled - p.komi_turn))))
            given = math.floor(64 * (given + rate * statistics.mean(ours)) + 0.5) / 64
        elif self.method == "value":
            value = _share(ours)
            if value < p.komi_red:
                if given > 0:
                    self.ratchet = given
                given -= float(p.komi_step)
            elif value > p.komi_green and given + p.komi_step < self.ratchet:
                given += float(p.komi_step)
        else:
            low = statistics.median_low if self._side > 0 else statistics.median_high
            given = math.floor(given + low(ours))
        given = max(given, -float(p.komi_taken))
        if self._filled >= 0.8 * p.komi_end:
            given = max(given, 0.0)
        self.extra_komi = self._side * given


def _share(margins: list[float]) -> float:
    return sum((each > 0) + 0.5 * (each == 0) for each in margins) / len(margins)
