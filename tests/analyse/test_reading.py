"""Lines of `kata-analyze`, read."""

from __future__ import annotations

import pytest

from clients.analyse.reading import BadReading, Candidate, parse_reading
from goengine.gtp.analysis import AnalysisOptions, format_analysis
from tests.gtp.readings_for_tests import fixed_reading

pytestmark = pytest.mark.uncompiled


def test_what_the_engine_writes_is_read() -> None:
    options = AnalysisOptions("kata", min_moves=100, flags=frozenset(["rootInfo"]))
    reading = parse_reading(format_analysis(fixed_reading(), options))
    assert (reading.visits, reading.score, reading.win_rate) == (100, 2.5, 0.53)
    assert [each.vertex for each in reading.candidates] == ["C3", "A2", "B1", "pass"]
    assert reading.best.variation == ("C3", "B2", "pass")
    assert reading.best.visits == 60
    assert sum(each.prior for each in reading.candidates) == pytest.approx(1, abs=1e-4)
    assert (reading.rank("pass"), reading.rank("D4")) == (4, None)
    assert reading.candidate("A2") == Candidate("A2", 40, reading.candidates[1].prior, ("A2", "C1"))
    assert reading.candidate("D4") is None


def test_scores_may_be_missing() -> None:
    line = "info move A1 visits 1 winrate 0.25 prior 1 order 0 pv A1 rootInfo visits 3 winrate 0.5"
    reading = parse_reading(line)
    assert reading.score is None
    assert reading.win_rate == 0.5


@pytest.mark.parametrize(
    "line",
    [
        "",
        "rootInfo visits 3",
        "info move A1",
        "info move A1 visits x winrate 1 prior 1",
        "info a",
        "info move A1 visits 1 winrate 1 prior 1 pv A1",
    ],
)
def test_lines_that_say_nothing(line: str) -> None:
    with pytest.raises(BadReading):
        parse_reading(line)
