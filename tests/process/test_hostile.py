"""Whatever comes in by whichever socket: an error or silence, and the daemon goes on."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator

import pytest
import zmq

from daemon.protocol import MAX_BYTES
from tests.process.daemons import Client, Daemon, running_daemon

N_FRAMES = 50_000
MAX_GROWTH = 10 << 20  # bytes

LINES = ["genmove b", "play b A1", "boardsize 9", "lz-analyze 1", "undo", "x" * 300, "\0\n\r#", "é"]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    directory = tmp_path_factory.mktemp("d")
    with running_daemon(directory, max_games=50, max_clients=200, playouts=10) as daemon:
        yield daemon


def message(rng: random.Random) -> bytes:
    """Nearly right in most cases."""
    fields: dict[str, object] = {
        "v": rng.choice([1, 1, 1, 1, 2, "1", None]),
        "id": rng.choice([str(rng.random()), "", 7, "x" * 100]),
        "client": rng.choice(["a", "b", "c", "", None]),
        "game": rng.choice(["fuzz", "fuzz", "other", "../x", "", 3, "g" * 65]),
        "do": rng.choice(["gtp", "gtp", "open", "close", "status", "stop", "drop", "dance", 1]),
        "line": rng.choice(LINES),
        "settings": rng.choice([{}, {"size": 9}, {"size": -1}, {"komi": "x"}, [], None]),
        "watch": rng.choice([True, False, 3]),
    }
    for name in rng.sample(list(fields), rng.randrange(len(fields))):
        del fields[name]
    return json.dumps(fields).encode()


def frame(rng: random.Random) -> bytes:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(64))
    found = bytearray(message(rng))
    if kind == 1:
        for _ in range(rng.randrange(1, 4)):
            found[rng.randrange(len(found))] = rng.randrange(256)
    elif kind == 2:
        at = rng.randrange(len(found))
        found[at : at + rng.randrange(8)] = rng.randbytes(rng.randrange(8))
    return bytes(found)


def is_alive(daemon: Daemon) -> bool:
    with Client(daemon) as client:
        name = client.open(size=9)["kind"] == "end" and client.gtp("name")
        client.ask(do="close")
        return name == "= goengine\n\n" and daemon.status()["protocol"] == 1


@pytest.mark.parametrize("name", ["requests", "control", "analysis"])
def test_frames(daemon: Daemon, name: str) -> None:
    rng = random.Random(name)
    assert is_alive(daemon)
    n_answers = bombard(daemon, name, rng)  # what piles up in queues is memory that is used again
    memory_before = daemon.resident_bytes()
    n_answers += bombard(daemon, name, rng)
    assert n_answers > N_FRAMES // 4 or name == "analysis"
    assert is_alive(daemon)
    assert daemon.resident_bytes() - memory_before < MAX_GROWTH
    assert "Traceback" not in daemon.log.read_text()


def bombard(daemon: Daemon, name: str, rng: random.Random) -> int:
    """Send half of the frames. Returns the number of answers."""
    n_answers = 0
    kind = zmq.XSUB if name == "analysis" else zmq.DEALER
    with zmq.Context() as context, context.socket(kind) as link:
        link.linger = 0
        link.connect(f"{daemon.address}/{name}")
        for number in range(N_FRAMES // 2):
            parts = [frame(rng) for _ in range(rng.choice([1, 1, 1, 1, 2, 3]))]
            if name == "analysis" and rng.randrange(2):
                parts[0] = rng.choice([b"\0", b"\1"]) + b"analysis." * rng.randrange(2) + parts[0]
            link.send_multipart(parts)
            # Now and then wait for an answer, so that the daemon can keep up.
            while link.poll(1000 if number % 500 == 0 and name != "analysis" else 0):
                assert json.loads(link.recv())["kind"] in ("error", "end", "part", "working")
                n_answers += 1
                if number % 500 == 0:
                    break
    return n_answers


@pytest.mark.parametrize("name", ["requests", "control", "analysis"])
def test_bytes_that_are_no_zeromq(daemon: Daemon, name: str) -> None:
    rng = random.Random(name)
    for _ in range(200):
        with socket.socket(socket.AF_UNIX) as raw:
            raw.connect(f"{daemon.directory}/{name}")
            raw.sendall(rng.randbytes(rng.randrange(1, 200)))
    assert is_alive(daemon)


@pytest.mark.parametrize("name", ["requests", "control"])
def test_a_message_that_is_too_large(daemon: Daemon, name: str) -> None:
    with zmq.Context() as context, context.socket(zmq.DEALER) as link:
        link.linger = 0
        link.connect(f"{daemon.address}/{name}")
        link.send(b"x" * (MAX_BYTES + 1))
        assert not link.poll(300)
    assert is_alive(daemon)


def test_a_flood_of_lines_is_refused_in_part(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open(size=9, seconds=0.5)
        for _ in range(200):
            client.begin("genmove b")
        codes = [client.receive(60)["kind"] for _ in range(130)]
        assert codes.count("error") >= 130, "64 wait, one runs"
        client.ask(do="close")
    assert is_alive(daemon)


def test_no_more_games_than_allowed(daemon: Daemon) -> None:
    with Client(daemon) as client:
        codes = []
        for number in range(60):
            client.game = f"many-{number}"
            codes.append(client.open(size=9).get("code"))
        assert codes[0] is None
        assert codes[-1] == "no-room"
        for number in range(60):
            client.game = f"many-{number}"
            client.ask(do="close")
