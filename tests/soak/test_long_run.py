"""Thousands of short games one after the other: nothing grows, nothing slows down.

LONG_RUN_GAMES and LONG_RUN_CLIENTS make it shorter or longer; a quarter of the games is to settle.
"""

from __future__ import annotations

import os
import random
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.process.daemons import Client, Daemon, running_daemon, wait_until

pytestmark = pytest.mark.soak

N_GAMES = int(os.environ.get("LONG_RUN_GAMES", "2000"))
N_CLIENTS = int(os.environ.get("LONG_RUN_CLIENTS", "8"))
N_COMPARED = min(100, N_GAMES // 4)  # games, the first ones after it settled and the last
PLAYOUTS = 40
ANALYSIS = f"lz-analyze 1 playouts {PLAYOUTS}"
ORPHAN_SECONDS = 2  # until games of clients that died are gone
P_DEATH = 0.1  # of a client, in the middle of a game
MAX_GROWTH = 0.02
MAX_SLOWDOWN = 1.5  # of medians; other programs run on the machine, too


@dataclass(frozen=True)
class Footprint:
    """What the daemon, its zygote and its workers hold, by process, when nobody is there."""

    own_bytes: dict[str, int]
    descriptors: dict[str, int]
    journal_bytes: int
    cpu_seconds: float  # of the daemon itself


@dataclass
class Course:
    """Latencies in seconds, by game in the order of their ends."""

    latencies: list[list[float]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    tell: Callable[[str], None] = print


def test_memory_descriptors_and_latency_stay_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def tell(text: str) -> None:
        with capsys.disabled():
            print(text, flush=True)

    course = Course(tell=tell)
    with running_daemon(
        tmp_path, slots=4, orphan_seconds=ORPHAN_SECONDS, log_level="warning", pondering="on"
    ) as daemon:
        play_games(daemon, N_GAMES // 4, course)
        before = footprint(daemon)
        tell(f"\n{before}")
        play_games(daemon, N_GAMES - N_GAMES // 4, course)
        after = footprint(daemon)
        tell(f"\n{after}")
        workers = [worker["pid"] for worker in daemon.status()["workers"]]
        pids = [daemon.process.pid, *descendants(daemon.process.pid)]
        assert set(workers) < set(pids)
        assert len(pids) == 2 + len(workers), "the daemon, its zygote and the workers"
    settled = course.latencies[N_GAMES // 4 :]
    first, last = (median(games) for games in (settled[:N_COMPARED], settled[-N_COMPARED:]))
    tell(f"median latency of {N_COMPARED} games: {1000 * first:.2f} ms, then {1000 * last:.2f} ms")
    assert len(course.latencies) == N_GAMES
    assert "ERROR" not in daemon.log.read_text()
    for name, n_bytes in before.own_bytes.items():
        growth = after.own_bytes[name] / n_bytes - 1.0
        tell(f"{name}: {n_bytes / 2**20:.1f} MB, {growth:+.2%}")
        assert growth < MAX_GROWTH, name
    assert after.descriptors == before.descriptors
    assert after.journal_bytes <= before.journal_bytes + (1 << 20)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    assert not list(Path("/dev/shm").glob(f"goengine.{daemon.process.pid}.*"))
    assert last < MAX_SLOWDOWN * first


# --- playing ----------------------------------------------------------------------


def play_games(daemon: Daemon, n_games: int, course: Course) -> None:
    """All clients at once, until so many games are over and nobody is left."""
    numbers = iter(range(n_games))
    started = time.monotonic()

    def play_some(client_number: int) -> None:
        rng = random.Random(f"{client_number} {n_games}")
        client = Client(daemon)
        while next(numbers, None) is not None:
            latencies = play_game(client, rng)
            if rng.random() < P_DEATH:
                client.begin(rng.choice(["genmove b", "lz-analyze 1", "showboard"]))
                client.close()
                client = Client(daemon)
            else:
                client.ask(do="close")
            note(course, latencies, started)
        client.close()

    with ThreadPoolExecutor(N_CLIENTS) as players:
        for done in [players.submit(play_some, number) for number in range(N_CLIENTS)]:
            done.result()
    wait_until(lambda: is_deserted(daemon), seconds=60)


def note(course: Course, latencies: list[float], started: float) -> None:
    with course.lock:
        course.latencies.append(latencies)
        n = len(course.latencies)
    if n % max(1, N_GAMES // 20) == 0:
        seconds = time.monotonic() - started
        course.tell(f"{n} of {N_GAMES} games, {seconds:.0f} s, {1000 * median([latencies]):.1f} ms")


def play_game(client: Client, rng: random.Random) -> list[float]:
    """Returns the seconds that each line took."""
    size = rng.choice([5, 7, 9])
    client.game = f"game-{rng.getrandbits(64):x}"
    assert client.open(size=size, playouts=PLAYOUTS)["kind"] == "end"
    latencies = []
    for number in range(rng.randrange(10, 21)):
        color = "bw"[number % 2]
        lines = (f"genmove {color}", f"play {color} pass", "undo", "showboard", ANALYSIS)
        line = rng.choices(lines, weights=(10, 2, 2, 1, 2))[0]
        began = time.monotonic()
        reply = client.gtp(line)
        latencies.append(time.monotonic() - began)
        assert reply.startswith("=") or line == "undo", (line, reply)
    return latencies


def median(games: list[list[float]]) -> float:
    return statistics.median(latency for game in games for latency in game)


# --- what is held -------------------------------------------------------------------


def is_deserted(daemon: Daemon) -> bool:
    status = daemon.status()
    return not status["games"] and not status["clients"]


def footprint(daemon: Daemon) -> Footprint:
    main = daemon.process.pid
    workers = {worker["pid"]: f"worker {worker['index']}" for worker in daemon.status()["workers"]}
    names = {main: "daemon"} | {pid: workers.get(pid, "zygote") for pid in descendants(main)}
    assert Counter(names.values()).keys() == {"daemon", "zygote", "worker 0", "worker 1"}
    journal = (daemon.directory / "games.sqlite", daemon.directory / "games.sqlite-wal")
    fields = Path(f"/proc/{main}/stat").read_text().rpartition(")")[2].split()
    return Footprint(
        {name: own_bytes(pid) for pid, name in names.items()},
        {name: len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid, name in names.items()},
        sum(path.stat().st_size for path in journal if path.exists()),
        (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
    )


def own_bytes(pid: int) -> int:
    """Resident, without files and what is shared with others."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) << 10


def descendants(pid: int) -> list[int]:
    children = [
        int(word)
        for path in Path(f"/proc/{pid}/task").glob("*/children")
        for word in path.read_text().split()
    ]
    return children + [each for child in children for each in descendants(child)]
