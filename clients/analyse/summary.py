"""A whole game in a few figures."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from clients.analyse.findings import Finding, Grade
from clients.analyse.record import Color

EVEN = 0.5


class PlayerSummary(msgspec.Struct, frozen=True):
    """average_loss: win rate a move, 0 to 1; None if no move of the player was analysed."""

    color: Color
    name: str
    moves: int
    average_loss: float | None
    agreements: int  # moves that the engine would have played too
    grades: dict[Grade, int]


class Summary(msgspec.Struct, frozen=True):
    """turning_point: the move with which the lead changed hands for good; None if it never did."""

    players: list[PlayerSummary]
    turning_point: int | None
    leader: Color | None  # after the last move; None if it is even


def summarise(findings: Sequence[Finding], names: dict[Color, str]) -> Summary:
    return Summary(
        [_player(findings, color, name) for color, name in names.items()],
        turning_point(findings),
        _leader(findings[-1].black_win_rate_after) if findings else None,
    )


def turning_point(findings: Sequence[Finding]) -> int | None:
    """The number of the last move after which somebody else was ahead than before it."""
    rates = [(each.number, each.black_win_rate_after) for each in findings]
    leader = _leader(findings[0].black_win_rate_before) if findings else None
    turned: int | None = None
    for number, rate in rates:
        now = _leader(rate)
        if now is not None and leader is not None and now != leader:
            turned = number
        leader = now or leader
    return turned


def _leader(black_win_rate: float) -> Color | None:
    if black_win_rate == EVEN:
        return None
    return "black" if black_win_rate > EVEN else "white"


def _player(findings: Sequence[Finding], color: Color, name: str) -> PlayerSummary:
    own = [each for each in findings if each.color == color]
    grades: dict[Grade, int] = {"good": 0, "doubtful": 0, "mistake": 0, "blunder": 0}
    for each in own:
        grades[each.grade] += 1
    average = sum(each.loss for each in own) / len(own) if own else None
    return PlayerSummary(
        color,
        name,
        len(own),
        None if average is None else round(average, 4),
        sum(each.agrees for each in own),
        grades,
    )
