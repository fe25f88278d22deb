"""Results by margin: against lists of them."""

from __future__ import annotations

import statistics
from random import Random
from typing import Any

import numpy as np
import pytest

from goengine.search.results import (
    MOST_HALVES,
    N_COUNTED,
    N_PLACES,
    count_result,
    mean_margin,
    median_margin,
    place_of,
    share_won,
)
from goengine.search.workspace import N_TALLIES, REAL_WINS

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]


def counted(margins: list[float]) -> tuple[Any, Any]:
    counts, tally = np.zeros(N_PLACES, np.int64), np.zeros(N_TALLIES, np.int64)
    for margin in margins:
        count_result(counts, tally, float(margin))
    return counts, tally


def test_places_in_order() -> None:
    margins = [-650, -649.5, -1, -0.5, 0, 0.5, 1, 7.5, 650]
    assert [int(place_of(float(margin))) for margin in margins] == [
        1, 2, 1299, 1300, 1301, 1302, 1303, 1316, 2601,
    ]  # fmt: skip
    assert MOST_HALVES == 1300
    assert N_PLACES > 2601


def test_what_is_too_much_is_counted_at_the_end() -> None:
    for margin in (650.5, 1e9):
        assert place_of(margin) == place_of(650.0)
        assert place_of(-margin) == place_of(-650.0)


@pytest.mark.parametrize("margin", [0.1, 0.01, 0.49, 0.3])
def test_a_win_by_little_is_a_win(margin: float) -> None:
    """Komi may be anything."""
    assert place_of(margin) == place_of(0.5)
    assert place_of(-margin) == place_of(-0.5)


@pytest.mark.parametrize("seed", range(10))
def test_as_lists_have_it(seed: int) -> None:
    random = Random(seed)
    middle, spread = random.choice((-30, 0, 7.5)), random.choice((1, 20, 200))
    n = random.choice((1, 2, 3, 50))
    margins = [middle + random.randint(-spread, spread) / random.choice((1, 2)) for _ in range(n)]
    counts, tally = counted(margins)
    assert counts[N_COUNTED] == n == counts[1:].sum()
    assert tally[REAL_WINS] == sum(2 if m > 0 else 1 if m == 0 else 0 for m in margins)
    assert mean_margin(counts) == pytest.approx(statistics.mean(margins))
    assert median_margin(counts) == statistics.median_low(margins)
    for komi in (0.0, 3.0, -12.5, middle, 41.79):
        won = sum((m > komi) + 0.5 * (m == komi) for m in margins)
        assert share_won(counts, float(komi)) == pytest.approx(won / n)


def test_without_results() -> None:
    counts, _ = counted([])
    assert share_won(counts, 0.0) == 0.5
    assert mean_margin(counts) == median_margin(counts) == 0.0
