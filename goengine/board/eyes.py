"""Eye tests."""

import numpy as np

from goengine.board.neighbors import ALL_SIDES, corners_of, sides_of
from goengine.jit import inlined_kernel, popcount
from goengine.words import U0, U2, U3


@inlined_kernel
def is_eye(board, point, color):
    """Is the empty `point` an eye of `color` that a playout shall not fill?

    Own stones or edge on all sides, and the enemy on at most one diagonal, or
    on none at the edge of the board.
    """
    around = np.uint64(board.around[point])
    if sides_of(around, color) != ALL_SIDES:
        return False
    enemy_or_edge = corners_of(around, U3 - color)
    edge = enemy_or_edge & corners_of(around, color)
    return popcount(enemy_or_edge & ~edge) + np.uint64(edge != U0) < U2
