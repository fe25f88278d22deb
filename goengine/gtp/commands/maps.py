"""Commands that search the position and tell a number for every point, rows from the top.

GoGui paints them (its type `dboard`): figures 5.1 (a) and (b) of Baudiš 2011.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError
from goengine.points import point_at
from goengine.search.orders import Found, Limits, Order, Purpose

if TYPE_CHECKING:
    from collections.abc import Callable

    from goengine.gtp.session import GtpSession
    from goengine.search.reading import SearchReading

PLAYOUTS = 10_000


@command("goengine-ownership")
def goengine_ownership(session: GtpSession) -> Order:
    """1 where black owns the point in the end, -1 where white does."""
    return _order_map(session, lambda reading: reading.ownership)


@command("goengine-criticality")
def goengine_criticality(session: GtpSession) -> Order:
    """How much more often the winner has the point in the end than by chance."""
    return _order_map(session, lambda reading: reading.criticality)


def _order_map(
    session: GtpSession, values_of: Callable[[SearchReading], Mapping[int, float]]
) -> Order:
    game = session.game
    size = game.size

    def finish(found: Found) -> str:
        if found.reading is None:
            raise GtpError("this engine does not search")
        return "\n" + format_map(values_of(found.reading), size)

    return Order(game.to_play, Purpose.ANALYSIS, Limits(PLAYOUTS), finish)


def format_map(values: Mapping[int, float], size: int) -> str:
    """A line for each row; 0 where there is no value."""
    rows = ([point_at(row, column, size) for column in range(size)] for row in range(size))
    lines = [" ".join(f"{values.get(point, 0.0):6.3f}" for point in row) for row in rows]
    return "\n".join(reversed(lines))
