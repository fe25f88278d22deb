"""`goengine learn`: a model of moves from game records, one game a line.

The moves of each position compete: the probability of one is its exponential sum of weights
over that of all. Weights go up the gradient of the likelihood of what was played.
"""

from __future__ import annotations

import argparse
import lzma
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from goengine.board import clear_board
from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.board.records import EMPTY, blank_boards, n_points
from goengine.jit import kernel
from goengine.playouts.patterns import symmetric_codes
from goengine.points import MAX_SIZE, MIN_SIZE, capacity_for, parse_sgf_letters
from goengine.prediction.features import N_FEATURES, N_GROUPS, N_SHAPES, note_features
from goengine.prediction.model import MAX_NEARNESS, save_model
from goengine.tactics.distance import fill_distances
from goengine.tactics.notes import blank_notes
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.words import U0, U1

FIRST_RATE = 0.1  # halved with every epoch
_TEST_SHARE = 20  # one game in so many is not learnt from


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="goengine learn", description=__doc__)
    parser.add_argument("records", type=Path, help="a text file, .xz or not: HEADER; mv mv mv")
    parser.add_argument("model", type=Path, help="the file to write, .npz")
    parser.add_argument("--size", type=int, default=19, choices=range(MIN_SIZE, MAX_SIZE + 1))
    parser.add_argument("--games", type=int, help="at most so many, at random")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    try:
        games = read_games(options.records, options.size)
    except (OSError, ValueError, lzma.LZMAError) as error:
        parser.error(f"{options.records}: {error}")
    random.Random(options.seed).shuffle(games)
    games = games[: options.games]
    n_test = len(games) // _TEST_SHARE
    if n_test == 0:
        parser.error(f"{len(games)} games are too few; one in {_TEST_SHARE} is kept for the test")
    learner = learn(games[n_test:], games[:n_test], options.size, options.epochs)
    save_model(options.model, learner.weights)
    return 0


def learn(games: list[Any], test_games: list[Any], size: int, epochs: int) -> Learner:
    """Learn from `games`, and tell after each epoch what the others say to it."""
    from rich.progress import Progress

    learner = Learner(size)
    with Progress(transient=True) as progress:
        bar = progress.add_task("learning", total=epochs * len(games))
        for epoch in range(epochs):
            rate = FIRST_RATE * 0.5**epoch
            learner.run(games, rate, lambda: progress.advance(bar))
            loss, hits, n = learner.run(test_games, 0.0)
            progress.console.print(
                f"epoch {epoch + 1}: {loss:.4f} nats a move, {hits:.1%} of {n} moves foreseen"
            )
    return learner


def read_games(path: Path, size: int) -> list[Any]:
    """The moves of each game as points, PASS for a pass. Raises ValueError."""
    data = path.read_bytes()
    text = (lzma.decompress(data) if path.suffix == ".xz" else data).decode()
    games = []
    for number, line in enumerate(text.splitlines(), 1):
        _, separator, moves = line.partition("; ")
        if not separator:
            raise ValueError(f"line {number} is not of the form HEADER; mv mv mv")
        try:
            points = [parse_sgf_letters(move, size) for move in moves.split(" ")]
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        games.append(np.array(points, np.uint16))
    return games


class Learner:
    """Weights, and room to replay games."""

    def __init__(self, size: int) -> None:
        n = n_points(capacity_for(size))
        self._size = size
        self._boards = blank_boards(1, size)
        self._notes = blank_notes()
        self._shape_of_code = symmetric_codes()
        self._room = (
            np.zeros(n, np.uint8),
            np.zeros(n, np.uint16),
            np.zeros((n, N_GROUPS), np.uint32),
            np.zeros(n, np.float64),
        )

    @property
    def weights(self) -> Any:
        """By feature; every code of a shape has that of its first symmetric one."""
        weights = self._notes[0].feature_weights[:N_FEATURES].copy()
        weights[:N_SHAPES] = weights[self._shape_of_code]
        return weights

    def run(
        self, games: list[Any], rate: float, on_game: Callable[[], None] = lambda: None
    ) -> tuple[float, float, int]:
        """Learn from all games. Returns mean loss, share of moves foreseen, and their number."""
        totals = np.zeros(3)
        for moves in games:
            clear_board(self._boards[0], self._size)
            board, notes = self._boards[0], self._notes[0]
            learn_game(board, notes, moves, self._shape_of_code, rate, totals, *self._room)
            on_game()
        n = max(totals[2], 1.0)
        return totals[0] / n, totals[1] / n, int(n)


@kernel
def learn_game(
    board, notes, moves, shape_of_code, rate, totals, distances, queue, features, chances
):
    """Replay a game, black first, and learn from each of its moves."""
    weights = notes.feature_weights
    for number in range(len(moves)):
        played = np.uint64(moves[number])
        color = board.to_play
        if played == U0:
            play_pass(board, color)
            continue
        if board.color[played] != EMPTY or not is_legal(board, played, color):
            return
        if board.last != U0:
            fill_distances(board, board.last, MAX_NEARNESS - U1, distances, queue)
        else:
            distances[:] = np.uint8(0)
        n_moves = 0
        chosen = -1
        best = -1
        greatest = -1e30
        for index in range(board.n_empty):
            point = np.uint64(board.empty[index])
            if is_eye(board, point, color) or not is_legal(board, point, color):
                continue
            is_bad = is_bad_self_atari(board, notes, point, color)
            note_features(board, notes, point, color, np.uint64(distances[point]), is_bad)
            rating = 0.0
            for group in range(N_GROUPS):
                feature = notes.features[group]
                if group == 0:
                    feature = shape_of_code[feature]
                features[n_moves, group] = feature
                rating += weights[feature]
            chances[n_moves] = rating
            if rating > greatest:
                greatest = rating
                best = n_moves
            if point == played:
                chosen = n_moves
            n_moves += 1
        if chosen >= 0:
            total = 0.0
            for index in range(n_moves):
                chances[index] = np.exp(chances[index] - greatest)
                total += chances[index]
            totals[0] -= np.log(chances[chosen] / total)
            totals[1] += 1.0 if best == chosen else 0.0
            totals[2] += 1.0
            if rate > 0.0:
                for index in range(n_moves):
                    step = -chances[index] / total
                    if index == chosen:
                        step += 1.0
                    for group in range(N_GROUPS):
                        weights[features[index, group]] += np.float32(rate * step)
        play_move(board, played, color)
