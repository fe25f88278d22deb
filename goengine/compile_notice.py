"""Tell the person who waits that kernels are being compiled, and for how long."""

from __future__ import annotations

import contextlib
import sys
import threading
import time

_TEXT = "compiling kernels for this processor (once; they are kept)"
_WORTH_A_LINE = 1.0  # seconds


class CompileNotice:
    """Shows on stderr that something is compiled and how long it takes.

    On a terminal one line counts the seconds and disappears; elsewhere a line
    announces it, and one follows for each kernel that took long. Compilations
    nest, since a kernel compiles its callees: the outermost counts.
    """

    def __init__(self) -> None:
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
        if _is_terminal():
            self._finished.clear()
            self._counter = threading.Thread(target=self._count_seconds, daemon=True)
            self._counter.start()
        elif not self._is_announced:
            _write(f"{_TEXT} ...\n")
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
            _write(f"compiled {kernel_name} in {seconds:.1f} s\n")

    def _count_seconds(self) -> None:
        is_finished = False
        while not is_finished:
            seconds = self._seconds_before + time.monotonic() - self._started
            _write(f"\r{_TEXT}: {seconds:.0f} s ")
            is_finished = self._finished.wait(0.25)
        _write("\r\033[K")


def _is_terminal() -> bool:
    return sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()


def _write(text: str) -> None:
    """Without a working stderr nobody is told, and the compilation goes on."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def install() -> None:
    """Announce the compilations of this process on stderr."""
    from numba.core import event

    notice = CompileNotice()

    class Listener(event.Listener):  # type: ignore[misc]  # numba has no annotations
        def on_start(self, event: event.Event) -> None:
            notice.start()

        def on_end(self, event: event.Event) -> None:
            notice.end(event.data["dispatcher"].__name__)

    event.register("numba:compile", Listener())
