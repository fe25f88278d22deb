"""Which clients are connected.

ZeroMQ does not tell; but it tells the descriptor of the connection that a message came by,
and which descriptors were opened and closed: by the other side, or since it did not answer
heartbeats.
"""

from __future__ import annotations


class Presence:
    def __init__(self) -> None:
        self._open: set[int] = set()  # descriptors
        self._descriptor_of: dict[str, int] = {}  # by client

    def __len__(self) -> int:
        return len(self._descriptor_of)

    def __contains__(self, client: object) -> bool:
        return client in self._descriptor_of

    def note(self, client: str, descriptor: int) -> bool:
        """A message came. Returns whether its connection is still there."""
        if descriptor in self._open:
            self._descriptor_of[client] = descriptor
        return descriptor in self._open

    def connect(self, descriptor: int) -> None:
        self._open.add(descriptor)

    def lose(self, descriptor: int) -> list[str]:
        """A connection was closed. Returns the clients that are gone with it."""
        self._open.discard(descriptor)
        gone = [client for client, at in self._descriptor_of.items() if at == descriptor]
        for client in gone:
            del self._descriptor_of[client]
        return gone
