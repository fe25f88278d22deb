"""The gate and the budget, alone and among real processes."""

from __future__ import annotations

import mmap
import multiprocessing
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from goengine.jit import COMPILED
from goengine.tree.claims import INSIDE, WORKER_WORDS, new_worker_table
from goengine.tree.columns import BUDGET, GATE, N_WORDS
from goengine.tree.gate import (
    ENDED,
    NO_LIMIT,
    close_gate,
    enter,
    is_anybody_inside,
    leave,
    open_gate,
    return_to_budget,
    take_from_budget,
)

only_compiled = pytest.mark.skipif(not COMPILED, reason="plain twins are for one process")

N_WORKERS = 3
N_CLOSINGS = 2000
BUDGET_FOR_ALL = 200_000
SHORT = 5e-5  # seconds: somebody else shall have the core
_CONTEXT = multiprocessing.get_context("fork")


def new_words() -> Any:
    return np.zeros(N_WORDS, np.uint64)


def shared_words(n_words: int) -> Any:
    return np.frombuffer(mmap.mmap(-1, n_words * 8), np.uint64)


@pytest.mark.uncompiled
@pytest.mark.boundscheck
def test_in_and_out() -> None:
    words, workers = new_words(), new_worker_table(2)
    one, slot = np.uint64(1), np.uint64(6)
    assert not is_anybody_inside(workers, 6)
    assert enter(words, workers, one, slot)
    assert int(workers[WORKER_WORDS + INSIDE]) == 7
    assert is_anybody_inside(workers, 6)
    assert not is_anybody_inside(workers, 0)
    assert not is_anybody_inside(workers, 5)
    close_gate(words)
    assert int(words[GATE]) != 0
    assert is_anybody_inside(workers, 6), "who is inside is not thrown out"
    leave(workers, one)
    assert not is_anybody_inside(workers, 6)
    for _ in range(2):
        assert not enter(words, workers, one, slot)
        assert not is_anybody_inside(workers, 6), "who was refused is outside"
    open_gate(words)
    assert int(words[GATE]) == 0
    assert enter(words, workers, one, np.uint64(0))
    assert is_anybody_inside(workers, 0)
    assert np.flatnonzero(workers).tolist() == [WORKER_WORDS + INSIDE]


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("budget", "wanted", "taken"),
    [(0, 5, 0), (10, 0, 0), (10, 3, 3), (3, 10, 3), (NO_LIMIT, 1000, 1000)],
)
def test_the_budget(budget: int, wanted: int, taken: int) -> None:
    words = new_words()
    words[BUDGET] = budget
    assert take_from_budget(words, np.uint64(wanted)) == taken
    assert int(words[BUDGET]) == budget - taken
    return_to_budget(words, np.uint64(taken))
    assert int(words[BUDGET]) == budget
    assert np.count_nonzero(words) == (budget > 0)


def fork(work: Callable[[int], None]) -> list[Any]:
    processes = [_CONTEXT.Process(target=work, args=(index,)) for index in range(N_WORKERS)]
    for process in processes:
        process.start()
    return processes


def join(processes: list[Any]) -> None:
    for process in processes:
        process.join(30)
        assert process.exitcode == 0


@only_compiled
def test_processes_take_exactly_the_budget() -> None:
    words, taken = shared_words(N_WORDS), shared_words(N_WORKERS)
    take_from_budget(words, np.uint64(1))  # compiled before the fork
    return_to_budget(words, np.uint64(0))
    words[BUDGET] = BUDGET_FOR_ALL

    def work(index: int) -> None:
        rng = random.Random(index)
        while n := int(take_from_budget(words, np.uint64(rng.randint(1, 40)))):
            n_back = rng.randint(0, n - 1) if rng.random() < 0.3 else 0
            if n_back:
                return_to_budget(words, np.uint64(n_back))
            taken[index] += np.uint64(n - n_back)

    join(fork(work))
    assert int(taken.sum()) == BUDGET_FOR_ALL
    assert int(words[BUDGET]) == 0


@only_compiled
def test_nobody_writes_while_the_gate_is_closed_and_all_are_out() -> None:
    words, workers = shared_words(N_WORDS), shared_words(N_WORKERS * WORKER_WORDS)
    counters, stop = shared_words(2 * N_WORKERS), shared_words(1)
    for call in (close_gate, open_gate):
        call(words)
    enter(words, workers, np.uint64(0), np.uint64(3))
    leave(workers, np.uint64(0))

    def work(index: int) -> None:
        worker = np.uint64(index)
        while not stop[0]:
            if not enter(words, workers, worker, np.uint64(3)):
                time.sleep(SHORT)
                continue
            counters[2 * index] += np.uint64(1)
            counters[2 * index + 1] += np.uint64(1)
            leave(workers, worker)
            if counters[2 * index] % np.uint64(20) == 0:
                time.sleep(SHORT)

    processes = fork(work)
    n_changes = 0
    before = counters.copy()
    try:
        for n in range(N_CLOSINGS):
            close_gate(words)
            until = time.monotonic() + 20
            while is_anybody_inside(workers, 3):
                time.sleep(SHORT)
                assert time.monotonic() < until, "somebody stays inside"
            found = counters.copy()
            assert (found[::2] == found[1::2]).all(), f"half a visit, at closing {n}"
            if n % 10 == 0:
                time.sleep(SHORT)
            assert (counters == found).all(), f"somebody wrote, at closing {n}"
            n_changes += not np.array_equal(found, before)
            before = found
            open_gate(words)
            time.sleep(SHORT)
    finally:
        stop[0] = 1
        open_gate(words)
        join(processes)
    assert n_changes > N_CLOSINGS / 10, "the workers were at work meanwhile"
    assert not is_anybody_inside(workers, 3)


@pytest.mark.uncompiled
@pytest.mark.boundscheck
def test_nothing_is_taken_from_or_returned_to_a_budget_that_has_ended() -> None:
    words = new_words()
    words[BUDGET] = ENDED
    assert take_from_budget(words, np.uint64(1)) == 0
    return_to_budget(words, np.uint64(1))
    assert words[BUDGET] == ENDED
