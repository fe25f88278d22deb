"""Maps for people: a number for every point, rows from the top."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from goengine.gtp import GtpSession
from goengine.gtp.commands.maps import PLAYOUTS
from goengine.points import all_points, parse_vertex
from goengine.rules.game import Game
from goengine.search.orders import Found, Order
from tests.gtp.engines_for_tests import FirstLegalEngine
from tests.gtp.readings_for_tests import ReadingEngine, fixed_reading

pytestmark = pytest.mark.uncompiled


class CriticalEngine(ReadingEngine):
    def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
        self.orders.append(order)
        critical = dict.fromkeys(all_points(3), 0.0)
        critical |= {parse_vertex("C3", 3): 0.25, parse_vertex("A2", 3): -0.5}
        return Found(0, replace(fixed_reading(3, order.color), criticality=critical))


def test_criticality_of_every_point() -> None:
    session = GtpSession(engine=CriticalEngine())
    session.run_line("boardsize 3")
    assert session.run_line("7 goengine-criticality") == (
        "=7\n"
        " 0.000  0.000  0.250\n"
        "-0.500  0.000  0.000\n"
        " 0.000  0.000  0.000\n\n"
    )  # fmt: skip


def test_ownership_is_blacks_whoever_is_to_move() -> None:
    engine = ReadingEngine()
    session = GtpSession(engine=engine)
    session.run_line("boardsize 3")
    black = session.run_line("goengine-ownership")
    session.run_line("play b B2")
    assert session.run_line("goengine-ownership") == black
    assert black == (
        "=\n"
        " 1.000  1.000  1.000\n"
        " 0.000  0.000  0.000\n"
        " 0.600  0.000  0.000\n\n"
    )  # fmt: skip
    assert [order.limits.playouts for order in engine.orders] == [PLAYOUTS] * 2


def test_an_engine_that_does_not_search_has_no_map() -> None:
    reply = GtpSession(engine=FirstLegalEngine()).run_line("goengine-criticality")
    assert reply == "? this engine does not search\n\n"
