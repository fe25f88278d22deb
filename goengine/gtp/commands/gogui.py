"""Commands by which GoGui brings an engine to a position at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.gtp.commands.moves import play_or_fail
from goengine.gtp.parsing import (
    parse_color,
    parse_colored_moves,
    parse_colored_points,
    parse_point_color,
)
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("gogui-setup")
def gogui_setup(session: GtpSession, *stones: str) -> None:
    """Put stones on a board without moves, or take them off (colour e); the last word counts."""
    game = session.game
    if game.moves:
        raise GtpError("board not empty: stones can be set up before the first move only")
    color_at = {point: color for color, point in game.stones()}
    changes = parse_colored_points(stones, game.size, parse_point_color)
    color_at |= {point: color for color, point in changes}
    session.start_position(color_at, game.to_play, game.declared_handicap)


@command("gogui-setup_player")
def gogui_setup_player(session: GtpSession, color: str) -> None:
    player = parse_color(color)
    with session.changed_game() as game:
        game.to_play = player


@command("gogui-play_sequence")
def gogui_play_sequence(session: GtpSession, *moves: str) -> None:
    """Play all the moves or, if one of them is illegal, none."""
    colored_moves = parse_colored_moves(moves, session.game.size)
    with session.changed_game() as game:
        for color, move in colored_moves:
            play_or_fail(game, color, move)
