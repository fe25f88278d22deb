"""Which clients are connected.

ZeroMQ does not tell; but it tells the descriptor of the connection that a message came by,
and which descriptors were opened and closed: by the other side, or since it did not answer
heartbeats.
"""

from __future__ import annotations

from collections.abc import Container


class Presence:
    def __init__(self, open_descriptors: Container[int]) -> None:
        self._open = open_descriptors
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

    def descriptor_of(self, client: str) -> int | None:
        return self._descriptor_of.get(client)

    def lose(self, descriptor: int) -> list[str]:
        """A connection was closed. Returns the clients that are gone with it."""
        gone = [client for client, at in self._descriptor_of.items() if at == descriptor]
        for client in gone:
            del self._descriptor_of[client]
        return gone
