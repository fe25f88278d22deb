"""tests/positions/nakade.t, and all shapes against a search to the end."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE, new_board, play_move
from goengine.jit import COMPILED, kernel
from goengine.points import parse_vertex, point_at
from goengine.tactics.nakade import is_dead_shape, nakade_point
from goengine.tactics.notes import blank_notes
from tests.diagrams import COLORS, board_from, draw_board
from tests.position_files import Case, read_cases
from tests.twins.small_eyes import Cell, Shape, SmallEye, different_shapes, views_of

SIZE = 9

# By number of points: shapes with a vital point, and shapes that can be killed at all.
KNOWN = {1: (0, 1), 2: (0, 1), 3: (2, 2), 4: (1, 2), 5: (2, 2), 6: (1, 1)}


@kernel
def ask_nakade_point(board, notes, start, color):
    return nakade_point(board, notes, np.uint64(start), np.uint64(color))


@kernel
def ask_dead_shape(board, notes, n):
    return is_dead_shape(board, notes, np.uint64(n))


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("case", read_cases("nakade.t"), ids=str)
def test_position(case: Case) -> None:
    board, size = board_from("\n".join(case.rows)), len(case.rows)
    for word, color, *vertices in case.lines:
        start, *vital = (parse_vertex(vertex, size) for vertex in vertices)
        assert len(vital) == (word == "vital")
        found = ask_nakade_point(board, blank_notes()[0], start, COLORS[color])
        assert found == sum(vital), f"{case.place}: {word} {color} {vertices}: {found}"


def places_for(shape: Shape) -> list[Cell]:
    """Where its lowest row and column may be: in two corners, at an edge, in the middle."""
    height, width = (1 + max(values) for values in zip(*shape, strict=True))
    return [(0, 0), (SIZE - height, SIZE - width), (SIZE - height, 2), (2, 2)]


def walled_in(shape: Shape, color: int) -> Any:
    """A board with `color` on all points around a shape."""
    board = new_board(SIZE)
    wall = {(r + i, c + j) for r, c in shape for i in (-1, 0, 1) for j in (-1, 0, 1)} - shape
    for row, column in wall:
        if 0 <= row < SIZE and 0 <= column < SIZE:
            play_move(board, point_at(row, column, SIZE), color)
    return board


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("n", range(1, 7) if COMPILED else range(1, 5))
def test_all_shapes_are_what_a_search_to_the_end_says(n: int) -> None:
    """The wall of that search has no edge; ours has, and no vital point may come of it."""
    notes = blank_notes()[0]
    n_vital = n_dead = 0
    for shape in different_shapes(n):
        eye = SmallEye(shape)
        killing = eye.killing_points()
        has_vital = bool(killing and eye.saving_points())
        n_vital += has_vital
        n_dead += bool(killing)
        for view, color in itertools.product(views_of(shape), (BLACK, WHITE)):
            for row, column in places_for(frozenset(view.values())):
                moved = {cell: (r + row, c + column) for cell, (r, c) in view.items()}
                board = walled_in(frozenset(moved.values()), color)
                points = {cell: point_at(*place, SIZE) for cell, place in moved.items()}
                expected = {points[cell] for cell in killing} if has_vital else {0}
                for start in points.values():
                    found = ask_nakade_point(board, notes, start, color)
                    assert {int(found)} == expected, draw_board(board)
                    assert ask_nakade_point(board, notes, start, 3 - color) == 0
                notes.area[:n] = list(points.values())
                assert bool(ask_dead_shape(board, notes, n)) == bool(killing), draw_board(board)
    assert (n_vital, n_dead) == KNOWN[n]


def test_seven_stones_are_no_dead_shape() -> None:
    notes = blank_notes()[0]
    notes.area[:7] = [point_at(0, column, SIZE) for column in range(7)]
    assert not ask_dead_shape(new_board(SIZE), notes, 7)
