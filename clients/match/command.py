"""`goengine match`: plays what a file declares, and says what came of it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from clients.match.definition import Match, MatchError, read_match
from clients.match.live_table import Display, problems, whole_view
from clients.match.page import write_page
from clients.match.runner import Runner
from clients.options import positive_integer
from clients.private_daemon import NoDaemon, PrivateDaemon
from daemon.addresses import is_listening

EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
_SLOT_MEGABYTES = 64  # of a daemon that players share
_PAGE_INTERVAL = 30.0  # seconds between two pages while games are played


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    try:
        match = _adjusted(read_match(options.file), options)
        return run_match(match, is_playing=not options.status)
    except MatchError as error:
        print(f"goengine match: {error}", file=sys.stderr)
        return EXIT_USAGE
    except NoDaemon as error:
        print(f"goengine match: {error}", file=sys.stderr)
        return EXIT_FAILURE


def run_match(match: Match, *, is_playing: bool = True) -> int:
    """Returns the exit code: 0 if every game that was asked for is played."""
    display = Display(Console(highlight=False))
    runner = Runner(match, display.on_game)
    is_interrupted = False
    if is_playing:
        display.open(runner)
        try:
            with shared_daemon(match) as daemon:
                is_interrupted = not asyncio.run(_play(runner, daemon))
        finally:
            display.close()
    runner.look()
    runner.folder.complete(runner.match.pairings)
    display.console.print(whole_view(runner, display.console.width))
    page = write_page(runner.match, runner.standings, runner.folder.path, _n_set_aside(runner))
    display.console.print(f"page: {page}", soft_wrap=True, markup=False)
    if is_interrupted:
        display.console.print("interrupted; the same command goes on with it")
        return EXIT_INTERRUPTED
    return EXIT_FAILURE if problems(runner) else 0


async def _play(runner: Runner, daemon: PrivateDaemon | None) -> bool:
    """False if somebody interrupted it."""
    run = runner.run(daemon.address.text, daemon.check) if daemon else runner.run(None)
    task = asyncio.create_task(run)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    pages = asyncio.create_task(_write_pages(runner))
    try:
        await task
    except asyncio.CancelledError:
        return False
    finally:
        pages.cancel()
    return True


async def _write_pages(runner: Runner) -> None:
    """Now and then; for a large match less often, so that games are not kept waiting."""
    pause = _PAGE_INTERVAL
    while True:
        await asyncio.sleep(pause)
        started = time.monotonic()
        try:
            await asyncio.to_thread(
                write_page, runner.match, runner.standings, runner.folder.path, _n_set_aside(runner)
            )
        except OSError as error:
            runner.warning = f"no page: {error}"
        pause = max(_PAGE_INTERVAL, 100 * (time.monotonic() - started))


def _n_set_aside(runner: Runner) -> int:
    """Games that were played under conditions that the file does not declare any more."""
    folders = runner.folder.other_keys(runner.match.pairings)
    games = runner.folder.path / "games"
    return sum(1 for name in folders for _ in (games / name).glob("[0-9]*.json"))


@contextlib.contextmanager
def shared_daemon(match: Match) -> Iterator[PrivateDaemon | None]:
    """A daemon for players that share one, if there are any."""
    if not any(player.engine and player.daemon == "shared" for player in match.players.values()):
        yield None
        return
    daemon = PrivateDaemon(daemon_options(match))
    try:
        while not is_listening(daemon.address):
            daemon.check()
            time.sleep(0.05)
        yield daemon
    finally:
        daemon.close()


def daemon_options(match: Match) -> list[str]:
    """Of a daemon for all players: none of them waits for a slot, or loses its tree to another."""
    n_cores = len(match.cores or os.sched_getaffinity(0))
    n_slots = 2 * (match.games_at_once or n_cores) + 1  # one more: who finds dead stones
    return [
        *("--workers", str(n_cores)),
        *("--slots", str(n_slots)),
        *("--slot-megabytes", str(_SLOT_MEGABYTES)),
    ]


def _adjusted(match: Match, options: argparse.Namespace) -> Match:
    return msgspec.structs.replace(
        match,
        results=options.results or match.results,
        games_at_once=options.games_at_once or match.games_at_once,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="goengine match",
        description="Play the games that a file declares, and say what came of it. "
        "Stop it at any time: the same command goes on where it was.",
    )
    parser.add_argument("file", type=Path, help="TOML: players, pairings and conditions")
    parser.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help="where games are kept; several machines may share it (default: FILE.results)",
    )
    parser.add_argument(
        "--games-at-once", type=positive_integer, metavar="N", help="default: as the file says"
    )
    parser.add_argument(
        "--status", action="store_true", help="play nothing: show how it stands, write the page"
    )
    return parser
