"""The formulas of dynamic komi, worked out by hand."""

from __future__ import annotations

from math import inf

import pytest

from goengine.search.dynamic_komi import (
    FILLED_AT_THE_END,
    given_by_median,
    given_by_score,
    given_by_value,
    limited,
    linear_komi,
)
from goengine.search.parameters import find_parameter, new_parameters

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]


@pytest.mark.parametrize(
    ("n_stones", "n_played", "komi"),
    [(6, 0, 42), (6, 100, 21), (6, 199, 0.21), (6, 200, 0), (6, 300, 0), (2, 50, 10.5), (0, 0, 0)],
)
def test_linear(n_stones: int, n_played: int, komi: float) -> None:
    found = linear_komi(float(n_stones), float(n_played), 7.0, 200.0)
    assert found == pytest.approx(komi)


@pytest.mark.parametrize(
    ("filled", "rate"),
    [(0, 1), (0.4, 0.9991), (0.7, 0.7311), (0.75, 0.5), (0.8, 0.2689), (1, 0.0067)],
)
def test_score_is_followed_early_and_left_alone_late(filled: float, rate: float) -> None:
    for given, score in ((0.0, 10.0), (12.0, -8.0), (-5.0, 20.0)):
        found = given_by_score(given, score, float(filled), 20.0, 0.75)
        assert found == pytest.approx(given + rate * score, abs=0.01)


def test_score_settles_where_the_average_is_a_tie() -> None:
    given = 0.0
    for _ in range(50):
        given = given_by_score(given, 17.0 - given, 0.7, 20.0, 0.75)
    assert given == pytest.approx(17.0)


@pytest.mark.parametrize(
    ("given", "ratchet", "win_rate", "expected"),
    [
        (0, inf, 0.9, (1, inf)),  # green: more is given
        (-5, inf, 0.51, (-4, inf)),  # or less is taken
        (3, inf, 0.5, (3, inf)),  # yellow, with its bounds
        (3, inf, 0.47, (3, inf)),
        (3, inf, 0.45, (3, inf)),
        (3, inf, 0.44, (2, 3)),  # red: never so much again
        (2, 3, 0.9, (2, 3)),
        (1, 3, 0.9, (2, 3)),
        (1, 3, 0.1, (0, 1)),
        (0, 1, 0.9, (0, 1)),  # and from now on it only takes
        (0, 1, 0.1, (-1, 1)),  # which leaves the ratchet as it is
        (-7, inf, 0.1, (-8, inf)),
        (5, 3, 0.1, (4, 3)),  # the ratchet never rises
    ],
)
def test_value(
    given: float, ratchet: float, win_rate: float, expected: tuple[float, float]
) -> None:
    found = given_by_value(float(given), float(ratchet), win_rate, 0.45, 0.5, 1.0)
    assert tuple(found) == expected


def test_value_does_not_flap_at_the_end_of_a_game() -> None:
    """The score is 6.5 for sure: with 6 points it is won, with 7 it is lost."""
    given, ratchet = 0.0, inf
    course = []
    for _ in range(20):
        given, ratchet = given_by_value(given, ratchet, float(given < 6.5), 0.45, 0.5, 1.0)
        course.append(given)
    assert course[:7] == [1, 2, 3, 4, 5, 6, 7]
    assert set(course[7:]) == {6}


@pytest.mark.parametrize(("median", "given"), [(6.5, 6), (6, 6), (-6.5, -7), (0.5, 0), (-0.5, -1)])
def test_median_leaves_the_result_in_the_middle_a_win_or_a_tie(median: float, given: float) -> None:
    assert given_by_median(float(median)) == given


@pytest.mark.parametrize(
    ("given", "filled", "expected"),
    [
        (50, 0.1, 50),  # what is given has no limit
        (-29, 0.1, -29),
        (-31, 0.1, -30),
        (-31, 0.75, -30),
        (-31, 0.76, 0),  # 95 % of what is filled at the end
        (-1, 0.9, 0),
        (7, 0.9, 7),
    ],
)
def test_limits(given: float, filled: float, expected: float) -> None:
    assert FILLED_AT_THE_END == 0.8
    assert limited(float(given), filled, 30.0, 0.95) == expected


def test_moves_are_in_proportion_to_the_points() -> None:
    """Baudiš 2011, 4.4.2: linear for 20 moves on 19x19, for 4 on 9x9."""
    assert [find_parameter("komi_opening").default_for(size) for size in (19, 9)] == [20, 4]
    assert [find_parameter("komi_moves").default_for(size) for size in (19, 13, 9)] == [200, 94, 45]
    assert [find_parameter("endgame_moves").default_for(size) for size in (19, 9)] == [60, 13]
    for size in range(2, 26):
        assert new_parameters(size)[0].komi_moves >= 1
