"""Commands that play, choose and take back moves."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from goengine.endgame.passing import choose_cleaning_move
from goengine.gtp.judging import for_points, order_if_pass, points_parameters
from goengine.gtp.parsing import parse_color, parse_integer, parse_move
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError
from goengine.gtp.reporting import format_result
from goengine.gtp.resigning import Patience
from goengine.points import RESIGN, format_vertex
from goengine.rules.game import Game, IllegalMove
from goengine.search.orders import Found, Order, Purpose

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("play")
def play(session: GtpSession, color: str, vertex: str) -> None:
    """The same colour may play twice in a row."""
    player = parse_color(color)
    move = parse_move(vertex, session.game.size)
    with session.changed_game() as game:
        play_or_fail(game, player, move)


@command("genmove")
def genmove(session: GtpSession, color: str) -> Order:
    """Choose a move and play it, or resign."""
    player = parse_color(color)
    return order_move(session, player, lambda found: play_found(session, player, found))


@command("reg_genmove")
def reg_genmove(session: GtpSession, color: str) -> Order:
    """Choose a move and do not play it."""
    size = session.game.size
    return order_move(session, parse_color(color), lambda found: format_vertex(found.move, size))


@command("kgs-genmove_cleanup")
def kgs_genmove_cleanup(session: GtpSession, color: str) -> Order:
    """The same, with no pass before all dead stones of the opponent are taken."""
    player, game = parse_color(color), for_points(session.game)

    def finish(found: Found) -> str:
        if found.reading is None:
            return play_found(session, player, found)
        move = choose_cleaning_move(game, player, found.reading).move
        return play_found(session, player, found._replace(move=move))

    limits = session.limits_for(player)
    parameters = points_parameters(game)
    return Order(player, Purpose.MOVE, limits, finish, game=game, parameters=parameters)


def order_move(session: GtpSession, color: int, finish: Callable[[Found], str]) -> Order:
    limits = session.limits_for(color)
    deadline = time.monotonic() + (math.inf if limits.deadline is None else limits.deadline)

    def finish_move(found: Found) -> str | Order:
        return order_if_pass(session, color, found, deadline, finish)

    return Order(color, Purpose.MOVE, limits, finish_move)


def play_found(session: GtpSession, color: int, found: Found) -> str:
    """Play what a search found, or resign, which leaves the board as it is. Returns its vertex."""
    patience = Patience.of(session.game.size, session.parameters)
    is_lost = patience.is_lost(session.game, color, found)
    n_lost = session.n_lost[color] + 1 if is_lost else 0
    move = RESIGN if n_lost >= patience.resign_moves else found.move
    if move != RESIGN:
        with session.changed_game() as game:
            game.play(color, move)
        session.engine_colors.add(color)
    session.n_lost[color] = n_lost
    vertex = format_vertex(move, session.game.size)
    session.last_result = (
        format_result(found.reading, color, vertex, found.pondered) if found.reading else ""
    )
    return vertex


@command("undo")
def undo(session: GtpSession) -> None:
    _take_back(session, 1)


@command("gg-undo")
def gg_undo(session: GtpSession, n_moves: str = "1") -> None:
    _take_back(session, parse_integer(n_moves))


@command("clear_cache")
def clear_cache(session: GtpSession) -> None:
    """Forget earlier searches."""
    session.n_forgotten += 1


def play_or_fail(game: Game, color: int, move: int) -> None:
    """Play in place; GtpError if the client asks for an illegal move."""
    try:
        game.play(color, move)
    except IllegalMove as error:
        raise GtpError(str(error)) from None


def _take_back(session: GtpSession, n_moves: int) -> None:
    n_played = len(session.game.moves)
    if not 1 <= n_moves <= n_played:
        raise GtpError(f"cannot undo: {n_moves} of {n_played} moves")
    with session.changed_game() as game:
        game.undo(n_moves)
    session.forget_losing()
