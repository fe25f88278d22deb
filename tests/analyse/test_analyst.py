"""The way through a game: what is played, what is searched, for whom."""

from __future__ import annotations

import pytest

from clients.analyse.analyst import Analyst, Limits, Refused
from clients.analyse.findings import Finding, Thresholds
from clients.analyse.record import RecordError, parse_record
from tests.analyse.fake_engine import FakeEngine
from tests.analyse.records import EVERYTHING, PLAIN

pytestmark = pytest.mark.uncompiled


# For an engine that would have played all of PLAIN's moves.
AGREES = {"": "C3", "C3": "B4", "C3 B4": "D2", "C3 B4 D2": "D3"}


def analyse(
    engine: FakeEngine, data: bytes = PLAIN, numbers: list[int] | None = None
) -> list[Finding]:
    record = parse_record(data, "mine.sgf")
    chosen = numbers or [move.number for move in record.moves]
    analyst = Analyst(engine, record, Limits(50, None), Thresholds())
    analyst.load(chosen[-1], None, None)
    return list(analyst.analyse(chosen))


def test_each_position_is_searched_once_from_the_first_to_the_last() -> None:
    engine = FakeEngine(best=AGREES)
    analyse(engine)
    assert engine.searches() == [
        "black: ",
        "white: C3",
        "black: C3 B4",
        "white: C3 B4 D2",
        "black: C3 B4 D2 D3",
    ]
    assert engine.lines[:2] == ["loadsgf game.sgf", "loadsgf game.sgf 1"]
    assert [line for line in engine.lines if line.startswith("play")] == [
        "play black C3",
        "play white B4",
        "play black D2",
        "play white D3",
    ]


@pytest.mark.parametrize(
    ("numbers", "searches", "first_line"),
    [
        ([2], ["white: C3", "black: C3 B4"], "loadsgf game.sgf 3"),
        ([1, 3], ["black: ", "white: C3", "black: C3 B4", "white: C3 B4 D2"], "loadsgf game.sgf 4"),
        ([1, 4], ["black: ", "white: C3", "white: C3 B4 D2", "black: C3 B4 D2 D3"], ""),
    ],
)
def test_some_moves(numbers: list[int], searches: list[str], first_line: str) -> None:
    engine = FakeEngine(best=AGREES)
    assert [each.number for each in analyse(engine, numbers=numbers)] == numbers
    assert engine.searches() == searches
    assert not first_line or engine.lines[0] == first_line


def test_set_up_passes_and_whose_turn_it_is() -> None:
    line = ["C3", "C2", "pass", "pass", "E1", "E2"]
    engine = FakeEngine(best={" ".join(line[:n]): line[n] for n in range(6)})
    analyse(engine, EVERYTHING)
    assert engine.searches() == [
        "white: ",
        "black: C3",
        "white: C3 C2",
        "black: C3 C2 pass",
        "white: C3 C2 pass pass",
        "white: C3 C2 pass pass",  # stones were set up meanwhile
        "black: C3 C2 pass pass E1",
        "white: C3 C2 pass pass E1 E2",
    ]
    assert "loadsgf game.sgf 5" in engine.lines


def test_one_colour_twice_is_two_searches_of_a_position() -> None:
    engine = FakeEngine({"C3": 0.7}, {"": "C3", "C3": "D2"})
    first, second = analyse(engine, b"(;SZ[5];B[cc];B[dd])")
    assert engine.searches() == ["black: ", "white: C3", "black: C3", "white: C3 D2"]
    assert (first.win_rate_after, second.win_rate_before) == (0.7, 0.7)


@pytest.mark.parametrize(
    ("after_best", "loss", "grade"),
    [(0.45, 0.15, "mistake"), (0.55, 0.25, "blunder"), (0.3, 0, "good"), (0.2, 0, "good")],
)
def test_another_choice_is_searched_too(after_best: float, loss: float, grade: str) -> None:
    engine = FakeEngine({"C3": 0.3, "E5": after_best}, {"": "E5"})
    finding = analyse(engine, numbers=[1])[0]
    assert engine.lines[2:] == [
        "search black: ",
        "play black E5",
        "search white: E5",
        "undo",
        "play black C3",
        "search white: C3",
    ]
    assert (finding.win_rate_before, finding.win_rate_after) == (0.5, 0.3)
    assert (finding.best.move, finding.best.win_rate) == ("E5", after_best)
    assert (finding.loss, finding.grade) == (loss, grade)
    assert finding.best.variation == ["E5", "A1", "B1"]


def test_an_illegal_move_is_named() -> None:
    engine = FakeEngine()
    engine.refusals["loadsgf"] = "cannot load file: game.sgf: W[bb] at move 2: illegal move"
    with pytest.raises(RecordError) as error:
        analyse(engine)
    assert str(error.value) == (
        "mine.sgf: W[bb] at move 2: illegal move; --moves 1-1 analyses what comes before"
    )


def test_an_engine_that_fails() -> None:
    engine = FakeEngine()
    engine.refusals["kata-analyze"] = "cannot analyse: only the engine mcts can"
    with pytest.raises(Refused, match="the search failed: cannot analyse: only"):
        analyse(engine)
