"""tests/positions/life.t, and random positions: against a naive twin, and under attack."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, LEGAL, WHITE, copy_board, illegality, play_move, play_pass
from goengine.jit import COMPILED, kernel
from goengine.points import all_points, parse_vertex
from goengine.tactics.life import (
    ALIVE_STONE,
    VITAL_POINT,
    blank_life,
    find_unconditional_life,
)
from tests.diagrams import COLORS, board_from, draw_board
from tests.position_files import Case, read_cases
from tests.random_boards import random_boards
from tests.twins.naive_life import NaiveLife

MEANINGS = {
    "alive": (ALIVE_STONE,),
    "open": (0,),
    "vital": (VITAL_POINT,),
    "loose": (0, ALIVE_STONE),
}


@kernel
def ask_life(board, life, color, suicide_allowed):
    find_unconditional_life(board, life, np.uint64(color), suicide_allowed)


def points_with(board: Any, color: int, suicide_allowed: bool) -> dict[int, set[int]]:
    """The points of each status."""
    life = blank_life()[0]
    ask_life(board, life, color, suicide_allowed)
    points = all_points(int(board.rows))
    return {
        status: {point for point in points if life.status[point] == status}
        for status in (0, ALIVE_STONE, VITAL_POINT)
    }


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("case", read_cases("life.t"), ids=str)
def test_position(case: Case) -> None:
    board, size = board_from("\n".join(case.rows)), len(case.rows)
    suicide_allowed = False
    for word, *words in case.lines:
        suicide_allowed |= word == "suicide"
        color = COLORS[words.pop(0)] if word in ("vital", "loose") else None
        for vertex in words:
            point = parse_vertex(vertex, size)
            found = points_with(board, color or int(board.color[point]), suicide_allowed)
            statuses = [status for status in found if point in found[status]]
            assert statuses[0] in MEANINGS[word], f"{case.place}: {word} {vertex}: {statuses}"


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("size", "n_games"), [(3, 30), (5, 80), (9, 10), (19, 1)] if COMPILED else [(5, 20)]
)
@pytest.mark.parametrize("suicide_allowed", [False, True])
def test_random_positions_against_a_twin(size: int, n_games: int, suicide_allowed: bool) -> None:
    n_alive = 0
    for board in random_boards(size, n_games, every=3 * size, fill_eyes=False):
        for color in (BLACK, WHITE):
            found = points_with(board, color, suicide_allowed)
            twin = NaiveLife(board, color, suicide_allowed)
            assert found[ALIVE_STONE] == twin.stones, f"{color}\n{draw_board(board)}"
            assert found[VITAL_POINT] == twin.points, f"{color}\n{draw_board(board)}"
            n_alive += bool(twin.stones)
    assert n_alive > 0


@pytest.mark.parametrize("suicide_allowed", [False, True])
def test_what_is_alive_stands_while_its_owner_passes(suicide_allowed: bool) -> None:
    n_stones = 0
    for number, board in enumerate(random_boards(5, 150, every=20, fill_eyes=False)):
        for color in (BLACK, WHITE):
            alive = points_with(board, color, suicide_allowed)[ALIVE_STONE]
            n_stones += len(alive)
            attacked = copy_board(board)
            chance = random.Random(f"{number} {color}")
            for _ in range(60 if alive else 0):
                point = chance.choice(all_points(5))
                play_pass(attacked, color)
                if illegality(attacked, point, 3 - color, suicide_allowed) == LEGAL:
                    play_move(attacked, point, 3 - color)
            assert all(attacked.color[point] == color for point in alive), draw_board(board)
    assert n_stones > 500
