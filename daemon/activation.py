"""Sockets that systemd opened for us: which is which, and are they where clients look?"""

from __future__ import annotations

import socket
from collections.abc import MutableMapping

from daemon.addresses import SOCKETS, Address

NAME = "sockets"  # FileDescriptorName= of goengined.socket


class ActivationError(Exception):
    """What systemd opened does not fit the configuration; the text says what to change."""


def take_sockets(inherited: MutableMapping[str, list[int]], address: Address) -> dict[str, int]:
    """Descriptors by the name of the socket, taken out of `inherited`; none if there are none.

    Raises ActivationError.
    """
    descriptors = inherited.pop(NAME, [])
    if not descriptors:
        return {}
    places = {_place_of(descriptor): descriptor for descriptor in descriptors}
    wanted = {name: _place_in(getattr(address, name)) for name in SOCKETS}
    if set(places) != set(wanted.values()):
        raise ActivationError(
            f"goengined.socket listens at {', '.join(sorted(places))}, but the configuration has "
            f"{address.text}: make ListenStream= there and `listen` here the same, "
            "or have no socket unit: systemctl mask --now goengined.socket"
        )
    return {name: places[place] for name, place in wanted.items()}


def _place_of(descriptor: int) -> str:
    """The file, or the port: hosts have many names."""
    with socket.socket(fileno=descriptor) as one:
        try:
            name = one.getsockname()
        finally:
            one.detach()
    return str(name) if isinstance(name, str) else f"port {name[1]}"


def _place_in(endpoint: str) -> str:
    kind, _, rest = endpoint.partition("://")
    return rest if kind == "ipc" else f"port {rest.rpartition(':')[2]}"
