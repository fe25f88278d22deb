"""What once went wrong, or nearly: many things at once in one game, and endings of all kinds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from tests.process.daemons import ROOT, Client, Daemon, running_daemon, wait_until


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("d"), slots=2) as daemon:
        yield daemon


def seconds_for(client: Client, *lines: str) -> float:
    """From sending them all at once to the end of the first."""
    started = time.monotonic()
    first, *_ = [client.begin(line) for line in lines]
    client.answers(first)
    return time.monotonic() - started


def test_games_closed_in_the_middle_of_a_search_keep_no_slot(daemon: Daemon) -> None:
    for line in ("lz-analyze 10", "genmove b", "lz-analyze 10"):
        with Client(daemon) as client:
            client.open(size=9, seconds=30)
            client.begin(line)
            wait_until(lambda: any(g["state"] == "searching" for g in daemon.status()["games"]))
            client.ask(do="close")
    with Client(daemon) as client:
        client.open(size=9, playouts=100)
        assert client.gtp("genmove b").startswith("= ")
        client.ask(do="close")


def test_a_game_made_again_under_its_name_at_once(daemon: Daemon) -> None:
    with Client(daemon) as client:
        for _ in range(3):
            client.open(size=9, seconds=30)
            old = client.begin("genmove b")
            interrupt = client.begin("# interrupt")
            closing = client.send(do="close")
            client.send(do="open", settings={"size": 9, "playouts": 100})
            new = client.begin("genmove b")
            kinds: dict[str, str] = {}
            while new not in kinds:
                answer = client.receive()
                if answer["kind"] in ("end", "error"):
                    assert answer["id"] not in kinds, "two ends"
                    kinds[answer["id"]] = answer["kind"]
            assert kinds[closing] == kinds[new] == "end"
            assert {old, interrupt} <= kinds.keys()
            assert len(client.gtp("list_stones b").split()) == 2, "nothing of the old one"
            client.ask(do="close")


def test_an_interrupt_that_comes_with_its_genmove(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open(size=9, seconds=20)
        assert seconds_for(client, "genmove b", "# interrupt") < 5
        assert seconds_for(client, "lz-analyze 10", "name") < 5
        client.ask(do="close")


def test_lines_that_wait_have_all_their_time(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open(size=9, seconds=0.5)
        started = time.monotonic()
        ids = [client.begin(f"genmove {color}") for color in "bwb"]
        for id in ids:
            client.answers(id)
        assert time.monotonic() - started > 1.4
        client.ask(do="close")


def test_a_repeated_id_however_many_watchers_came(daemon: Daemon) -> None:
    with Client(daemon) as client, Client(daemon, client.game) as watcher:
        client.open(size=9, playouts=100)
        reply = client.ask(id="once", do="gtp", line="genmove b")[-1]["text"]
        for _ in range(70):
            watcher.open(watch=True)
        assert client.ask(id="once", do="gtp", line="genmove b")[-1]["text"] == reply
        id = client.begin("lz-analyze 5")
        wait_until(lambda: client.receive().get("text", "").startswith("info"))
        client.send(id="once", do="gtp", line="genmove b")
        watcher.open(watch=True)
        wait_until(lambda: client.receive().get("text", "").startswith("info"))
        client.begin("")
        assert client.answers(id)[-1]["text"] == "\n"
        client.ask(do="close")


def test_lines_after_an_open_that_failed(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.send(do="open", settings={"rules": "chess"})
        id = client.begin("play b D4")
        assert client.answers(id)[-1]["code"] == "no-game"
        assert all(game["name"] != client.game for game in daemon.status()["games"])


def test_a_slow_engine_holds_up_nobody(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=1) as daemon:
        slow = [Client(daemon) for _ in range(3)]
        for client in slow:
            client.open(size=9, engine="montecarlo", playouts=10**9)
            client.begin("genmove b")
        with Client(daemon) as quick:
            quick.open(size=9, playouts=100)
            assert quick.gtp("genmove b").startswith("= ")
        id = slow[0].begin("# interrupt")
        answers = [slow[0].receive(), slow[0].receive()]
        assert answers[0]["text"].startswith("? stopped"), answers
        assert answers[1]["id"] == id
        started = time.monotonic()
        assert daemon.end() == 0
        assert time.monotonic() - started < 10
        for client in slow:
            client.close()


def test_a_genmove_is_not_cut_short_by_the_end_of_the_daemon(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=1) as daemon, Client(daemon) as client:
        client.open(size=9, seconds=2.0)
        id = client.begin("genmove b")
        wait_until(lambda: daemon.status()["games"][0]["state"] == "searching")
        assert daemon.end() == 0
        daemon.start()
        daemon.wait()
        client.send(id=id, do="gtp", line="genmove b")
        started = time.monotonic()
        assert client.answers(id)[-1]["text"].startswith("= ")
        assert time.monotonic() - started > 1.5


def test_what_comes_while_the_daemon_ends_is_for_the_next_one(tmp_path: Path) -> None:
    """Lines go on coming until it is gone: none may meet a socket that is closed."""
    with running_daemon(tmp_path, slots=1) as daemon:
        for _ in range(3):
            clients = [Client(daemon) for _ in range(3)]
            for client in clients:
                client.open(size=9, seconds=30)
            clients[0].begin("genmove b")  # what the daemon waits for
            daemon.process.send_signal(signal.SIGTERM)
            while daemon.process.poll() is None:
                for client in clients[1:]:
                    if client.socket.poll(0, zmq.POLLOUT):
                        client.begin("name")
            assert daemon.process.returncode == 0
            for client in clients:
                client.close()
            daemon.start()
            daemon.wait()
    assert "Traceback" not in daemon.log.read_text()


def test_the_death_of_the_zygote_ends_the_daemon(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=1) as daemon, Client(daemon) as client:
        client.open(size=9)
        client.begin("lz-analyze 10")
        wait_until(lambda: "ready at" in daemon.log.read_text())
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(daemon.process.pid)], capture_output=True, text=True
        )
        os.kill(int(children.stdout.split()[0]), signal.SIGKILL)
        assert daemon.process.wait(timeout=10) == os.EX_SOFTWARE
        assert "the zygote died" in daemon.log.read_text()
        assert "Traceback" not in daemon.log.read_text()


def test_one_daemon_a_directory(daemon: Daemon) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "daemon.main", "--private", str(daemon.directory)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert second.returncode == os.EX_CANTCREAT
    assert "is in use by another daemon" in second.stderr
    with Client(daemon) as client:
        assert client.open(size=9)["kind"] == "end"
        client.ask(do="close")


def test_no_line_keeps_the_daemon_busy(daemon: Daemon) -> None:
    record = "(;SZ[9]" + ";B[]" * 4900 + ")"
    lines = [
        ("gogui-play_sequence" + " b pass" * 4000, None),
        ("gogui-play_sequence" + " b pass" * 4000, None),
        ("undo", None),
        ("set_position" + " b A1" * 10_000, None),
        ("loadsgf x", record),
        ("loadsgf x", "(;SZ[9]" + "(;B[aa])" * 60_000 + ")"),
    ]
    with Client(daemon) as client, Client(daemon, socket="control") as control:
        client.open(size=9)
        for line, file in lines:
            id = client.send(do="gtp", line=line, file=file)
            slowest = 0.0
            while not client.socket.poll(0):
                started = time.monotonic()
                control.ask(do="status")
                slowest = max(slowest, time.monotonic() - started)
            client.answers(id)
            assert slowest < 1.0, line[:40]
        client.ask(do="close")
