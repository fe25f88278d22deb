"""Clients that send too much, too often, or read nothing: bounded, while others play on."""

from __future__ import annotations

import itertools
import os
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import zmq

from daemon.addresses import ClientKeys
from daemon.protocol import MAX_BYTES
from tests.process.daemons import Daemon, show_keys, wait_until
from tests.process.keyed import KeyedDaemon, events_of, keyed_daemon

N_CONNECTIONS = 10_000
N_HELD = 400
MAX_GROWTH = 64 << 20  # bytes
SLOWEST = 10.0  # seconds for a move without a search, on a machine that does much else


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeyedDaemon]:
    limits = {
        "max_clients": 300,
        "user_games": 5,
        "user_searches": 2,
        "user_connections": 20,
        "unread_answers": 100,
    }
    with keyed_daemon(tmp_path_factory.mktemp("d"), **limits) as keyed:
        yield keyed


@pytest.fixture(scope="module")
def eve(keyed: KeyedDaemon) -> ClientKeys:
    return keyed.allow(keyed.make("eve"))


@pytest.fixture(scope="module")
def lisa(keyed: KeyedDaemon) -> ClientKeys:
    return keyed.allow(keyed.make("lisa"))


@contextmanager
def somebody_plays_on(keyed: KeyedDaemon, keys: ClientKeys) -> Iterator[None]:
    """Another user plays meanwhile, and waits for nothing; the daemon does not grow."""
    delays: list[float] = []
    failures: list[BaseException] = []
    is_over = threading.Event()

    def play() -> None:
        try:
            with keyed.client(keys) as client:
                client.open(size=9)
                for line in itertools.cycle(("play b E5", "undo")):
                    started = time.monotonic()
                    assert client.gtp(line) == "=\n\n"
                    delays.append(time.monotonic() - started)
                    if is_over.is_set() and len(delays) > 20:
                        break
                    time.sleep(0.005)
                client.ask(do="close")
        except BaseException as failure:
            failures.append(failure)

    player = threading.Thread(target=play)
    player.start()
    wait_until(lambda: delays or failures, seconds=30)
    memory_before = keyed.daemon.resident_bytes()
    try:
        yield
        assert keyed.daemon.resident_bytes() - memory_before < MAX_GROWTH
    finally:
        is_over.set()
        player.join()
    assert not failures, failures
    assert max(delays) < SLOWEST
    assert statistics.median(delays) < 0.5
    assert "Traceback" not in keyed.daemon.log.read_text()


def n_descriptors(daemon: Daemon) -> int:
    return len(list(Path(f"/proc/{daemon.process.pid}/fd").iterdir()))


@pytest.mark.parametrize("name", ["requests", "control", "analysis"])
def test_a_message_of_100_megabytes(
    keyed: KeyedDaemon, eve: ClientKeys, lisa: ClientKeys, name: str
) -> None:
    with somebody_plays_on(keyed, lisa), keyed.client(eve, socket=name) as client:
        if name == "analysis":
            client.socket.close()
            client.socket = client._context.socket(zmq.XSUB)
            show_keys(client.socket, eve)
            client.socket.connect(keyed.address.analysis)
        events = events_of(client)
        client.socket.send(b"\x02" + bytes(100 << 20))
        assert events.poll(30_000), "the connection ends"
        client.socket.disable_monitor()


def test_100_megabytes_in_frames(keyed: KeyedDaemon, eve: ClientKeys, lisa: ClientKeys) -> None:
    """Nobody answers a message that is not of one frame; and its memory is free again."""
    with somebody_plays_on(keyed, lisa), keyed.client(eve) as client:
        client.socket.send_multipart([bytes(MAX_BYTES)] * 25)
        assert client.open(size=9)["kind"] == "end", "it was read before this"
        client.ask(do="close")


def test_a_message_longer_than_allowed(tmp_path: Path) -> None:
    with keyed_daemon(tmp_path, max_message_bytes=2000, requests_per_second=20) as keyed:
        keys = keyed.allow(keyed.make("eve"))
        with keyed.client(keys) as client:
            client.open(size=9)
            answer = client.ask(do="gtp", line="x" * 2000)[-1]
            assert answer["code"] == "too-large"
            assert "2000 are allowed (max_message_bytes)" in answer["text"]
            for _ in range(100):
                client.begin("play b pass")
            answers = [client.receive() for _ in range(100)]
            refused = [answer for answer in answers if answer["kind"] == "error"]
            assert 20 <= len(refused) <= 80, "after a burst"
            assert all("(requests_per_second)" in answer["text"] for answer in refused)
            with keyed.client(keys, client.game) as other:
                assert other.gtp("showboard").startswith("="), "each connection for itself"
            wait_until(lambda: client.ask(do="gtp", line="name")[-1]["kind"] == "end")


def test_10000_connections_opened_and_dropped(
    keyed: KeyedDaemon, lisa: ClientKeys, eve: ClientKeys
) -> None:
    place = ("127.0.0.1", int(keyed.address.requests.rpartition(":")[2]))
    greeting = b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\x00CURVE" + bytes(47)
    before = n_descriptors(keyed.daemon)
    with somebody_plays_on(keyed, lisa):
        for number in range(N_CONNECTIONS):
            with socket.create_connection(place, timeout=30) as connection:
                if number % 3 == 0:
                    connection.send(greeting[: number % 64])
        for _ in range(20):
            with keyed.client(eve) as client:
                client.begin("name")
    wait_until(lambda: n_descriptors(keyed.daemon) <= before, seconds=30)


def test_connections_that_are_held_open(
    keyed: KeyedDaemon, lisa: ClientKeys, eve: ClientKeys
) -> None:
    """More than there may be, none of which ever says who it is."""
    place = ("127.0.0.1", int(keyed.address.requests.rpartition(":")[2]))
    before = n_descriptors(keyed.daemon)
    with somebody_plays_on(keyed, lisa):
        held = [socket.create_connection(place, timeout=30) for _ in range(N_HELD)]
        wait_until(lambda: n_descriptors(keyed.daemon) <= before + 300, seconds=20)
        for connection in held:
            connection.close()
    with keyed.client(eve) as client:
        assert client.open(size=9)["kind"] == "end", "there is room again"
        client.ask(do="close")


def test_connections_and_games_of_one_user(
    keyed: KeyedDaemon, lisa: ClientKeys, eve: ClientKeys
) -> None:
    with somebody_plays_on(keyed, lisa):
        clients = [keyed.client(eve) for _ in range(25)]
        answers = [client.ask(do="gtp", line="name")[-1] for client in clients]
        codes = [answer["code"] for answer in answers]
        assert codes == 20 * ["no-game"] + 5 * ["no-room"]
        assert "key:eve has 20 connections (user_connections)" in answers[-1]["text"]
        answers = [client.open(size=9) for client in clients[:6]]
        assert [answer["kind"] for answer in answers] == 5 * ["end"] + ["error"]
        assert "key:eve has 5 games, as many as one may (user_games)" in answers[-1]["text"]
        for client in clients:
            client.ask(do="close")
            client.close()


def test_searches_of_one_user(keyed: KeyedDaemon, lisa: ClientKeys, eve: ClientKeys) -> None:
    def n_searched() -> int:
        return sum(game["state"] == "searching" for game in keyed.daemon.status()["games"])

    with ExitStack() as stack:
        clients = [stack.enter_context(keyed.client(eve)) for _ in range(3)]
        for client in clients:
            client.open(size=9, playouts=50)
        for client in clients[:2]:
            client.begin("lz-analyze 10")
        wait_until(lambda: n_searched() == 2, seconds=30)
        refused = clients[2].gtp("genmove b")
        assert refused == "? key:eve has 2 searches, as many as one may (user_searches)\n\n"
        other = stack.enter_context(keyed.client(lisa))
        other.open(size=9, playouts=50)
        assert other.gtp("genmove b").startswith("= ")
        clients[0].gtp("protocol_version")  # which ends the analysis
        wait_until(lambda: clients[2].gtp("reg_genmove b").startswith("= "), seconds=30)
        for client in (*clients, other):
            client.ask(do="close")


def test_a_slow_reader(keyed: KeyedDaemon, lisa: ClientKeys, eve: ClientKeys) -> None:
    """It asks and asks, reads nothing, and is cut off; once it reads, it is served again."""
    with somebody_plays_on(keyed, lisa), keyed.client(eve) as client:
        client.socket.rcvhwm = 1
        client.socket.rcvbuf = 4096
        client.socket.disconnect(keyed.address.requests)
        client.socket.connect(keyed.address.requests)
        client.open(size=19)

        def ask_until_cut_off() -> bool:
            with suppress(zmq.Again):
                for _ in range(20):
                    client.begin("list_commands")
            return "key:eve does not read its answers" in keyed.daemon.log.read_text()

        client.socket.sndtimeo = 0
        wait_until(ask_until_cut_off, seconds=60)
    with keyed.client(eve, client.game) as again:
        assert again.open()["kind"] == "end"
        assert again.gtp("list_commands").startswith("=")
        again.ask(do="close")


def test_subscriptions_without_end(keyed: KeyedDaemon, lisa: ClientKeys, eve: ClientKeys) -> None:
    with (
        somebody_plays_on(keyed, lisa),
        zmq.Context() as context,
        context.socket(zmq.XSUB) as subscriber,
    ):
        show_keys(subscriber, eve)
        subscriber.linger = 0
        monitor = subscriber.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        subscriber.connect(keyed.address.analysis)
        for _ in range(2000):
            subscriber.send(b"\x01analysis.key:eve/" + os.urandom(8).hex().encode())
        assert monitor.poll(10_000)
        subscriber.disable_monitor()
