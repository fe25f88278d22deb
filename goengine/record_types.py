"""Types of numpy records that numba can tell apart; free of numba, as help texts need them."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_record(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type as np.recarray has it, to be kept for ever.

    numba tells record types apart by their address: one that a view makes for the occasion
    is freed, another takes its place, and a kernel for the wrong type is called.
    """
    return np.dtype((np.record, dtype))
