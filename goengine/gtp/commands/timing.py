"""Commands about the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.gtp.clock import Clock
from goengine.gtp.parsing import parse_color, parse_integer, parse_number
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError, quote

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession

_LONGEST = 1e9  # seconds, some thirty years
_MOST_STONES = 10_000
_KGS_KINDS = {
    "none": "",
    "absolute": "MAIN",
    "byoyomi": "MAIN PERIOD PERIODS",
    "canadian": "MAIN PERIOD STONES",
}
_KATA_KINDS = _KGS_KINDS | {
    "fischer": "MAIN INCREMENT",
    "fischer-capped": "MAIN INCREMENT MAIN_LIMIT MOVE_LIMIT",
}


@command("time_settings")
def time_settings(session: GtpSession, main_time: str, byo_yomi_time: str, stones: str) -> None:
    """Without stones: no limit if there is a period (0 1 0), absolute time if not (600 0 0)."""
    main, period, n_stones = _seconds(main_time), _seconds(byo_yomi_time), _count(stones)
    clock = session.clock
    if n_stones == 0 and period > 0:
        session.clock = clock.with_settings("none")
    elif n_stones == 0 or period == 0:
        session.clock = clock.with_settings("absolute", main)
    else:
        session.clock = clock.with_settings("canadian", main, period, n_stones)


@command("time_left")
def time_left(session: GtpSession, color: str, seconds: str, stones: str) -> None:
    """Servers allow for lag, so the time may be below zero in a game that goes on."""
    player, left = parse_color(color), parse_number(seconds)
    session.clock = session.clock.with_left(player, min(left, _LONGEST), _count(stones))


@command("kgs-time_settings")
def kgs_time_settings(session: GtpSession, kind: str, *values: str) -> None:
    session.clock = _parse_settings(session.clock, _KGS_KINDS, kind, values)


@command("kata-time_settings")
def kata_time_settings(session: GtpSession, kind: str, *values: str) -> None:
    """A limit of fischer-capped that is negative is none."""
    session.clock = _parse_settings(session.clock, _KATA_KINDS, kind, values)


@command("kata-list_time_settings")
def kata_list_time_settings(session: GtpSession) -> str:
    return " ".join(_KATA_KINDS)


def _parse_settings(
    clock: Clock, kinds: dict[str, str], kind: str, values: tuple[str, ...]
) -> Clock:
    if kind not in kinds:
        raise GtpError(f"syntax error: {quote(kind)} is not one of {', '.join(kinds)}")
    if len(values) != len(kinds[kind].split()):
        raise GtpError(f"syntax error: usage: {kind} {kinds[kind]}".rstrip())
    main, period = (_seconds(text) for text in (*values, "0", "0")[:2])
    match kind:
        case "absolute":
            return clock.with_settings("absolute", main)
        case "canadian" | "byoyomi":
            n_stones = _count(values[2])
            if period == 0 or n_stones == 0:
                return clock.with_settings("absolute", main)
            return clock.with_settings(kind, main, period, n_stones)
        case "fischer":
            return clock.with_settings("fischer", main, period)
        case "fischer-capped":
            main_limit, move_limit = _limit(values[2]), _limit(values[3])
            if main_limit is not None and main_limit < main:
                raise GtpError("syntax error: the limit of the main time is below the main time")
            return clock.with_settings("fischer", main, period, 0, main_limit, move_limit)
        case _:
            return clock.with_settings("none")


def _seconds(text: str) -> float:
    value = parse_number(text)
    if value < 0:
        raise GtpError("syntax error: times and stones cannot be negative")
    return min(value, _LONGEST)


def _limit(text: str) -> float | None:
    value = parse_number(text)
    return None if value < 0 else min(value, _LONGEST)


def _count(text: str) -> int:
    value = parse_integer(text)
    if value < 0:
        raise GtpError("syntax error: times and stones cannot be negative")
    return min(value, _MOST_STONES)
