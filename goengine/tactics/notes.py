"""What whoever looks for a move jots down: one record, kept from playout to playout.

A record is a pointer to a kernel: passing it on costs nothing, and nothing is allocated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.board.records import n_points
from goengine.jit import inlined_kernel, kernel
from goengine.points import CAPACITIES
from goengine.randomness import random_below
from goengine.record_types import as_record
from goengine.words import U0, U1

MAX_NOTED = 64  # more moves than a rule ever finds; what comes later is left out
MAX_CHOSEN = 128  # choices of a playout that are told how they did; the first ones count most
MAX_AREA = 8
MAX_POINTS = n_points(CAPACITIES[-1])
N_RATES = 32
N_PATTERN_CODES = 1 << 16
N_PATTERN_CLASSES = 256
N_FEATURE_GROUPS = 16
N_FEATURE_WEIGHTS = N_PATTERN_CODES + 128

# points, weights   the moves that a rule has found, the first n count, and how likely each is
# total             sum of the weights
# area              points of a small region, see nakade.py
# refused           by colour: the move that was last refused as a self-atari, or 0
# is_first          1 until the first move of a playout is chosen
# rates             how often each rule is asked, out of RATE_ONE; see playouts/rates.py
# pattern_*         see playouts/patterns.py
# features, ...     what is to be said of a move, and all weights; see prediction/features.py
# prior_*           by point: what is known of a move; see search/priors.py
# liberties         hashes of those of the chains that the moves are about, for liberty maps
# chosen_*          n_chosen choices of a playout by liberty maps; see playouts/liberty_maps.py
NOTES_DTYPE = as_record(
    np.dtype(
        [
            ("points", np.uint16, (MAX_NOTED,)),
            ("weights", np.uint16, (MAX_NOTED,)),
            ("n", np.uint64),
            ("total", np.uint64),
            ("area", np.uint16, (MAX_AREA,)),
            ("refused", np.uint64, (3,)),
            ("is_first", np.uint64),
            ("rates", np.uint64, (N_RATES,)),
            ("pattern_class", np.uint8, (N_PATTERN_CODES,)),
            ("pattern_bits", np.uint64, (2 * N_PATTERN_CODES // 64,)),
            ("pattern_weight", np.uint8, (N_PATTERN_CLASSES * 16,)),
            ("features", np.uint32, (N_FEATURE_GROUPS,)),
            ("feature_weights", np.float32, (N_FEATURE_WEIGHTS,)),
            ("ratings", np.float64, (MAX_POINTS,)),
            ("prior_unit", np.float64),
            ("prior_visits", np.uint32, (MAX_POINTS,)),
            ("prior_wins", np.uint32, (MAX_POINTS,)),
            ("liberties", np.uint64, (MAX_NOTED,)),
            ("chosen_keys", np.uint64, (MAX_CHOSEN,)),
            ("chosen_points", np.uint16, (MAX_CHOSEN,)),
            ("chosen_colors", np.uint8, (MAX_CHOSEN,)),
            ("chosen_at", np.uint64, (MAX_CHOSEN,)),
            ("n_chosen", np.uint64),
        ],
        align=True,
    )
)
_MAX_NOTED = np.uint64(MAX_NOTED)


def blank_notes(count: int = 1) -> Any:
    """An array of records of zeros."""
    return np.zeros(count, NOTES_DTYPE).view(np.recarray)


@inlined_kernel
def clear_notes(notes):
    notes.n = U0
    notes.total = U0


@kernel
def note(notes, point):
    """Note a move, once."""
    n = notes.n
    for index in range(n):
        if notes.points[index] == point:
            return
    if n < _MAX_NOTED:
        notes.points[n] = np.uint16(point)
        notes.n = n + U1


@inlined_kernel
def pick_noted(board, notes):
    """One of the noted moves at random; there is one at least."""
    if notes.n == U1:
        return np.uint64(notes.points[0])
    return np.uint64(notes.points[random_below(board, notes.n)])
