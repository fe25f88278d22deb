"""`goengine warm`: compile all that games need, for every board size, on all cores."""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from goengine.kernel_cache import mark_of
from goengine.points import CAPACITIES, capacity_for, point_at


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="goengine warm", description=__doc__)
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=list(CAPACITIES),
        choices=CAPACITIES,
        metavar="N",
        help="the largest sizes of those that share kernels: 9, 13, 19, 25 (default: all)",
    )
    options = parser.parse_args(argv)
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    context = multiprocessing.get_context("spawn")
    with Progress(*columns) as progress, ProcessPoolExecutor(os.cpu_count(), context) as pool:
        bar = progress.add_task("compiling kernels", total=len(options.sizes))
        started = {pool.submit(warm_up, size): size for size in options.sizes}
        for done in as_completed(started):
            progress.console.print(f"up to {started[done]}x{started[done]}: {done.result():.1f} s")
            progress.advance(bar)
    return 0


def is_warm(capacity: int) -> bool:
    """Are all kernels for boards up to that size in the cache?"""
    from goengine.jit import COMPILED

    return not COMPILED or _mark_of(capacity).exists()


def _mark_of(capacity: int) -> Path:
    from goengine.jit import CACHE_DIRECTORY

    return mark_of(CACHE_DIRECTORY, capacity)


def load_boards(size: int) -> None:
    """Have ready in this process what a game on a board of `size` needs without a search."""
    from goengine.endgame.candidates import candidate_points
    from goengine.endgame.dame import find_remains
    from goengine.endgame.verdict import judge
    from goengine.rules.game import Game, opponent
    from goengine.rules.rulesets import find_rules
    from goengine.rules.scoring import score_game

    for rules in ("chinese", "tromp-taylor"):
        game = Game(size, find_rules(rules))
        for row in (0, 1):  # a stone of each colour
            game.play(game.to_play, point_at(row, row, size))
        game.to_play = opponent(game.to_play)
        score_game(game)
        candidate_points(game, game.to_play)
        find_remains(game, judge(game, None, None).dead)
        game.copy().undo()


def warm_up(size: int) -> float:
    """Do all that a game can need on a board of `size`. Returns the seconds that it took."""
    started = time.monotonic()
    with _playouts_aside(size):
        load_boards(size)
        _play_a_move(size, "random")
        _play_a_move(size, "montecarlo")
        from goengine.search.local import warm_reading, warm_search

        warm_reading(size)
    warm_search(size)
    _play_a_move(size, "mcts")
    _mark_of(capacity_for(size)).touch()
    return time.monotonic() - started


def _play_a_move(size: int, engine_name: str) -> None:
    from goengine.engines import make_engine
    from goengine.rules.game import Game
    from goengine.rules.rulesets import find_rules

    for rules in ("chinese", "tromp-taylor"):
        game = Game(size, find_rules(rules))
        make_engine(engine_name, seed=1, playouts=1).choose(game, game.to_play)


@contextlib.contextmanager
def _playouts_aside(size: int) -> Iterator[None]:
    """Have another process compile the playouts, half of the work, meanwhile."""
    program = f"from goengine.search.local import warm_playouts; warm_playouts({size})"
    quiet = subprocess.DEVNULL  # this process tells that it compiles
    with subprocess.Popen([sys.executable, "-c", program], stdin=quiet, stderr=quiet) as process:
        yield
        process.wait()  # if it failed, this process compiles them
