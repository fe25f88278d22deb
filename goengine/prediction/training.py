"""`goengine learn`: a model of moves from game records, one game a line.

The moves of each position compete: the probability of one is its exponential sum of weights
over that of all. Weights go up the gradient of the likelihood of what was played, each at a
rate of its own that falls with the squares of its steps (J. Duchi, E. Hazan, Y. Singer,
"Adaptive Subgradient Methods", 2011): rare shapes learn as fast as what is seen in every move.
"""

from __future__ import annotations

import argparse
import lzma
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from goengine.board import clear_board
from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.board.records import EMPTY, blank_boards, n_points
from goengine.jit import inlined_kernel, kernel
from goengine.playouts.patterns import symmetric_codes
from goengine.points import MAX_SIZE, MIN_SIZE, capacity_for, parse_sgf_letters
from goengine.prediction.features import N_FEATURES, N_GROUPS, N_SHAPES, note_features
from goengine.prediction.model import MAX_NEARNESS, Model, save_model
from goengine.prediction.shapes import (
    N_RINGS,
    N_WIDE,
    find_shapes,
    list_shapes,
    new_shapes,
    spread_board,
)
from goengine.tactics.distance import fill_distances
from goengine.tactics.ladders import READING_DEPTH, find_ladders
from goengine.tactics.notes import blank_notes
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.words import U0, U1

FIRST_RATE = 0.3  # halved with every epoch
_TEST_SHARE = 20  # one game in so many is not learnt from
OFTEN = 20  # a large shape that was played so many times is learnt


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="goengine learn", description=__doc__)
    parser.add_argument("records", type=Path, help="a text file, .xz or not: HEADER; mv mv mv")
    parser.add_argument("model", type=Path, help="the file to write, .npz")
    parser.add_argument("--size", type=int, default=19, choices=range(MIN_SIZE, MAX_SIZE + 1))
    parser.add_argument("--games", type=int, help="at most so many, at random")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument(
        "--often", type=int, default=OFTEN, help="learn shapes that were played so many times"
    )
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
    learner = Learner(options.size, find_frequent(games[n_test:], options.size, options.often))
    learn(learner, games[n_test:], games[:n_test], options.epochs, options.model)
    return 0


def learn(
    learner: Learner, games: list[Any], test_games: list[Any], epochs: int, path: Path
) -> None:
    """Learn from `games`; what foresees the others best after an epoch is kept in `path`."""
    from rich.progress import Progress

    least = math.inf
    with Progress(transient=True) as progress:
        progress.console.print(f"{learner.n_shapes} large shapes")
        bar = progress.add_task("learning", total=epochs * len(games))
        for epoch in range(epochs):
            rate = FIRST_RATE * 0.5**epoch
            learner.run(games, rate, lambda: progress.advance(bar))
            loss, hits, n = learner.run(test_games, 0.0)
            if loss < least:
                least = loss
                save_model(path, learner.model)
            progress.console.print(
                f"epoch {epoch + 1}: {loss:.4f} nats a move, {hits:.1%} of {n} moves foreseen"
            )


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


def find_frequent(games: list[Any], size: int, n_times: int) -> Any:
    """The numbers of all large shapes that moves were made in so many times at least."""
    boards = blank_boards(1, size)
    wide = np.zeros(N_WIDE, np.uint8)
    numbers = np.zeros((sum(map(len, games)), N_RINGS), np.uint32)
    n = 0
    for moves in games:
        clear_board(boards[0], size)
        n += list_played(boards[0], wide, moves, numbers[n:])
    found, counts = np.unique(numbers[:n], return_counts=True)
    return found[counts >= n_times]


@kernel
def list_played(board, wide, moves, numbers):
    """Write the shapes around each move of a game. Returns the moves that were played."""
    n = 0
    for index in range(len(moves)):
        played = np.uint64(moves[index])
        color = board.to_play
        if played == U0:
            play_pass(board, color)
            continue
        if board.color[played] != EMPTY or not is_legal(board, played, color):
            break
        spread_board(board, color, wide)
        list_shapes(board, wide, played, numbers[n])
        n += 1
        play_move(board, played, color)
    return n


class Room(NamedTuple):
    """What learning needs beside the weights."""

    distances: Any  # by point, as in search/workspace.py
    queue: Any
    wide: Any
    reading: Any
    ladders: Any
    features: Any  # by candidate, and so down to chances
    slots: Any  # of the known shapes, n_known of them
    n_known: Any
    chances: Any
    steps: Any  # by weight, features before slots: what one position wants
    squares: Any  # by weight: the squares of all steps
    touched: Any  # weights that the position has to do with


class Learner:
    """Weights, and room to replay games."""

    def __init__(self, size: int, numbers: Any) -> None:
        n = n_points(capacity_for(size))
        self._size = size
        self._boards = blank_boards(1, size)
        self._notes = blank_notes()
        self._shape_of_code = symmetric_codes()
        self._shapes = new_shapes(numbers, np.zeros(len(numbers)))
        n_weights = N_FEATURES + len(self._shapes.weights)
        self._room = Room(
            distances=np.zeros(n, np.uint8),
            queue=np.zeros(n, np.uint16),
            wide=np.zeros(N_WIDE, np.uint8),
            reading=blank_boards(READING_DEPTH, size),
            ladders=np.zeros(n, np.uint8),
            features=np.zeros((n, N_GROUPS), np.uint32),
            slots=np.zeros((n, N_RINGS), np.uint32),
            n_known=np.zeros(n, np.uint64),
            chances=np.zeros(n, np.float64),
            steps=np.zeros(n_weights),
            squares=np.ones(n_weights),
            touched=np.zeros(2 * n * (N_GROUPS + N_RINGS), np.int64),
        )

    @property
    def n_shapes(self) -> int:
        return int(np.count_nonzero(self._shapes.numbers))

    @property
    def model(self) -> Model:
        """Every code of a shape has the weight of its first symmetric one."""
        weights = self._notes[0].feature_weights[:N_FEATURES].copy()
        weights[:N_SHAPES] = weights[self._shape_of_code]
        return Model(weights, self._shapes)

    def run(
        self, games: list[Any], rate: float, on_game: Callable[[], None] = lambda: None
    ) -> tuple[float, float, int]:
        """Learn from all games. Returns mean loss, share of moves foreseen, and their number."""
        totals = np.zeros(3)
        for moves in games:
            clear_board(self._boards[0], self._size)
            board, notes = self._boards[0], self._notes[0]
            learn_game(
                board, notes, self._shapes, moves, self._shape_of_code, rate, totals, self._room
            )
            on_game()
        n = max(totals[2], 1.0)
        return totals[0] / n, totals[1] / n, int(n)


@kernel
def learn_game(board, notes, shapes, moves, shape_of_code, rate, totals, room):
    """Replay a game, black first, and learn from each of its moves."""
    weights = notes.feature_weights
    chances = room.chances
    for number in range(len(moves)):
        played = np.uint64(moves[number])
        color = board.to_play
        if played == U0:
            play_pass(board, color)
            continue
        if board.color[played] != EMPTY or not is_legal(board, played, color):
            return
        if board.last != U0:
            fill_distances(board, board.last, MAX_NEARNESS - U1, room.distances, room.queue)
        else:
            room.distances[:] = np.uint8(0)
        find_ladders(board, room.reading, color, room.ladders)
        spread_board(board, color, room.wide)
        n_moves = 0
        chosen = -1
        best = -1
        greatest = -1e30
        for index in range(board.n_empty):
            point = np.uint64(board.empty[index])
            if is_eye(board, point, color) or not is_legal(board, point, color):
                continue
            is_bad = is_bad_self_atari(board, notes, point, color)
            nearness, ladder = np.uint64(room.distances[point]), np.uint64(room.ladders[point])
            note_features(board, notes, point, color, nearness, ladder, is_bad)
            rating = 0.0
            for group in range(N_GROUPS):
                feature = notes.features[group]
                if group == 0:
                    feature = shape_of_code[feature]
                room.features[n_moves, group] = feature
                rating += weights[feature]
            slots = room.slots[n_moves]
            n_known = find_shapes(board, room.wide, point, shapes, slots)
            room.n_known[n_moves] = n_known
            for ring in range(n_known):
                rating += shapes.weights[slots[ring]]
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
                n_touched = 0
                for index in range(n_moves):
                    step = -chances[index] / total
                    if index == chosen:
                        step += 1.0
                    for group in range(N_GROUPS):
                        place = np.int64(room.features[index, group])
                        n_touched = add_step(room, place, step, n_touched)
                    for ring in range(room.n_known[index]):
                        place = N_FEATURES + np.int64(room.slots[index, ring])
                        n_touched = add_step(room, place, step, n_touched)
                for index in range(n_touched):
                    place = room.touched[index]
                    change = np.float32(rate * take_step(room, place))
                    if place < N_FEATURES:
                        weights[place] += change
                    else:
                        shapes.weights[place - N_FEATURES] += change
        play_move(board, played, color)


@inlined_kernel
def add_step(room, place, step, n_touched):
    """Add to what one position says of a weight. Returns how many weights it has touched."""
    if room.steps[place] == 0.0:
        room.touched[n_touched] = place
        n_touched += 1
    room.steps[place] += step
    return n_touched


@inlined_kernel
def take_step(room, place):
    """The step that all candidates together want, at the weight's own rate."""
    step = room.steps[place]
    room.steps[place] = 0.0
    room.squares[place] += step * step
    return step / np.sqrt(room.squares[place])
