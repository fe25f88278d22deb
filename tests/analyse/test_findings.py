"""Whose win rate it is, what a move costs, and what the game comes to."""

from __future__ import annotations

from itertools import pairwise

import pytest

from clients.analyse.findings import Finding, Grade, Thresholds, find, largest_losses
from clients.analyse.reading import Candidate, Reading
from clients.analyse.record import Color, RecordedMove
from clients.analyse.summary import summarise, turning_point
from clients.analyse.wording import remark, score, summary_line

pytestmark = pytest.mark.uncompiled


def reading(win_rate: float, best: str = "A1", points: float | None = None) -> Reading:
    others = (Candidate("B2", 10, 0.25, ("B2",)), Candidate("C3", 0, 0.05, ("C3",)))
    return Reading(100, win_rate, points, (Candidate(best, 90, 0.7, (best, "E5")), *others))


def finding(
    color: Color, before: float, after: float, number: int = 1, vertex: str = "B2"
) -> Finding:
    """`before` and `after` are the mover's; after the best move it would be as before."""
    move = RecordedMove(number, color, vertex, None, False)
    after_best = reading(1 - after if vertex == "A1" else 1 - before, "E5")
    return find(move, reading(before), reading(1 - after), after_best, Thresholds())


@pytest.mark.parametrize(
    ("color", "before", "after", "black_before", "black_after"),
    [("black", 0.6, 0.4, 0.6, 0.4), ("white", 0.6, 0.4, 0.4, 0.6), ("white", 0.1, 0.3, 0.9, 0.7)],
)
def test_whose_win_rate(
    color: Color, before: float, after: float, black_before: float, black_after: float
) -> None:
    found = finding(color, before, after)
    assert (found.win_rate_before, found.win_rate_after) == (before, after)
    assert (found.black_win_rate_before, found.black_win_rate_after) == (black_before, black_after)
    assert found.loss == pytest.approx(max(0, before - after))


@pytest.mark.parametrize(("color", "scores"), [("black", (3, 2.5)), ("white", (-3, -2.5))])
def test_scores_are_blacks(color: Color, scores: tuple[float, float]) -> None:
    move = RecordedMove(1, color, "B2", None, False)
    after = reading(0.5, points=-2.5)
    found = find(move, reading(0.5, points=3), after, after, Thresholds())
    assert (found.score_before, found.score_after) == scores


def test_how_likely_it_was() -> None:
    found = finding("black", 0.5, 0.5)
    assert (found.rank, found.prior, found.visits, found.playouts) == (2, 0.25, 10, 100)
    found = finding("black", 0.5, 0.5, vertex="D4")
    assert (found.rank, found.prior, found.visits, found.playouts) == (None, 0, 0, 100)


def test_the_engines_own_move_costs_nothing() -> None:
    found = finding("black", 0.9, 0.1, vertex="A1")
    assert (found.loss, found.grade, found.agrees) == (0, "good", True)


@pytest.mark.parametrize(
    ("loss", "grade"),
    [(0, "good"), (0.0499, "good"), (0.05, "doubtful"), (0.1, "mistake"), (0.2, "blunder")],
)
def test_grades(loss: float, grade: Grade) -> None:
    assert Thresholds().grade(loss) == grade


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ([0.6, 0.7, 0.8], None),
        ([0.6, 0.4, 0.3], 1),
        ([0.6, 0.4, 0.7, 0.2, 0.1], 3),
        ([0.6, 0.5, 0.4], 2),
        ([0.5, 0.5, 0.6], None),
        ([0.4, 0.5, 0.3], None),
    ],
)
def test_turning_point(rates: list[float], expected: int | None) -> None:
    """`rates` are Black's, before the first move and after each."""
    findings = []
    for number, (before, after) in enumerate(pairwise(rates), start=1):
        findings.append(finding("black", before, after, number))
    assert turning_point(findings) == expected


def test_summary() -> None:
    findings = [
        finding("black", 0.6, 0.3, 1),
        finding("white", 0.7, 0.6, 2, "A1"),
        finding("black", 0.4, 0.3, 3),
        finding("white", 0.7, 0.7, 4),
    ]
    summary = summarise(findings, {"black": "Ko", "white": "An"})
    black, white = summary.players
    assert (black.moves, black.average_loss, black.agreements) == (2, 0.2, 0)
    assert black.grades == {"good": 0, "doubtful": 0, "mistake": 1, "blunder": 1}
    assert (white.moves, white.average_loss, white.agreements) == (2, 0, 1)
    assert (summary.turning_point, summary.leader) == (1, "white")
    assert summary_line(summary, findings) == (
        "Ko: average loss 20.0 %, 0 of 2 moves as goengine (0 %). "
        "An: average loss 0.0 %, 1 of 2 moves as goengine (50 %). "
        "Turning point: move 1, Black B2."
    )
    assert [each.number for each in largest_losses(findings, "black", 5)] == [1, 3]
    assert [each.number for each in largest_losses(findings, "black", 1)] == [1]
    assert largest_losses(findings, "white", 5) == []


def test_summary_of_one_player() -> None:
    findings = [finding("black", 0.6, 0.6)]
    summary = summarise(findings, {"black": "Black", "white": "White"})
    line = summary_line(summary, findings)
    assert line.endswith("White: no moves. No turning point: Black is ahead all the way.")


def test_remark() -> None:
    assert remark(finding("white", 0.6, 0.35)) == (
        "White B2: White's win rate 60.0 % -> 35.0 %, loses 25.0 %: blunder\n"
        "goengine's choice: A1 60.0 %, A1 E5 E5\n"
        "Score ? -> ?; choice 2, expected 25.0 %, 10.0 % of the playouts"
    )


@pytest.mark.parametrize(
    ("points", "text"), [(3.5, "B+3.5"), (-0.04, "0"), (-0.05, "W+0.1"), (0, "0"), (None, "?")]
)
def test_scores_in_words(points: float | None, text: str) -> None:
    assert score(points) == text
