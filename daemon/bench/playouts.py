"""Light playouts a second, beside the plainest board that plays the same."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from daemon.bench.plain_playouts import run_plain
from goengine.board import new_boards
from goengine.playouts.batches import run_light
from goengine.randomness import random_state

KOMI = 7.5


def measure(size: int, runs: int, seconds: float) -> dict[str, Any]:
    """Medians of several runs on one core, each beside a run of the plain board."""
    boards = new_boards(2, size)
    boards[1].random = random_state(size)
    ownership = np.zeros(len(boards[0].color), np.int64)
    run_light(boards, 1, KOMI, ownership)  # compiles
    run_plain(size, 1, KOMI, 0)

    started = time.perf_counter()
    run_light(boards, 200, KOMI, ownership)
    n_playouts = max(1, round(200 * seconds / (time.perf_counter() - started)))
    n_plain = max(1, n_playouts // 20)
    rates, ratios, moves, black_wins = [], [], 0, 0
    for run in range(runs):
        started = time.perf_counter()
        n_moves, n_black_wins = run_light(boards, n_playouts, KOMI, ownership)
        between = time.perf_counter()
        run_plain(size, n_plain, KOMI, run)
        plain_rate = n_plain / (time.perf_counter() - between)
        rates.append(n_playouts / (between - started))
        ratios.append(rates[-1] / plain_rate)
        moves += n_moves
        black_wins += n_black_wins
    rate = statistics.median(rates)
    moves_per_playout = moves / (runs * n_playouts)
    return {
        "size": size,
        "policy": "light",
        "playouts_per_s": round(rate, 1),
        "moves_per_s": round(rate * moves_per_playout),
        "moves_per_playout": round(moves_per_playout, 2),
        "black_win_rate": round(black_wins / (runs * n_playouts), 4),
        "times_plain_board": round(statistics.median(ratios), 2),
    }
