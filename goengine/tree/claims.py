"""Who fills a block: claims in `first_child`, and the table that tells the living from the dead.

docs/shared-tree.md, "Claims": a claim names its worker and that worker's incarnation.
The supervisor raises the incarnation of a worker that died before another takes its
place, so a claim with an old one is nobody's, and whoever meets it may take it over.
"""

from typing import Any

import numpy as np

from goengine.jit import inlined_kernel, load_acquire
from goengine.words import U0

MAX_WORKERS = 1024
_WORKER_BITS = np.uint64(10)
_WORKER_MASK = np.uint64(MAX_WORKERS - 1)
_INCARNATION_MASK = np.uint64((1 << 21) - 1)
CLAIM_MARK = 1 << 31  # a word of first_child with this bit is a claim
_CLAIM_MARK = np.uint64(CLAIM_MARK)

# The worker table: so many words a worker, two cache lines that only it writes, except
# INCARNATION and ASSIGNED, which are the supervisor's.
WORKER_WORDS = 16
INCARNATION = 0
ASSIGNED = 1  # slot + 1 that it shall work for, 0 none
INSIDE = 2  # slot + 1 whose tree it may be writing to, 0 none
BEAT = 3  # time.monotonic_ns of its last sign of life
SIMULATIONS = 4  # that it completed since the table was made, also before it died and came back


def new_worker_table(n_workers: int, buffer: Any = None) -> Any:
    """The table over a buffer, or in private memory. Does not clear it. Raises ValueError."""
    if not 0 <= n_workers <= MAX_WORKERS:
        raise ValueError(f"workers are 0 to {MAX_WORKERS}, not {n_workers}")
    if buffer is None:
        buffer = bytearray(n_workers * WORKER_WORDS * 8)
    return np.frombuffer(buffer, np.uint64, n_workers * WORKER_WORDS)


@inlined_kernel
def claim_of(workers, worker):
    """The word by which `worker`, in its present incarnation, claims a node."""
    incarnation = workers[worker * np.uint64(WORKER_WORDS) + np.uint64(INCARNATION)]
    return _CLAIM_MARK | ((incarnation & _INCARNATION_MASK) << _WORKER_BITS) | worker


@inlined_kernel
def is_claim(word):
    return word & _CLAIM_MARK != U0


@inlined_kernel
def is_abandoned(workers, claim):
    """Has the claimant died? Also true for a worker that never was."""
    worker = claim & _WORKER_MASK
    place = worker * np.uint64(WORKER_WORDS) + np.uint64(INCARNATION)
    if place >= np.uint64(len(workers)):
        return True
    incarnation = load_acquire(workers, place) & _INCARNATION_MASK
    return (claim & ~_CLAIM_MARK) >> _WORKER_BITS != incarnation
