"""The connections to one socket: whose they are, and how much they may ask.

libzmq tells which descriptors were opened and closed, and by which one a message came; the
first message tells whose it is.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from daemon.rates import Bucket
from daemon.rights import User


@dataclass
class Connection:
    bucket: Bucket
    user: User | None = None  # until its first message
    route: bytes = b""
    is_surplus: bool = False  # had its user as many as allowed before?
    is_ended: bool = False


class Connections:
    """
    most            in all
    most_of_user    that are served
    rate            requests a second that each may make
    """

    def __init__(self, most: int, most_of_user: int, rate: float) -> None:
        self.configure(most, most_of_user, rate)
        self._by_descriptor: dict[int, Connection] = {}
        self._by_route: dict[bytes, int] = {}
        self._n_of: Counter[str] = Counter()  # by user

    def configure(self, most: int, most_of_user: int, rate: float) -> None:
        """For those that are opened from now on."""
        self._most, self._most_of_user, self._rate = most, most_of_user, rate

    def __contains__(self, descriptor: object) -> bool:
        return descriptor in self._by_descriptor

    def __len__(self) -> int:
        return len(self._by_descriptor)

    def open(self, descriptor: int) -> bool:
        """Returns whether there was room for it."""
        self.close(descriptor)  # its end was not told
        if len(self._by_descriptor) >= self._most:
            return False
        self._by_descriptor[descriptor] = Connection(Bucket(self._rate))
        return True

    def close(self, descriptor: int) -> None:
        connection = self._by_descriptor.pop(descriptor, None)
        if connection is None:
            return
        if self._by_route.get(connection.route) == descriptor:
            del self._by_route[connection.route]
        if connection.user is not None:
            name = connection.user.name
            self._n_of[name] -= 1
            if not self._n_of[name]:
                del self._n_of[name]

    def note(self, descriptor: int, user: User, route: bytes) -> None:
        """A message came by it."""
        connection = self._by_descriptor.get(descriptor)
        if connection is not None and connection.user is None:
            connection.user, connection.route = user, route
            connection.is_surplus = self._n_of[user.name] >= self._most_of_user
            self._by_route[route] = descriptor
            self._n_of[user.name] += 1

    def find(self, descriptor: int | None) -> Connection | None:
        return None if descriptor is None else self._by_descriptor.get(descriptor)

    def at_route(self, route: bytes) -> int | None:
        return self._by_route.get(route)

    def outdated(self, is_still: Callable[[User], bool]) -> list[int]:
        """Descriptors of users who are no longer who they were, or may do something else."""
        return [
            descriptor
            for descriptor, connection in self._by_descriptor.items()
            if connection.user is not None and not is_still(connection.user)
        ]


def hang_up(descriptor: int) -> None:
    """End a connection of libzmq's, which has no call for that: it then sees the other side gone.

    The descriptor stays libzmq's own to close.
    """
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as connection:
        connection.shutdown(socket.SHUT_RDWR)
