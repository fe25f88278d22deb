"""Runs lines in sessions: those that need kernels first wait for them."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import Executor

from daemon.hosted_game import Errand
from daemon.kernels import Kernels
from daemon.protocol import Answer, Gtp, Part
from goengine.gtp.session import GtpSession, MustWait, Pending


class _NotReady(MustWait):
    def __init__(self, size: int) -> None:
        self.size = size


class LineRunner:
    def __init__(
        self, kernels: Kernels, executor: Executor, send: Callable[[bytes, Answer], None]
    ) -> None:
        self._kernels = kernels
        self._executor = executor
        self._send = send

    def serve(self, session: GtpSession) -> None:
        """Have lines of the session that need other kernels wait for them."""
        session.before_board = self._check_kernels

    async def start(
        self, session: GtpSession, errand: Errand, request: Gtp
    ) -> str | Pending | None:
        """What `start_line` returns."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                if request.file is None:
                    return session.start_line(request.line)
                # A long record takes its time, which is not everybody's.
                file = request.file.encode()
                here = contextvars.copy_context()
                return await loop.run_in_executor(
                    self._executor, here.run, session.start_line, request.line, file
                )
            except _NotReady as missing:
                await self.prepare(missing.size, errand)

    async def prepare(self, size: int, errand: Errand) -> None:
        """Return when boards of that size can be played; tell whoever waits for a compiler."""
        if self._kernels.must_compile(size):
            text = f"compiling kernels for {size}x{size} (once; they are kept) ...\n"
            self._send(errand.route, Part(id=errand.request.id, stream="notice", text=text))
        await self._kernels.prepare(size)

    def _check_kernels(self, size: int) -> None:
        if not self._kernels.is_ready(size):
            raise _NotReady(size)
