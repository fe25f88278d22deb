"""What systemd is to a daemon: it opens sockets, starts it, listens to what it tells, and keeps
what it is given.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from daemon.addresses import SOCKETS
from tests.process.daemons import ROOT, segments_of

# A process has its own pid in LISTEN_PID, so that it knows that descriptors are for it.
_LAUNCH = """
import fcntl, os, sys
high = [fcntl.fcntl(int(fd), fcntl.F_DUPFD, 100) for fd in sys.argv[1].split(",") if fd]
for number, descriptor in enumerate(high):
    os.dup2(descriptor, 3 + number)
    os.close(descriptor)
given = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(high))}
os.execve(sys.executable, [sys.executable, *sys.argv[2:]], os.environ | given)
"""


class FakeSystemd:
    """address   what the daemon and its clients have for `listen`
    config       its configuration file
    kept         descriptors that the daemon stored here, by name
    """

    def __init__(self, directory: Path, *, has_socket_unit: bool = False, **settings: object):
        self.directory = directory
        self.address = f"ipc://{directory}/run"
        self.config = directory / "goengined.toml"
        self.log = directory / "log"
        self.kept: dict[str, int] = {}
        self._pids: list[int] = []  # of all that were started
        self._told: list[str] = []  # lines that nobody waited for yet
        self._ends = contextlib.ExitStack()
        self._notify = self._ends.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self._notify.bind(str(directory / "notify"))
        (directory / "run").mkdir()
        self.sockets: list[socket.socket] = []
        for name in SOCKETS if has_socket_unit else ():
            opened = self._ends.enter_context(socket.socket(socket.AF_UNIX))
            opened.bind(str(directory / "run" / name))
            opened.listen()
            self.sockets.append(opened)
        self._settings: dict[str, object] = {
            "listen": self.address,
            "state_directory": f"{directory}/state",
            "workers": 2,
            "slots": 2,
            "slot_megabytes": 32,
        } | settings
        self.configure()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.forget()
        for descriptor in self.kept.values():
            os.close(descriptor)
        for left in segments_of(self._pids):
            left.unlink(missing_ok=True)
        self._ends.close()

    def configure(self, **settings: object) -> None:
        """Change the file."""
        self._settings |= settings
        lines = [f"{key} = {value!r}".replace("'", '"') for key, value in self._settings.items()]
        self.config.write_text("\n".join(lines) + "\n")

    def start(self, watchdog: float = 1.5) -> None:
        self._hear_all()
        passed = [*(one.fileno() for one in self.sockets), *self.kept.values()]
        names = [*["sockets"] * len(self.sockets), *self.kept]
        daemon = ["-m", "daemon.main", "--config", str(self.config)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _LAUNCH, ",".join(map(str, passed)), *daemon],
                cwd=ROOT,
                env=os.environ
                | {
                    "NOTIFY_SOCKET": str(self.directory / "notify"),
                    "WATCHDOG_USEC": str(round(watchdog * 1e6)),
                    "LISTEN_FDNAMES": ":".join(names),
                },
                pass_fds=passed,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._pids.append(self.process.pid)

    def wait_for(self, beginning: str, seconds: float = 60.0) -> str:
        """The next line that begins so; what was told before it is forgotten."""
        ends = time.monotonic() + seconds
        while True:
            while self._told:
                line = self._told.pop(0)
                if line.startswith(beginning):
                    return line
            self._notify.settimeout(max(0.001, ends - time.monotonic()))
            try:
                self._hear()
            except TimeoutError:
                raise AssertionError(f"no {beginning}: {self.log.read_text()}") from None

    def hears(self, beginning: str, seconds: float) -> bool:
        """Is it told within that time?"""
        try:
            self.wait_for(beginning, seconds)
        except AssertionError:
            return False
        return True

    def forget(self) -> None:
        """What was told until now."""
        self._hear_all()
        self._told = []

    def _hear_all(self) -> None:
        self._notify.settimeout(0.0)
        with contextlib.suppress(BlockingIOError):
            while True:
                self._hear()

    def _hear(self) -> None:
        """The next message."""
        message, descriptors, *_ = socket.recv_fds(self._notify, 10_000, 4)
        lines = message.decode().split("\n")
        name = lines[-1].removeprefix("FDNAME=")
        if lines[0] == "FDSTORE=1":
            assert name not in self.kept, "each is stored once"
            (self.kept[name],) = descriptors
        elif lines[0] == "FDSTOREREMOVE=1":
            os.close(self.kept.pop(name))
        else:
            self._told += lines

    def segments(self) -> list[Path]:
        """Of all that were started, those that have names."""
        return segments_of(self._pids)

    def kill_group(self) -> None:
        """The daemon with its workers, as systemd does it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)
