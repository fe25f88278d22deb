"""The three dialects of an analysis: word for word, and read back by a strict reader."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from goengine.board import BLACK, WHITE
from goengine.gtp.analysis import (
    FLAGS,
    AnalysisOptions,
    Dialect,
    format_analysis,
    lower_bound,
)
from goengine.points import parse_vertex
from tests.gtp.readings_for_tests import fixed_reading, without_visits

pytestmark = pytest.mark.uncompiled

LZ_LINE = (
    "info move C3 visits 60 winrate 5500 prior 3333 lcb 4249 order 0 pv C3 B2 pass "
    "info move A2 visits 40 winrate 5000 prior 3333 lcb 3520 order 1 pv A2 C1"
)
KATA_LINE = (
    "info move C3 visits 60 edgeVisits 60 utility 0.1 winrate 0.55 scoreMean 2.5 scoreStdev 12.25 "
    "scoreLead 2.5 scoreSelfplay 2.5 prior 0.333333 lcb 0.424917 utilityLcb -0.150166 weight 60 "
    "order 0 pv C3 B2 pass "
    "info move A2 visits 40 edgeVisits 40 utility 0 winrate 0.5 scoreMean 2.5 scoreStdev 12.25 "
    "scoreLead 2.5 scoreSelfplay 2.5 prior 0.333333 lcb 0.351993 utilityLcb -0.296014 weight 40 "
    "order 1 pv A2 C1"
)
SABAKI_MOVE = (
    "info move C3 visits 60 edgeVisits 60 utility 0.100000 winrate 0.550000 scoreMean -2.500000 "
    "scoreStdev 12.250000 scoreLead -2.500000 scoreSelfplay -2.500000 prior 0.333333 "
    "lcb 0.424917 utilityLcb -0.150166 weight 60.000000 order 0 pv C3 B2 pass"
)


def test_lz() -> None:
    assert format_analysis(fixed_reading(), AnalysisOptions("lz")) == LZ_LINE


def test_kata() -> None:
    assert format_analysis(fixed_reading(), AnalysisOptions("kata")) == KATA_LINE


def test_sabaki() -> None:
    """Score and owners are those of the player to move, here white."""
    options = AnalysisOptions("sabaki", max_moves=1)
    assert format_analysis(fixed_reading(to_play=WHITE), options) == SABAKI_MOVE


def test_everything_that_kata_can_ask_for() -> None:
    options = AnalysisOptions("kata", max_moves=1, flags=frozenset(FLAGS))
    assert format_analysis(fixed_reading(to_play=WHITE), options) == (
        "info move C3 visits 60 edgeVisits 60 utility 0.1 winrate 0.55 scoreMean -2.5 "
        "scoreStdev 12.25 scoreLead -2.5 scoreSelfplay -2.5 prior 0.333333 lcb 0.424917 "
        "utilityLcb -0.150166 weight 60 order 0 pv C3 B2 pass pvVisits 60 20 5 "
        "pvEdgeVisits 60 20 5 "
        "rootInfo visits 100 utility 0.06 winrate 0.53 scoreMean -2.5 scoreStdev 12.25 "
        "scoreLead -2.5 scoreSelfplay -2.5 weight 100 "
        "ownership -1 -1 -1 0 0 0 -0.6 0 0 "
        "ownershipStdev 0 0 0 1 1 1 0.8 1 1"
    )


def test_a_move_without_visits_is_listed_if_asked_for() -> None:
    options = AnalysisOptions("lz", min_moves=3)
    assert format_analysis(fixed_reading(), options) == (
        LZ_LINE + " info move B1 visits 0 winrate 5300 prior 2667 lcb 0 order 2 pv B1"
    )


@pytest.mark.parametrize(
    ("min_moves", "max_moves", "n_listed"),
    [(0, None, 2), (1, None, 2), (4, None, 4), (99, None, 4), (0, 1, 1), (4, 3, 3), (0, 99, 2)],
)
def test_number_of_moves(min_moves: int, max_moves: int | None, n_listed: int) -> None:
    options = AnalysisOptions("lz", min_moves, max_moves)
    assert format_analysis(fixed_reading(), options).count("info move") == n_listed


@pytest.mark.parametrize("dialect", ["lz", "kata", "sabaki"])
def test_nothing_is_reported_before_the_first_visit(dialect: Dialect) -> None:
    options = AnalysisOptions(dialect, min_moves=3, flags=frozenset(FLAGS))
    assert format_analysis(without_visits(fixed_reading()), options) == ""


def test_what_is_not_known_is_left_out() -> None:
    reading = replace(fixed_reading(), score=None, score_stdev=None)
    assert "score" not in format_analysis(reading, AnalysisOptions("kata"))
    reading = replace(fixed_reading(), score_stdev=None)
    text = format_analysis(reading, AnalysisOptions("kata"))
    assert "scoreStdev" not in text
    assert "scoreLead 2.5" in text


def test_priors_are_shares() -> None:
    moves = tuple(move._replace(prior_visits=0.0) for move in fixed_reading().moves)
    text = format_analysis(replace(fixed_reading(), moves=moves), AnalysisOptions("lz"))
    assert text.count("prior 2500") == 2


@pytest.mark.parametrize("win_rate", [0.0, 0.25, 0.5, 0.9, 1.0])
def test_the_lower_bound_comes_nearer_with_visits(win_rate: float) -> None:
    bounds = [lower_bound(win_rate, visits) for visits in (0, 1, 10, 100, 10**4, 10**9)]
    assert bounds == sorted(bounds)
    assert bounds[0] == 0.0
    assert bounds[-1] <= win_rate + 1e-12
    assert math.isclose(bounds[-1], win_rate, abs_tol=1e-3)


# A reader that takes nothing but what the protocol says.

INTEGER = re.compile(r"[0-9]+")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+")
SCORES = {"scoreMean", "scoreStdev", "scoreLead", "scoreSelfplay"}
ROOT = SCORES | {"utility", "winrate", "weight"}
FIELDS = {
    "lz": {"winrate", "prior", "lcb"},
    "kata": ROOT | {"prior", "lcb", "utilityLcb"},
    "sabaki": ROOT | {"prior", "lcb", "utilityLcb"},
}
FORMS = {"lz": INTEGER, "kata": NUMBER, "sabaki": DECIMAL}
LISTS = {"pv", "pvVisits", "pvEdgeVisits", "ownership", "ownershipStdev"}
KEYS = {"info", "rootInfo", "move", "visits", "edgeVisits", "order"} | LISTS | ROOT | FIELDS["kata"]


@dataclass
class Info:
    whole: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    move: str = ""


@dataclass
class Analysis:
    moves: list[Info] = field(default_factory=list)
    root: Info | None = None
    boards: dict[str, list[float]] = field(default_factory=dict)


def read_analysis(line: str, dialect: Dialect) -> Analysis:
    """Raises AssertionError for anything that is not as it should be."""
    assert line == " ".join(line.split())
    analysis, info = Analysis(), Info()
    for key, values in sections(line.split(" ")):
        if key == "info":
            assert analysis.root is None
            assert not analysis.boards
            analysis.moves.append(info := Info())
        elif key == "rootInfo":
            assert analysis.root is None
            analysis.root = info = Info()
        elif key in ("ownership", "ownershipStdev"):
            assert all(FORMS[dialect].fullmatch(value) for value in values)
            analysis.boards[key] = [float(value) for value in values]
        elif key in LISTS:
            info.lists[key] = values
        elif key == "move":
            (info.move,) = values
        elif key in ("visits", "edgeVisits", "order"):
            assert INTEGER.fullmatch(values[0])
            info.whole[key] = int(values[0])
        else:
            assert key in FIELDS[dialect]
            assert FORMS[dialect].fullmatch(values[0]), (key, values)
            assert key not in info.numbers
            info.numbers[key] = float(values[0])
    return analysis


def sections(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Keys with their values: none for info and rootInfo, some for lists, else one."""
    at = 0
    while at < len(words):
        key = words[at]
        assert key in KEYS, key
        end = at + 1
        while end < len(words) and words[end] not in KEYS:
            end += 1
        values = words[at + 1 : end]
        if key in ("info", "rootInfo"):
            assert not values
        elif key in LISTS:
            assert values
        else:
            assert len(values) == 1, key
        yield key, values
        at = end


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("min_moves", [0, 4])
@pytest.mark.parametrize("dialect", ["lz", "kata", "sabaki"])
def test_read_back(dialect: Dialect, min_moves: int, to_play: int) -> None:
    flags = frozenset() if dialect == "lz" else frozenset(FLAGS)
    reading = fixed_reading(size=5, to_play=to_play)
    options = AnalysisOptions(dialect, min_moves=min_moves, flags=flags)
    analysis = read_analysis(format_analysis(reading, options), dialect)
    scale = 10_000 if dialect == "lz" else 1
    assert len(analysis.moves) == max(2, min_moves)
    for order, (info, move) in enumerate(zip(analysis.moves, reading.moves, strict=False)):
        assert parse_vertex(info.move, 5) == move.move
        assert info.whole["order"] == order
        assert info.whole["visits"] == move.visits
        assert set(info.numbers) == FIELDS[dialect]
        assert tuple(parse_vertex(each, 5) for each in info.lists["pv"]) == move.variation
        assert info.numbers["winrate"] == scale * (0.53 if move.win_rate is None else move.win_rate)
        assert 0 <= info.numbers["lcb"] <= info.numbers["winrate"] <= scale
        if dialect != "lz":
            assert info.whole["edgeVisits"] == move.visits
            for key in ("pvVisits", "pvEdgeVisits"):
                assert tuple(int(each) for each in info.lists[key]) == move.variation_visits
    if dialect == "lz":
        assert analysis.root is None
        assert not analysis.boards
        return
    side = 1 if to_play == BLACK else -1
    assert analysis.root is not None
    assert set(analysis.root.numbers) == ROOT
    assert analysis.root.whole == {"visits": 100}
    assert analysis.root.numbers["scoreLead"] == 2.5 * side
    assert analysis.boards["ownership"] == [side] * 5 + [0] * 15 + [0.6 * side] + [0] * 4
    assert analysis.boards["ownershipStdev"] == [0] * 5 + [1] * 15 + [0.8] + [1] * 4


def test_an_info_ends_with_its_variation_where_nothing_else_is_asked_for() -> None:
    for dialect in ("lz", "kata", "sabaki"):
        line = format_analysis(fixed_reading(), AnalysisOptions(dialect))
        for info in line.split("info ")[1:]:
            assert re.search(r" pv( [A-Z][0-9]+| pass)+$", info.strip())


def test_extra_komi_is_told_where_guis_find_words_that_they_do_not_know() -> None:
    """In pairs, at the end of rootInfo; moves are as ever."""
    plain = fixed_reading()
    shifted = replace(plain, extra_komi=12.0, real_win_rate=0.875)
    options = AnalysisOptions("kata", flags=frozenset({"rootInfo"}))
    before, after = format_analysis(plain, options), format_analysis(shifted, options)
    assert after == f"{before} extraKomi 12 realWinrate 0.875"
    assert format_analysis(shifted, AnalysisOptions("lz")) == format_analysis(
        plain, AnalysisOptions("lz")
    )
