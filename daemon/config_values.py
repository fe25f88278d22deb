"""What a value in the daemon's configuration may be: checked, and read from a command line."""

from __future__ import annotations

import grp
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from daemon.addresses import LOOPBACK, parse_address
from goengine.points import MAX_SIZE, MIN_SIZE
from goengine.rules.rulesets import RULESETS, find_rules

ParameterValue = int | float | str


class Kind(NamedTuple):
    wanted: str  # what would be right: "a whole number from 1 to 1024"
    metavar: str
    check: Callable[[Any], Any]  # raises ValueError; without a text, `wanted` says it all
    parse: Callable[[str], object] = str  # of the command line; never raises, `check` follows


def whole(low: int, high: int) -> Kind:
    def check(raw: object) -> int:
        if type(raw) is not int or not low <= raw <= high:
            raise ValueError
        return raw

    return Kind(f"a whole number from {low} to {high}", "N", check, number_or_text)


def number(low: float, high: float) -> Kind:
    def check(raw: object) -> float:
        if not _is_number(raw) or not low <= raw <= high:  # nan is in no range
            raise ValueError
        return float(raw)

    return Kind(f"a number from {low} to {high}", "X", check, number_or_text)


def word(*words: str) -> Kind:
    def check(raw: object) -> str:
        if raw not in words:
            raise ValueError
        return str(raw)

    return Kind(f"one of {', '.join(words)}", "WORD", check)


def _text(wanted: str, metavar: str, check_text: Callable[[str], Any]) -> Kind:
    def check(raw: object) -> Any:
        if isinstance(raw, Path):
            raw = str(raw)
        # Not printable are also undecodable bytes, which a path from the environment may have.
        if not isinstance(raw, str) or not raw.isprintable():
            raise ValueError
        return check_text(raw)

    return Kind(wanted, metavar, check)


def _check_listen(text: str) -> str:
    return parse_address(text).text


def _check_tcp(text: str) -> str:
    if text and not parse_address(text).is_tcp:
        raise ValueError
    return text


def _check_metrics(text: str) -> str:
    if not text:
        return ""
    place = re.fullmatch(r"(?:(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):)?([0-9]{1,5})", text)
    if not place or not 0 < int(place[2]) < 1 << 16:
        raise ValueError
    return f"{place[1] or LOOPBACK[0]}:{place[2]}"


def _check_group(name: str) -> str:
    if name:
        try:
            grp.getgrnam(name)
        except KeyError:
            raise ValueError(f"this machine has no group {name!r}") from None
    return name


def _check_directory(text: str) -> Path:
    try:
        path = Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"{text!r}: nobody knows whose home ~ is; give a full path") from None
    if not path.is_absolute():
        raise ValueError
    return path


def _check_sizes(raw: object) -> tuple[int, ...]:
    if not isinstance(raw, list | tuple):
        raise ValueError
    if not all(type(size) is int and MIN_SIZE <= size <= MAX_SIZE for size in raw):
        raise ValueError
    return tuple(raw)


def _check_parameters(raw: object) -> dict[str, ParameterValue]:
    if not isinstance(raw, dict):
        raise ValueError
    for name, value in raw.items():
        from goengine.search.parameters import find_parameter  # brings numpy

        parameter = find_parameter(name)
        if not isinstance(value, str) and not _is_number(value):
            raise ValueError(f"{name} is a number or a text, not {shown(value)}")
        if isinstance(value, str) or parameter.words:
            parameter.parse(str(value))
        else:
            parameter.checked(value)
    return dict(raw)


def _is_number(raw: object) -> TypeGuard[int | float]:
    return isinstance(raw, int | float) and not isinstance(raw, bool)


def number_or_text(text: str) -> int | float | str:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return text


def shown(value: object) -> str:
    """As people write it, and short enough for one line."""
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # a number of thousands of digits
        text = "so large a number"
    text = text.lower() if isinstance(value, bool) else text
    return text if len(text) <= 60 else text[:57] + "..."


ADDRESS = _text("an address such as ipc:///run/goengine", "ADDRESS", _check_listen)
TCP = _text("an address such as tcp://*:7460, or nothing", "ADDRESS", _check_tcp)
METRICS = _text("HOST:PORT such as 127.0.0.1:9460, or nothing", "HOST:PORT", _check_metrics)
GROUP = _text("the name of a group, or nothing", "NAME", _check_group)
DIRECTORY = _text("a full path", "DIRECTORY", _check_directory)
RULES = _text(f"one of {', '.join(RULESETS)}", "NAME", lambda text: find_rules(text).name)
SIZES = Kind(
    f"a list of board sizes from {MIN_SIZE} to {MAX_SIZE}",
    "N,N,...",
    _check_sizes,
    lambda text: [number_or_text(size) for size in text.split(",") if size.strip()],
)
PARAMETERS = Kind("a table of search parameters", "NAME=VALUE", _check_parameters)
