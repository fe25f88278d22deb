"""The way into a tree: workers pass a gate, and its owner can close it and wait.

docs/shared-tree.md, "The gate": a worker first says that it is inside and then looks at
the gate; the owner first closes the gate and then looks who is inside. With a fence in
between on both sides, at least one of them sees the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.jit import compare_exchange, fence, kernel, load_acquire, store_release
from goengine.tree.claims import INSIDE, WORKER_WORDS
from goengine.tree.columns import BUDGET, GATE
from goengine.words import U0, U1

# Budgets that are no numbers of simulations.
NO_LIMIT = 1 << 62  # nobody uses it up
ENDED = 1 << 63  # nothing is taken from it or returned to it

_WORKER_WORDS = np.uint64(WORKER_WORDS)
_INSIDE = np.uint64(INSIDE)
_ENDED = np.uint64(ENDED)


@kernel
def enter(words, workers, worker, slot):
    """Go inside. Returns whether the gate was open; else the worker stays outside."""
    place = worker * _WORKER_WORDS + _INSIDE
    store_release(workers, place, slot + U1)
    fence()
    if load_acquire(words, GATE) == U0:
        return True
    store_release(workers, place, U0)
    return False


@kernel
def leave(workers, worker):
    """Be outside: all that was written before is there for who sees it."""
    store_release(workers, worker * _WORKER_WORDS + _INSIDE, U0)


@kernel
def close_gate(words):
    """Let nobody in any more; who is inside leaves after its simulation."""
    store_release(words, GATE, U1)
    fence()


@kernel
def open_gate(words):
    store_release(words, GATE, U0)
    fence()


def is_anybody_inside(workers: Any, slot: int) -> bool:
    """Ask after close_gate: once it is False it stays so."""
    return bool((workers[INSIDE::WORKER_WORDS] == slot + 1).any())


@kernel
def take_from_budget(words, n_wanted):
    """Take simulations to make, at most `n_wanted`. Returns how many; 0 if none are left."""
    while True:
        left = load_acquire(words, BUDGET)
        if left == _ENDED:
            return U0
        n_taken = min(left, n_wanted)
        if n_taken == U0 or compare_exchange(words, BUDGET, left, left - n_taken):
            return n_taken


@kernel
def return_to_budget(words, n):
    """Give back what was taken and not made."""
    while True:
        left = load_acquire(words, BUDGET)
        if left == _ENDED or compare_exchange(words, BUDGET, left, left + n):
            return
