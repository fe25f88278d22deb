"""As much of systemd as a daemon that is restarted sees of it: it keeps descriptors."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_FIRST = 100  # of the numbers that descriptors have while they are kept
_LAUNCH = """
import os, sys
for place, kept in enumerate(sys.argv[1].split(","), 3):
    os.dup2(int(kept), place)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[2], sys.argv[2:])
"""


class ServiceManager:
    """kept: descriptors, by name."""

    def __init__(self, notify_socket: Path) -> None:
        self._path = notify_socket
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(notify_socket))
        self._socket.setblocking(False)
        self.kept: dict[str, int] = {}

    def listen(self) -> None:
        """To all that was said so far."""
        while True:
            try:
                message, descriptors, *_ = socket.recv_fds(self._socket, 4096, 16)
            except BlockingIOError:
                return
            said = dict(line.split("=", 1) for line in message.decode().splitlines())
            if "FDSTORE" in said:
                assert said["FDNAME"] not in self.kept, "each is stored once"
                (descriptor,) = descriptors
                self.kept[said["FDNAME"]] = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST)
                os.close(descriptor)
            if "FDSTOREREMOVE" in said:
                os.close(self.kept.pop(said["FDNAME"]))

    def start(self, command: list[str]) -> tuple[list[str], dict[str, Any]]:
        """What to run for it, and with which options of Popen."""
        self.listen()
        environment = os.environ | {"NOTIFY_SOCKET": str(self._path)}
        if not self.kept:
            return command, {"env": environment}
        descriptors = list(self.kept.values())
        environment |= {"LISTEN_FDS": str(len(self.kept)), "LISTEN_FDNAMES": ":".join(self.kept)}
        launcher = [sys.executable, "-c", _LAUNCH, ",".join(map(str, descriptors))]
        return [*launcher, *command], {"env": environment, "pass_fds": descriptors}

    def stop(self) -> None:
        """The service is not started again: nothing is kept any more."""
        self.listen()
        for descriptor in self.kept.values():
            os.close(descriptor)
        self._socket.close()


@contextmanager
def service_manager(directory: Path) -> Iterator[ServiceManager]:
    manager = ServiceManager(directory / "notify")
    try:
        yield manager
    finally:
        manager.stop()
