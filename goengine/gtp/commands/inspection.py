"""Commands that only look at the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.gtp.diagram import format_board
from goengine.gtp.parsing import parse_color
from goengine.gtp.registry import command
from goengine.points import format_vertex
from goengine.rules.scoring import format_score, score_game

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("showboard")
def showboard(session: GtpSession) -> str:
    return "\n" + format_board(session.game)


@command("list_stones")
def list_stones(session: GtpSession, color: str) -> str:
    wanted = parse_color(color)
    size = session.game.size
    return " ".join(
        format_vertex(point, size) for stone, point in session.game.stones() if stone == wanted
    )


@command("final_score")
def final_score(session: GtpSession) -> str:
    """Score the position as it stands, by the rules of the game.

    Every stone on the board counts as alive: dead ones must have been
    captured, as Tromp-Taylor rules and CGOS ask for.
    """
    return format_score(score_game(session.game))
