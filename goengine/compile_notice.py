"""Tell the person who waits that kernels are being compiled, and for how long."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, TextIO


class CompileNotice:
    """Shows elapsed time on `stream` from the first compilation to the last.

    On a terminal one line counts the seconds; elsewhere one line announces it.
    Told by numba's events, which nest: a kernel compiles its callees.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.seconds = 0.0
        self._depth = 0
        self._started = 0.0
        self._announced = False
        self._finished = threading.Event()

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth > 1:
            return
        self._started = time.monotonic()
        self._finished.clear()
        if self.stream.isatty():
            threading.Thread(target=self._count_seconds, daemon=True).start()
        elif not self._announced:
            self._write("compiling kernels for this processor, once; about 20 s\n")
        self._announced = True

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.monotonic() - self._started
            self._finished.set()

    def _count_seconds(self) -> None:
        while not self._finished.wait(0.25):
            elapsed = self.seconds + time.monotonic() - self._started
            self._write(f"\rcompiling kernels for this processor, once: {elapsed:.0f} s ")
        self._write("\r\033[K")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


def install() -> None:
    """Announce compilations of this process on stderr."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        def __init__(self) -> None:
            self.notice = CompileNotice(sys.stderr)

        def on_start(self, event: Any) -> None:
            self.notice.on_start(event)

        def on_end(self, event: Any) -> None:
            self.notice.on_end(event)

    event.register("numba:compile", Listener())
