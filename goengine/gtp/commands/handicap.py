"""Commands that place handicap stones on an empty board; white plays next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from goengine.gtp.parsing import parse_integer, parse_point
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError
from goengine.points import format_vertex
from goengine.rules import handicap

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("fixed_handicap")
def fixed_handicap(session: GtpSession, n_stones: str) -> str:
    return _place_stones(session, n_stones, handicap.fixed_handicap)


@command("place_free_handicap")
def place_free_handicap(session: GtpSession, n_stones: str) -> str:
    """Places exactly as many stones as asked for: some servers resign the game otherwise."""
    return _place_stones(session, n_stones, handicap.free_handicap)


@command("set_free_handicap")
def set_free_handicap(session: GtpSession, *vertices: str) -> None:
    _check_board_empty(session)
    try:
        points = [parse_point(vertex, session.game.size) for vertex in vertices]
        handicap.check_free_handicap(points, session.game.size)
    except (GtpError, ValueError) as error:
        raise GtpError(f"bad vertex list: {error}") from None
    with session.changed_game() as game:
        game.place_handicap(points)


def _place_stones(
    session: GtpSession, n_stones: str, choose_points: Callable[[int, int], list[int]]
) -> str:
    count = parse_integer(n_stones)
    _check_board_empty(session)
    size = session.game.size
    try:
        points = choose_points(count, size)
    except ValueError as error:
        raise GtpError(f"invalid number of stones: {error}") from None
    with session.changed_game() as game:
        game.place_handicap(points)
    return " ".join(format_vertex(point, size) for point in points)


def _check_board_empty(session: GtpSession) -> None:
    if not session.game.is_empty:
        raise GtpError("board not empty")
