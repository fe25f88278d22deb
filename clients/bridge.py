"""Carries GTP between two pipes and a daemon.

Every line is passed on the moment it comes, since it may end what an earlier one began;
replies come out in the order of the lines.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import BinaryIO

from clients.gtp_lines import (
    FileError,
    OneHead,
    file_to_load,
    file_to_save,
    format_failure,
    read_record,
    save_reply,
)
from clients.link import Failed, Link, LinkError, Reaction, TooLong
from daemon.protocol import MAX_LINE, Failure, Part
from goengine.gtp_line import parse_line

MAX_OPEN = 64  # lines on their way
_CHUNK = 1 << 16
_LAST_PATIENCE = 30.0  # seconds for a daemon that is gone when there is no more input


class LineReader:
    """Splits what can be read from a file descriptor into lines, without waiting for more.

    A line comes without its line feed. Of one longer than MAX_LINE only the beginning is
    kept, one byte too many.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.lines: deque[bytes] = deque()
        self.has_ended = False
        self._rest = b""

    def read(self) -> None:
        """Read once; call it when there is something."""
        chunk = os.read(self.fd, _CHUNK)
        if not chunk:
            self.has_ended = True
            if self._rest:
                self.lines.append(self._rest)
            return
        first, *others = chunk.split(b"\n")
        pieces = [(self._rest + first)[: MAX_LINE + 1], *others]
        self._rest = pieces.pop()
        self.lines.extend(pieces)


@dataclass
class _Line:
    """A line that was passed on, and what is known of its reply."""

    id: str  # GTP's
    is_blank: bool = False  # or a comment: gets no reply
    is_quit: bool = False
    file: str = ""  # where its reply shall go
    instead: str = ""  # our own reply, whatever the daemon says
    is_done: bool = False
    _unwritten: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._one_head = OneHead(self.id)

    def add(self, text: str) -> None:
        self._unwritten.append(self._one_head.fit(text))

    def fail(self, message: str) -> None:
        if not self.is_blank:
            self.add(format_failure(self.id, message))

    def take(self) -> str:
        """What can be written now."""
        if self.instead or self.file:
            if not self.is_done:
                return ""
            whole = self.instead or save_reply("".join(self._unwritten), self.id, self.file)
            self._unwritten = [whole]
        text = "".join(self._unwritten)
        self._unwritten.clear()
        return text


class Bridge:
    """One conversation, from the first line to `quit` or the end of the input."""

    def __init__(
        self,
        link: Link,
        requests: int,
        replies: BinaryIO,
        check_daemon: Callable[[], None] = lambda: None,
        opening: str = "",
    ) -> None:
        """`requests` is a file descriptor, `opening` the id under which the game is asked for.

        Lines go out before that is answered: some get their reply while the game is made.
        """
        self._link = link
        self._opening = opening  # "" when it is answered
        self._reader = LineReader(requests)
        self._replies = replies
        self._check_daemon = check_daemon
        self._open: dict[str, _Line] = {}  # by the link's id, the oldest first
        self._is_quitting = False
        self._has_sent_all = False

    def run(self) -> None:
        """Returns when everything is answered. Raises Failed, LinkError, BrokenPipeError."""
        while self._open or self._opening or not (self._is_quitting or self._has_sent_all):
            self._check_daemon()
            fds = [self._reader.fd] if self._wants_input() else []
            reactions, ready = self._link.wait(fds)
            for reaction in reactions:
                self._take_in(reaction)
            if ready:
                self._reader.read()
            while self._can_forward():
                self._forward(self._reader.lines.popleft())
            self._end_with_the_input()

    def _wants_input(self) -> bool:
        return not (self._reader.has_ended or self._is_quitting or self._reader.lines)

    def _can_forward(self) -> bool:
        if self._is_quitting or not self._reader.lines or len(self._open) >= MAX_OPEN:
            return False
        if not any(line.file for line in self._open.values()):
            return True
        # What is being saved may be what is to be loaded.
        parsed = parse_line(_decode(self._reader.lines[0][:MAX_LINE]))
        return not (parsed and file_to_load(parsed))

    def _forward(self, data: bytes) -> None:
        text = _decode(data)
        parsed = parse_line(text)
        if parsed is None:
            line = _Line("", is_blank=True)
        else:
            is_quit = parsed.command == "quit" and not parsed.arguments
            line = _Line(parsed.id, is_quit=is_quit, file=file_to_save(parsed))
        record = None
        try:
            if len(data) > MAX_LINE:
                raise TooLong
            if parsed and (file := file_to_load(parsed)):
                record = read_record(file)
            if line.file:
                text = f"{line.id} printsgf"
            id = self._link.gtp(text, record)
        except (FileError, TooLong) as error:
            if isinstance(error, FileError):
                reason = f"cannot load file: {error}"
            else:
                reason = "line too long" if record is None else "cannot load file: too long"
            line.instead = format_failure(line.id, reason)
            id = self._link.gtp("")  # keeps the order, and ends an analysis as any line does
        self._open[id] = line
        self._is_quitting = line.is_quit

    def _end_with_the_input(self) -> None:
        if not self._reader.has_ended or self._reader.lines or self._is_quitting:
            return
        if not self._has_sent_all:
            self._has_sent_all = True
            if self._open:  # an analysis, perhaps, that nobody else will end
                self._open[self._link.gtp("")] = _Line("", is_blank=True)
        if self._link.seconds_of_silence() > _LAST_PATIENCE:
            raise LinkError("the daemon does not answer; there is no more input, so this is all")

    def _take_in(self, reaction: Reaction) -> None:
        if isinstance(reaction, Part) and reaction.stream != "reply":
            tell(reaction.text)
            return
        if reaction.id == self._opening:
            if isinstance(reaction, Failure):
                raise Failed(reaction.code, reaction.text)
            self._opening = ""
            return
        line = self._open[reaction.id]
        if isinstance(reaction, Failure):
            line.fail(reaction.text)
        else:
            line.add(reaction.text)
        line.is_done = not isinstance(reaction, Part)
        self._write()

    def _write(self) -> None:
        """Write what is known of the oldest line's reply, and of those behind it if it is done."""
        while self._open:
            id, line = next(iter(self._open.items()))
            if text := line.take():
                self._replies.write(text.encode(errors="replace"))
                self._replies.flush()
            if not line.is_done:
                return
            del self._open[id]


def _decode(data: bytes) -> str:
    """Bytes that are not UTF-8 become U+FFFD and are for the engine to refuse."""
    return data.decode("utf-8", errors="replace").removesuffix("\r")


def tell(text: str) -> None:
    """Write a line to stderr, if anybody is there."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(text if text.endswith("\n") else f"{text}\n")
        sys.stderr.flush()
