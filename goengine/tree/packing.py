"""Two numbers in one 64-bit word: what is read together is written together.

docs/shared-tree.md, "Words": a count and a sum that share a word are added to by one
atomic operation, so no reader ever sees one without the other.
"""

import numpy as np

from goengine.jit import inlined_kernel
from goengine.words import U1, U16, U32

VALUE_BITS = np.uint64(36)
VISIT = np.uint64(1 << 36)  # one visit, no value
WON = np.uint64(256)  # the value of a won simulation; 0 is a lost one
VALUE_MASK = np.uint64((1 << 36) - 1)
# The count has 28 bits. The collector halves all words of a tree where more simulations than
# this went on from a node. Until it comes there can be PEAK_VISITS (docs/shared-tree.md,
# "Words"), and AMAF counts each up to 7 times (search/parameters.py, amaf_distance).
MAX_VISITS = np.uint64(1 << 23)
PEAK_VISITS = 33 * int(MAX_VISITS) // 8

PRIOR_ONE = np.uint64(32)  # one equivalent visit in a prior word: up to 2,047 of them
PRIOR_MASK = np.uint64((1 << 16) - 1)

BLACK_OWNED = np.uint64(1 << 32)  # in a word of owners: black has the point at the end
WINNER_OWNED = U1  # ... and the winner has it
WAS_START = np.uint64(1 << 63)  # ... simulations began here that its parent knows nothing of
_LOW_HALF = np.uint64((1 << 32) - 1)


@inlined_kernel
def visits_of(word):
    return word >> VALUE_BITS


@inlined_kernel
def value_of(word):
    """Sum of values, WON for each won simulation."""
    return word & VALUE_MASK


@inlined_kernel
def halve(word):
    """Half the visits and half the value, rounded down and never above WON a visit."""
    visits = word >> (VALUE_BITS + U1)
    return (visits << VALUE_BITS) | min((word & VALUE_MASK) >> U1, visits * WON)


@inlined_kernel
def pack_prior(visits, value):
    """A prior word from equivalent visits and value, both in units of 1 / PRIOR_ONE."""
    return (visits << U16) | value


@inlined_kernel
def halve_owners(word):
    """Half of both counts; WAS_START stays."""
    counts = word & ~WAS_START
    return (word & WAS_START) | ((counts >> (U32 + U1)) << U32) | ((counts & _LOW_HALF) >> U1)


def black_owned(word):
    return (word & ~WAS_START) >> U32


def winner_owned(word):
    return word & _LOW_HALF
