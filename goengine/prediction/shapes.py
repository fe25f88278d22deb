"""Large shapes: the stones around a point, ring after ring, as far as strong players' moves go.

A shape is known by a number that is the same from all eight sides. A point has one for every
ring; a model has a weight for those that were played often. As a larger shape is rarer than
the smaller one inside it, whoever looks a point up stops at the first ring that is not known.
(D. Stern, R. Herbrich, T. Graepel, "Bayesian Pattern Ranking for Move Prediction in the Game of
Go", 2006, has nested shapes; here their weights add up.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from goengine.board.records import EDGE, EMPTY, stride_of
from goengine.jit import inlined_kernel, kernel
from goengine.points import MAX_SIZE
from goengine.tactics.notes import N_FEATURE_GROUPS
from goengine.words import U0, U1, U2, U3, U4, U32

# Distances dx + dy + the greater of them; each ring goes as far as its number. What stands
# within 3, the eight points around, is a feature of its own.
RINGS = (4, 5, 6, 7, 8, 10, 12, 14)
N_RINGS = len(RINGS)
assert N_RINGS <= N_FEATURE_GROUPS  # they are noted in the same place
_RADIUS = RINGS[-1] // 2

# The board with so much edge around it that no shape is cut off: own stones 1, the enemy's 2.
_WIDE_STRIDE = MAX_SIZE + 2 * _RADIUS
N_WIDE = _WIDE_STRIDE * _WIDE_STRIDE
_STRIDE = np.uint64(_WIDE_STRIDE)
_MARGIN = np.uint64(_RADIUS * (_WIDE_STRIDE + 1))

_LOW = np.uint64(0xFFFF_FFFF)
_N_COLORS = 4


class Shapes(NamedTuple):
    """A table of known shapes: their number at `number & mask` or behind it, 0 where none is."""

    numbers: Any  # uint32, a power of two of them
    weights: Any  # float32


def new_shapes(numbers: Any, weights: Any) -> Shapes:
    """A table of different numbers, none 0, that is half empty at least."""
    n_slots = 1 << max(4, int(np.ceil(np.log2(2 * len(numbers) + 1))))
    shapes = Shapes(np.zeros(n_slots, np.uint32), np.zeros(n_slots, np.float32))
    _fill_table(shapes, np.asarray(numbers, np.uint32), np.asarray(weights, np.float32))
    return shapes


@kernel
def _fill_table(shapes, numbers, weights):
    mask = np.uint64(len(shapes.numbers)) - U1
    for index in range(len(numbers)):
        slot = np.uint64(numbers[index]) & mask
        while shapes.numbers[slot] != 0:
            slot = (slot + U1) & mask
        shapes.numbers[slot] = numbers[index]
        shapes.weights[slot] = weights[index]


# --- the places of a shape and their keys ---------------------------------------


def _distance(dx: int, dy: int) -> int:
    return abs(dx) + abs(dy) + max(abs(dx), abs(dy))


def _places() -> list[tuple[int, int]]:
    """All within the last ring but the centre, nearest first."""
    reach = range(-_RADIUS, _RADIUS + 1)
    near_to_far = sorted((_distance(dx, dy), dx, dy) for dx in reach for dy in reach)
    return [(dx, dy) for distance, dx, dy in near_to_far if 0 < distance <= RINGS[-1]]


def _views(dx: int, dy: int) -> Iterator[tuple[int, int]]:
    """The place turned and mirrored, eight times."""
    for _ in range(4):
        yield dx, dy
        yield -dx, dy
        dx, dy = -dy, dx


def _view_keys(places: list[tuple[int, int]]) -> Any:
    """Two views' keys of a place and colour in each word; those of EMPTY are 0."""
    random = np.random.Generator(np.random.PCG64(20060101))
    keys = random.integers(1, 2**32, (len(places), _N_COLORS), dtype=np.uint64)
    keys[:, EMPTY] = 0
    index = {place: number for number, place in enumerate(places)}
    seen = np.array([[index[view] for view in _views(*place)] for place in places])
    lanes = keys[seen]  # by place, view, colour
    words = lanes[:, 0::2] | lanes[:, 1::2] << np.uint64(32)
    return np.ascontiguousarray(words.transpose(0, 2, 1)).ravel()


def _ring_starts(places: list[tuple[int, int]]) -> Any:
    """The first place of each ring, and the end of the last."""
    distances = [_distance(*place) for place in places]
    return np.array([sum(each <= ring for each in distances) for ring in (0, *RINGS)], np.uint64)


_PLACES = _places()
_KEYS = _view_keys(_PLACES)
# From the place in `wide` that is a radius up and left of the centre.
_STEPS = np.array([(dy + _RADIUS) * _WIDE_STRIDE + dx + _RADIUS for dx, dy in _PLACES], np.uint64)
_STARTS = _ring_starts(_PLACES)
# So that a larger shape which adds nothing but empty points has a number of its own.
_RING_KEYS = np.random.Generator(np.random.PCG64(20060102)).integers(
    1, 2**32, N_RINGS, dtype=np.uint64
)


# --- looking at a position --------------------------------------------------------


@kernel
def spread_board(board, color, wide):
    """Write the position to `wide`, N_WIDE bytes, as `color` sees it."""
    wide[:] = np.uint8(EDGE)
    stride = stride_of(board)
    for row in range(U1, board.rows + U1):
        for column in range(U1, board.rows + U1):
            point = np.uint64(row) * stride + np.uint64(column)
            stone = np.uint64(board.color[point])
            if stone != U0 and color == U2:
                stone = U3 - stone
            wide[_corner_of(board, point) + _MARGIN] = np.uint8(stone)


@inlined_kernel
def _corner_of(board, point):
    """The place in `wide` that is a radius up and left of the point."""
    row = point // stride_of(board)
    column = point - row * stride_of(board)
    return (row - U1) * _STRIDE + column - U1


@inlined_kernel
def _add_ring(wide, corner, ring, views):
    """The numbers of the eight views, two in each word, once the ring's places are in them."""
    a, b, c, d = views
    for place in range(_STARTS[ring], _STARTS[ring + 1]):
        key = (place * U4 + np.uint64(wide[corner + _STEPS[place]])) * U4
        a ^= _KEYS[key]
        b ^= _KEYS[key + U1]
        c ^= _KEYS[key + U2]
        d ^= _KEYS[key + U3]
    return a, b, c, d


@inlined_kernel
def _lesser_half(word):
    return min(word & _LOW, word >> U32)


@inlined_kernel
def _number_of(ring, views):
    """The least of all views', never 0."""
    a, b, c, d = views
    least = min(min(_lesser_half(a), _lesser_half(b)), min(_lesser_half(c), _lesser_half(d)))
    return max(least ^ _RING_KEYS[ring], U1)


@kernel
def list_shapes(board, wide, point, numbers):
    """Write the numbers of the shapes around a point, ring by ring, to `numbers`."""
    corner = _corner_of(board, point)
    views = (U0, U0, U0, U0)
    for ring in range(N_RINGS):
        views = _add_ring(wide, corner, ring, views)
        numbers[ring] = np.uint32(_number_of(ring, views))


@kernel
def find_shapes(board, wide, point, shapes, slots):
    """Write to `slots` where the known shapes around a point stand. Returns how many there are."""
    mask = np.uint64(len(shapes.numbers)) - U1
    corner = _corner_of(board, point)
    views = (U0, U0, U0, U0)
    for ring in range(N_RINGS):
        views = _add_ring(wide, corner, ring, views)
        number = _number_of(ring, views)
        slot = number & mask
        while shapes.numbers[slot] != number:
            if shapes.numbers[slot] == 0:
                return np.uint64(ring)
            slot = (slot + U1) & mask
        slots[ring] = np.uint32(slot)
    return np.uint64(N_RINGS)
