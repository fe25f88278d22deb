"""Which clients are connected, and where answers reach them.

ZeroMQ tells neither; but it tells the descriptor of the connection that a message came by, and
which descriptors were closed: by the other side, or since it did not answer heartbeats.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class _Connection:
    route: bytes  # what the ROUTER calls it
    descriptor: int


class Presence:
    def __init__(self) -> None:
        self._connections: dict[str, _Connection] = {}  # by client

    def __len__(self) -> int:
        return len(self._connections)

    def __contains__(self, client: object) -> bool:
        return client in self._connections

    def note(self, client: str, route: bytes, descriptor: int) -> None:
        """A message came."""
        self._connections[client] = _Connection(route, descriptor)

    def lose(self, descriptor: int) -> list[str]:
        """A connection was closed. Returns the clients that are gone with it."""
        gone = [
            client
            for client, connection in self._connections.items()
            if connection.descriptor == descriptor
        ]
        for client in gone:
            del self._connections[client]
        return gone
