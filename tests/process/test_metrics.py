"""A real daemon seen from outside: its metrics and its log."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.process.daemons import ROOT, Client, Daemon, running_daemon, wait_until

Samples = dict[tuple[str, ...], float]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


PORT = free_port()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """Its stderr is a file that it takes for the journal."""
    directory = tmp_path_factory.mktemp("d")
    (directory / "log").touch()
    log = (directory / "log").stat()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JOURNAL_STREAM", f"{log.st_dev}:{log.st_ino}")
        with running_daemon(directory, metrics=f"{PORT}", log_level="debug") as daemon:
            yield daemon


def scrape() -> Samples:
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/metrics", timeout=30) as answer:
        page = answer.read().decode()
    return {
        (sample.name.removeprefix("goengine_"), *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def wait_for(name: tuple[str, ...], value: float) -> Samples:
    """Pages are made once a second."""
    wait_until(lambda: scrape().get(name, 0.0) >= value, seconds=20)
    return scrape()


def test_a_game_is_seen(daemon: Daemon) -> None:
    before = scrape()
    with Client(daemon) as client:
        client.open(size=9, playouts=300)
        for color in "bw":
            assert client.gtp(f"genmove {color}").startswith("= ")
        client.gtp("showboard")
        client.gtp("dance")
        assert client.ask(do="open", settings={"size": 1})[-1]["code"] == "bad-message"
        seen = wait_for(("gtp_seconds_count", "other"), 1)
        assert seen["clients",] == 1
        assert seen["games", "idle"] == 1
        assert seen["gtp_seconds_count", "genmove"] == 2
        assert seen["gtp_seconds_count", "showboard"] == 1
        assert seen["gtp_seconds_sum", "genmove"] > seen["gtp_seconds_sum", "showboard"]
        n_playouts = sum(seen["playouts_total", index] for index in "01")
        assert n_playouts >= 600
        assert seen["searches_ended_total", "move"] == 2
        assert seen["slot_nodes", "0"] > 300
        assert seen["slot_capacity_nodes", "0"] == before["slot_capacity_nodes", "3"] > 10_000
        assert seen["pauses_total",] >= 2
        assert seen["pauses_seconds_total",] >= seen["longest_pause_seconds",] > 0
        assert seen["refused_total", "bad-message"] == 1
        assert seen["workers", "idle"] == 2
        assert seen["shared_memory_bytes",] > 4 * 32 << 20
        assert seen["journal_errors_total",] == 0
        client.ask(do="close")


def test_a_search_and_the_death_of_its_worker_are_seen(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open(size=9)
        client.begin("lz-analyze 10")
        wait_for(("searches", "analysis"), 1)
        seen = wait_for(("playouts_per_second", "0"), 1)
        assert seen["searches", "analysis"] == 1
        assert seen["games", "searching"] == 1
        assert seen["workers", "busy"] == 2
        victim = daemon.status()["workers"][1]["pid"]
        os.kill(victim, signal.SIGKILL)
        assert wait_for(("worker_deaths_total", "1"), 1)["worker_deaths_total", "0"] == 0
        wait_until(lambda: f"worker 1, pid {victim}, ended: -9" in daemon.log.read_text())
        client.ask(do="close")


def test_slow_and_greedy_scrapers_hold_up_nobody(daemon: Daemon) -> None:
    visitors = [socket.create_connection(("127.0.0.1", PORT)) for _ in range(60)]
    try:
        with Client(daemon) as client:
            client.open(size=9, playouts=50)
            for visitor in visitors:
                try:
                    visitor.sendall(b"GET /metrics HTTP/1.1\r\nX: ")
                except OSError:  # sent away already
                    continue
                assert client.gtp("name") == "= goengine\n\n"
            visitors[0].setblocking(False)
            for _ in range(100):
                try:
                    visitors[0].send(b"x" * 100_000)
                except OSError:
                    break
                time.sleep(0.01)
            assert client.gtp("genmove b").startswith("= ")
            client.ask(do="close")
        wait_until(is_served, seconds=20)
    finally:
        for visitor in visitors:
            visitor.close()


def is_served() -> bool:
    try:
        return bool(scrape())
    except OSError:
        return False


def test_every_line_of_the_log_is_for_the_journal(daemon: Daemon) -> None:
    with Client(daemon, name="evil\n<0>x\x1b[1m") as client:
        client.open(size=9, playouts=50)
        client.gtp("genmove b")
        client.begin("no such\ncommand")
        client.ask(do="gtp", line="loadsgf x", file="(;\x1b")
        client.ask(do="gtp", line="name", file=7)
        client.ask(do="close")
        client.ask(do="gtp", line="name")
    lines = [line for line in daemon.log.read_text().splitlines() if line]
    assert all(line[0] == "<" and line[1] in "234567" and line[2] == ">" for line in lines), lines
    whom = f"game {client.game}, client evil <0>x\N{REPLACEMENT CHARACTER}[1m: "
    mine = [line for line in lines if client.game in line]
    assert all(whom in line for line in mine), mine
    assert any(f"daemon.thinking: {whom}" in line and " playouts and " in line for line in mine)
    assert any(f"<7>daemon.server: {whom}refused: no-game: " in line for line in mine)


def test_the_doctor_finds_it_well(daemon: Daemon) -> None:
    file = daemon.directory / "goengined.toml"
    file.write_text(f'state_directory = "{daemon.directory}"\nslots = 4\nslot_megabytes = 32\n')
    options = ["--json", "--config", str(file), "--connect", daemon.address]
    doctor = subprocess.run(
        [sys.executable, "-m", "clients.main", "ctl", "doctor", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    findings = {finding["check"]: finding for finding in json.loads(doctor.stdout)}
    for name in ("configuration", "daemon", "kernels", "sockets", "journal", "shared memory"):
        assert findings[name]["verdict"] != "wrong", findings[name]
    assert str(daemon.directory) in findings["sockets"]["found"]
    assert str(daemon.directory) in findings["journal"]["found"]
    assert findings["daemon"]["found"].endswith(f"{daemon.address}, 2 workers")


def test_a_place_that_is_taken(daemon: Daemon, tmp_path: Path) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "daemon.main", "--private", str(tmp_path), "--metrics", f"{PORT}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert second.returncode == os.EX_UNAVAILABLE, second.stderr
    assert f"no metrics at 127.0.0.1, port {PORT}: " in second.stderr
    assert not (tmp_path / "requests").exists()


def test_without_a_wish_nobody_listens(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=1, workers=1) as daemon:
        open_files = Path(f"/proc/{daemon.process.pid}/fd").iterdir()
        names = [str(path.readlink()) for path in open_files if path.is_symlink()]
        inodes = {name.removeprefix("socket:[").rstrip("]") for name in names}
        rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
        rows += Path("/proc/net/tcp6").read_text().splitlines()[1:]
        assert not inodes & {row.split()[9] for row in rows}
