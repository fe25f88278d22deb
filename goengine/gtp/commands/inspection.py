"""Commands that only look at the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.board import BLACK, WHITE, chain_stones
from goengine.endgame.dame import find_remains
from goengine.endgame.passing import dead_stones_count
from goengine.endgame.verdict import Verdict, score_by
from goengine.gtp.diagram import format_board
from goengine.gtp.judging import order_verdict
from goengine.gtp.parsing import parse_color, parse_point
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError, quote
from goengine.points import all_points, format_vertex
from goengine.rules.game import Game
from goengine.rules.scoring import format_score

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession
    from goengine.search.orders import Order

_STATUSES = ("alive", "dead", "seki", "black_territory", "white_territory", "dame")


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
def final_score(session: GtpSession) -> str | Order:
    """The score by the rules of the game, dead stones taken off where the rules say so."""
    game = session.game
    return order_verdict(session, lambda verdict: format_score(score_by(game, verdict)))


@command("final_status_list")
def final_status_list(session: GtpSession, status: str) -> str | Order:
    """Every chain, or region, of that status on a line of its own."""
    if status not in _STATUSES:
        raise GtpError(f"syntax error: {quote(status)} is not one of {', '.join(_STATUSES)}")
    game = session.game
    return order_verdict(session, lambda verdict: _list_status(game, verdict, status))


@command("final_status")
def final_status(session: GtpSession, vertex: str) -> str | Order:
    """What becomes of a point."""
    game, point = session.game, parse_point(vertex, session.game.size)
    return order_verdict(session, lambda verdict: statuses_by(game, verdict)[point])


def statuses_by(game: Game, verdict: Verdict) -> dict[int, str]:
    """One of GNU Go's words for every point."""
    is_as_it_stands = dead_stones_count(game.rules)
    in_seki = frozenset() if is_as_it_stands else find_remains(game, verdict.dead).seki
    owner = score_by(game, verdict).ownership
    statuses: dict[int, str] = {}
    for point in all_points(game.size):
        if game.board.color[point] in (BLACK, WHITE):
            statuses[point] = "seki" if point in in_seki else "alive"
        else:
            statuses[point] = {1: "black_territory", -1: "white_territory"}.get(
                int(owner[point]), "dame"
            )
    return statuses | dict.fromkeys(verdict.dead, "dead")


def _list_status(game: Game, verdict: Verdict, status: str) -> str:
    statuses = statuses_by(game, verdict)
    left = [point for point in all_points(game.size) if statuses[point] == status]
    if status in ("alive", "dead", "seki"):
        lines = []
        while left:
            chain = chain_stones(game.board, left[0])
            left = [point for point in left if point not in chain]
            lines.append(chain)
    else:
        lines = [left] if left else []
    return "\n".join(
        " ".join(format_vertex(point, game.size) for point in sorted(line)) for line in lines
    )
