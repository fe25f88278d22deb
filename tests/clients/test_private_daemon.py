"""Finding a daemon, or starting one that ends with its client."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clients import private_daemon
from clients.private_daemon import NoDaemon, PrivateDaemon, attach_or_start
from tests.clients.fake_daemon import FakeDaemon

ROOT = Path(__file__).parent.parent.parent

# Tells what it was called with, and lives until its lifeline ends.
STUB = """
import os, sys
directory = sys.argv[sys.argv.index("--private") + 1]
lifeline = int(sys.argv[sys.argv.index("--lifeline") + 1])
with open(directory + "/starts", "a") as file:
    file.write(f"{os.getpid()} {' '.join(sys.argv[1:])}\\n")
print("started", file=sys.stderr, flush=True)
os.read(lifeline, 1)
"""
FAILING_STUB = "import sys; sys.exit(3)"
MISUSED_STUB = "import sys; sys.exit(64)"


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for sockets where no daemon runs."""
    directory = Path(f"/tmp/goengine-t{os.getpid()}")
    directory.mkdir(exist_ok=True)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(directory))
    monkeypatch.delenv("GOENGINE_CONNECT", raising=False)
    monkeypatch.setattr(private_daemon, "find_daemon", lambda: None)
    monkeypatch.setattr(private_daemon, "COMMAND", [sys.executable, "-S", "-c", STUB])
    yield directory
    directory.rmdir()  # nothing was left behind


def options(**values: object) -> argparse.Namespace:
    unset = dict.fromkeys(("connect", "key", "server_key", "workers"))
    return argparse.Namespace(**(unset | {"embedded": False} | values))


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def starts(daemon: PrivateDaemon) -> list[str]:
    file = daemon.directory / "starts"
    return file.read_text().splitlines() if file.exists() else []


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"


@pytest.mark.usefixtures("runtime")
def test_it_ends_with_the_context() -> None:
    with attach_or_start(options(workers=2)) as (address, daemon):
        assert daemon
        assert address.directory == daemon.directory
        assert daemon.directory.stat().st_mode & 0o777 == 0o700
        until(lambda: len(starts(daemon)) == 1)
        pid, *arguments = starts(daemon)[0].split()
        assert arguments[:2] == ["--private", str(daemon.directory)]
        assert arguments[-2:] == ["--workers", "2"]
        assert is_alive(int(pid))
    assert not daemon.directory.exists()
    assert not is_alive(int(pid))


@pytest.mark.usefixtures("runtime")
def test_it_is_started_again_where_its_journal_is() -> None:
    with attach_or_start(options()) as (_, daemon):
        assert daemon
        until(lambda: len(starts(daemon)) == 1)
        daemon.check()
        os.kill(int(starts(daemon)[0].split()[0]), 9)

        def is_back() -> bool:
            daemon.check()
            return len(starts(daemon)) == 2

        until(is_back)
        first, second = (line.split()[1:] for line in starts(daemon))
        assert first == second


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(
    ("stub", "complaint"),
    [
        (FAILING_STUB, r"ended 5 times in a minute, the last time with exit status 3"),
        (MISUSED_STUB, r"does not start: exit status 64"),
    ],
)
def test_a_daemon_that_cannot_live(
    stub: str, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_daemon, "COMMAND", [sys.executable, "-S", "-c", stub])

    def check_forever() -> None:
        with attach_or_start(options()) as (_, daemon):
            assert daemon
            while True:
                daemon.check()
                time.sleep(0.005)

    with pytest.raises(NoDaemon, match=complaint):
        check_forever()


@pytest.mark.usefixtures("runtime")
def test_what_it_says_can_be_listened_to() -> None:
    lines: list[str] = []
    with attach_or_start(options(), lines.append):
        until(lambda: lines == ["started"])


def test_it_ends_when_the_client_is_killed_and_is_swept_up(runtime: Path) -> None:
    code = (
        "import sys, time; from clients import private_daemon as p;"
        f"p.COMMAND = [sys.executable, '-S', '-c', {STUB!r}];"
        "d = p.PrivateDaemon(); print(d.directory, flush=True); time.sleep(60)"
    )
    client = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert client.stdout
    directory = Path(client.stdout.readline().decode().strip())
    file = directory / "starts"
    until(lambda: file.exists() and file.read_text() != "")
    pid = int(file.read_text().split()[0])
    client.kill()
    client.wait()
    client.stdout.close()
    until(lambda: not is_alive(pid))
    other = runtime / "goengine-private-nobodys"  # no pid: not known to be left behind
    other.mkdir()
    with attach_or_start(options()) as (_, daemon):
        assert daemon
        assert daemon.directory.exists()
        assert not directory.exists()
        assert other.exists()
    other.rmdir()


def test_a_daemon_that_runs_is_used(
    fake: FakeDaemon, runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with attach_or_start(options(connect=fake.address.text)) as found:
        assert found == (fake.address, None)
    monkeypatch.setattr(private_daemon, "find_daemon", lambda: fake.address)
    with attach_or_start(options()) as found:
        assert found == (fake.address, None)
    with attach_or_start(options(embedded=True)) as (address, daemon):
        assert daemon
        assert address != fake.address
    monkeypatch.setenv("GOENGINE_CONNECT", "ipc:///no/such/place")
    with pytest.raises(NoDaemon), attach_or_start(options()):
        pass
    assert list(runtime.iterdir()) == []
