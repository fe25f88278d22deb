"""Simulations a second by the workers of a pool, over equal times."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np

from daemon.pool import MEGABYTE, Pool
from goengine.board import new_boards
from goengine.playouts.batches import run_light
from goengine.randomness import random_state
from goengine.rules.game import Game
from goengine.search.parameters import POLICIES, RAVE
from goengine.search.search import Search
from goengine.search.workspace import COLD_ATOMICS, HOT_ATOMICS
from goengine.tree.columns import BYTES_PER_NODE

SLOT_BYTES = 1024 * MEGABYTE
N_WORKERS = (1, 2)


def measure(size: int, runs: int, seconds: float) -> Iterator[dict[str, Any]]:
    """One row for each number of workers; they take turns, each run from an empty tree."""
    rates: dict[int, list[float]] = {n: [] for n in N_WORKERS}
    atomics: dict[int, Any] = {}
    playouts = []
    with ExitStack() as stack:
        pools = {n: stack.enter_context(Pool(n, 1, SLOT_BYTES, (size,))) for n in N_WORKERS}
        for _ in range(runs):
            playouts.append(_playouts_per_second(size, seconds / 4))
            for n_workers, pool in pools.items():
                rates[n_workers].append(_simulations_per_second(pool, size, seconds))
                tallies = pool.searches[0].memory.tallies.sum(axis=0)
                counts = tallies[[HOT_ATOMICS, COLD_ATOMICS]]
                atomics[n_workers] = counts / pool.searches[0].read().simulations
    of_playouts = [one / light for one, light in zip(rates[1], playouts, strict=True)]
    for n_workers in N_WORKERS:
        ratios = [rate / one for rate, one in zip(rates[n_workers], rates[1], strict=True)]
        yield {
            "size": size,
            "workers": n_workers,
            "policy": POLICIES[RAVE],
            "simulations_per_s": round(statistics.median(rates[n_workers]), 1),
            "bytes_per_node": BYTES_PER_NODE,
            "times_one_worker": round(statistics.median(ratios), 3),
            "times_playouts": round(
                statistics.median(
                    ratio * of for ratio, of in zip(ratios, of_playouts, strict=True)
                ),
                3,
            ),
            "hot_atomics": round(float(atomics[n_workers][0]), 2),
            "cold_atomics": round(float(atomics[n_workers][1]), 1),
        }


def _simulations_per_second(pool: Pool, size: int, seconds: float) -> float:
    game = Game(size)

    def start_anew(search: Search) -> None:
        search.forget()
        search.set_parameters(size)
        search.set_game(game, game.to_play)

    pool.change(0, start_anew)
    started = time.perf_counter()
    pool.run(0, seconds=seconds)
    return pool.searches[0].read().simulations / (time.perf_counter() - started)


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
