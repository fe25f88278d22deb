"""A page for Prometheus over HTTP, in the loop of the daemon.

Hostile until proven otherwise: few connections, a short head, little time, and the page is made
once a second at the most. Then the connection is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MAX_CONNECTIONS = 16  # at a time
MAX_HEAD = 8192  # bytes
PATIENCE = 5.0  # seconds from the connection to its end
FRESH = 1.0  # seconds that a page is given out again


class NoMetrics(Exception):
    """They cannot be served where they should; the text says why."""


class MetricsPort:
    def __init__(self, make_page: Callable[[], bytes]) -> None:
        self._make_page = make_page
        self._page = b""
        self._made_at = float("-inf")
        self._n_connections = 0
        self._server: asyncio.Server | None = None

    async def listen(self, host: str, port: int) -> None:
        """Raises NoMetrics."""
        try:
            self._server = await asyncio.start_server(self._serve, host, port, limit=MAX_HEAD)
        except OSError as error:
            reason = error.strerror or error
            raise NoMetrics(f"no metrics at {host}, port {port}: {reason}") from None

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._n_connections >= MAX_CONNECTIONS:
            writer.transport.abort()
            return
        self._n_connections += 1
        try:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                async with asyncio.timeout(PATIENCE):
                    writer.write(await self._answer(reader))
                    await writer.drain()
                    writer.close()
                    await writer.wait_closed()
        finally:
            self._n_connections -= 1
            writer.transport.abort()  # nothing happens where it is closed

    async def _answer(self, reader: asyncio.StreamReader) -> bytes:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            return _reply("431 Request Header Fields Too Large", b"the head is too long\n")
        method, _, rest = head.partition(b"\r\n")[0].partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method not in (b"GET", b"HEAD"):
            return _reply("405 Method Not Allowed", b"GET it\n", "Allow: GET, HEAD\r\n")
        if path != b"/metrics":
            return _reply("404 Not Found", b"there is only /metrics\n")
        return _reply("200 OK", self._fresh_page(), is_head=method == b"HEAD")

    def _fresh_page(self) -> bytes:
        if time.monotonic() - self._made_at >= FRESH:
            self._page, self._made_at = self._make_page(), time.monotonic()
        return self._page


def _reply(status: str, body: bytes, headers: str = "", is_head: bool = False) -> bytes:
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\n{headers}Connection: close\r\n\r\n"
    )
    return head.encode() + (b"" if is_head else body)
