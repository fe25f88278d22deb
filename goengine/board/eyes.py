"""Eye tests."""

import numpy as np

from goengine.board.neighbors import ALL_SIDES, corners_of, sides_of
from goengine.jit import inlined_kernel, popcount
from goengine.words import U0, U1, U2, U3


@inlined_kernel
def is_eye(board, point, color):
    """Is the empty `point` an eye of `color` that a playout shall not fill?

    Own stones or edge on all sides, and the enemy on at most one diagonal, or
    on none at the edge of the board.
    """
    return is_eyelike(board, point, color) and not has_false_corners(board, point, color)


@inlined_kernel
def is_eyelike(board, point, color):
    """Nothing but stones of `color` and edge on the four sides?"""
    return sides_of(np.uint64(board.around[point]), color) == ALL_SIDES


@inlined_kernel
def has_false_corners(board, point, color):
    """Does the enemy hold so many diagonals that an eye of `color` here is false?"""
    around = np.uint64(board.around[point])
    enemy_or_edge = corners_of(around, U3 - color)
    edge = enemy_or_edge & corners_of(around, color)
    return popcount(enemy_or_edge & ~edge) + np.uint64(edge != U0) >= U2


@inlined_kernel
def is_last_corner(board, point, color):
    """Would one more diagonal of the enemy make the eye of `color` false?"""
    around = np.uint64(board.around[point])
    enemy_or_edge = corners_of(around, U3 - color)
    edge = enemy_or_edge & corners_of(around, color)
    return popcount(enemy_or_edge & ~edge) + np.uint64(edge != U0) == U1
