"""Replies that are well formed whatever the text: one empty line, at the very end.

success   =12 text      failure   ?12 message
"""

from __future__ import annotations

_LONGEST_QUOTE = 40


class GtpError(Exception):
    """The command failed for a reason that the client should read.

    The message starts with GTP's own words ("illegal move"); more may follow
    after a colon.
    """


def quote(text: str) -> str:
    """Text from outside, shortened, in quotes: for error messages."""
    if len(text) > _LONGEST_QUOTE:
        text = text[:_LONGEST_QUOTE] + "..."
    return f"'{text}'"


def format_success(request_id: str, text: str) -> str:
    """A text that starts with a line feed starts on a line of its own."""
    return _format("=" + request_id, text)


def format_failure(request_id: str, message: str) -> str:
    return _format("?" + request_id, message)


def _format(head: str, text: str) -> str:
    lines = [_printable(line.rstrip()) for line in text.split("\n")]
    first = f"{head} {lines[0]}" if lines[0] else head
    return "\n".join([first, *(line for line in lines[1:] if line)]) + "\n\n"


def _printable(line: str) -> str:
    """Anything that might end a line, or fail to be written, becomes a question mark."""
    if line.isprintable():
        return line
    return "".join(character if character.isprintable() else "?" for character in line)
