"""Where a daemon listens: one address for people, three sockets behind it.

ipc:///run/goengine     the files requests, control and analysis in that directory
tcp://127.0.0.1:7460    that port and the two after it
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SYSTEM_DIRECTORY = Path("/run/goengine")
LONGEST_PATH = 107  # bytes of a socket's name that the kernel takes

LOOPBACK = ("127.0.0.1", "[::1]", "localhost")
_TCP = re.compile(r"tcp://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+|\*):([0-9]{1,5})")
SOCKETS = ("requests", "control", "analysis")


class ClientKeys(NamedTuple):
    """What a client shows where it needs a key."""

    name: str  # of its key, for people
    public: bytes
    secret: bytes
    server: bytes  # the daemon's public key


class Address(NamedTuple):
    text: str  # as people write it
    requests: str
    control: str
    analysis: str
    keys: ClientKeys | None = None

    @property
    def directory(self) -> Path | None:
        """Where the sockets' files are; None for tcp."""
        return Path(self.text.removeprefix("ipc://")) if self.text.startswith("ipc:") else None

    @property
    def is_tcp(self) -> bool:
        return self.directory is None

    @property
    def is_elsewhere(self) -> bool:
        """Can other machines reach it, or is it one of them?"""
        host = self.text.removeprefix("tcp://").rpartition(":")[0]
        return self.is_tcp and host not in LOOPBACK


def parse_address(text: str) -> Address:
    """Raises ValueError that says what would be right."""
    if text.startswith("ipc://"):
        directory = Path(text.removeprefix("ipc://"))
        if not directory.is_absolute():
            raise ValueError(f"{text!r}: after ipc:// comes a directory such as /run/goengine")
        if len(os.fsencode(directory / max(SOCKETS, key=len))) > LONGEST_PATH:
            raise ValueError(f"{text!r}: the path is too long for a socket")
        requests, control, analysis = (f"ipc://{directory / name}" for name in SOCKETS)
        return Address(f"ipc://{directory}", requests, control, analysis)
    match = _TCP.fullmatch(text)
    if not match or not 0 < int(match[2]) <= 65533:
        raise ValueError(f"{text!r} is no address such as ipc:///run/goengine or tcp://HOST:7460")
    host, port = match[1], int(match[2])
    requests, control, analysis = (f"tcp://{host}:{port + offset}" for offset in range(3))
    return Address(text, requests, control, analysis)


def user_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where a daemon that a user starts has its sockets."""
    base = environment.get("XDG_RUNTIME_DIR")
    return Path(base) / "goengine" if base else Path(f"/tmp/goengine-{os.getuid()}")


def find_daemon(environment: Mapping[str, str] = os.environ) -> Address | None:
    """The address of the daemon that runs here: the user's own, or else the system's."""
    for directory in (user_directory(environment), SYSTEM_DIRECTORY):
        address = parse_address(f"ipc://{directory}")
        if is_listening(address):
            return address
    return None


def is_listening(address: Address, timeout: float = 2.0) -> bool:
    """Does anybody take connections there?"""
    try:
        if address.directory is not None:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.settimeout(timeout)
                probe.connect(address.requests.removeprefix("ipc://"))
        else:
            host, _, port = address.requests.removeprefix("tcp://").rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), timeout).close()
    except OSError:
        return False
    return True
