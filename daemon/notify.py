"""What a daemon and the systemd that started it tell each other; without one, nothing happens.

sd_notify(3) and sd_listen_fds(3) in a page: their only Python library has to be compiled.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, MutableMapping, Sequence

FIRST_DESCRIPTOR = 3


def notify(*lines: str, descriptors: Sequence[int] = ()) -> bool:
    """Send assignments such as `READY=1`. Returns whether somebody was told. Never raises."""
    name = os.environ.get("NOTIFY_SOCKET", "")
    if not name:
        return False
    address = "\0" + name[1:] if name.startswith("@") else name
    message = "\n".join(lines).encode()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.connect(address)
            socket.send_fds(out, [message], list(descriptors))
    except OSError:
        return False
    return True


def store_descriptor(name: str, descriptor: int) -> bool:
    """Have systemd keep a descriptor until the service is stopped, also when it is killed."""
    return notify("FDSTORE=1", f"FDNAME={name}", descriptors=[descriptor])


def forget_descriptor(name: str) -> bool:
    return notify("FDSTOREREMOVE=1", f"FDNAME={name}")


def take_descriptors(
    environment: MutableMapping[str, str] = os.environ,
) -> dict[str, list[int]]:
    """What systemd passed to this process, by name: sockets that it opened, what it kept.

    To be called once: children and later calls get nothing.
    """
    pid = environment.pop("LISTEN_PID", "")
    count = environment.pop("LISTEN_FDS", "")
    names = environment.pop("LISTEN_FDNAMES", "").split(":")
    if pid != str(os.getpid()) or not count.isdecimal():
        return {}
    taken: dict[str, list[int]] = {}
    for offset in range(int(count)):
        descriptor = FIRST_DESCRIPTOR + offset
        os.set_inheritable(descriptor, False)
        name = names[offset] if offset < len(names) else ""
        taken.setdefault(name, []).append(descriptor)
    return taken


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float | None:
    """How often systemd wants to hear `WATCHDOG=1` at the least; None: never."""
    pid = environment.get("WATCHDOG_PID", str(os.getpid()))
    interval = environment.get("WATCHDOG_USEC", "")
    if pid != str(os.getpid()) or not interval.isdecimal() or not int(interval):
        return None
    return int(interval) / 1e6
