"""A socket with all that is known of who comes by it: strangers do not get past here."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

import zmq
from zmq.utils.monitor import parse_monitor_message

from daemon.connections import Connections, hang_up
from daemon.ports import Port
from daemon.rights import User

_log = logging.getLogger(__name__)


class Caller(NamedTuple):
    """Who sent a message."""

    user: User
    route: bytes = b""  # where answers go
    descriptor: int = -1
    is_hasty: bool = False  # faster than allowed?
    is_surplus: bool = False  # by one connection more than its user may have?


class Door:
    """
    identify    says who has a key and an address, or None
    receive     takes a message; no caller: it is libzmq's own, about one who has left
    lose        is told of descriptors whose connections have ended
    """

    def __init__(
        self,
        socket: zmq.Socket[Any],
        connections: Connections,
        identify: Callable[[str, str], User | None],
        receive: Callable[[Caller | None, list[zmq.Frame]], None],
        lose: Callable[[int], None] = lambda descriptor: None,
    ) -> None:
        self._socket = socket
        self._monitor = socket.get_monitor_socket(zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED)
        self.connections = connections
        self._identify = identify
        self._receive = receive
        self._lose = lose

    def open(self) -> None:
        """In a running loop."""
        self._events = Port(self._monitor, self._take_event)
        self._messages = Port(self._socket, self._take)

    def close(self) -> None:
        self._events.close()
        self._messages.close()
        self._socket.disable_monitor()

    def close_messages(self) -> None:
        """Take no more of them; who leaves is still noticed."""
        self._messages.close()

    def send(self, route: bytes, frame: bytes) -> None:
        """One who lets too many answers wait is cut off, and may come back and ask again."""
        if not self._messages.send(route, frame):
            self._end(self.connections.at_route(route), "does not read its answers")

    def end_outdated(self, is_still: Callable[[User], bool]) -> None:
        """End the connections of users who have changed; to be called every second or so."""
        for descriptor in self.connections.outdated(is_still):
            self._end(descriptor, "is no longer allowed what it was")

    def _take_event(self, frames: list[zmq.Frame]) -> None:
        event = parse_monitor_message([frame.bytes for frame in frames])
        descriptor = event["value"]
        if event["event"] == zmq.EVENT_ACCEPTED:
            if not self.connections.open(descriptor):
                hang_up(descriptor)
        else:
            self.connections.close(descriptor)
            self._lose(descriptor)

    def _take(self, frames: list[zmq.Frame]) -> None:
        self._events.drain()  # or a new connection would be taken for a closed one
        frame = frames[-1]
        descriptor = frame.get(zmq.SRCFD) if _property(frame, "Peer-Address") else None
        if descriptor is None:
            self._receive(None, frames)
            return
        descriptor = int(descriptor)
        user = self._identify(_property(frame, "User-Id"), _property(frame, "Peer-Address"))
        connection = self.connections.find(descriptor)
        if user is None or (connection and connection.user and connection.user.name != user.name):
            self._end(descriptor, "is not known")
            return
        is_hasty = bool(connection and not user.is_admin and not connection.bucket.take(len(frame)))
        route = frames[0].bytes
        self.connections.note(descriptor, user, route)
        is_surplus = connection is not None and connection.is_surplus
        self._receive(Caller(user, route, descriptor, is_hasty, is_surplus), frames)

    def _end(self, descriptor: int | None, why: str) -> None:
        connection = self.connections.find(descriptor)
        if descriptor is None or connection is None or connection.is_ended:
            return
        connection.is_ended = True
        _log.warning("%s %s: disconnected", connection.user.name if connection.user else "?", why)
        hang_up(descriptor)


def _property(frame: zmq.Frame, name: str) -> str:
    """What libzmq knows of the connection that the frame came by; "" is nothing."""
    try:
        return str(frame.get(name))
    except zmq.ZMQError:
        return ""
