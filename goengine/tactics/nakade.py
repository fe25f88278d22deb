"""Small eyes that one move makes one eye of, and shapes that are dead when they are taken.

How many neighbours each point has inside a small region tells which shape it is.
"""

import numpy as np

from goengine.board.neighbors import neighbor
from goengine.jit import inlined_kernel, kernel, popcount, trailing_zeros
from goengine.tactics.liberties import edge_sides, empty_sides, is_adjacent, own_sides
from goengine.words import U0, U1, U2, U3, U4

_MAX_POINTS = np.uint64(6)

# Hexadecimal digit d counts the points with d neighbours inside; the last digit is d = 0.
_THREE = np.uint64(0x00120)  # straight or bent
_LINE_FOUR = np.uint64(0x00220)  # straight or bent
_SQUARE_FOUR = np.uint64(0x00400)
_PYRAMID_FOUR = np.uint64(0x01030)
_BULKY_FIVE = np.uint64(0x01310)
_CROSSED_FIVE = np.uint64(0x10040)
_RABBITY_SIX = np.uint64(0x10320)


@kernel
def nakade_point(board, notes, start, color):
    """The vital point of the eye of `color` around the empty `start`, or 0.

    That is the one where either side settles whether the eye becomes two. The eye is of
    empty points, six at most, and no enemy stone is beside them. Overwrites notes.area.
    """
    n = _note_area(board, notes, start, color)
    if n < U3:
        return U0
    shape, vital = _shape_of(board, notes, n)
    return vital if shape == _THREE or _is_large_nakade(shape) else U0


@kernel
def is_dead_shape(board, notes, n):
    """Do stones on the first `n` points of notes.area, once taken, leave no room for two eyes?

    The points are connected. Of four and more, the enemy needs the vital point.
    """
    if n <= U3:
        return True
    if n > _MAX_POINTS:
        return False
    shape = _shape_of(board, notes, n)[0]
    return shape == _SQUARE_FOUR or _is_large_nakade(shape)


@kernel
def is_bent_four(board, notes):
    """Do the first four points of notes.area, which are connected, bend around a corner?"""
    if _shape_of(board, notes, U4)[0] != _LINE_FOUR:
        return False
    for index in range(4):
        corner = np.uint64(notes.area[index])
        if popcount(edge_sides(board, corner)) == U2:
            inside = U0
            for other in range(4):
                inside += np.uint64(is_adjacent(board, corner, np.uint64(notes.area[other])))
            if inside == U2:
                return True
    return False


@inlined_kernel
def _is_large_nakade(shape):
    return (
        shape == _PYRAMID_FOUR
        or shape == _BULKY_FIVE
        or shape == _CROSSED_FIVE
        or shape == _RABBITY_SIX
    )


@inlined_kernel
def _note_area(board, notes, start, color):
    """Note the empty points that hang together with `start` in notes.area.

    Returns how many they are, 0 for too many or if the enemy of `color` is beside them.
    """
    notes.area[0] = np.uint16(start)
    n = U1
    at = U0
    while at < n:
        point = np.uint64(notes.area[at])
        at += U1
        if own_sides(board, point, U3 - color) != U0:
            return U0
        sides = empty_sides(board, point)
        while sides != U0:
            beside = neighbor(board, point, trailing_zeros(sides))
            sides &= sides - U1
            if not _is_in_area(notes, n, beside):
                if n == _MAX_POINTS:
                    return U0
                notes.area[n] = np.uint16(beside)
                n += U1
    return n


@inlined_kernel
def _is_in_area(notes, n, point):
    """Is the point one of the first `n` of notes.area?"""
    for index in range(n):
        if notes.area[index] == point:
            return True
    return False


@inlined_kernel
def _shape_of(board, notes, n):
    """Which shape the first `n` points of notes.area have, see above.

    Returns also the point with most neighbours inside.
    """
    shape = U0
    most = U0
    busiest = U0
    for index in range(n):
        point = np.uint64(notes.area[index])
        inside = U0
        for other in range(n):
            inside += np.uint64(is_adjacent(board, point, np.uint64(notes.area[other])))
        shape += U1 << (U4 * inside)
        if inside > most:
            most = inside
            busiest = point
    return shape, busiest
