"""Large shapes: their numbers beside plain pictures, and the table that knows them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, EDGE, EMPTY, WHITE
from goengine.points import all_points, point_at, stride_for
from goengine.prediction.shapes import (
    N_RINGS,
    N_WIDE,
    RINGS,
    find_shapes,
    list_shapes,
    new_shapes,
    spread_board,
)
from tests.diagrams import board_from

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

SIZE = 7


def random_rows(seed: int) -> list[list[str]]:
    draw = random.Random(seed)
    return [[draw.choice("...XO") for _ in range(SIZE)] for _ in range(SIZE)]


def turned(rows: list[list[str]]) -> list[list[str]]:
    return [list(row) for row in zip(*rows[::-1], strict=True)]


def board_of(rows: list[list[str]]) -> Any:
    return board_from("\n".join(" ".join(row) for row in rows))


def numbers_at(board: Any, point: int, color: int) -> list[int]:
    wide, numbers = np.zeros(N_WIDE, np.uint8), np.zeros(N_RINGS, np.uint32)
    spread_board(board, np.uint64(color), wide)
    list_shapes(board, wide, np.uint64(point), numbers)
    return [int(number) for number in numbers]


def picture(board: Any, point: int, color: int, ring: int) -> tuple[int, ...]:
    """What the ring is about, place by place, the least of all eight views."""
    row, column = divmod(point, stride_for(SIZE))
    reach = range(-RINGS[ring] // 2, RINGS[ring] // 2 + 1)
    views = []
    for turn in range(8):
        seen = []
        for dy in reach:
            for dx in reach:
                if abs(dx) + abs(dy) + max(abs(dx), abs(dy)) <= RINGS[ring]:
                    x, y = (dx, dy) if turn & 1 else (dy, dx)
                    at_row = row + (y if turn & 2 else -y)
                    at_column = column + (x if turn & 4 else -x)
                    seen.append(stone_at(board, at_row, at_column, color))
        views.append(tuple(seen))
    return min(views)


def stone_at(board: Any, row: int, column: int, color: int) -> int:
    if not (1 <= row <= SIZE and 1 <= column <= SIZE):
        return EDGE
    stone = int(board.color[row * stride_for(SIZE) + column])
    return 3 - stone if stone != EMPTY and color == WHITE else stone


def test_numbers_are_equal_where_pictures_are() -> None:
    number_of: dict[tuple[int, tuple[int, ...]], int] = {}
    picture_of: dict[int, tuple[int, tuple[int, ...]]] = {}
    for seed in range(3):
        board = board_of(random_rows(seed))
        for point in list(all_points(SIZE))[:: 1 + seed]:
            if board.color[point] != EMPTY:
                continue
            for color in (BLACK, WHITE):
                numbers = numbers_at(board, point, color)
                for ring in (0, 1, 3, N_RINGS - 1):
                    seen = (ring, picture(board, point, color, ring))
                    assert number_of.setdefault(seen, numbers[ring]) == numbers[ring]
                    assert picture_of.setdefault(numbers[ring], seen) == seen
    assert len(number_of) > 100


def test_a_shape_is_the_same_from_all_sides_and_for_both_colors() -> None:
    rows = random_rows(7)
    rows[4][2] = "."
    board = board_of(rows)
    expected = numbers_at(board, point_at(SIZE - 1 - 4, 2, SIZE), BLACK)
    swapped = [["XO."["OX.".index(letter)] for letter in row] for row in rows]
    assert numbers_at(board_of(swapped), point_at(SIZE - 1 - 4, 2, SIZE), WHITE) == expected
    row, column = 4, 2
    for _ in range(4):
        rows, row, column = turned(rows), column, SIZE - 1 - row
        point = point_at(SIZE - 1 - row, column, SIZE)
        assert numbers_at(board_of(rows), point, BLACK) == expected
        mirrored = [line[::-1] for line in rows]
        point = point_at(SIZE - 1 - row, SIZE - 1 - column, SIZE)
        assert numbers_at(board_of(mirrored), point, BLACK) == expected


def test_a_ring_of_empty_points_makes_another_shape() -> None:
    board = board_from("\n".join([" ".join("." * 19)] * 19))
    numbers = numbers_at(board, point_at(9, 9, 19), BLACK)
    assert len(set(numbers)) == N_RINGS


@pytest.mark.parametrize("n_known", [0, 1, 3, N_RINGS])
def test_known_shapes_are_found_up_to_the_first_that_is_not(n_known: int) -> None:
    board = board_of(random_rows(1))
    point = next(each for each in all_points(SIZE) if board.color[each] == EMPTY)
    numbers = numbers_at(board, point, BLACK)
    known = numbers[:n_known] + numbers[n_known + 1 :]
    shapes = new_shapes(np.array(known, np.uint32), np.arange(len(known)))
    wide, slots = np.zeros(N_WIDE, np.uint8), np.zeros(N_RINGS, np.uint32)
    spread_board(board, np.uint64(BLACK), wide)
    assert find_shapes(board, wide, np.uint64(point), shapes, slots) == n_known
    assert [shapes.weights[slot] for slot in slots[:n_known]] == list(range(n_known))


def test_numbers_that_want_the_same_slot_all_have_one() -> None:
    numbers = np.array([16 * index + 3 for index in range(1, 200)], np.uint32)
    shapes = new_shapes(numbers, np.arange(len(numbers)))
    assert sorted(shapes.numbers[shapes.numbers != 0].tolist()) == sorted(numbers.tolist())
    assert len(shapes.numbers) >= 2 * len(numbers)
