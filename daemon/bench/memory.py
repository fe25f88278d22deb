"""What it costs to search for ever in little memory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from daemon.bench.search import start_anew
from daemon.pool import MEGABYTE, Pool
from goengine.points import format_vertex
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.resuming import note_of, resume
from goengine.tree.checking import check_tree
from goengine.tree.collector import collect

SIZE = 19
N_WORKERS = 2
SMALL = 64  # MB
LARGE = 2048
SLICE = 5.0  # seconds
N_FIRST = 100  # simulations before the clock starts: workers are there then
MAX_MILLISECONDS = 150  # for a million nodes
MIN_SHARE = 0.9  # of the rate in a large segment


def measure_collector(runs: int) -> Iterator[dict[str, Any]]:
    """Time to slide down a bit more than a million nodes of a tree of two million, and to take
    them up as another process would.
    """
    milliseconds, resuming = [], []
    for seed in range(runs):
        search = LocalSearch(2_400_000, seed)
        search.set_parameters(SIZE)
        game = Game(SIZE)
        search.set_game(game, game.to_play)
        while search.read().nodes < 2_200_000:
            search.run(1000)
        started = time.perf_counter()
        collection = collect(search.memory.tree, max_nodes=1_300_000)
        elapsed = time.perf_counter() - started
        check_tree(search.memory.tree)
        milliseconds.append(1000 * elapsed / collection.n_after * 1e6)
        note = note_of(search)
        started = time.perf_counter()
        resume(search.memory, note)
        resuming.append(1000 * (time.perf_counter() - started) / collection.n_after * 1e6)
    median = statistics.median(milliseconds)
    yield {
        "size": SIZE,
        "nodes_before": collection.n_before,
        "nodes_kept": collection.n_after,
        "ms_per_million_kept": round(median, 1),
        "ms_per_million_resumed": round(statistics.median(resuming), 1),
        "as_expected": median < MAX_MILLISECONDS,
    }


def measure_segments(seconds: float) -> Iterator[dict[str, Any]]:
    """A small and a large segment, searched by turns for so long each."""
    n_slices = max(1, round(seconds / SLICE))
    with ExitStack() as stack:
        pools = {
            size: stack.enter_context(Pool(N_WORKERS, 1, size * MEGABYTE, (SIZE,)))
            for size in (SMALL, LARGE)
        }
        for pool in pools.values():
            pool.change(0, start_anew(SIZE))
            pool.run(0, N_FIRST)
        elapsed = dict.fromkeys(pools, 0.0)
        for _ in range(n_slices):
            for size, pool in pools.items():
                started = time.perf_counter()
                pool.run(0, seconds=seconds / n_slices)
                elapsed[size] += time.perf_counter() - started
        rates = {
            size: pool.searches[0].read().simulations / elapsed[size]
            for size, pool in pools.items()
        }
        for size, pool in pools.items():
            reading = pool.searches[0].read()
            best = reading.moves[0]
            check_tree(pool.searches[0].memory.tree)
            yield {
                "size": SIZE,
                "segment_mb": size,
                "seconds": round(elapsed[size], 1),
                "simulations_per_s": round(rates[size], 1),
                "times_large": round(rates[size] / rates[LARGE], 3),
                "pauses": pool.pauses[0].n,
                "longest_pause_ms": round(1000 * pool.pauses[0].longest, 1),
                "nodes": reading.nodes,
                "best_move": format_vertex(best.move, SIZE),
                "best_visits": best.visits,
                "depth": round(reading.depth, 1),
                "as_expected": rates[size] >= MIN_SHARE * rates[LARGE],
            }
