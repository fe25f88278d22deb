"""From text to values: an argument to a colour, vertex or number.

All of them raise GtpError with the message that the client shall read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from goengine import points
from goengine.board import BLACK, EMPTY, WHITE
from goengine.gtp.replies import GtpError, quote

_INTEGER = re.compile(r"([+-]?)([0-9]+)")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")

_LONGEST_INTEGER = 18  # decimal digits that fit into 64 bits
_HUGE = 10**_LONGEST_INTEGER

_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


def parse_color(text: str) -> int:
    color = _COLORS.get(text.lower()) if text.isascii() else None
    if color is None:
        raise GtpError(f"syntax error: {quote(text)} is not a colour: b, w, black or white")
    return color


def parse_point_color(text: str) -> int:
    """What stands on a point: a colour, or EMPTY for e and empty."""
    return EMPTY if text in ("e", "E", "empty") else parse_color(text)


def parse_move(text: str, size: int) -> int:
    """Return a point or PASS."""
    try:
        return points.parse_vertex(text, size)
    except ValueError:
        raise GtpError(f"syntax error: {quote(text)} is not a vertex on {size}x{size}") from None


def parse_point(text: str, size: int) -> int:
    """As `parse_move`, but a pass is an error."""
    point = parse_move(text, size)
    if point == points.PASS:
        raise GtpError("syntax error: a vertex such as D4 is needed, not a pass")
    return point


def parse_colored_moves(
    words: tuple[str, ...], size: int, parse_word: Callable[[str], int] = parse_color
) -> list[tuple[int, int]]:
    """Return (colour, point or PASS) for words such as b D4 w Q16."""
    if len(words) % 2:
        raise GtpError(f"syntax error: {quote(words[-1])} has no partner: pairs such as b D4")
    return [
        (parse_word(color), parse_move(vertex, size))
        for color, vertex in zip(words[::2], words[1::2], strict=True)
    ]


def parse_colored_points(
    words: tuple[str, ...], size: int, parse_word: Callable[[str], int] = parse_color
) -> list[tuple[int, int]]:
    """As `parse_colored_moves`, but a pass is an error."""
    stones = parse_colored_moves(words, size, parse_word)
    if any(point == points.PASS for _, point in stones):
        raise GtpError("syntax error: a vertex such as D4 is needed, not a pass")
    return stones


def parse_integer(text: str) -> int:
    """A number too long for 64 bits comes back as another huge one: no command can use it."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise GtpError(f"syntax error: {quote(text)} is not an integer")
    sign, digits = match.groups()
    digits = digits.lstrip("0") or "0"
    magnitude = int(digits) if len(digits) <= _LONGEST_INTEGER else _HUGE
    return -magnitude if sign == "-" else magnitude


def parse_number(text: str) -> float:
    """Return a finite number; `nan`, `inf` and numbers that overflow are errors."""
    value = float(text) if _NUMBER.fullmatch(text) else math.inf
    if not math.isfinite(value):
        raise GtpError(f"syntax error: {quote(text)} is not a finite number")
    return value
