"""Distances against a plain search."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import pytest

from goengine.board import EDGE, EMPTY
from goengine.jit import COMPILED, kernel
from goengine.points import all_points, parse_vertex, stride_for
from goengine.tactics.distance import fill_distances
from tests.diagrams import board_from, draw_board
from tests.random_boards import random_boards

DIAGRAM = """
    . . . . O
    . X X . O
    . X . . O
    . X . X O
    . . O O .
"""


@kernel
def ask_distances(board, start, max_distance, distances, queue):
    fill_distances(board, np.uint64(start), np.uint64(max_distance), distances, queue)


def distances_from(board: Any, start: int, max_distance: int) -> Any:
    distances = np.full(board.color.shape, 99, np.uint8)
    ask_distances(board, start, max_distance, distances, np.zeros(board.color.shape, np.uint16))
    return distances


def plain_distances(board: Any, start: int) -> dict[int, int]:
    """The length of the shortest way to each point: Dijkstra's algorithm."""
    stride = stride_for(int(board.rows))
    color, chain = board.color.tolist(), board.chain.tolist()
    found: dict[int, int] = {}
    waiting = [(0, start)]
    while waiting:
        distance, point = heapq.heappop(waiting)
        if point in found:
            continue
        found[point] = distance
        for beside in (point - stride, point - 1, point + 1, point + stride):
            if color[beside] != EDGE:
                is_same = color[beside] != EMPTY and color[point] == color[beside]
                step = 0 if is_same and chain[point] == chain[beside] else 1
                heapq.heappush(waiting, (distance + step, beside))
    return found


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("start", "rows"),
    [
        ("B2", ["21122", "10012", "10122", "10122", "21223"]),
        ("D1", ["33332", "32232", "32222", "32112", "21001"]),
        ("A5", ["01233", "12233", "22333", "32333", "33333"]),
    ],
)
def test_a_position_drawn_by_hand(start: str, rows: list[str]) -> None:
    distances = distances_from(board_from(DIAGRAM), parse_vertex(start, 5), 2)
    found = distances[all_points(5)].reshape(5, 5)[::-1]
    assert ["".join(str(each) for each in row) for row in found] == rows


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("size", "n_games"), [(5, 10), (9, 5), (19, 1)] if COMPILED else [(5, 2), (9, 1)]
)
def test_distances_agree_with_a_plain_search(size: int, n_games: int) -> None:
    points = all_points(size)
    n_asked = 0
    for board in random_boards(size, n_games, every=4 * size):
        for start in points[n_asked % 7 :: 7]:
            n_asked += 1
            expected = plain_distances(board, start)
            for max_distance in (0, 1, 3, 250):
                distances = distances_from(board, start, max_distance)
                wanted = [min(expected[point], max_distance + 1) for point in points]
                assert distances[points].tolist() == wanted, f"{start}\n{draw_board(board)}"
                outside = np.delete(distances, points)
                assert (outside == max_distance + 1).all()
