"""Who is dead, by searches for points; what was found about a position is kept with the session.

These searches count every stone in the end and have no other aim than points, so both sides
take what they can and save what they can.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from goengine.board import BLACK, WHITE
from goengine.endgame.passing import (
    choose_to_the_end,
    confirms_pass,
    dead_stones_count,
    is_lost,
    moves_with_sense,
)
from goengine.endgame.verdict import Ownership, Verdict, judge
from goengine.points import PASS
from goengine.rules.game import Game, opponent
from goengine.search.orders import Found, Limits, Order, Purpose

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession

PLAYOUTS = 2000  # with one side to begin
LEAST_PLAYOUTS = 500  # with fewer, a search under a clock does not count
HANDOVER = 0.15  # seconds that one more search may take to begin and to end


def position_of(game: Game) -> tuple[object, ...]:
    """What a verdict is about."""
    return game.size, int(game.board.hash), game.rules


def for_points(game: Game) -> Game:
    """The same game, where every stone on the board counts in the end."""
    copy = game.copy()
    copy.rules = replace(game.rules, scoring="area", friendly_pass=False)
    return copy


def _going_on(game: Game, color: int) -> Game:
    """The same for the stones alone, without the passes: `color` goes on as if there were none."""
    stones = game.stones()
    black = [point for stone, point in stones if stone == BLACK]
    white = [point for stone, point in stones if stone == WHITE]
    position = Game(game.size, for_points(game).rules, game.white_bonus)
    position.set_up(black, white, color)
    return position


def points_parameters(game: Game) -> dict[str, str]:
    """Of a search in `for_points`: a result is worth its margin, and nothing is left untried."""
    return {
        "policy": "ucb1",
        "exploration": "0.4",
        "value_scale": "0.5",
        "value_range": str(game.size * game.size),
        "value_scaling": "fixed",
        "dynamic_komi": "none",
    }


def order_verdict(session: GtpSession, finish: Callable[[Verdict], str]) -> str | Order:
    """Finish with the verdict on the present position; what is not known is searched."""
    game = session.game
    if dead_stones_count(game.rules):
        return finish(Verdict(frozenset(), True))
    if session.judged is not None and session.judged[0] == position_of(game):
        return finish(session.judged[1])

    def go_on(black_first: Found) -> Order:
        return _order(game, WHITE, lambda found: decide(black_first, found))

    def decide(black_first: Found, white_first: Found) -> str:
        verdict = judge(game, _ownership(black_first), _ownership(white_first))
        session.judged = (position_of(game), verdict)
        return finish(verdict)

    return _order(game, BLACK, go_on)


def order_if_pass(
    session: GtpSession, color: int, found: Found, deadline: float, finish: Callable[[Found], str]
) -> str | Order:
    """Finish with what was found; a pass only if a search for points agrees.

    deadline    when the move has to be made, by time.monotonic()
    """
    game, reading = session.game, found.reading
    if found.move != PASS or reading is None or found.is_cut_off or dead_stones_count(game.rules):
        return finish(found)
    if not moves_with_sense(game, color, reading):
        return finish(found)
    otherwise = found._replace(move=choose_to_the_end(game, color, reading).move)
    seconds = deadline - time.monotonic() - HANDOVER
    if seconds <= 0:
        is_over = game.is_over_after_pass_of(color)
        stone_costs = game.rules.scoring == "territory"
        return finish(found if is_over or stone_costs or is_lost(reading) else otherwise)

    def decide(judged: Found) -> str:
        if (
            judged.reading is None
            or judged.reading.simulations < LEAST_PLAYOUTS
            or not confirms_pass(game, color, reading, judged.reading)
        ):
            return finish(otherwise)
        ownership = judged.reading.ownership
        session.judged = (position_of(game), judge(game, ownership, ownership))
        return finish(found)

    return _order(game, opponent(color), decide, seconds)


def _order(
    game: Game,
    color: int,
    finish: Callable[[Found], str | Order],
    seconds: float = math.inf,
) -> Order:
    return Order(
        color,
        Purpose.VERDICT,
        Limits(PLAYOUTS, None if seconds == math.inf else seconds),
        finish,
        game=_going_on(game, color),
        parameters=points_parameters(game),
    )


def _ownership(found: Found) -> Ownership | None:
    return found.reading.ownership if found.reading else None
