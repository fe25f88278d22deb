"""Which boards can be played at once, and the compilations under way.

Compiling takes the better part of a minute, so it is done by another process, which leaves
the kernels in the cache; loading them from there takes a moment, in a thread.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from concurrent.futures import Executor

from goengine.points import capacity_for
from goengine.warm import is_warm, load_boards

_log = logging.getLogger(__name__)
_COMPILE = "import sys; from goengine.warm import warm_up; warm_up(int(sys.argv[1]))"


class Kernels:
    def __init__(self, executor: Executor, on_ready: Callable[[int], None]) -> None:
        """on_ready is called once for each capacity, before anybody uses it."""
        self._executor = executor
        self._on_ready = on_ready
        self._ready: set[int] = set()
        self._under_way: dict[int, asyncio.Task[None]] = {}

    @property
    def compiling(self) -> list[int]:
        return sorted(capacity for capacity in self._under_way if not is_warm(capacity))

    def is_ready(self, size: int) -> bool:
        return capacity_for(size) in self._ready

    def must_compile(self, size: int) -> bool:
        """Will `prepare` take its time?"""
        return not self.is_ready(size) and not is_warm(capacity_for(size))

    async def prepare(self, size: int) -> None:
        """Return when boards of that size can be played."""
        if self.is_ready(size):
            return
        capacity = capacity_for(size)
        if capacity not in self._under_way:
            self._under_way[capacity] = asyncio.create_task(self._prepare(capacity))
        await asyncio.shield(self._under_way[capacity])

    async def _prepare(self, capacity: int) -> None:
        try:
            if not is_warm(capacity):
                await _compile(capacity)
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._executor, load_boards, capacity)
            self._ready.add(capacity)
            self._on_ready(capacity)
        finally:
            del self._under_way[capacity]


async def _compile(capacity: int) -> None:
    _log.info("compiling kernels for boards up to %dx%d", capacity, capacity)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _COMPILE,
        str(capacity),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        status = await process.wait()
    except asyncio.CancelledError:
        process.kill()
        raise
    if status != 0:  # then they are compiled where they are used, and everybody waits
        _log.error("compiling for %dx%d failed: status %d", capacity, capacity, status)
