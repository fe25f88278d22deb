"""playouts/patterns.txt on boards, and the tables against a matcher that knows no tables."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, EDGE, EMPTY, WHITE, new_board, play_move
from goengine.jit import COMPILED, kernel
from goengine.playouts.patterns import (
    Pattern,
    fill_patterns,
    pattern_tables,
    pattern_weight,
    read_patterns,
)
from goengine.points import point_at, stride_for
from goengine.tactics.notes import blank_notes
from tests.diagrams import board_from, draw_board
from tests.random_boards import random_boards

SETS = {name: read_patterns(name) for name in ("pachi", "mogo")}
ALL_PATTERNS = [
    pytest.param(pattern, id=f"{name}-{pattern.name}")
    for name, patterns in SETS.items()
    for pattern in patterns
]
SIZE = 5
DIFFERENT = {"X": ".O", "%": ".O", "O": ".X", "@": ".X", ".": "XO", "x": "X", "o": "O"}
STONES = "XO%@"

Rows = Sequence[Sequence[str]]
View = Callable[[int, int], tuple[int, int]]

# From row and column, counted from the middle, to those of the picture turned and mirrored.
VIEWS: list[View] = [
    lambda r, c: (r, c),
    lambda r, c: (r, -c),
    lambda r, c: (-r, c),
    lambda r, c: (-r, -c),
    lambda r, c: (c, r),
    lambda r, c: (c, -r),
    lambda r, c: (-c, r),
    lambda r, c: (-c, -r),
]


@kernel
def ask_weight(board, notes, point, color):
    return pattern_weight(board, notes, np.uint64(point), np.uint64(color))


def weight_at(board: Any, notes: Any, point: int, color: int) -> int:
    return int(ask_weight(board, notes[0], point, color))


def put(stones: dict[tuple[int, int], int]) -> Any:
    """An otherwise empty board with stones by row and column."""
    board = new_board(SIZE)
    for (row, column), color in stones.items():
        play_move(board, point_at(row, column, SIZE), color)
    assert board.n_empty == SIZE * SIZE - len(stones)
    return board


def weights_all_ways(rows: Rows, notes: Any) -> tuple[set[int], set[int]]:
    """The weights of the move for X and for O, with the picture turned, mirrored, recoloured."""
    at_edge = rows[2][1] == "-"
    by_x, by_o = set(), set()
    for view in VIEWS:
        for x in (BLACK, WHITE):
            stones = {}
            for r, c in itertools.product((-1, 0, 1), repeat=2):
                if rows[r + 1][c + 1] in STONES:
                    color = x if rows[r + 1][c + 1] in "X%" else 3 - x
                    stones[on_board(view, r, c, at_edge)] = color
            board = put(stones)
            point = point_at(*on_board(view, 0, 0, at_edge), SIZE)
            by_x.add(weight_at(board, notes, point, x))
            by_o.add(weight_at(board, notes, point, 3 - x))
    return by_x, by_o


def on_board(view: View, r: int, c: int, at_edge: bool) -> tuple[int, int]:
    """Row and column on the board of a place of a picture, seen from the place of the move."""
    row, column = view(r + SIZE // 2 if at_edge else r, c)
    return row + SIZE // 2, column + SIZE // 2


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("pattern", ALL_PATTERNS)
def test_a_pattern_matches_its_picture(pattern: Pattern) -> None:
    notes = blank_notes()
    notes.pattern_class[...], notes.pattern_weight[...] = pattern_tables([pattern])
    by_o = 0 if pattern.only_by_x else pattern.weight
    assert weights_all_ways(pattern.rows, notes) == ({pattern.weight}, {by_o})


@pytest.mark.parametrize("pattern", ALL_PATTERNS)
def test_a_change_anywhere_breaks_a_pattern(pattern: Pattern) -> None:
    notes = blank_notes()
    notes.pattern_class[...], notes.pattern_weight[...] = pattern_tables([pattern])
    for r, c in itertools.product(range(3), repeat=2):
        if pattern.rows[r][c] not in DIFFERENT:
            continue
        found = []
        for letter in DIFFERENT[pattern.rows[r][c]]:
            rows = [list(line) for line in pattern.rows]
            rows[r][c] = letter
            found.append(weights_all_ways(rows, notes))
        assert ({0}, {0}) in found, (r, c)  # the other change may make another view of it


# --- a matcher that looks at every view of every pattern ------------------------

TESTS = {
    "X": lambda seen: seen in "Xx",
    "O": lambda seen: seen in "Oo",
    "%": lambda seen: seen == "X",
    "@": lambda seen: seen == "O",
    "x": lambda seen: seen not in "Xx",
    "o": lambda seen: seen not in "Oo",
    ".": lambda seen: seen == ".",
    "-": lambda seen: seen == "-",
    "?": lambda seen: True,
    "*": lambda seen: True,
}


@functools.cache
def plain_weight(set_name: str, seen: str) -> int:
    """Of nine letters row by row from the top: X own, O enemy, x and o in atari beside."""
    swapped = seen.translate(str.maketrans("XOxo", "OXox"))
    for pattern in reversed(SETS[set_name]):
        for letters in (seen,) if pattern.only_by_x else (seen, swapped):
            for view in VIEWS:
                places = {(r, c): view(r, c) for r, c in itertools.product((-1, 0, 1), repeat=2)}
                if all(
                    TESTS[pattern.rows[r + 1][c + 1]](letters[3 * row + column + 4])
                    for (r, c), (row, column) in places.items()
                ):
                    return pattern.weight
    return 0


def all_seen(board: Any, color: int) -> dict[int, str]:
    """The nine letters around each empty point, for plain_weight."""
    names = {EMPTY: ".", EDGE: "-", color: "X", 3 - color: "O"}
    letters = [names[each] for each in board.color.tolist()]
    liberties = board.n_liberties[board.chain].tolist()
    beside = [
        letter.lower() if n == 1 else letter for letter, n in zip(letters, liberties, strict=True)
    ]
    up = stride_for(int(board.rows))
    seen = {}
    for p in board.empty[: board.n_empty].tolist():
        above = letters[p + up - 1] + beside[p + up] + letters[p + up + 1]
        below = letters[p - up - 1] + beside[p - up] + letters[p - up + 1]
        seen[p] = above + beside[p - 1] + "." + beside[p + 1] + below
    return seen


@kernel
def ask_all_weights(board, notes, color, weights):
    for index in range(board.n_empty):
        point = np.uint64(board.empty[index])
        weights[point] = pattern_weight(board, notes, point, np.uint64(color))


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("set_name", SETS)
@pytest.mark.parametrize(("size", "n_games"), [(2, 2), (5, 40), (9, 30)] if COMPILED else [(5, 3)])
def test_tables_agree_with_a_plain_matcher(set_name: str, size: int, n_games: int) -> None:
    notes = blank_notes()
    fill_patterns(notes, set_name)
    found = set()
    for board in random_boards(size, n_games):
        weights = np.zeros(board.color.shape, np.uint64)
        for color in (BLACK, WHITE):
            ask_all_weights(board, notes[0], color, weights)
            for point, seen in all_seen(board, color).items():
                expected = plain_weight(set_name, seen)
                assert weights[point] == expected, f"{draw_board(board)}\n{point} {color}"
                found.add(expected)
    if size == 9:
        assert found == {0} | {pattern.weight for pattern in SETS[set_name]}


# --- what ataris change ---------------------------------------------------------

CUT = """
    . . . . .
    . . . . .
    . . . . .
    . O O X .
    {} X . O .
"""
EYE = """
    . . . . .
    . . . . .
    . . . . .
    . X X . .
    {} O . X .
"""


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("text", "weight"),
    [
        (CUT.format("."), 57),
        (CUT.format("O"), 20),  # the left stone in atari: blocking is left
        (EYE.format("."), 44),
        (EYE.format("X"), 0),
    ],
    ids=["cut", "no cut", "eye", "no eye"],
)
def test_a_stone_in_atari_makes_another_pattern_of_it_or_none(text: str, weight: int) -> None:
    notes = blank_notes()
    fill_patterns(notes)
    point = point_at(0, 2, 5)
    found = {weight_at(board_from(text), notes, point, color) for color in (BLACK, WHITE)}
    assert found == {weight}
