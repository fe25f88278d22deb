"""A TOML file with what tomllib leaves out: the line of a key, and errors that name a place."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from pathlib import Path
from typing import Any, NamedTuple

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_TWICE = ("Cannot overwrite a value", "Cannot declare", "Duplicate inline table key")


class TomlError(ValueError):
    """The file cannot be read; the text begins with its name, and the line where it is known."""


class TomlFile(NamedTuple):
    path: Path
    text: str
    table: dict[str, Any]

    def place(self, *key: str) -> str:
        """`FILE:LINE` where the key is set, also inside a table; `FILE` if that is unknown."""
        line = line_of(self.text, key)
        return f"{self.path}:{line}" if line else str(self.path)


def read_toml(path: Path) -> TomlFile:
    """Raises TomlError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TomlError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TomlError(
            f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from None
    try:
        return TomlFile(path, text, tomllib.loads(text))
    except RecursionError:
        raise TomlError(f"{path}: brackets are nested too deeply") from None
    except ValueError as error:  # also a number of thousands of digits, which has no place
        raise TomlError(_explain(path, text, str(error))) from None


def line_of(text: str, key: tuple[str, ...]) -> int | None:
    """The line, from 1, where the statement begins that sets the key. The text is valid TOML.

    tomllib itself is asked: the first lines are a document of their own wherever a statement
    ends, so strings, comments and arrays over many lines need no second parser here.
    """
    lines = text.split("\n")

    def is_set(n_lines: int) -> bool:
        while (table := _table_of(lines[:n_lines])) is None:  # in the middle of a statement
            n_lines += 1
        return _has(table, key)

    line = bisect_left(range(len(lines) + 1), True, key=is_set)
    return line if line <= len(lines) else None


def _table_of(lines: list[str]) -> dict[str, Any] | None:
    try:
        return tomllib.loads("\n".join(lines))
    except ValueError:
        return None


def _has(table: object, key: tuple[str, ...]) -> bool:
    for part in key:
        if not isinstance(table, dict) or part not in table:
            return False
        table = table[part]
    return True


def _explain(path: Path, text: str, message: str) -> str:
    place = _PLACE.search(message)
    if place is None:
        return f"{path}: {message}"
    message = message[: place.start()]
    lines = text.rstrip("\n").split("\n")
    line = int(place[1]) if place[1] else len(lines)
    if message.startswith(_TWICE):
        # The place is where the second statement ends; it begins after the last whole document.
        before = next(n for n in range(line - 1, -1, -1) if _table_of(lines[:n]) is not None)
        name = next(iter(_table_of(lines[before:line]) or {}), None)
        if name is not None:
            return f"{path}:{before + 1}: {name} is set a second time; keep one of them"
    return f"{path}:{line}: {message[0].lower()}{message[1:]}"
