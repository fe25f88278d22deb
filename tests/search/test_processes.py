"""Several processes grow one tree: nothing is lost, and the dead leave little behind."""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import time
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK
from goengine.jit import COMPILED
from goengine.rules.game import Game
from goengine.search.memory import memory_for, memory_over
from goengine.search.results import N_COUNTED, share_won
from goengine.search.search import Search, read_visits
from goengine.search.seat import Seat
from goengine.search.situation import SLICE
from goengine.search.workspace import N_SIMULATIONS, REAL_WINS
from goengine.tree.checking import check_tree
from goengine.tree.claims import INCARNATION, WORKER_WORDS, new_worker_table
from goengine.tree.columns import ROOT
from tests.search.searches import OneWorker, all_nodes, children_of, visits_at

pytestmark = pytest.mark.skipif(not COMPILED, reason="plain twins are for one process")

N_WORKERS = 3
_CONTEXT = multiprocessing.get_context("fork")


class Shared:
    def __init__(self, n_nodes: int, **changes: Any) -> None:
        OneWorker(Game(9)).simulate(1)  # the kernels are loaded before the fork
        buffer = mmap.mmap(-1, memory_for(n_nodes, N_WORKERS))
        table = mmap.mmap(-1, N_WORKERS * WORKER_WORDS * 8)
        self.memory = memory_over(buffer, N_WORKERS)
        self.workers = new_worker_table(N_WORKERS, table)
        self.search = Search(self.memory, seed=1)
        self.search.set_parameters(9, changes)
        self.search.set_game(Game(9), BLACK)

    def start(self, n: int, batch: int = 200) -> list[Any]:
        processes = [
            _CONTEXT.Process(target=self._work, args=(w, n, batch)) for w in range(N_WORKERS)
        ]
        for process in processes:
            process.start()
        return processes

    def _work(self, worker: int, n: int, batch: int) -> None:
        seat = Seat(self.memory, self.workers, worker)
        seat.load()
        n_done = 0
        while n_done < n:
            n_done += seat.run(min(batch, n - n_done))


@pytest.mark.parametrize("expand_visits", [1, 8])
def test_no_visit_is_lost(expand_visits: int) -> None:
    shared = Shared(1_000_000, expand_visits=expand_visits, hot_visits=1024)
    for process in (processes := shared.start(3000)):
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * N_WORKERS
    tree = shared.memory.tree
    assert read_visits(shared.memory) == 3000 * N_WORKERS
    assert shared.memory.tallies[:, N_SIMULATIONS].tolist() == [3000] * N_WORKERS
    check_tree(tree)
    for node in all_nodes(tree):
        children = children_of(tree, node)
        if children and node != ROOT:
            below = sum(visits_at(tree, child) for child in children)
            # Who came just before the children did finds them there, and goes on to them.
            least = max(0, expand_visits - (N_WORKERS - 1))
            assert visits_at(tree, node) - below >= least
    assert not shared.memory.deltas.any()
    assert shared.search.read().simulations == 3000 * N_WORKERS


def test_no_result_is_lost_and_every_slice_is_somebodys() -> None:
    shared = Shared(400_000, dynamic_komi="median", komi_results=500, komi_opening=0)
    for process in (processes := shared.start(3000)):
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * N_WORKERS
    situation = shared.memory.situation
    assert situation.counts[:, N_COUNTED].tolist() == [3000] * N_WORKERS
    assert situation.counts[:, 1:].sum() == 9000
    assert int(situation.words[SLICE]) == 9000 // 500
    assert (situation.before <= situation.counts.sum(axis=0)).all()
    wins = int(shared.memory.tallies[:, REAL_WINS].sum())
    assert wins == 2 * round(9000 * float(share_won(situation.counts.sum(axis=0), 0.0)))
    assert 0 < abs(shared.search.read().extra_komi) < 40


def test_the_dead_leave_extra_komi_that_others_go_on_with() -> None:
    """Killed at any time, most of which is spent with slices."""
    shared = Shared(400_000, dynamic_komi="value", komi_slice=1, komi_opening=0, komi_taken=5)
    situation = shared.memory.situation
    slices = 0
    for round_ in range(6):
        processes = shared.start(10**9, batch=1)
        time.sleep(0.1 + 0.01 * round_)
        for process in processes:
            os.kill(process.pid, signal.SIGKILL)
        for worker, process in enumerate(processes):
            process.join(60)
            shared.workers[worker * WORKER_WORDS + INCARNATION] += np.uint64(1)
            shared.search.settle(worker)
        assert int(situation.words[SLICE]) > slices
        slices = int(situation.words[SLICE])
        assert (situation.before <= situation.counts.sum(axis=0)).all()
        assert abs(int(situation.counts[:, 1:].sum() - situation.counts[:, 0].sum())) <= 18
        komi = shared.search.read().extra_komi
        assert komi == int(komi)
        assert -5 <= komi < 81
        if shared.search.needs_room:
            shared.search.make_room()


def test_workers_draw_different_numbers() -> None:
    shared = Shared(50_000)
    for process in shared.start(50):
        process.join(60)
    ownerships = {row.tobytes() for row in shared.memory.ownerships}
    assert len(ownerships) == N_WORKERS


def test_the_dead_leave_a_tree_that_others_can_use() -> None:
    shared = Shared(400_000, expand_visits=1, hot_visits=1024)
    tree = shared.memory.tree
    n_killed = 0
    for round_ in range(6):
        processes = shared.start(10**9)
        time.sleep(0.1 + 0.01 * round_)
        for process in processes:
            os.kill(process.pid, signal.SIGKILL)
        for worker, process in enumerate(processes):
            process.join(60)
            shared.workers[worker * WORKER_WORDS + INCARNATION] += np.uint64(1)
            shared.search.settle(worker)
            n_killed += 1
        assert not shared.memory.deltas.any()
        # Each may have left one visit without a value, and paid one debt of 64 twice.
        check_tree(tree, n_owed=65 * n_killed)
        made = int(shared.memory.tallies[:, N_SIMULATIONS].sum())
        assert abs(read_visits(shared.memory) - made) <= 65 * n_killed
        if shared.search.needs_room:
            shared.search.make_room()
            check_tree(tree, n_owed=65 * n_killed)
    before = read_visits(shared.memory)
    seat = Seat(shared.memory, shared.workers, 0)
    seat.load()
    assert before > 0
    if shared.search.needs_room:
        shared.search.make_room()
    n_done = seat.run(500)
    assert read_visits(shared.memory) == before + n_done > before
    check_tree(tree, n_owed=65 * n_killed)
