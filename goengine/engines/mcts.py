"""The engine `mcts`: Monte Carlo tree search in this process, one worker."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

import numpy as np

from goengine.endgame.passing import choose_move
from goengine.engines.engine import Engine
from goengine.points import format_vertex
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.orders import Found, Limits, Order, Purpose
from goengine.search.standing import read_standing
from goengine.search.stopping import goes_on, seconds_to_next_look

N_NODES = 4_000_000  # 144 MB, taken as it is needed
CALL = 2048  # simulations between two reports of progress
TIMED_CALL = 32  # the same between two looks at a watch: up to 10 ms


class MctsEngine(Engine):
    """Keeps its tree from move to move; every move gets the same number of new playouts."""

    def __init__(self, seed: int, playouts: int) -> None:
        super().__init__(seed, playouts)
        self._search = LocalSearch(N_NODES, seed)

    def choose(self, game: Game, color: int) -> int:
        order = Order(color, Purpose.MOVE, Limits(self.playouts), lambda found: "")
        return self.find(game, order, {}).move

    def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
        """Without any limit: as if for a move."""
        game, color = order.game or game, order.color
        limits = order.limits if any(order.limits) else Limits(self.playouts)
        started = time.monotonic()
        ends = started + (limits.deadline or math.inf)
        self._search.set_parameters(game.size, {**parameters, **order.parameters})
        n_kept = self._search.set_game(game, color, order.restrictions, order.purpose)
        began = time.monotonic()
        looks_at = began + seconds_to_next_look(limits, began - started)
        n_done = 0
        while n_done < (limits.playouts or math.inf) and (now := time.monotonic()) < ends:
            if now >= looks_at:
                looks_at = now + seconds_to_next_look(limits, now - started)
                standing = read_standing(self._search.memory)
                rate = n_done / (now - began)
                if standing and not goes_on(limits, now - started, standing, n_done, rate):
                    break
            call = CALL if limits.seconds is None else TIMED_CALL
            n_more = int(min(call, (limits.playouts or math.inf) - n_done))
            self._search.run(n_more)
            n_done += n_more
            if self.on_progress:
                self.on_progress(min(1.0, n_done / (limits.playouts or self.playouts)))
        reading = self._search.read()
        best = choose_move(game, color, reading)
        told = reading.moves[0] if best.win_rate is None else best
        self.win_rate = reading.real_win_rate_of(told)
        self.ownership = np.zeros(len(game.board.color))
        for point, owner in reading.ownership.items():
            self.ownership[point] = owner
        variation = " ".join(format_vertex(move, game.size) for move in best.variation[:8])
        komi = f", {reading.extra_komi:g} points of extra komi" if reading.extra_komi else ""
        self.report = (
            f"{variation} wins {self.win_rate or 0.0:.1%}{komi}; {n_done} playouts "
            f"in {time.monotonic() - started:.1f} s, {n_kept} visits kept"
        )
        return Found(best.move, reading)
