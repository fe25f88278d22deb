"""How simulations ended, counted by margin.

A row of counts has the results themselves in its first place, then a place for each margin in
half points. Margins are black's in the game as it is: after komi, and without extra komi.
"""

import numpy as np

from goengine.jit import inlined_kernel, kernel
from goengine.search.workspace import REAL_WINS

MOST_HALVES = 1300  # half points to either side; what is more is counted there
N_COUNTED = 0
_EVEN = 1 + MOST_HALVES  # the place of a tie
N_PLACES = -(-(_EVEN + MOST_HALVES + 1) // 8) * 8  # whole cache lines; the last are not used


@inlined_kernel
def count_result(counts, tally, margin):
    counts[place_of(margin)] += 1
    counts[N_COUNTED] += 1
    if margin >= 0.0:
        tally[REAL_WINS] += 2 if margin > 0.0 else 1


@inlined_kernel
def place_of(margin):
    """Between two places, the one further from a tie: a win by any margin stays one."""
    halves = np.ceil(2.0 * abs(margin))
    halves = np.int64(min(halves, np.float64(MOST_HALVES)))
    return np.uint64(_EVEN + halves if margin > 0.0 else _EVEN - halves)


@kernel
def share_won(counts, komi):
    """Black's share of the results, if he had to give so many points more. A tie is half."""
    n, n_halves = 0, 0
    for place in range(1, counts.shape[0]):
        margin = 0.5 * (place - _EVEN) - komi
        n += counts[place]
        if margin >= 0.0:
            n_halves += counts[place] * (2 if margin > 0.0 else 1)
    return 0.5 * n_halves / n if n > 0 else 0.5


@kernel
def mean_margin(counts):
    n, n_halves = 0, 0
    for place in range(1, counts.shape[0]):
        n += counts[place]
        n_halves += counts[place] * (place - _EVEN)
    return 0.5 * n_halves / n if n > 0 else 0.0


@kernel
def median_margin(counts):
    """The lower one of two in the middle."""
    n = 0
    for place in range(1, counts.shape[0]):
        n += counts[place]
    n_below = 0
    for place in range(1, counts.shape[0]):
        n_below += counts[place]
        if n_below > 0 and 2 * n_below >= n:
            return 0.5 * (place - _EVEN)
    return 0.0
