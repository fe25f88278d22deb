"""200,000 random games against two independent boards, on all cores."""

from __future__ import annotations

import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import pytest

from tests.twins.random_games import RandomGame

GAMES = {5: 150_000, 9: 40_000, 13: 7_000, 19: 3_000}
SLICE = 50
FIRST_SEED = 1_000_000  # others than those of the quick test


def play_slice(size: int, first_seed: int) -> None:
    for seed in range(first_seed, first_seed + SLICE):
        RandomGame(size, seed).run()


@pytest.mark.soak
@pytest.mark.parametrize("size", GAMES)
def test_random_games(size: int, capsys: pytest.CaptureFixture[str]) -> None:
    started = time.monotonic()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context) as pool:
        slices = range(FIRST_SEED, FIRST_SEED + GAMES[size], SLICE)
        pending = [pool.submit(play_slice, size, first_seed) for first_seed in slices]
        for n_done, done in enumerate(as_completed(pending), 1):
            done.result()
            with capsys.disabled():
                minutes = (time.monotonic() - started) / 60
                games = f"{n_done * SLICE:,} of {GAMES[size]:,} games"
                print(f"\r{size}x{size}: {games}, {minutes:.1f} min ", end="", flush=True)
