"""Our search beside another engine's: playouts a second of CPU time, by turns on one core.

The other one is a command that speaks GTP and makes a fixed number of playouts a move. It
is run twice each time, once with few playouts: the difference is without its start.
"""

from __future__ import annotations

import os
import re
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from goengine.rules.game import Game
from goengine.search.local import LocalSearch

PLACEHOLDER = "{playouts}"
FEW = 20  # the short run has one in so many playouts
N_NODES = 4_000_000
MIN_SECONDS = 0.01  # between the long and the short run


class PeerFailed(Exception):
    """The other engine did not do what was asked; the text says what it did."""


class Peer(NamedTuple):
    command: str  # for a shell, with PLACEHOLDER
    n_playouts: int
    report: re.Pattern[str] | None  # finds in its stderr the playouts that it really made


class _Run(NamedTuple):
    n_playouts: int
    cpu_seconds: float


def measure(
    size: int, runs: int, peer: Peer, changes: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """One row: medians of both, and of the ratios of each turn. Raises PeerFailed."""
    search = LocalSearch(N_NODES)
    _our_rate(search, size, 100, changes)  # compiles
    ours, theirs, starts = [], [], []
    with one_core():
        for _ in range(runs):
            ours.append(_our_rate(search, size, peer.n_playouts, changes))
            short = run_peer(peer, size, max(1, peer.n_playouts // FEW))
            long = run_peer(peer, size, peer.n_playouts)
            seconds = long.cpu_seconds - short.cpu_seconds
            if seconds < MIN_SECONDS or long.n_playouts <= short.n_playouts:
                raise PeerFailed("more playouts take it no more time: does it use a book?")
            theirs.append((long.n_playouts - short.n_playouts) / seconds)
            starts.append(max(0.0, short.cpu_seconds - short.n_playouts / theirs[-1]))
    ratios = [our / their for our, their in zip(ours, theirs, strict=True)]
    yield {
        "size": size,
        "playouts": peer.n_playouts,
        "ours_per_cpu_s": round(statistics.median(ours), 1),
        "peer_per_cpu_s": round(statistics.median(theirs), 1),
        "times_peer": round(statistics.median(ratios), 3),
        "lowest": round(min(ratios), 3),
        "highest": round(max(ratios), 3),
        "peer_start_s": round(statistics.median(starts), 2),
    }


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and those that it starts meanwhile, on one core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _our_rate(search: LocalSearch, size: int, n: int, changes: Mapping[str, str]) -> float:
    """Simulations a second of this thread, from an empty tree."""
    search.start_over(seed=1)
    search.set_parameters(size, changes)
    game = Game(size)
    search.set_game(game, game.to_play)
    started = time.thread_time()
    search.run(n)
    return n / (time.thread_time() - started)


def run_peer(peer: Peer, size: int, n_playouts: int) -> _Run:
    """Start it for one move on the empty board, to its end. Raises PeerFailed."""
    lines = [f"boardsize {size}", "clear_board", "komi 7.5", "genmove b", "quit"]
    command = peer.command.replace(PLACEHOLDER, str(n_playouts))
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        process = subprocess.Popen(
            command,
            shell=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        replies, seconds = _talk(process, lines)
        errors.seek(0)
        said = errors.read()
    if len(replies) < len(lines) - 1:
        last = (said.strip() or "nothing").splitlines()[-1]
        raise PeerFailed(f"`{command}` ended at `{lines[len(replies)]}`; it said: {last}")
    for line, reply in zip(lines, replies, strict=False):
        if not reply.startswith("="):
            raise PeerFailed(f"`{command}` answered {reply!r} to `{line}`")
    if peer.report:
        found = peer.report.findall(said)
        if not found:
            raise PeerFailed(f"`{command}` did not say {peer.report.pattern!r} on stderr")
        n_playouts = int(found[-1])
    return _Run(n_playouts, seconds)


def _talk(process: subprocess.Popen[str], lines: list[str]) -> tuple[list[str], float]:
    """Say all, read all. Returns the replies, and CPU seconds of it and what it waited for."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        try:
            process.stdin.write("".join(f"{line}\n" for line in lines))
            process.stdin.close()
        except BrokenPipeError:
            pass  # it ended already, and has said why
        with process.stdout:
            replies = [reply for reply in process.stdout.read().split("\n\n") if reply.strip()]
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return [reply.strip() for reply in replies], usage.ru_utime + usage.ru_stime
