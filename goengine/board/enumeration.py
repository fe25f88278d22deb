"""Counting legal positions, to prove the legality test by known numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.board.moves import clear_board, is_legal, play_move
from goengine.board.records import blank_boards
from goengine.jit import kernel
from goengine.points import all_points
from goengine.words import U0, U1, U2


def count_legal_positions(size: int) -> int:
    """The number of arrangements of stones in which every chain has a liberty."""
    points = np.array(all_points(size), np.uint64)
    boards: Any = blank_boards(len(points) + 1, size)
    clear_board(boards[0], size)
    tried = np.zeros(len(boards), np.uint64)
    return int(_count(boards, points, tried))


@kernel
def _count(boards, points, tried):
    """Decide point after point: empty, black or white; depth first.

    Taking a stone off a legal position leaves a legal one, so each legal
    position is reached by exactly one sequence of legal moves in the order of
    the points that capture nothing.

    tried    by depth: colours tried there, none yet
    """
    n_points = len(points)
    count = 0
    depth = 0
    while depth >= 0:
        if depth == n_points:
            count += 1
            depth -= 1
            continue
        color = tried[depth]
        tried[depth] += U1
        if color > U2:
            tried[depth] = U0
            depth -= 1
            continue
        point = points[depth]
        if color == U0:
            boards[depth + 1] = boards[depth]
            depth += 1
        elif is_legal(boards[depth], point, color):
            boards[depth + 1] = boards[depth]
            if play_move(boards[depth + 1], point, color) == U0:
                depth += 1
    return count
