"""Playouts in drawn positions: which moves the rules choose, and whole games move by move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from goengine.board import BLACK, LEGAL, copy_board, illegality, play_move, play_pass
from goengine.board.checking import check_board
from goengine.board.eyes import is_eye
from goengine.jit import COMPILED, allocating_kernel, kernel
from goengine.playouts.mogo import choose_mogo, play_mogo
from goengine.playouts.pachi import choose_pachi, permitted, play_pachi
from goengine.playouts.patterns import fill_patterns
from goengine.playouts.rates import load_rates
from goengine.playouts.scoring import owner_of, score_finished
from goengine.points import PASS, all_points, format_vertex, parse_vertex
from goengine.randomness import random_state
from goengine.ratings import blank_ratings
from goengine.search.parameters import PARAMETERS, new_parameters
from goengine.tactics.notes import blank_notes
from goengine.words import U0
from tests.diagrams import COLORS, board_from, draw_board
from tests.random_boards import random_boards

RATES = tuple(each.name for each in PARAMETERS if each.name.endswith("_rate"))
N_DRAWS = 300 if COMPILED else 40


@allocating_kernel
def draw_pachi(board, notes, ratings, n_draws, counts):
    refused = notes.refused.copy()
    for _ in range(n_draws):
        notes.refused[:] = refused
        counts[choose_pachi(board, notes, ratings, board.to_play)] += 1


@kernel
def draw_permitted(board, notes, point, n_draws, counts):
    for _ in range(n_draws):
        counts[permitted(board, notes, point, board.to_play)] += 1


@kernel
def draw_mogo(board, notes, n_draws, counts):
    for _ in range(n_draws):
        counts[choose_mogo(board, notes, board.to_play)] += 1


@kernel
def eye_kernel(board, point, color):
    return is_eye(board, point, color)


@kernel
def owner_kernel(board, point):
    return owner_of(board, point)


class Drawn:
    """A position with its last moves played, such as "w C3 b D4"; the other colour is next."""

    def __init__(self, text: str, moves: str = "", **changes: float) -> None:
        self.board = board_from(text)
        self.size = int(self.board.rows)
        self.board.random = random_state(1)
        words = moves.split()
        for letter, vertex in zip(words[::2], words[1::2], strict=True):
            point, color = parse_vertex(vertex, self.size), COLORS[letter]
            self.board.to_play = color
            if point == PASS:
                play_pass(self.board, color)
            else:
                assert illegality(self.board, point, color, False) == LEGAL, vertex
                play_move(self.board, point, color)
        self.notes = blank_notes()[0]
        self.ratings = blank_ratings()[0]
        self.set_rates(**changes)

    def set_rates(self, **changes: float) -> None:
        """Pachi's patterns; all rates are 0 but those that are named."""
        fill_patterns(self.notes, "pachi")
        parameters = new_parameters(self.size, {**dict.fromkeys(RATES, 0), **changes})
        load_rates(self.notes, parameters[0])

    def point(self, vertex: str) -> np.uint64:
        return np.uint64(parse_vertex(vertex, self.size))

    def counted(self, counts: Any) -> Counter[str]:
        return Counter(
            {format_vertex(int(p), self.size): int(counts[p]) for p in np.flatnonzero(counts)}
        )

    def pachi(self, n_draws: int = N_DRAWS) -> Counter[str]:
        """How often each move is chosen."""
        counts = np.zeros(len(self.board.color), np.int64)
        draw_pachi(self.board, self.notes, self.ratings, n_draws, counts)
        return self.counted(counts)

    def permitted(self, vertex: str) -> Counter[str]:
        """What becomes of the wish to play there; pass: nothing."""
        counts = np.zeros(len(self.board.color), np.int64)
        draw_permitted(self.board, self.notes, self.point(vertex), N_DRAWS, counts)
        return self.counted(counts)

    def mogo(self, n_draws: int = N_DRAWS) -> Counter[str]:
        fill_patterns(self.notes, "mogo")
        counts = np.zeros(len(self.board.color), np.int64)
        draw_mogo(self.board, self.notes, n_draws, counts)
        return self.counted(counts)


# --- whole games ----------------------------------------------------------------


def notes_for(kind: str, size: int) -> Any:
    notes = blank_notes()[0]
    fill_patterns(notes, kind)
    load_rates(notes, new_parameters(size)[0])
    return notes


def played_out(kind: str, board: Any, seed: int) -> list[int]:
    """Play `board` to its end. Returns the moves."""
    size = int(board.rows)
    board.random = random_state(seed)
    moves = np.full(3 * size * size + 5, 60_000, np.uint16)
    notes = notes_for(kind, size)
    if kind == "pachi":
        n_moves = int(play_pachi(board, notes, blank_ratings()[0], moves, U0))
    else:
        n_moves = int(play_mogo(board, notes, moves, U0))
    assert (moves[n_moves:] == 60_000).all()
    return [int(move) for move in moves[:n_moves]]


def check_game(
    kind: str, start: Any, seed: int, may_fill: Callable[[Any, int, int], bool] | None = None
) -> None:
    """Replay a game: legal moves, no own eye filled, an end, a score that adds up."""
    board, replayed = copy_board(start), copy_board(start)
    size = int(board.rows)
    moves = played_out(kind, board, seed)
    for move in moves:
        color = int(replayed.to_play)
        if move == PASS:
            play_pass(replayed, color)
            continue
        shown = f"{format_vertex(move, size)} by {color} in\n{draw_board(replayed)}"
        assert illegality(replayed, move, color, False) == LEGAL, shown
        if eye_kernel(replayed, np.uint64(move), np.uint64(color)):
            assert may_fill is not None, shown
            assert may_fill(replayed, move, color), shown
        play_move(replayed, move, color)
    assert draw_board(replayed) == draw_board(board)
    assert replayed.hash == board.hash
    check_board(board)
    passes = [move == PASS for move in moves]
    if len(moves) < 3 * size * size:
        assert passes[-2:] == [True, True]
    assert (True, True) not in pairwise(passes[:-1]), "went on after the end"
    owners = np.zeros(len(board.color), np.int64)
    margin = int(score_finished(board, owners))
    by_point = [int(owner_kernel(board, np.uint64(point))) for point in all_points(size)]
    assert margin == owners.sum() == by_point.count(1) - by_point.count(2)
    assert [owners[point] for point in all_points(size)] == [(0, 1, -1)[each] for each in by_point]


def moves_of_games(kind: str) -> str:
    """The moves of some games from many kinds of positions, for comparisons."""
    found = []
    for size, every in ((2, 3), (5, 25), (7, 60)):
        for seed, start in enumerate(random_boards(size, 1, every)):
            board = copy_board(start)
            found.append(" ".join(map(str, [size, *played_out(kind, board, seed)])))
    board = board_from("\n".join([" .  " * 5] * 5))
    board.to_play = BLACK
    found.append(" ".join(map(str, played_out(kind, board, 1))))
    return "\n".join(found)
