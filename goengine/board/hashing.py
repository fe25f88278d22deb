"""Zobrist hashing: a random 64-bit key for each colour on each point.

The keys come from a fixed seed, so that a hash means the same in every process
and on every machine.
"""

import numpy as np

from goengine.board.records import n_points
from goengine.jit import inlined_kernel
from goengine.points import CAPACITIES

# Two keys a point, black's first: index 2 * point + color - 1.
_KEYS = np.random.Generator(np.random.PCG64(20110101)).integers(
    0, 2**64, 2 * n_points(CAPACITIES[-1]), dtype=np.uint64
)


@inlined_kernel
def stone_key(point, color):
    return _KEYS[point + point + color - np.uint64(1)]
