"""`goengine tune`: finds better values of an engine's parameters by games."""

from __future__ import annotations

import argparse
import asyncio
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from clients.match.command import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    shared_daemon,
)
from clients.match.definition import MatchError
from clients.options import positive_integer
from clients.private_daemon import NoDaemon, PrivateDaemon
from clients.tune.definition import Tuning, read_tuning
from clients.tune.history import HistoryError, IterationRecord, held, values_now
from clients.tune.live_view import Display
from clients.tune.page import write_page
from clients.tune.parameters import told_values
from clients.tune.rehearsal import Unusable
from clients.tune.tuner import Stopped, Tuner
from clients.tune.verification import toml_value, write_verification

_PAGE_INTERVAL = 30.0  # seconds between two pages while games are played


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    try:
        return run_tuning(_adjusted(read_tuning(options.file), options), options.show)
    except MatchError as error:
        print(f"goengine tune: {error}", file=sys.stderr)
        return EXIT_USAGE
    except (HistoryError, NoDaemon, Stopped, Unusable) as error:
        print(f"goengine tune: {error}", file=sys.stderr)
        return EXIT_FAILURE


def run_tuning(tuning: Tuning, is_only_shown: bool = False) -> int:
    """Returns the exit code. Raises what keeps a tuning from its end."""
    console = Console(highlight=False)
    display = Display(console)
    if is_only_shown:
        tuner = Tuner(tuning, lambda record: None)
    else:
        with held(tuning):
            tuner = _started(tuning, display)
            display.open(tuner)
            try:
                with shared_daemon(tuning.match) as daemon:
                    is_interrupted = not asyncio.run(_play(tuner, daemon))
            finally:
                display.close()
        if is_interrupted:
            console.print(display.view(tuner))
            console.print("interrupted; the same command goes on with it")
            return EXIT_INTERRUPTED
    console.print(display.view(tuner))
    _tell_results(tuner, console)
    return 0


def _started(tuning: Tuning, display: Display) -> Tuner:
    last_page = time.monotonic()

    def on_iteration(record: IterationRecord) -> None:
        nonlocal last_page
        display.on_iteration(tuner, record)
        if time.monotonic() - last_page >= _PAGE_INTERVAL:
            write_page(tuner)
            last_page = time.monotonic()

    tuner = Tuner(tuning, on_iteration)
    return tuner


async def _play(tuner: Tuner, daemon: PrivateDaemon | None) -> bool:
    """False if somebody interrupted it."""
    run = tuner.run(daemon.address.text, daemon.check) if daemon else tuner.run(None)
    task = asyncio.create_task(run)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        return False
    return True


def _tell_results(tuner: Tuner, console: Console) -> None:
    """The values as a match file or `--set` has them, and where to look further."""
    tuning, records = tuner.tuning, tuner.records

    def tell(text: str) -> None:
        console.print(text, soft_wrap=True, markup=False)

    if not records:
        tell("no iteration is finished yet; there is nothing to verify")
        return
    told = told_values(tuning.parameters, values_now(tuning, records))
    tell(f"\nparameters = {toml_value(told)}")
    tell(f"page: {write_page(tuner)}")
    path = write_verification(tuning, records)
    tell(f"\nwhat it gained, on fresh games:\n    goengine match {shlex.quote(str(path))}")


def _adjusted(tuning: Tuning, options: argparse.Namespace) -> Tuning:
    match = msgspec.structs.replace(
        tuning.match,
        results=options.results or tuning.match.results,
        games_at_once=options.games_at_once or tuning.match.games_at_once,
    )
    return msgspec.structs.replace(tuning, match=match)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="goengine tune",
        description="Find better values of an engine's parameters by games of slightly different "
        "values against each other (SPSA). Stop it at any time: the same command goes on where "
        "it was.",
    )
    parser.add_argument("file", type=Path, help="TOML: the player, its parameters, conditions")
    parser.add_argument(
        "--results", type=Path, metavar="DIR", help="where games are kept (default: FILE.results)"
    )
    parser.add_argument(
        "--games-at-once", type=positive_integer, metavar="N", help="default: as the file says"
    )
    parser.add_argument(
        "--show", action="store_true",
        help="play nothing: show how it stands, write page and verify.toml",
    )  # fmt: skip
    return parser
