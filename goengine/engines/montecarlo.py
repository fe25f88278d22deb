"""The engine `montecarlo`: each move is judged by playouts that start with it, without a tree.

The playouts are dealt out by sequential halving (Karnin, Koren and Somekh 2013):
every move gets the same share, the better half stays, and so on to the last one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from goengine.board import play_pass
from goengine.board.records import blank_boards
from goengine.endgame.candidates import candidate_points
from goengine.engines.engine import Engine
from goengine.playouts.batches import sample_moves
from goengine.points import PASS, format_vertex
from goengine.randomness import random_state
from goengine.rules.game import Game, opponent
from goengine.rules.scoring import is_won_as_it_stands

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes long to import

PLAYOUTS_A_CALL = 2000  # between two reports of progress
SHARE_FOR_PASS = 8  # one of so many playouts tells what a pass is worth

WON_FOR_SURE = 0.9  # win rate at which a pass of the opponent is answered by one
POINTS_FOR_A_WIN = 1000.0  # so that a point counts when all moves win, or all lose


class Sampler:
    """Playouts of one position for one colour; calls `on_call` every now and then."""

    def __init__(
        self, game: Game, color: int, random: np.uint64, on_call: Callable[[int], None]
    ) -> None:
        self.boards = blank_boards(2, game.size)
        self.boards[0] = game.board
        if self.boards[0].to_play != color:
            play_pass(self.boards[0], opponent(color))
        self.boards[1].random = random
        self.komi = game.white_bonus
        self.ownership = np.zeros(len(game.board.color), np.int64)
        self.n_done = 0
        self._on_call = on_call  # with the number of playouts done

    def sample(
        self, moves: NDArray[np.uint64], n_each: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the wins and the points of each move, summed over its playouts."""
        wins, margins = np.zeros(len(moves)), np.zeros(len(moves))
        most = max(1, PLAYOUTS_A_CALL // len(moves))
        for first in range(0, n_each, most):
            n_more = min(most, n_each - first)
            sample_moves(self.boards, moves, n_more, self.komi, wins, margins, self.ownership)
            self.n_done += n_more * len(moves)
            self._on_call(self.n_done)
        return wins, margins


class MonteCarloEngine(Engine):
    def __init__(self, seed: int, playouts: int) -> None:
        super().__init__(seed, playouts)
        self._random = random_state(seed)
        self._shuffler = np.random.default_rng(seed)

    def choose(self, game: Game, color: int) -> int:
        self.report, self.win_rate, self.ownership = "", None, None
        moves = candidate_points(game, color)
        if len(moves) == 0:
            return PASS
        started = time.monotonic()
        sampler = Sampler(game, color, self._random, self._tell_progress)
        move, self.win_rate = self._search(game, color, moves, sampler)
        self._random = sampler.boards[1].random
        self.ownership = sampler.ownership / sampler.n_done
        self.report = (
            f"{format_vertex(move, game.size)} wins {self.win_rate:.1%}; "
            f"{sampler.n_done} playouts in {time.monotonic() - started:.1f} s"
        )
        return move

    def _search(
        self, game: Game, color: int, moves: NDArray[np.uint64], sampler: Sampler
    ) -> tuple[int, float]:
        """Return the best move and its win rate."""
        n_passes = max(1, self.playouts // SHARE_FOR_PASS)
        wins, margins = sampler.sample(np.array([PASS], np.uint64), n_passes)
        pass_win_rate, pass_margin = float(wins[0]) / n_passes, float(margins[0]) / n_passes
        # A pass can end the game, and then every stone on the board counts.
        if is_won_as_it_stands(game, color):
            has_opponent_passed = game.moves[-1:] == [(opponent(color), PASS)]
            if has_opponent_passed and pass_win_rate >= WON_FOR_SURE:
                return PASS, pass_win_rate
            moves = np.append(moves, np.uint64(PASS))
        best, win_rate, margin = self._halve(moves, sampler)
        # By territory, a move that gains less than a point loses one: it fills own territory.
        if game.rules.scoring == "territory" and margin - pass_margin < 1.0:
            return PASS, pass_win_rate
        return best, win_rate

    def _halve(self, moves: NDArray[np.uint64], sampler: Sampler) -> tuple[int, float, float]:
        """Return the best of `moves`, its win rate and its average of points."""
        moves = self._shuffler.permutation(moves)[: max(1, self.playouts - sampler.n_done)]
        wins, margins = np.zeros(len(moves)), np.zeros(len(moves))
        visits = 0  # of each move that is still in the race
        for n_rounds in range(max(1, int(np.ceil(np.log2(len(moves))))), 0, -1):
            n_each = (self.playouts - sampler.n_done) // (n_rounds * len(moves))
            n_each = max(n_each, int(visits == 0))
            more_wins, more_margins = sampler.sample(moves, n_each)
            wins, margins, visits = wins + more_wins, margins + more_margins, visits + n_each
            best_first = np.argsort(-(wins + margins / POINTS_FOR_A_WIN), kind="stable")
            kept = best_first[: (len(moves) + 1) // 2]
            moves, wins, margins = moves[kept], wins[kept], margins[kept]
        return int(moves[0]), float(wins[0]) / visits, float(margins[0]) / visits

    def _tell_progress(self, n_done: int) -> None:
        if self.on_progress:
            self.on_progress(min(1.0, n_done / self.playouts))
