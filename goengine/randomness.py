"""The random generator of the playouts: xorshift64, its state in the board record."""

import numpy as np

from goengine.jit import inlined_kernel
from goengine.words import U32

_MASK = 2**64 - 1


@inlined_kernel
def random_below(board, n):
    """A random uint64 from 0 to n - 1, n < 2**32. Advances board.random."""
    state = board.random
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    board.random = state
    return ((state >> U32) * n) >> U32


def random_state(seed: int) -> np.uint64:
    """A start for board.random, never 0, far apart for neighbouring seeds (splitmix64)."""
    mixed = (seed + 1) * 0x9E3779B97F4A7C15 & _MASK
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
    return np.uint64((mixed ^ mixed >> 31) or 1)
