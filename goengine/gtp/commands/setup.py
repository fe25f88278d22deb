"""Commands that begin a game: size, komi, a whole position at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.board import BLACK
from goengine.gtp.parsing import parse_colored_points, parse_integer, parse_number
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError
from goengine.points import MAX_SIZE, MIN_SIZE

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("boardsize")
def boardsize(session: GtpSession, size: str) -> None:
    """Also clears the board."""
    n_lines = parse_integer(size)
    if not MIN_SIZE <= n_lines <= MAX_SIZE:
        raise GtpError(f"unacceptable size: it must be from {MIN_SIZE} to {MAX_SIZE}")
    session.start_game(n_lines)


@command("clear_board")
def clear_board(session: GtpSession) -> None:
    session.start_game(session.game.size)


@command("komi")
def komi(session: GtpSession, new_komi: str) -> None:
    points = parse_number(new_komi)
    with session.changed_game() as game:
        game.komi = points


@command("get_komi")
def get_komi(session: GtpSession) -> str:
    return str(session.game.komi)


@command("set_position")
def set_position(session: GtpSession, *stones: str) -> None:
    """Clear the board and set these stones, all or none; black is to play."""
    colored_points = parse_colored_points(stones, session.game.size)
    color_at = {point: color for color, point in colored_points}
    if len(color_at) < len(colored_points):
        raise GtpError("syntax error: a vertex is named twice")
    session.start_position(color_at, BLACK)
