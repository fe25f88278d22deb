"""Many clients on one daemon: everybody gets a share, and nobody takes another's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zmq

from tests.process.daemons import ROOT, Client, Daemon, running_daemon, wait_until


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("d"), slots=16, slot_megabytes=16) as daemon:
        yield daemon


def rate_of(daemon: Daemon) -> float:
    """Simulations a second by all workers, over half a second."""

    def count() -> int:
        return sum(worker["simulations"] for worker in daemon.status()["workers"])

    started, n = time.monotonic(), count()
    time.sleep(0.5)
    return (count() - n) / (time.monotonic() - started)


def worker_seconds(daemon: Daemon) -> float:
    """Processor time that the workers have had."""
    pids = [worker["pid"] for worker in daemon.status()["workers"]]
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(f[11]) + int(f[12]) for f in fields) / os.sysconf("SC_CLK_TCK")


def in_threads(jobs: list[Callable[[], None]]) -> None:
    """Run all at once; the first failure is raised."""
    failures: list[BaseException] = []

    def guarded(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_twelve_clients(daemon: Daemon) -> None:
    """Six play, four analyse, two watch; boards of three sizes, two workers."""
    n_moves, playouts = 4, {9: 8000, 13: 4000, 19: 1500}
    sizes = [9, 13, 19, 9, 13, 19, 9, 13, 19, 9]
    clients = [Client(daemon) for _ in sizes]
    watchers = [Client(daemon, clients[number].game) for number in (0, 6)]
    for client, size in zip(clients, sizes, strict=True):
        client.open(size=size, playouts=playouts[size])
        client.gtp("reg_genmove b")  # workers load kernels, and no time is taken for that
    cost = {}  # of a move, in seconds of a core
    for client, size in zip(clients[:3], sizes[:3], strict=True):
        before = worker_seconds(daemon)
        client.gtp("genmove b")
        client.gtp("undo")
        cost[size] = worker_seconds(daemon) - before
    for watcher in watchers:
        assert watcher.open(watch=True)["kind"] == "end"
    memory_before = daemon.resident_bytes()
    slowest: dict[int, float] = {}
    are_done = threading.Event()
    n_lines = dict.fromkeys((client.name for client in clients[6:]), 0)  # of analysis

    def play(client: Client, size: int) -> None:
        for number in range(n_moves):
            started = time.monotonic()
            reply = client.gtp(f"{number} genmove {'bw'[number % 2]}")
            assert reply.startswith(f"={number} "), reply
            slowest[size] = max(slowest.get(size, 0.0), time.monotonic() - started)
        assert len(client.gtp("printsgf").split(";")) == n_moves + 2

    def analyse(client: Client, size: int) -> None:
        while not are_done.is_set():
            id = client.begin("7 kata-analyze 10 ownership true")
            time.sleep(0.7)
            client.begin("")
            answers = [a for a in client.answers(id) if a.get("stream", "reply") == "reply"]
            assert answers[0]["text"] == "=7\n"
            assert answers[-1]["text"] == "\n"
            lines = [a["text"] for a in answers[1:-1]]
            n_lines[client.name] += len(lines)
            assert all(line.startswith("info move ") for line in lines)
            if lines:
                assert len(lines[-1].split(" ownership ")[1].split()) == size * size

    def watch(client: Client) -> None:
        while not are_done.is_set():
            assert client.gtp("3 showboard").startswith("=3\n")
            assert client.gtp("play b A1").startswith("? read-only")
            time.sleep(0.02)

    def play_all() -> None:
        try:
            players = zip(clients[:6], sizes[:6], strict=True)
            in_threads([lambda c=c, s=s: play(c, s) for c, s in players])  # type: ignore[misc]
        finally:
            are_done.set()

    began, worked = time.monotonic(), worker_seconds(daemon)
    in_threads(
        [
            play_all,
            *(lambda c=c, s=s: analyse(c, s) for c, s in zip(clients[6:], sizes[6:], strict=True)),
            *(lambda c=c: watch(c) for c in watchers),
        ]
    )
    n_cores = (worker_seconds(daemon) - worked) / (time.monotonic() - began)
    # A clock weighs four times an analysis: of 6 * 4 + 4 parts a player has 4.
    for size, seconds in slowest.items():
        fair = 7 * cost[size] / n_cores  # by what the machine gave to the workers
        assert seconds <= 3 * fair + 0.5, (size, seconds, fair, n_cores)
    assert all(n_lines.values()), n_lines
    assert daemon.resident_bytes() - memory_before < 50 << 20
    for client in [*watchers, *clients]:
        client.ask(do="close")
        client.close()
    assert daemon.status()["games"] == []


def test_workers_outlive_boards_of_all_sizes(daemon: Daemon) -> None:
    def pids() -> list[int]:
        return [worker["pid"] for worker in daemon.status()["workers"]]

    wait_until(lambda: all(pids()))
    before = pids()
    clients = {size: Client(daemon) for size in (9, 13, 19)}
    for size, client in clients.items():
        client.open(size=size, playouts=2000)
    for _ in range(3):
        for client in clients.values():
            assert client.gtp("reg_genmove b").startswith("= ")
    for client in clients.values():
        client.ask(do="close")
        client.close()
    assert pids() == before


def test_more_searches_than_slots(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=2, slot_seconds=0.3) as daemon:
        clients = [Client(daemon) for _ in range(5)]
        for client in clients:
            client.open(size=9, playouts=3000)
        for client in clients[:4]:
            client.begin("lz-analyze 10")
        heard: set[str] = set()

        def has_everybody_been_heard() -> bool:
            for client in clients[:4]:
                if client.socket.poll(0) and "info" in client.receive().get("text", ""):
                    heard.add(client.name)
            return len(heard) == 4

        wait_until(has_everybody_been_heard, seconds=20)
        started = time.monotonic()
        assert clients[4].gtp("genmove b").startswith("= ")
        assert time.monotonic() - started < 5.0, "who has a clock does not wait for analyses"
        for client in clients:
            client.close()


ANALYSIS = """
import json, os, sys, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(sys.argv[1] + "/requests")
for number, fields in enumerate([{"do": "open", "settings": {"size": 9}},
                                 {"do": "gtp", "line": "kata-analyze 5 ownership true"}]):
    me = f"doomed-{os.getpid()}"
    message = {"v": 1, "id": str(number), "client": me, "game": me} | fields
    socket.send(json.dumps(message).encode())
while True:
    if b"info" in socket.recv():
        print("hears", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_client_that_is_gone_keeps_nothing(daemon: Daemon, number: int) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", ANALYSIS, daemon.address], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert client.stdout is not None
    assert client.stdout.readline() == b"hears\n"
    memory_before = daemon.resident_bytes()
    try:
        os.kill(client.pid, number)
        seconds = wait_until(lambda: rate_of(daemon) == 0.0, seconds=5.0)
        assert seconds - 0.5 < 2.5, "half a second is the measurement"
        with Client(daemon) as other:
            other.open(size=9, playouts=1000)
            assert other.gtp("genmove b").startswith("= ")
        assert daemon.resident_bytes() - memory_before < 20 << 20
    finally:
        client.kill()
        client.wait()
        client.stdout.close()


def test_who_watches_hears_of_searches(daemon: Daemon) -> None:
    with Client(daemon) as player, zmq.Context() as context:
        feed = context.socket(zmq.SUB)
        feed.connect(f"{daemon.address}/analysis")
        feed.subscribe(f"analysis.{player.game}")
        player.open(size=9, seconds=1.0)
        time.sleep(0.2)
        player.gtp("genmove b")
        frames = []
        while feed.poll(200):
            topic, frame = feed.recv_multipart()
            assert topic == f"analysis.{player.game}".encode()
            frames.append(frame[:9])
        feed.close(linger=0)
        assert frames[0] == b'{"frame":'
        assert frames[-1] == b'{"move": '
        assert player.ask(do="close")[-1]["kind"] == "end"


def test_workers_of_a_game_can_be_limited(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open(size=9, workers=1)
        id = client.begin("lz-analyze 100")
        slot = wait_for_slot(daemon, client.game)

        def n_at_work() -> int:
            return [worker["slot"] for worker in daemon.status()["workers"]].count(slot)

        wait_until(lambda: n_at_work() == 1)
        assert {n_at_work() for _ in range(20)} == {1}
        client.begin("")
        client.answers(id)
        client.ask(do="close")


def wait_for_slot(daemon: Daemon, game: str) -> int:
    def searching() -> list[int]:
        games = daemon.status()["games"]
        return [g["slot"] for g in games if g["name"] == game and g["state"] == "searching"]

    wait_until(searching)
    return searching()[0]
