"""The engine `mcts`: Monte Carlo tree search in this process, one worker."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence

import numpy as np

from goengine.engines.engine import (
    Engine,
    candidate_points,
    is_won_as_it_stands,
    unconditional_points,
)
from goengine.points import PASS, format_vertex
from goengine.rules.game import Game, opponent
from goengine.search.local import LocalSearch
from goengine.search.orders import Found, Limits, Order
from goengine.search.position import Restriction
from goengine.search.reading import MoveReading, SearchReading
from goengine.search.standing import read_standing
from goengine.search.stopping import goes_on, seconds_to_next_look

N_NODES = 4_000_000  # 144 MB, taken as it is needed
CALL = 2048  # simulations between two reports of progress
TIMED_CALL = 32  # the same between two looks at a watch: up to 10 ms

WON_FOR_SURE = 0.9  # win rate, and ownership of a point that nobody fights for any more


class MctsEngine(Engine):
    """Keeps its tree from move to move; every move gets the same number of new playouts."""

    def __init__(self, seed: int, playouts: int) -> None:
        super().__init__(seed, playouts)
        self._search = LocalSearch(N_NODES, seed)

    def choose(self, game: Game, color: int) -> int:
        return self._find(game, color, Limits(self.playouts), (), {}).move

    def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
        """Without any limit: as if for a move."""
        limits = order.limits if any(order.limits) else Limits(self.playouts)
        return self._find(game, order.color, limits, order.restrictions, parameters)

    def _find(
        self,
        game: Game,
        color: int,
        limits: Limits,
        restrictions: Sequence[Restriction],
        parameters: Mapping[str, str],
    ) -> Found:
        started = time.monotonic()
        ends = started + (limits.deadline or math.inf)
        self._search.set_parameters(game.size, parameters)
        n_kept = self._search.set_game(game, color, restrictions)
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
        self.win_rate = reading.moves[0].win_rate if best.win_rate is None else best.win_rate
        self.ownership = np.zeros(len(game.board.color))
        for point, owner in reading.ownership.items():
            self.ownership[point] = owner
        variation = " ".join(format_vertex(move, game.size) for move in best.variation[:8])
        self.report = (
            f"{variation} wins {self.win_rate or 0.0:.1%}; {n_done} playouts "
            f"in {time.monotonic() - started:.1f} s, {n_kept} visits kept"
        )
        return Found(best.move, reading)


def choose_move(game: Game, color: int, reading: SearchReading) -> MoveReading:
    """The most visited move; a pass only where nothing is lost by it."""
    to_pass = next((move for move in reading.moves if move.move == PASS), None)
    if to_pass is None:  # whoever ordered the search wants none
        return reading.moves[0]
    stones = _moves_with_sense(game, color, reading)
    if not stones or (game.rules.scoring == "territory" and _is_settled(game, reading)):
        return to_pass
    # A pass can end the game, and then every stone on the board counts.
    if not is_won_as_it_stands(game, color):
        return stones[0]
    if game.moves[-1:] == [(opponent(color), PASS)]:
        # None: so bad beforehand that the search tried no stone at all.
        win_rate = stones[0].win_rate
        return to_pass if win_rate is None or win_rate >= WON_FOR_SURE else stones[0]
    return to_pass if reading.moves[0] is to_pass else stones[0]


def _moves_with_sense(game: Game, color: int, reading: SearchReading) -> list[MoveReading]:
    """All but passes and own eyes. Of these the best, where filling it may win something.

    Where all is lost, a search fills eyes too, since every move is as good as another.
    """
    best = reading.moves[0]
    may_win = (best.win_rate or 0.0) > 1.0 - WON_FOR_SURE
    points = {int(point) for point in candidate_points(game, color)}
    return [
        move
        for move in reading.moves
        if move.move in points or (move is best and may_win and move.move != PASS)
    ]


def _is_settled(game: Game, reading: SearchReading) -> bool:
    """Does every point have an owner? Then a stone gains nothing by territory."""
    unsure = {point for point, owner in reading.ownership.items() if abs(owner) < WON_FOR_SURE}
    return not unsure or unsure <= unconditional_points(game)
