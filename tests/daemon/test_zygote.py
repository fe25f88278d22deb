"""The zygote with real processes; another process plays the supervisor."""

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

from daemon.zygote import Event, WorkerDied, WorkerStarted, ZygoteDied

pytestmark = pytest.mark.uncompiled

ROOT = Path(__file__).parents[2]
SLEEPS, FAILS, RETURNS, PRINTS, TELLS = range(5)  # what a worker of this index does
SUPERVISOR = f"""
import os, pathlib, signal, sys, time
from daemon.zygote import start_zygote

segment = pathlib.Path(sys.argv[1])

def run_worker(index):
    if index == {FAILS}:
        raise RuntimeError("a worker that fails")
    if index == {PRINTS}:
        print("printed by a worker")
    elif index == {TELLS}:
        descriptors = [os.readlink(f"/proc/self/fd/{{n}}") for n in os.listdir("/proc/self/fd")
                       if os.path.exists(f"/proc/self/fd/{{n}}")]
        print([text for text in descriptors if "socket" in text],
              signal.getsignal(signal.SIGCHLD).name, signal.set_wakeup_fd(-1))
    elif index != {RETURNS}:
        while True:
            time.sleep(60)

print("printed before the fork")
zygote = start_zygote(run_worker, segment.unlink)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, lambda *_: None)
print(zygote.pid, flush=True)
for line in sys.stdin:
    print("=", repr(eval(line)), flush=True)
"""


class Supervisor:
    """A process with a zygote, that evaluates what it is told."""

    def __init__(self, segment: Path) -> None:
        self.segment = segment
        self.printed: list[str] = []  # by workers
        segment.write_bytes(b"")
        self.process = subprocess.Popen(
            [sys.executable, "-c", SUPERVISOR, segment],
            cwd=ROOT,
            # With a buffer, so that lines are written in one piece and could be written twice.
            env={name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.watchdog = threading.Timer(30.0, self.process.kill)  # so that no test hangs
        self.watchdog.start()
        assert self.read_line() == "printed before the fork"
        self.zygote_pid = int(self.read_line())

    def read_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip()

    def evaluate(self, code: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{code}\n")
        self.process.stdin.flush()
        while not (line := self.read_line()).startswith("= "):
            assert line, "the supervisor is gone"
            self.printed.append(line)
        return line.removeprefix("= ")

    def receive(self, n_events: int) -> list[Event]:
        """The next events; so many and no more."""
        names = {kind.__name__: kind for kind in (WorkerStarted, WorkerDied, ZygoteDied)}
        events: list[Event] = []
        while len(events) < n_events:
            found = eval(self.evaluate("zygote.receive(5)"), names)
            assert found, f"only {events} within 5 s"
            events += found
        assert len(events) == n_events
        return events

    def spawn(self, n_workers: int, index: int = SLEEPS) -> list[int]:
        """Start workers; returns their pids."""
        self.evaluate(f"[zygote.spawn({index}) for _ in range({n_workers})]")
        events = self.receive(n_workers)
        assert {type(event) for event in events} == {WorkerStarted}
        return [event.pid for event in events if isinstance(event, WorkerStarted)]

    def end(self) -> tuple[str, str]:
        """Kill what is left; returns what was still printed, and the errors."""
        self.watchdog.cancel()
        self.process.kill()
        return self.process.communicate(timeout=5)


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    supervisor = Supervisor(tmp_path / "segment")
    yield supervisor
    supervisor.end()
    wait_until(lambda: is_gone(supervisor.zygote_pid))


def is_gone(pid: int) -> bool:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return text.rpartition(")")[2].split()[0] in "ZX"


def wait_until(condition: Callable[[], bool], seconds: float = 5.0) -> float:
    """Returns how long it took."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < seconds, "it did not happen in time"
        time.sleep(0.002)
    return time.monotonic() - started


def all_gone(pids: list[int]) -> Callable[[], bool]:
    return lambda: all(is_gone(pid) for pid in pids)


def test_a_worker_is_there_at_once(supervisor: Supervisor) -> None:
    code = (
        "(lambda started: (zygote.spawn(0), zygote.receive(5), time.monotonic() - started)[2])"
        "(time.monotonic())"
    )
    seconds = sorted(float(supervisor.evaluate(code)) for _ in range(21))
    print(f"spawn to started: median {seconds[10] * 1000:.1f} ms, worst {seconds[-1] * 1000:.1f}")
    assert seconds[-1] < 1.0


def test_deaths_are_reported_with_their_status(supervisor: Supervisor) -> None:
    pids = supervisor.spawn(3)
    assert len(set(pids)) == 3
    os.kill(pids[1], signal.SIGKILL)
    assert supervisor.receive(1) == [WorkerDied(SLEEPS, pids[1], -signal.SIGKILL)]
    os.kill(pids[0], signal.SIGSEGV)
    assert supervisor.receive(1) == [WorkerDied(SLEEPS, pids[0], -signal.SIGSEGV)]
    supervisor.evaluate(f"zygote.spawn({RETURNS})")
    started, died = supervisor.receive(2)
    assert isinstance(started, WorkerStarted)
    assert died == WorkerDied(RETURNS, started.pid, 0)
    assert not is_gone(pids[2])


def test_an_exception_is_shown_and_is_status_1(supervisor: Supervisor) -> None:
    supervisor.evaluate(f"zygote.spawn({FAILS})")
    started, died = supervisor.receive(2)
    assert isinstance(started, WorkerStarted)
    assert died == WorkerDied(FAILS, started.pid, 1)
    _, errors = supervisor.end()
    assert errors.count("RuntimeError: a worker that fails") == 1


def test_nothing_is_printed_twice_and_nothing_lost(supervisor: Supervisor) -> None:
    supervisor.evaluate(f"zygote.spawn({PRINTS})")
    supervisor.receive(2)
    supervisor.spawn(3)
    supervisor.evaluate("zygote.close()")
    assert supervisor.printed == ["printed by a worker"]
    assert supervisor.end() == ("", "")


def test_a_worker_has_nothing_of_the_zygote(supervisor: Supervisor) -> None:
    supervisor.evaluate(f"zygote.spawn({TELLS})")
    supervisor.receive(2)
    assert supervisor.printed == ["[] SIG_DFL -1"]


def test_kill_ends_workers_and_nobody_else(supervisor: Supervisor) -> None:
    (pid,) = supervisor.spawn(1)
    with subprocess.Popen(["sleep", "60"]) as stranger:
        supervisor.evaluate(f"zygote.kill({stranger.pid})")
        supervisor.evaluate(f"zygote.kill({pid})")
        assert supervisor.receive(1) == [WorkerDied(SLEEPS, pid, -signal.SIGKILL)]
        supervisor.evaluate(f"zygote.kill({pid})")
        assert stranger.poll() is None
        stranger.kill()
    assert len(supervisor.spawn(1)) == 1


def test_many_come_and_go(supervisor: Supervisor) -> None:
    for _ in range(10):
        pids = supervisor.spawn(20)
        supervisor.evaluate(f"[os.kill(pid, signal.SIGKILL) for pid in {pids}]")
        deaths = supervisor.receive(20)
        assert sorted(event.pid for event in deaths if isinstance(event, WorkerDied)) == sorted(
            pids
        )


def test_a_supervisor_that_does_not_listen_blocks_nobody(supervisor: Supervisor) -> None:
    # One by one, until more is to be told than the channel holds.
    supervisor.evaluate(f"[(zygote.spawn({RETURNS}), time.sleep(0.004)) for _ in range(250)]")
    supervisor.evaluate("[zygote.kill(1) for _ in range(1000)]")
    events = supervisor.receive(500)
    assert sum(isinstance(event, WorkerDied) and event.status == 0 for event in events) == 250


def test_close_ends_all_in_order(supervisor: Supervisor) -> None:
    pids = supervisor.spawn(4)
    assert supervisor.evaluate("zygote.close()") == "None"
    assert all_gone([*pids, supervisor.zygote_pid])()
    assert supervisor.evaluate("zygote.close(), zygote.receive(5)") == "(None, [])"
    assert supervisor.segment.exists()  # not orphaned: the supervisor unlinks


def test_close_does_not_wait_for_a_stopped_zygote(supervisor: Supervisor) -> None:
    pids = supervisor.spawn(2)
    os.kill(supervisor.zygote_pid, signal.SIGSTOP)
    supervisor.evaluate("zygote.close()")
    assert is_gone(supervisor.zygote_pid)
    wait_until(all_gone(pids))


@pytest.mark.parametrize("unread", ["", "[zygote.spawn(0) for _ in range(5)]"])
def test_a_killed_supervisor_is_cleaned_up_after(supervisor: Supervisor, unread: str) -> None:
    pids = supervisor.spawn(4)
    if unread:
        supervisor.evaluate(unread)
    supervisor.process.kill()
    seconds = wait_until(all_gone([*pids, supervisor.zygote_pid]))
    print(f"all gone after {seconds * 1000:.0f} ms")
    assert seconds < 1.0
    assert not supervisor.segment.exists()
    assert supervisor.end() == ("", "")


def test_stopped_workers_are_cleaned_up_too(supervisor: Supervisor) -> None:
    pids = supervisor.spawn(2)
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    supervisor.process.kill()
    wait_until(all_gone([*pids, supervisor.zygote_pid]))
    assert not supervisor.segment.exists()


def test_workers_die_with_the_zygote(supervisor: Supervisor) -> None:
    pids = supervisor.spawn(4)
    os.kill(supervisor.zygote_pid, signal.SIGKILL)
    assert supervisor.receive(1) == [ZygoteDied()]
    wait_until(all_gone(pids))
    assert supervisor.evaluate("zygote.receive(None), zygote.spawn(0)") == "([], None)"
    assert supervisor.evaluate("zygote.close()") == "None"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_group_is_for_the_supervisor(
    supervisor: Supervisor, number: signal.Signals
) -> None:
    pids = supervisor.spawn(3)
    os.killpg(supervisor.process.pid, number)
    time.sleep(0.1)
    assert not any(is_gone(pid) for pid in [*pids, supervisor.zygote_pid])
    assert len(supervisor.spawn(1)) == 1
    supervisor.evaluate("zygote.close()")
    assert all_gone([*pids, supervisor.zygote_pid])()


def test_it_starts_without_kernels() -> None:
    code = "import sys, daemon.zygote, daemon.supervisor; print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    assert result.stdout == b"False\n"
