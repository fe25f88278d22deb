"""A daemon and the systemd that started it: readiness, health, reload, sockets, the end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.process.daemons import ROOT, Client, wait_until
from tests.process.fake_systemd import FakeSystemd
from tests.process.killing import GTP, ask


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[FakeSystemd]:
    with FakeSystemd(tmp_path) as systemd:
        systemd.start()
        yield systemd


@pytest.fixture
def activating(tmp_path: Path) -> Iterator[FakeSystemd]:
    with FakeSystemd(tmp_path, has_socket_unit=True) as systemd:
        yield systemd


def play(client: Client, n_moves: int) -> list[str]:
    colors = ("b", "w") * n_moves
    return [client.gtp(f"genmove {color}") for color in colors[:n_moves]]


def test_it_is_ready_when_workers_answer_and_says_how_it_does(systemd: FakeSystemd) -> None:
    systemd.wait_for("READY=1")
    with Client(systemd, socket="control") as control:
        workers = control.ask(do="status")[-1]["data"]["workers"]
        assert all(worker["pid"] for worker in workers)
    systemd.wait_for("WATCHDOG=1")
    with Client(systemd) as client:
        client.open(size=9)
        client.begin("lz-analyze 10")
        wait_until(lambda: re.search("STATUS=[1-9]", systemd.wait_for("STATUS=")), seconds=30)
    assert re.fullmatch(
        r"STATUS=[\d,]+ playouts a second by 2 workers; "
        r"1 games, \d searched, 0 waiting; \d clients",
        systemd.wait_for("STATUS="),
    )
    assert systemd.stop() == 0
    systemd.wait_for("STOPPING=1")
    assert "Traceback" not in systemd.log.read_text()


def test_a_socket_that_is_gone_silences_the_watchdog(systemd: FakeSystemd) -> None:
    systemd.wait_for("WATCHDOG=1")
    (systemd.directory / "run" / "requests").unlink()
    assert "the socket requests does not answer" in systemd.wait_for("STATUS=the socket")
    systemd.forget()
    assert not systemd.hears("WATCHDOG=1", 2.0)
    assert systemd.process.poll() is None, "and ending it is for systemd"


def test_a_hang_is_not_heard_and_its_place_is_told(systemd: FakeSystemd) -> None:
    systemd.wait_for("WATCHDOG=1")
    systemd.process.send_signal(signal.SIGSTOP)
    systemd.forget()
    assert not systemd.hears("WATCHDOG=1", 2.0)
    systemd.process.send_signal(signal.SIGABRT)  # as systemd does when its time is up
    systemd.process.send_signal(signal.SIGCONT)
    assert systemd.process.wait(timeout=10) == -signal.SIGABRT
    assert "Fatal Python error: Aborted" in systemd.log.read_text()


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can mount a small disk")
    state = tmp_path / "state"
    state.mkdir()
    options = ["-o", "size=256k,mode=0700", "tmpfs", str(state)]
    if subprocess.run(["mount", "-t", "tmpfs", *options], capture_output=True).returncode != 0:
        pytest.skip("no disk can be mounted here")
    try:
        with FakeSystemd(tmp_path) as systemd:
            systemd.start()
            systemd.wait_for("WATCHDOG=1")
            (state / "filling").write_bytes(bytes(200 << 10))
            line = systemd.wait_for("STATUS=the journal cannot be written")
            assert "full" in line
            systemd.wait_for("WATCHDOG=1", 10)  # a restart would not help
            (state / "filling").unlink()
            systemd.wait_for("STATUS=0 playouts")
            assert "all is well again" in systemd.log.read_text()
            assert systemd.stop() == 0
    finally:
        subprocess.run(["umount", str(state)], check=True)


def test_reload(systemd: FakeSystemd) -> None:
    systemd.wait_for("READY=1")
    with Client(systemd) as first, Client(systemd) as second:
        first.open(size=9)
        systemd.configure(max_games=1, workers=7)
        asked = time.monotonic_ns() // 1000
        systemd.process.send_signal(signal.SIGHUP)
        systemd.wait_for("RELOADING=1")
        assert int(systemd.wait_for("MONOTONIC_USEC=").partition("=")[2]) >= asked
        systemd.wait_for("READY=1")
        assert second.open(size=9)["code"] == "no-room"
        systemd.configure(max_games=10, log_level="loud")
        systemd.process.send_signal(signal.SIGHUP)
        systemd.wait_for("RELOADING=1")
        systemd.wait_for("READY=1")
        assert second.open(size=9)["code"] == "no-room", "the old values hold"
        systemd.configure(log_level="warning")
        systemd.process.send_signal(signal.SIGHUP)
        systemd.wait_for("RELOADING=1")
        systemd.wait_for("READY=1")
        assert second.open(size=9)["kind"] == "end"
    log = systemd.log.read_text()
    assert "changed max_games: 10000 -> 1\n" in log
    assert "only a restart changes workers: 2 -> 7\n" in log
    assert re.search(r"ERROR .*nothing is changed: .*goengined.toml:\d+: log_level: 'loud' is", log)
    assert systemd.stop() == 0
    assert "stopping" not in systemd.log.read_text(), "only warnings are written now"


def test_clients_wait_at_inherited_sockets_while_it_restarts(activating: FakeSystemd) -> None:
    with Client(activating) as client:
        id = client.send(do="open", settings={"size": 9, "playouts": 200}, keep=True)
        activating.start()
        assert client.answers(id)[-1]["kind"] == "end", "sent before there was a daemon"
        moves = play(client, 2)
        activating.process.kill()
        activating.process.wait()
        assert all((activating.directory / "run" / one).exists() for one in ("requests", "control"))
        id = client.begin("list_stones b")
        activating.start()
        assert client.answers(id)[-1]["text"] == moves[0]
    assert activating.stop() == 0
    assert (activating.directory / "run" / "requests").exists(), "systemd listens on"


def test_sockets_that_do_not_fit_are_refused(activating: FakeSystemd) -> None:
    activating.configure(listen="tcp://127.0.0.1:7460")
    activating.start()
    assert activating.process.wait(timeout=60) == os.EX_CONFIG
    assert "make ListenStream= there and `listen` here the same" in activating.log.read_text()


def test_a_client_that_waits_for_a_move_goes_on_after_a_restart(activating: FakeSystemd) -> None:
    activating.start()
    activating.wait_for("READY=1")
    client = subprocess.Popen(
        [*GTP, "--connect", activating.address, "--size", "9", "--time", "3"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert ask(client, "play b E5") == "="
        assert client.stdin
        client.stdin.write("genmove w\n")
        client.stdin.flush()
        activating.forget()
        wait_until(lambda: "1 searched" in activating.wait_for("STATUS="), seconds=60)
        assert activating.stop() == 0
        time.sleep(2.5)  # longer than a client's patience
        activating.start()
        vertex = ask(client, "").removeprefix("= ")
        assert re.fullmatch(r"[A-HJ][1-9]", vertex)
        assert ask(client, "list_stones w") == f"= {vertex}"
        assert ask(client, "quit") == "="
        _, notices = client.communicate(timeout=20)
        assert "the daemon does not answer; waiting for it" in notices
        assert "the daemon is back" in notices
    finally:
        client.kill()
        client.communicate()
    assert activating.stop() == 0
