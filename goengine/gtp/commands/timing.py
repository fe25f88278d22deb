"""Commands about the clock. The session keeps what it is told; no engine reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.gtp.clock import TimeLeft, TimeSettings
from goengine.gtp.parsing import parse_color, parse_integer, parse_number
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("time_settings")
def time_settings(session: GtpSession, main_time: str, byo_yomi_time: str, stones: str) -> None:
    settings = TimeSettings(
        parse_number(main_time), parse_number(byo_yomi_time), parse_integer(stones)
    )
    if min(settings) < 0:
        raise GtpError("syntax error: times and stones cannot be negative")
    session.time_settings = settings
    session.time_left = {}


@command("time_left")
def time_left(session: GtpSession, color: str, seconds: str, stones: str) -> None:
    """Servers allow for lag, so the time may be below zero in a game that goes on."""
    player = parse_color(color)
    left = TimeLeft(parse_number(seconds), parse_integer(stones))
    if left.stones < 0:
        raise GtpError("syntax error: stones cannot be negative")
    session.time_left = session.time_left | {player: left}
