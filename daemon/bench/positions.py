"""Counting legal positions: a proof of the legality test that takes seconds."""

from __future__ import annotations

import time
from typing import Any

from goengine.board.enumeration import count_legal_positions

# Tromp and Farneback, Combinatorics of Go (2007), table 1.
LEGAL_POSITIONS = {1: 1, 2: 57, 3: 12_675, 4: 24_318_165}


def count(size: int) -> dict[str, Any]:
    started = time.perf_counter()
    n_positions = count_legal_positions(size)
    return {
        "size": size,
        "legal_positions": n_positions,
        "as_expected": n_positions == LEGAL_POSITIONS[size],
        "seconds": round(time.perf_counter() - started, 2),
    }
