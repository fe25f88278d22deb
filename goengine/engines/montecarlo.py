"""The engine `montecarlo`: each move is judged by playouts that start with it, without a tree.

The playouts are dealt out by sequential halving (Karnin, Koren and Somekh 2013):
every move gets the same share, the better half stays, and so on to the last one.
"""

from __future__ import annotations

import time

import numpy as np

from goengine.board import BLACK, play_pass
from goengine.board.records import blank_boards
from goengine.engines.engine import Engine, candidate_points, white_komi
from goengine.playouts.batches import sample_moves
from goengine.points import PASS, format_vertex
from goengine.randomness import random_state
from goengine.rules.game import Game, opponent
from goengine.rules.scoring import score_game

PLAYOUTS_A_CALL = 2000  # between two reports of progress

# So many points count as much as a won game: decides only between moves that
# win equally often, above all when all of them win or all lose.
POINTS_FOR_A_WIN = 1000.0


class MonteCarloEngine(Engine):
    def __init__(self, seed: int, playouts: int) -> None:
        super().__init__(seed, playouts)
        self._random = random_state(seed)

    def choose(self, game: Game, color: int) -> int:
        self.report, self.win_rate, self.ownership = "", None, None
        if _may_pass_to_win(game, color):
            return PASS
        moves = candidate_points(game, color)
        if len(moves) == 0:
            return PASS
        return self._search(game, color, moves)

    def _search(self, game: Game, color: int, moves: np.ndarray) -> int:
        started = time.monotonic()
        boards = blank_boards(2, game.size)
        boards[0] = game.board
        if boards[0].to_play != color:
            play_pass(boards[0], opponent(color))
        boards[1].random = self._random
        komi = white_komi(game)
        ownership = np.zeros(len(game.board.color), np.int64)
        wins = np.zeros(len(moves))
        margins = np.zeros(len(moves))
        visits = 0  # of each move that is still in the race
        n_done = 0
        n_rounds = max(1, int(np.ceil(np.log2(len(moves)))))
        for n_left in range(n_rounds, 0, -1):
            n_each = max(1, (self.playouts - n_done) // (n_left * len(moves)))
            for n_more in _slices(n_each, max(1, PLAYOUTS_A_CALL // len(moves))):
                sample_moves(boards, moves, n_more, komi, wins, margins, ownership)
                n_done += n_more * len(moves)
                if self.on_progress:
                    self.on_progress(min(1.0, n_done / self.playouts))
            visits += n_each
            best_first = np.argsort(-(wins + margins / POINTS_FOR_A_WIN), kind="stable")
            kept = best_first[: (len(moves) + 1) // 2]
            moves, wins, margins = moves[kept], wins[kept], margins[kept]
        self._random = boards[1].random
        self.ownership = ownership / n_done
        self.win_rate = float(wins[0] / visits)
        seconds = time.monotonic() - started
        vertex = format_vertex(int(moves[0]), game.size)
        self.report = f"{vertex} wins {self.win_rate:.1%}; {n_done} playouts in {seconds:.1f} s"
        return int(moves[0])


def _may_pass_to_win(game: Game, color: int) -> bool:
    """The opponent has just passed, and the position as it stands is won."""
    if not game.moves or game.moves[-1] != (opponent(color), PASS):
        return False
    margin = score_game(game).margin
    return margin > 0 if color == BLACK else margin < 0


def _slices(total: int, most: int) -> list[int]:
    """Numbers of at most `most` that add up to `total`."""
    return [most] * (total // most) + [total % most] * (total % most > 0)
