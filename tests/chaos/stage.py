"""Where the play takes place: a daemon that is started again when it dies, and its processes."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from daemon.shm import SHM_DIRECTORY
from tests.process.daemons import Daemon, wait_until

N_WORKERS, N_SLOTS, SLOT_MEGABYTES = 2, 2, 8
RESTART_AFTER = 0.1  # seconds


class Process:
    """One that cannot be mistaken for another that has its pid later."""

    def __init__(self, pid: int) -> None:
        """Raises ProcessLookupError."""
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def send(self, number: signal.Signals) -> None:
        """Nothing happens if it is no more."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, number)

    def __del__(self) -> None:
        with suppress(AttributeError):  # there was none
            os.close(self._descriptor)


class Family(NamedTuple):
    """Pids of a daemon's processes, by what they are; `strays` are none of these."""

    supervisor: list[int]
    zygote: list[int]
    workers: list[int]
    strays: list[int]

    @property
    def pids(self) -> list[int]:
        return [*self.supervisor, *self.zygote, *self.workers, *self.strays]

    @property
    def is_complete(self) -> bool:
        """All are there that should be, and nobody else."""
        return tuple(map(len, self)) == (1, 1, N_WORKERS, 0)


class KeptDaemon(Daemon):
    """A daemon that is started again when it dies, as systemd does it.

    exits   how it ended, each time
    pids    that it ever had
    """

    def __init__(self, directory: Path, state_directory: Path, **settings: object) -> None:
        self.state_directory = state_directory
        self.exits: list[int] = []
        self.pids: list[int] = []
        super().__init__(
            directory,
            workers=N_WORKERS,
            slots=N_SLOTS,
            slot_megabytes=SLOT_MEGABYTES,
            state_directory=state_directory,
            **settings,
        )
        self._lock = threading.Lock()
        self._is_over = threading.Event()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    def start(self) -> None:
        super().start()
        self.pids.append(self.process.pid)

    def _keep(self) -> None:
        while not self._is_over.wait(0.02):
            with self._lock:
                if self.process.poll() is not None:
                    self.exits.append(self.process.returncode)
                    time.sleep(RESTART_AFTER)
                    self.start()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody starts it meanwhile."""
        with self._lock:
            yield

    def end(self) -> int:
        self._is_over.set()
        self._keeper.join()
        return super().end()

    def give_up(self) -> None:
        """Whatever is still there must not stay."""
        self._is_over.set()
        self._keeper.join()
        for pid in self.family().pids:
            with suppress(ProcessLookupError):
                Process(pid).send(signal.SIGKILL)
        wait_until(lambda: not self.family().pids, seconds=30)

    def family(self) -> Family:
        """Who lives now."""
        parents = {pid: parent for pid in self._relatives() if (parent := _parent(pid))}
        supervisor = [pid for pid in parents if pid == self.process.pid]
        zygote = [pid for pid, parent in parents.items() if parent in supervisor]
        workers = [pid for pid, parent in parents.items() if parent in zygote]
        known = {*supervisor, *zygote, *workers}
        return Family(supervisor, zygote, workers, [pid for pid in parents if pid not in known])

    def _relatives(self) -> Iterator[int]:
        """All that were forked from a process with this daemon's command line."""
        mark = os.fsencode(self.directory)
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (entry / "cmdline").read_bytes().split(b"\0"):
                    yield int(entry.name)


class Stage(NamedTuple):
    """
    is_small    are its directories small file systems of our own, to be filled at will?
    """

    daemon: KeptDaemon
    is_small: bool

    def segments(self) -> list[Path]:
        """Of any daemon that was here."""
        found = SHM_DIRECTORY.glob("goengine.*")
        pids = {str(pid) for pid in self.daemon.pids}
        return sorted(path for path in found if self.is_small or path.name.split(".")[1] in pids)


def _parent(pid: int) -> int | None:
    """None if it is no more, or only waits to be buried."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state in "ZX" else int(parent)
