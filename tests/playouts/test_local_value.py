"""Local values against the formula, on finished playouts and on positions counted by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE, new_boards
from goengine.jit import COMPILED, kernel
from goengine.playouts.light import play_light
from goengine.playouts.local_value import (
    local_value,
    local_values,
    point_of_sixth,
)
from goengine.playouts.scoring import owner_of
from goengine.points import all_points, parse_vertex, point_at, row_column
from goengine.randomness import random_state
from goengine.ratings import SIXTHS
from goengine.words import U0
from tests.diagrams import board_from, draw_board

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

SIZES = (2, 3, 5, 7, 9, 13, 19)


@kernel
def values_kernel(board, point):
    return local_values(board, point)


@kernel
def value_kernel(board, point, color):
    return local_value(board, point, color)


@kernel
def sixth_kernel(board, point, sixth):
    return point_of_sixth(board, point, sixth)


@kernel
def owner_kernel(board, point):
    return owner_of(board, point)


def finished_boards(size: int) -> list[Any]:
    boards = new_boards(8 if COMPILED else 1, size)
    for seed, board in enumerate(boards):
        board.random = random_state(seed)
        play_light(board, None, U0)
    return list(boards)


def naive_value(board: Any, point: int, size: int, color: int) -> int:
    """Baudiš 2011, 2.4.3, in sixths; a side off the board goes with the point."""

    def has(where: int) -> bool:
        return int(owner_kernel(board, np.uint64(where))) == color

    row, column = row_column(point, size)
    value = 2 * has(point)
    for up, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        beside = (row + up, column + right)
        is_on_board = min(beside) >= 0 and max(beside) < size
        value += has(point_at(*beside, size) if is_on_board else point)
    return value


@pytest.mark.parametrize("size", SIZES)
def test_the_formula_on_finished_playouts(size: int) -> None:
    found = set()
    for board in finished_boards(size):
        for point in all_points(size):
            black, white = map(int, values_kernel(board, np.uint64(point)))
            expected = [naive_value(board, point, size, color) for color in (BLACK, WHITE)]
            assert [black, white] == expected, f"{point}\n{draw_board(board)}"
            assert black + white <= SIXTHS
            for color, value in ((BLACK, black), (WHITE, white)):
                assert int(value_kernel(board, np.uint64(point), np.uint64(color))) == value
            found.add(black)
    assert size < 7 or not COMPILED or found == set(range(7))


@pytest.mark.parametrize("size", SIZES)
def test_six_sixths_are_the_local_value(size: int) -> None:
    for board in finished_boards(size)[:3]:
        for point in all_points(size):
            sixths = [
                int(sixth_kernel(board, np.uint64(point), np.uint64(sixth)))
                for sixth in range(int(SIXTHS))
            ]
            assert set(sixths) <= set(all_points(size))
            owners = [int(owner_kernel(board, np.uint64(each))) for each in sixths]
            found = (owners.count(BLACK), owners.count(WHITE))
            assert found == tuple(map(int, values_kernel(board, np.uint64(point))))


@pytest.mark.parametrize(
    ("vertex", "black", "white"),
    [
        ("B4", 6, 0),  # a stone with its own on all sides
        ("A5", 6, 0),  # an eye in the corner: both edges go with it
        ("E1", 0, 6),  # a stone in the corner
        ("C5", 5, 1),  # a stone at the edge, cut on one side
        ("C3", 3, 3),  # a stone with one of its own beside it
        ("B3", 4, 1),  # a stone beside a point that is nobody's
        ("E3", 3, 2),  # the same at the edge, which is the stone's
        ("B2", 2, 2),  # nobody's
        ("E4", 1, 2),  # nobody's, and neither is the edge
    ],
)
def test_values_by_hand(vertex: str, black: int, white: int) -> None:
    board = board_from("""
        . X X O O
        X X X O .
        X X O O X
        O . X O O
        O O O O O
    """)
    found = values_kernel(board, np.uint64(parse_vertex(vertex, 5)))
    assert tuple(map(int, found)) == (black, white)
