"""How long a GTP client takes to start and to answer, embedded and attached.

The client is run as a GUI runs it: a process on two pipes.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

N_ROUND_TRIPS = 2000
_ROOT = Path(__file__).parent.parent.parent
_CLIENT = [sys.executable, "-m", "clients.main", "gtp", "--size", "9"]
_DAEMON = [sys.executable, "-m", "daemon.main"]


def measure(runs: int) -> Iterator[dict[str, Any]]:
    """A row each for the embedded and the attached client; times are medians."""
    with tempfile.TemporaryDirectory() as directory, _daemon(directory) as address:
        _run([*_CLIENT, "--embedded"])  # kernels are compiled, files are in memory
        for name, options in (("embedded", ["--embedded"]), ("attached", ["--connect", address])):
            results = [_run([*_CLIENT, *options]) for _ in range(runs)]
            trips = sorted(seconds for _, _, trips in results for seconds in trips)
            yield {
                "client": name,
                "first_reply_ms": _milliseconds(statistics.median(r[0] for r in results)),
                "first_board_ms": _milliseconds(statistics.median(r[1] for r in results)),
                "round_trip_ms": _milliseconds(statistics.median(trips)),
                "round_trip_p99_ms": _milliseconds(trips[len(trips) * 99 // 100]),
            }


def _run(command: list[str]) -> tuple[float, float, list[float]]:
    """Seconds to the first reply, to the first board, and of each round trip."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        pipes = client.stdin, client.stdout
        _ask("protocol_version", *pipes)
        first_reply = time.perf_counter() - started
        _ask("showboard", *pipes)
        first_board = time.perf_counter() - started
        trips = []
        for _ in range(N_ROUND_TRIPS):
            before = time.perf_counter()
            _ask("protocol_version", *pipes)
            trips.append(time.perf_counter() - before)
        _ask("quit", *pipes)
    return first_reply, first_board, trips


def _ask(line: str, requests: IO[bytes], replies: IO[bytes]) -> None:
    requests.write(f"{line}\n".encode())
    reply = b""
    while not reply.endswith(b"\n\n"):
        more = replies.read(65536)
        if not more:
            raise RuntimeError(f"the client ended at {line!r}; it said {reply!r}")
        reply += more


@contextmanager
def _daemon(directory: str) -> Iterator[str]:
    process = subprocess.Popen(
        [*_DAEMON, "--private", directory, "--log-level", "warning"], cwd=_ROOT
    )
    try:
        while not (Path(directory) / "requests").exists():
            if process.poll() is not None:
                raise RuntimeError("the daemon did not start")
            time.sleep(0.01)
        yield f"ipc://{directory}"
    finally:
        process.terminate()
        process.wait()


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 3)
