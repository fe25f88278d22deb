"""Simulations a second by the workers of a pool, over equal times."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import numpy as np

from daemon.pool import MEGABYTE, TICK, Job, Pool
from goengine.board import new_boards
from goengine.playouts.batches import run_light
from goengine.randomness import random_state
from goengine.rules.game import Game
from goengine.search.parameters import POLICIES, RAVE
from goengine.search.search import Search
from goengine.search.workspace import COLD_ATOMICS, HOT_ATOMICS
from goengine.tree.columns import BYTES_PER_NODE

SLOT_BYTES = 512 * MEGABYTE
N_WORKERS = (1, 2)


def measure(
    size: int, runs: int, seconds: float, changes: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """One row for each number of workers; all take turns, each run from an empty tree.

    Workers that share a tree stand beside as many with a tree each: what is lost between
    those two is the tree's, the rest the machine's.
    """
    rates: dict[int, list[float]] = {n: [] for n in N_WORKERS}
    apart: dict[int, list[float]] = {n: [] for n in N_WORKERS}
    atomics: dict[int, Any] = {}
    playouts = []
    job = start_anew(size, changes)
    with ExitStack() as stack:
        pools = {n: stack.enter_context(Pool(n, n, SLOT_BYTES, (size,))) for n in N_WORKERS}
        for _ in range(runs):
            playouts.append(_playouts_per_second(size, seconds / 4))
            for n_workers, pool in pools.items():
                rates[n_workers].append(_simulations_per_second(pool, 1, job, seconds))
                tallies = pool.searches[0].memory.tallies.sum(axis=0)
                counts = tallies[[HOT_ATOMICS, COLD_ATOMICS]]
                atomics[n_workers] = counts / pool.searches[0].read().simulations
                apart[n_workers].append(_simulations_per_second(pool, n_workers, job, seconds))
    for n_workers in N_WORKERS:
        yield {
            "size": size,
            "workers": n_workers,
            "policy": changes.get("policy", POLICIES[RAVE]),
            "simulations_per_s": round(statistics.median(rates[n_workers]), 1),
            "bytes_per_node": BYTES_PER_NODE,
            "times_one_worker": _ratio(rates[n_workers], rates[1]),
            "times_a_tree_each": _ratio(rates[n_workers], apart[n_workers]),
            "times_playouts": _ratio(rates[n_workers], playouts),
            "hot_atomics": round(float(atomics[n_workers][0]), 2),
            "cold_atomics": round(float(atomics[n_workers][1]), 1),
        }


def _ratio(rates: list[float], to: list[float]) -> float:
    """The median of the ratios, run by run."""
    return round(statistics.median(a / b for a, b in zip(rates, to, strict=True)), 3)


def start_anew(size: int, changes: Mapping[str, str] | None = None) -> Job:
    """What makes a search one of the empty board, with nothing known."""

    def job(search: Search) -> None:
        search.forget()
        search.set_parameters(size, changes)
        game = Game(size)
        search.set_game(game, game.to_play)

    return job


def _simulations_per_second(pool: Pool, n_slots: int, job: Job, seconds: float) -> float:
    """With the workers of a pool divided among so many of its slots."""
    slots = range(n_slots)
    for slot in slots:
        pool.change(slot, job)
    started = time.perf_counter()
    for slot in slots:
        pool.begin(slot)
    while (left := started + seconds - time.perf_counter()) > 0:
        pool.step(min(left, TICK))
    for slot in slots:
        pool.end(slot)
    while not all(pool.is_done(slot) for slot in slots):
        pool.step(TICK)
    n_done = sum(pool.searches[slot].read().simulations for slot in slots)
    return n_done / (time.perf_counter() - started)


def _playouts_per_second(size: int, seconds: float) -> float:
    """Light playouts alone, on one core: what the tree costs is seen beside them."""
    boards = new_boards(2, size)
    boards[1].random = random_state(size)
    ownership = np.zeros(len(boards[0].color), np.int64)
    n_done = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds or not n_done:
        run_light(boards, 500, 7.5, ownership)
        n_done += 500
    return n_done / elapsed
