"""A ZeroMQ socket in an asyncio loop: messages in by a call, messages out by a call.

zmq.asyncio does the same with futures, which cost more than the messages here.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable
from typing import Any

import zmq

AT_ONCE = 100  # messages taken before others have their turn

_log = logging.getLogger(__name__)


class Port:
    def __init__(self, socket: zmq.Socket[Any], receive: Callable[[list[zmq.Frame]], None]) -> None:
        """What `receive` raises is logged, and the next message comes."""
        self._socket = socket
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        self._descriptor = int(socket.getsockopt(zmq.FD))
        self._loop.add_reader(self._descriptor, self.drain)
        self._next: asyncio.Handle | None = self._loop.call_soon(self._go_on)  # what came before
        self._is_closed = False

    def close(self) -> None:
        """Take nothing more; `send` still works while the socket does."""
        self._is_closed = True
        self._loop.remove_reader(self._descriptor)
        if self._next is not None:
            self._next.cancel()

    def send(self, *frames: bytes) -> bool:
        """Returns whether there was room: what the other side does not fetch is dropped."""
        try:
            self._socket.send_multipart(frames, zmq.NOBLOCK)
        except zmq.Again:
            return False
        except zmq.ZMQError as error:
            if error.errno != zmq.EHOSTUNREACH:  # which is: gone
                raise
        self._look_again()
        return True

    def drain(self) -> None:
        """Take what has come; needs to be called only to have it now."""
        for _ in range(AT_ONCE):
            try:
                frames = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            contextvars.copy_context().run(self._take, frames)
        self._look_again()

    def _take(self, frames: list[zmq.Frame]) -> None:
        """In a context of its own: what one says of itself in the log is not said of the next."""
        try:
            self._receive(frames)
        except Exception:
            _log.exception("a message failed")

    def _look_again(self) -> None:
        """The descriptor tells of a change only once, and a call may have eaten that.

        One call waits at a time: were it one for each message, a flood would leave the loop to
        nobody else.
        """
        is_awaited = self._next is not None or self._is_closed
        if not is_awaited and int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            self._next = self._loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        self._next = None
        self.drain()
