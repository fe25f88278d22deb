"""How well something did, by a hash of what it is: one table in shared memory, without locks.

A rating is one word, which is read and exchanged as a whole. So nobody ever finds half of one,
whoever is killed, and no result goes to another key than its own (docs/shared-tree.md, "Ratings").

    bits  0-14  sum of values, 0 to SIXTHS each
    bits 15-26  count of results; 0: there is no rating here
    bits 27-32  age: the generation in which it was last told
    bits 33-63  check: the high bits of the key; its low bits say in which bucket it is

A bucket is a cache line of eight ratings. Where it is full, a new one takes the place of that
which was not told for most generations, and among these of the one with the fewest results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.jit import compare_exchange, inlined_kernel, kernel, load_acquire
from goengine.record_types import as_record
from goengine.words import U0, U1, U3, U15, U32

N_RATINGS = 1 << 15  # 256 kB: a larger table falls out of the processor's cache
SIXTHS = np.uint64(6)  # the best local value: a colour has all of a point and its neighbours
MAX_COUNT = np.uint64(4095)  # then both count and sum are halved

# A record is a pointer to a kernel: passing the table on costs nothing.
RATINGS_DTYPE = as_record(np.dtype([("words", np.uint64, (N_RATINGS,))]))

_IN_BUCKET = 8
_BUCKET_BITS = U3
_BUCKET_MASK = np.uint64(N_RATINGS // _IN_BUCKET - 1)
_SUM_MASK = np.uint64((1 << 15) - 1)
_COUNT_BITS = np.uint64(12)
_AGE_AT = np.uint64(27)
_N_AGES = np.uint64(64)
_AGE_MASK = _N_AGES - U1
_CHECK_AT = np.uint64(33)

_LOW_HALF = np.uint64((1 << 32) - 1)
_FACTOR1 = np.uint64(0x9E3779B1)
_FACTOR2 = np.uint64(0x85EBCA77)


def blank_ratings() -> Any:
    """An array of one table that knows nothing, in private memory."""
    return np.zeros(1, RATINGS_DTYPE).view(np.recarray)


@inlined_kernel
def count_of(rating):
    return (rating >> U15) & MAX_COUNT


@inlined_kernel
def sum_of(rating):
    return rating & _SUM_MASK


@inlined_kernel
def rating_for(ratings, key):
    """The rating of `key`, or 0."""
    first = _bucket_of(key)
    check = key >> _CHECK_AT
    for place in range(_IN_BUCKET):
        rating = ratings.words[first + np.uint64(place)]
        if rating >> _CHECK_AT == check:
            return rating
    return U0


@kernel
def tell_rating(ratings, key, generation, value):
    """Add a result of `value` sixths to the rating of `key`; it may have to take a place first."""
    age = generation & _AGE_MASK
    while True:
        index, before = _place_for(ratings, key, age)
        count, total = U0, U0
        if before >> _CHECK_AT == key >> _CHECK_AT:
            count, total = count_of(before), sum_of(before)
        if count == MAX_COUNT:
            count >>= U1
            total = min(total >> U1, count * SIXTHS)
        after = key >> _CHECK_AT << _CHECK_AT | age << _AGE_AT
        after |= (count + U1) << U15 | (total + value)
        if compare_exchange(ratings.words, index, before, after):
            return


@inlined_kernel
def _bucket_of(key):
    """Index of its first rating."""
    return (key & _BUCKET_MASK) << _BUCKET_BITS


@inlined_kernel
def _place_for(ratings, key, age):
    """Index and rating of `key`, or of what has to make room for it."""
    first = _bucket_of(key)
    check = key >> _CHECK_AT
    chosen, dropped, most_idle = first, U0, U0
    for place in range(_IN_BUCKET):
        index = first + np.uint64(place)
        rating = load_acquire(ratings.words, index)
        if rating >> _CHECK_AT == check or rating == U0:
            return index, rating
        n_idle = (age + _N_AGES - (rating >> _AGE_AT & _AGE_MASK)) & _AGE_MASK
        idle = n_idle << _COUNT_BITS | (MAX_COUNT - count_of(rating))
        if idle >= most_idle:
            chosen, dropped, most_idle = index, rating, idle
    return chosen, dropped


@inlined_kernel
def mixed(word):
    """The word with its bits stirred, for keys. No product is longer than a word."""
    for _ in range(3):
        product = (word & _LOW_HALF) * _FACTOR1 ^ (word >> U32) * _FACTOR2
        word = product ^ (product >> U32) ^ (word << U32)
    return word
