"""Reports in JSON: one line each, in Pachi's form."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from goengine.board import BLACK, WHITE
from goengine.engines.mcts import MctsEngine
from goengine.gtp import GtpSession
from goengine.gtp.reporting import format_frame, format_move, format_result
from goengine.points import format_vertex
from goengine.search.orders import Pondered
from tests.gtp.engines_for_tests import FirstLegalEngine
from tests.gtp.readings_for_tests import fixed_reading, without_visits

pytestmark = pytest.mark.uncompiled

CANDIDATES = (
    '"can": [[{"C3": [0.55, 60]}, {"B2": [null, 20]}, {"pass": [null, 5]}], '
    '[{"A2": [0.5, 40]}, {"C1": [null, 30]}]]'
)
BOARDS = '"boards": {"territory": [1000, 1000, 1000, 500, 500, 500, 800, 500, 500]}'


def test_frame() -> None:
    assert format_frame(fixed_reading(), 0.45) == (
        '{"frame": {"playouts": 100, "progress": 0.45, "extrakomi": 0.0, "best": {"C3": 0.55}, '
        f'{CANDIDATES}, "avg": {{"score": 2.5}}, {BOARDS}}}}}'
    )


def test_move() -> None:
    rest = f'"choice": "C3", "winrate": 0.55, {CANDIDATES}, {BOARDS}'
    assert format_move(fixed_reading(), "C3") == (
        f'{{"move": {{"playouts": 100, "kept": 10, {rest}}}}}'
    )
    pondered = '"pondered": {"made": 50, "used": 7, "expected": true}'
    assert format_move(fixed_reading(), "C3", Pondered(50, 7, True)) == (
        f'{{"move": {{"playouts": 100, "kept": 10, {pondered}, {rest}}}}}'
    )


SHIFTED = replace(fixed_reading(), extra_komi=-7.0, real_win_rate=0.91234)


def test_extra_komi_is_told_beside_the_real_win_rate() -> None:
    frame = json.loads(format_frame(SHIFTED, None))["frame"]
    assert (frame["extrakomi"], frame["realwinrate"], frame["best"]) == (-7, 0.9123, {"C3": 0.55})
    move = json.loads(format_move(SHIFTED, "C3"))["move"]
    assert (move["extrakomi"], move["realwinrate"], move["winrate"]) == (-7, 0.9123, 0.55)
    assert format_result(SHIFTED, BLACK, "C3") == "black C3 90 0.5500 -7.0 10"


def test_score_and_territory_are_blacks_whoever_is_to_move() -> None:
    black = json.loads(format_frame(fixed_reading(), None))["frame"]
    white = json.loads(format_frame(fixed_reading(to_play=WHITE), None))["frame"]
    assert (white["avg"], white["boards"]) == (black["avg"], black["boards"])


@pytest.mark.parametrize(
    ("progress", "told"), [(0.0, 0.0), (1.0, 1.0), (1.2, 1.0), (-1.0, 0.0), (1 / 3, 0.3333)]
)
def test_progress(progress: float, told: float) -> None:
    assert json.loads(format_frame(fixed_reading(), progress))["frame"]["progress"] == told


def test_no_end_no_progress() -> None:
    assert "progress" not in json.loads(format_frame(fixed_reading(), None))["frame"]


def test_the_beginning() -> None:
    reading = without_visits(fixed_reading())
    assert format_frame(reading, 0.0) == (
        '{"frame": {"playouts": 0, "progress": 0.0, "extrakomi": 0.0, "best": {}, "can": []}}'
    )
    assert format_move(reading, "pass") == (
        '{"move": {"playouts": 0, "kept": 0, "choice": "pass", "winrate": null, "can": []}}'
    )


def test_a_choice_without_visits_has_the_roots_win_rate() -> None:
    for choice in ("pass", "B1"):
        assert json.loads(format_move(fixed_reading(), choice))["move"]["winrate"] == 0.53


def test_four_candidates_at_most() -> None:
    reading = fixed_reading()
    reading = replace(reading, moves=reading.moves[:2] * 4)
    assert len(json.loads(format_frame(reading, None))["frame"]["can"]) == 4


def test_the_command() -> None:
    session = GtpSession(engine=FirstLegalEngine())
    assert session.report_format == ""
    assert session.run_line("1 goengine-report json") == "=1\n\n"
    assert session.report_format == "json"
    assert session.run_line("goengine-report xml") == (
        "? syntax error: 'xml' is not one of json, none\n\n"
    )
    assert session.run_line("goengine-report") == (
        "? syntax error: usage: goengine-report REPORT_FORMAT\n\n"
    )
    assert session.report_format == "json"
    assert session.run_line("goengine-report none") == "=\n\n"
    assert session.report_format == ""


def test_result_as_pachi_tells_it() -> None:
    reading = fixed_reading()
    best = format_vertex(reading.moves[0].move, reading.size)
    rate = reading.moves[0].win_rate
    line = format_result(reading, WHITE, best)
    assert line == f"white {best} 90 {rate:.4f} 0.0 10"
    pondered = format_result(reading, WHITE, best, Pondered(50, 7, True))
    assert pondered == f"{line} 7 50 expected"
    assert format_result(reading, WHITE, best, Pondered(50, 0, False)) == f"{line} 0 50 unexpected"
    assert format_result(reading, BLACK, "resign").split()[3] == "0.5300"


def test_result_is_unknown_before_a_search_and_after_an_engine_that_does_not_search() -> None:
    session = GtpSession(engine=FirstLegalEngine())
    assert session.run_line("1 pachi-result") == "?1 unknown: no move was searched yet\n\n"
    session.run_line("genmove b")
    assert session.run_line("pachi-result") == "? unknown: no move was searched yet\n\n"


def test_result_is_that_of_the_last_move_played() -> None:
    session = GtpSession(engine=MctsEngine(1, 300))
    session.run_line("boardsize 5")
    vertex = (session.run_line("genmove b") or "").split()[1]
    words = (session.run_line("pachi-result") or "").split()
    assert words[:4] == ["=", "black", vertex, "300"]
    assert 0 < float(words[4]) < 1
