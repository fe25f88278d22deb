"""Tell the person who waits that kernels are being compiled, and for how long."""

from __future__ import annotations

import sys
import threading
import time
from typing import TextIO

_TEXT = "compiling kernels for this processor (once; they are kept)"
_WORTH_A_LINE = 1.0  # seconds


class CompileNotice:
    """Shows on `stream` that something is compiled and how long it takes.

    On a terminal one line counts the seconds and disappears; elsewhere a line
    announces it, and one follows for each kernel that took long. Compilations
    nest, since a kernel compiles its callees: the outermost counts.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._depth = 0
        self._seconds_before = 0.0
        self._started = 0.0
        self._is_announced = False
        self._finished = threading.Event()
        self._counter: threading.Thread | None = None

    def start(self) -> None:
        self._depth += 1
        if self._depth > 1:
            return
        self._started = time.monotonic()
        if self._stream.isatty():
            self._finished.clear()
            self._counter = threading.Thread(target=self._count_seconds, daemon=True)
            self._counter.start()
        elif not self._is_announced:
            self._write(f"{_TEXT} ...\n")
            self._is_announced = True

    def end(self, kernel_name: str) -> None:
        self._depth -= 1
        if self._depth > 0:
            return
        seconds = time.monotonic() - self._started
        self._seconds_before += seconds
        if self._counter:
            self._finished.set()
            self._counter.join()
        elif seconds > _WORTH_A_LINE:
            self._write(f"compiled {kernel_name} in {seconds:.1f} s\n")

    def _count_seconds(self) -> None:
        is_finished = False
        while not is_finished:
            seconds = self._seconds_before + time.monotonic() - self._started
            self._write(f"\r{_TEXT}: {seconds:.0f} s ")
            is_finished = self._finished.wait(0.25)
        self._write("\r\033[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def install() -> None:
    """Announce the compilations of this process on stderr."""
    from numba.core import event

    notice = CompileNotice(sys.stderr)

    class Listener(event.Listener):  # type: ignore[misc]  # numba has no annotations
        def on_start(self, event: event.Event) -> None:
            notice.start()

        def on_end(self, event: event.Event) -> None:
            notice.end(event.data["dispatcher"].__name__)

    event.register("numba:compile", Listener())
