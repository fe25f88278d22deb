"""A line of GTP as a request: the one place that takes lines apart, for engine and clients.

Outside of gtp/, which needs kernels: clients start without them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# A tab counts as a space; the other control characters are not there at all.
_CONTROL_CHARACTERS = dict.fromkeys((*range(32), 127), "") | {ord("\t"): " "}
_ID = re.compile(r"[0-9]+")


class Request(NamedTuple):
    """One command line. `id` is "" if the client gave none, `command` if it gave an id alone."""

    id: str
    command: str
    arguments: list[str]


def parse_line(line: str) -> Request | None:
    """Return the request in a line, or None if the line is blank or a comment.

    Takes any text. The line ends at its first line feed, with or without a carriage return.
    """
    line = line.partition("\n")[0].partition("#")[0].translate(_CONTROL_CHARACTERS)
    words = [word for word in line.split(" ") if word]
    if not words:
        return None
    request_id = words.pop(0) if _ID.fullmatch(words[0]) else ""
    command = words.pop(0) if words else ""
    return Request(request_id, command, words)
