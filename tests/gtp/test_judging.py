"""Verdicts through GTP: what is searched for them, what is kept, and what becomes of a pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from goengine.board import BLACK, WHITE
from goengine.engines import make_engine
from goengine.engines.engine import Engine
from goengine.gtp import GtpSession
from goengine.points import PASS, parse_vertex
from goengine.rules.game import Game
from goengine.search.orders import Found, Order, Purpose
from tests.diagrams import game_on
from tests.gtp.readings_for_tests import move_reading, reading_as_it_stands

SETTLED = """
    . X . X O . O
    X X X X O O O
    . X . X O . O
    X X X X O O O
    . X . X O . O
    X X X X O O O
    . X . X O . O
"""
WITH_A_DEAD_STONE = """
    . X . X O . O
    X X X X O O O
    . . . X O . O
    . . O X O O O
    . . . X O . O
    X X X X O O O
    . X . X O . O
"""
OPEN = WITH_A_DEAD_STONE.replace(". . O X", ". . . X")


class WitnessEngine(Engine):
    """Proposes a pass, and finds every stone alive, or nothing settled; notes its orders."""

    def __init__(self, is_settled: bool = True, win_rate: float = 0.6) -> None:
        super().__init__(seed=0, playouts=1)
        self.is_settled = is_settled
        self.win_rate = win_rate
        self.orders: list[Order] = []

    def choose(self, game: Game, color: int) -> int:
        return PASS

    def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
        self.orders.append(order)
        reading = reading_as_it_stands(order.game or game, order.color)
        if not self.is_settled:
            reading = replace(reading, ownership=dict.fromkeys(reading.ownership, 0.1))
        stone = move_reading("B4", 90, self.win_rate)
        to_pass = move_reading("pass", 10, self.win_rate)
        return Found(PASS, replace(reading, moves=(stone, to_pass)))

    def purposes(self) -> list[Purpose]:
        return [order.purpose for order in self.orders]


def session_on(
    diagram: str, engine: Engine, rules: str = "chinese", komi: float = 0.5
) -> GtpSession:
    return GtpSession(engine=engine, game=game_on(diagram, BLACK, rules, komi))


def test_one_search_for_each_side_serves_all_questions() -> None:
    engine = WitnessEngine()
    session = session_on(SETTLED, engine)
    assert session.run_line("final_score") == "= B+6.5\n\n"
    assert [(order.purpose, order.color) for order in engine.orders] == [
        (Purpose.VERDICT, BLACK),
        (Purpose.VERDICT, WHITE),
    ]
    assert session.run_line("final_status_list dead") == "=\n\n"
    assert session.run_line("final_status A7") == "= black_territory\n\n"
    assert len(engine.orders) == 2
    session.run_line("play b A7")
    session.run_line("final_score")
    assert len(engine.orders) == 4


def test_searches_for_points_have_rules_and_parameters_of_their_own() -> None:
    engine = WitnessEngine()
    session = session_on(SETTLED, engine, "japanese")
    session.run_line("final_score")
    order = engine.orders[0]
    assert order.game is not None
    assert (order.game.rules.scoring, order.game.rules.friendly_pass) == ("area", False)
    assert order.parameters["value_scale"] == "0.5"
    assert session.game.rules.scoring == "territory"
    assert session.parameters == {}


@pytest.mark.parametrize("line", ["final_score", "final_status_list alive", "final_status A7"])
def test_where_every_stone_counts_nothing_is_searched(line: str) -> None:
    engine = WitnessEngine()
    session = session_on(WITH_A_DEAD_STONE, engine, "tromp-taylor")
    assert str(session.run_line(line)).startswith("= ")
    assert session.run_line("final_status_list dead") == "=\n\n"
    assert session.run_line("final_status_list seki") == "=\n\n"
    assert engine.orders == []


def test_without_a_search_only_what_is_certain_is_dead() -> None:
    session = session_on(WITH_A_DEAD_STONE, make_engine("random", 1, 1))
    assert session.run_line("final_status_list dead") == "=\n\n"
    certain = WITH_A_DEAD_STONE.replace(". . O X", "X . O X").replace(
        ". . . X O . O", "X X . X O . O"
    )
    session = session_on(certain, make_engine("random", 1, 1))
    assert session.run_line("final_status_list dead") == "= C4\n\n"


@pytest.mark.parametrize(
    ("is_settled", "win_rate", "komi", "played"),
    [
        (True, 0.6, 0.5, "pass"),
        (False, 0.6, 0.5, "B4"),
        (True, 0.6, 20.5, "B4"),  # lost by that count, and the search has hope
        (True, 0.05, 20.5, "pass"),  # lost by both
    ],
)
def test_a_pass_is_confirmed(is_settled: bool, win_rate: float, komi: float, played: str) -> None:
    engine = WitnessEngine(is_settled, win_rate)
    session = session_on(OPEN, engine, komi=komi)
    assert session.run_line("genmove b") == f"= {played}\n\n"
    assert engine.purposes() == [Purpose.MOVE, Purpose.VERDICT]
    judged = engine.orders[1]
    assert judged.color == WHITE
    assert judged.game is not None
    assert (judged.game.moves, judged.game.to_play) == ([], WHITE), "a pass there ends nothing"
    if played == "pass":
        session.run_line("final_score")
        assert len(engine.orders) == 2, "what the pass assumed is what counts"


def test_a_report_goes_before_the_second_search() -> None:
    session = session_on(OPEN, WitnessEngine())
    reply = str(session.run_line("kata-genmove_analyze b"))
    assert reply.startswith("=\ninfo move B4 ")
    assert reply.endswith("\nplay pass\n\n")
    assert reply.count("info move B4") == 1


@pytest.mark.parametrize(
    ("rules", "win_rate", "played"),
    [("chinese", 0.6, "B4"), ("chinese", 0.05, "pass"), ("japanese", 0.6, "pass")],
)
def test_without_time_for_a_second_search(rules: str, win_rate: float, played: str) -> None:
    """A stone that costs nothing, unless all is lost anyway, or the opponent has passed."""
    engine = WitnessEngine(win_rate=win_rate)
    session = session_on(OPEN, engine, rules)
    session.run_line("kgs-time_settings byoyomi 0 0.1 1")
    session.run_line("kata-time_settings byoyomi 0 0.1 1")
    assert session.run_line("genmove b") == f"= {played}\n\n"
    assert engine.purposes() == [Purpose.MOVE]
    session.run_line("undo")
    session.run_line("play w pass")
    assert session.run_line("genmove b") == "= pass\n\n"


def test_a_search_with_few_playouts_confirms_nothing() -> None:
    class Hasty(WitnessEngine):
        def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
            found = super().find(game, order, parameters)
            assert found.reading is not None
            return found._replace(reading=replace(found.reading, simulations=20))

    session = session_on(OPEN, Hasty())
    assert session.run_line("genmove b") == "= B4\n\n"


def test_cleaning_takes_what_is_dead_and_then_passes() -> None:
    session = session_on(WITH_A_DEAD_STONE, make_engine("mcts", 1, 1000))
    stone = parse_vertex("C4", 7)
    for _ in range(8):
        reply = session.run_line("kgs-genmove_cleanup b")
        if reply == "= pass\n\n":
            break
        assert reply != "= resign\n\n"
        session.run_line("play w pass")
    else:
        pytest.fail("it does not come to an end")
    assert session.game.board.color[stone] != WHITE


def test_errors() -> None:
    session = session_on(OPEN, WitnessEngine())
    assert "is not one of alive, dead" in str(session.run_line("final_status_list asleep"))
    assert "not a pass" in str(session.run_line("final_status pass"))
