"""A worker: simulates for the slot that it is assigned to, until it is killed.

It holds nothing that matters: docs/shared-tree.md says what it may leave behind.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from goengine.search.local import warm_search
from goengine.search.memory import SearchMemory
from goengine.search.seat import Seat
from goengine.tree.claims import ASSIGNED, BEAT, SIMULATIONS, WORKER_WORDS, new_worker_table
from goengine.tree.columns import BUDGET, FULL, GATE
from goengine.tree.gate import ENDED, enter, leave, return_to_budget, take_from_budget

IDLE_BEAT = 0.5  # seconds between two beats of a worker that has nothing to do
TIME_TO_LOAD = 10.0  # seconds that kernels may take to come from the cache


def load_numba() -> None:
    """What numba imports for the first kernel takes longer than the kernel."""
    leave(new_worker_table(1), np.uint64(0))


def run_worker(
    index: int,
    table: Any,
    memories: Sequence[SearchMemory],
    wake: int,
    attention: int,
    capacities: Iterable[int],
) -> None:
    """Work for ever.

    wake        an eventfd that is written when there may be something to do
    attention   an eventfd to write when the supervisor should look at a slot
    capacities  boards whose kernels are here already
    """
    loaded = set(capacities)
    seats = [Seat(memory, table, index) for memory in memories]
    me = table[index * WORKER_WORDS : (index + 1) * WORKER_WORDS]
    while True:
        me[BEAT] = time.monotonic_ns()
        slot = int(me[ASSIGNED]) - 1
        if slot >= 0 and seats[slot].capacity not in loaded:
            # This takes longer than a batch, and is no reason to be killed.
            me[BEAT] = time.monotonic_ns() + int(TIME_TO_LOAD * 1e9)
            loaded.add(seats[slot].capacity)
            warm_search(seats[slot].capacity)
        if slot < 0 or not _work_once(seats[slot], table, index, slot, attention):
            _wait(wake)


def _work_once(seat: Seat, table: Any, index: int, slot: int, attention: int) -> bool:
    """Make a batch of simulations. Returns whether there may be more to do."""
    words = seat.memory.tree.words
    worker = np.uint64(index)
    if not enter(words, table, worker, np.uint64(slot)):
        os.eventfd_write(attention, 1)
        return False
    seat.load()
    n_taken = int(take_from_budget(words, np.uint64(seat.batch)))
    n_done = seat.run(n_taken)
    table[index * WORKER_WORDS + SIMULATIONS] += np.uint64(n_done)
    if n_done < n_taken:
        return_to_budget(words, np.uint64(n_taken - n_done))
    leave(table, worker)
    if words[GATE] or words[FULL] or int(words[BUDGET]) in (0, ENDED):
        os.eventfd_write(attention, 1)
        return False
    return True


def _wait(wake: int) -> None:
    poll = select.poll()
    poll.register(wake, select.POLLIN)
    if poll.poll(IDLE_BEAT * 1000):
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(wake)
