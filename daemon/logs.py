"""The daemon's log: whom a line concerns, in the form that suits whoever reads it.

Whoever begins to work for a game or a client says so once, for its asyncio task; every line
that is logged from there on names them. What comes from outside cannot break a line.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from daemon.plain_text import plain

LONGEST_LINE = 2000  # characters
LONGEST_CLIENT = 32
_PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6}
_DEBUG = 7

_subject: ContextVar[tuple[str, str]] = ContextVar("subject", default=("", ""))


def set_subject(game: str = "", client: str = "") -> None:
    """Say whom all lines concern that this task logs from now on."""
    _subject.set((game, client))


@contextmanager
def about(game: str = "", client: str = "") -> Iterator[None]:
    """The same for a while."""
    token = _subject.set((game, client))
    try:
        yield
    finally:
        _subject.reset(token)


def set_up_log(level: str) -> None:
    """To stderr; with the time only for a person who watches."""
    handler = logging.StreamHandler()
    is_seen = sys.stderr is not None and sys.stderr.isatty()
    handler.setFormatter(LogFormatter(is_stderr_the_journal(os.environ), has_time=is_seen))
    logging.basicConfig(level=level.upper(), handlers=[handler])


def is_stderr_the_journal(environment: Mapping[str, str]) -> bool:
    """systemd names the stream that it reads; it may have been redirected since."""
    named = environment.get("JOURNAL_STREAM", "")
    try:
        stream = os.fstat(2)
    except OSError:
        return False
    return named == f"{stream.st_dev}:{stream.st_ino}"


class LogFormatter(logging.Formatter):
    """The journal takes each line as a message of its own, after its priority: sd-daemon(3).

    It has time, level and process already, and finds all lines of a traceback by their game.
    """

    def __init__(self, is_journal: bool, has_time: bool) -> None:
        super().__init__()
        self._is_journal = is_journal
        self._has_time = has_time

    def format(self, record: logging.LogRecord) -> str:
        lines = [_one_line(record.getMessage())]
        if record.exc_info:
            lines += map(_one_line, self.formatException(record.exc_info).splitlines())
        if self._is_journal:
            priority = _PRIORITIES.get(record.levelno, _DEBUG)
            head = f"<{priority}>{record.name}: {_format_subject()}"
            return "\n".join(head + line for line in lines)
        stamp = f"{self.formatTime(record)} " if self._has_time else ""
        lines[0] = f"{stamp}{record.levelname} {record.name}: {_format_subject()}{lines[0]}"
        return "\n".join(lines)


def _format_subject() -> str:
    """`game lisa, client 5f3e: `, or what is known of it."""
    game, client = _subject.get()
    known = [f"game {game}"] if game else []
    if client:
        known.append(f"client {_one_line(client[:LONGEST_CLIENT])}")
    return f"{', '.join(known)}: " if known else ""


def _one_line(text: str) -> str:
    end = " ..." if len(text) > LONGEST_LINE else ""
    return plain(text[:LONGEST_LINE]).replace("\n", " ") + end
