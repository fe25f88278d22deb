"""The engine `mcts`: Monte Carlo tree search in this process, one worker."""

from __future__ import annotations

import time

import numpy as np

from goengine.engines.engine import Engine, is_won_as_it_stands
from goengine.points import PASS, format_vertex
from goengine.rules.game import Game, opponent
from goengine.search.local import LocalSearch
from goengine.search.reading import MoveReading, SearchReading

N_NODES = 4_000_000  # 144 MB, taken as it is needed

WON_FOR_SURE = 0.9  # win rate, and ownership of a point that nobody fights for any more


class MctsEngine(Engine):
    """Keeps its tree from move to move; every move gets the same number of new playouts."""

    def __init__(self, seed: int, playouts: int) -> None:
        super().__init__(seed, playouts)
        self._search = LocalSearch(N_NODES, seed)

    def choose(self, game: Game, color: int) -> int:
        started = time.monotonic()
        self._search.set_parameters(game.size)
        n_kept = self._search.set_game(game, color)
        self._search.run(self.playouts, self._tell_progress)
        reading = self._search.read()
        best = _choose_move(game, color, reading)
        self.win_rate = reading.moves[0].win_rate if best.win_rate is None else best.win_rate
        self.ownership = np.zeros(len(game.board.color))
        for point, owner in reading.ownership.items():
            self.ownership[point] = owner
        variation = " ".join(format_vertex(move, game.size) for move in best.variation[:8])
        self.report = (
            f"{variation} wins {self.win_rate or 0.0:.1%}; {self.playouts} playouts "
            f"in {time.monotonic() - started:.1f} s, {n_kept} visits kept"
        )
        return best.move

    def _tell_progress(self, n_done: int) -> None:
        if self.on_progress:
            self.on_progress(min(1.0, n_done / self.playouts))


def _choose_move(game: Game, color: int, reading: SearchReading) -> MoveReading:
    """The most visited move; a pass only where nothing is lost by it."""
    to_pass = next(move for move in reading.moves if move.move == PASS)
    stones = [move for move in reading.moves if move.move != PASS]
    if not stones or (game.rules.scoring == "territory" and _is_settled(game, reading)):
        return to_pass
    # A pass can end the game, and then every stone on the board counts.
    if not is_won_as_it_stands(game, color):
        return stones[0]
    if game.moves[-1:] == [(opponent(color), PASS)]:
        return to_pass if (stones[0].win_rate or 0.0) >= WON_FOR_SURE else stones[0]
    return reading.moves[0]


def _is_settled(game: Game, reading: SearchReading) -> bool:
    """Does every point have an owner? Then a stone gains nothing by territory."""
    return all(abs(owner) >= WON_FOR_SURE for owner in reading.ownership.values())
