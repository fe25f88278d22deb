"""A count and a sum in one word: nothing spills from one into the other."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from goengine.search.parameters import MAX_AMAF_WEIGHT
from goengine.search.seat import _BATCH_BY_CAPACITY
from goengine.tree.claims import MAX_WORKERS
from goengine.tree.packing import (
    BLACK_OWNED,
    MAX_VISITS,
    PEAK_VISITS,
    PRIOR_MASK,
    PRIOR_ONE,
    VALUE_BITS,
    VALUE_MASK,
    VISIT,
    WAS_START,
    WINNER_OWNED,
    WON,
    black_owned,
    halve,
    halve_owners,
    pack_prior,
    value_of,
    visits_of,
    winner_owned,
)

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

MOST_VISITS = (1 << 28) - 1


def packed(visits: int, value: int) -> np.uint64:
    return np.uint64(visits << 36 | value)


@pytest.mark.parametrize("visits", [0, 1, 2, 3, 1000, int(MAX_VISITS), MOST_VISITS])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_both_parts_come_back(visits: int, share: float) -> None:
    value = int(visits * int(WON) * share)
    word = packed(visits, value)
    assert (int(visits_of(word)), int(value_of(word))) == (visits, value)


def test_the_largest_count_has_room_for_its_value() -> None:
    assert MOST_VISITS * int(WON) <= int(VALUE_MASK) < int(VISIT)
    assert 1 << (64 - int(VALUE_BITS)) == MOST_VISITS + 1
    assert visits_of(packed(MOST_VISITS, MOST_VISITS * 256) + np.uint64(0)) == MOST_VISITS


def test_the_collector_comes_before_a_word_of_amaf_spills() -> None:
    """The most that can come about, all of it told with the greatest weight.

    A collection leaves nothing above `kept`. Until the next one come as many simulations as
    a new position puts up with from earlier ones, and as many as make a start too large;
    and then a few, since workers look at the end of a batch.
    """
    most, a_few = int(MAX_VISITS), MAX_WORKERS * max(_BATCH_BY_CAPACITY.values())
    kept, before = 0, 0
    for _ in range(100):
        before = kept + most + most + a_few
        kept = max(most, before // 2)
    assert before < PEAK_VISITS
    assert PEAK_VISITS * MAX_AMAF_WEIGHT <= MOST_VISITS


def test_sums_of_words_are_words_of_sums() -> None:
    random = Random(1)
    word, visits, value = np.uint64(0), 0, 0
    for _ in range(2000):
        won = random.randint(0, int(WON))
        word += VISIT + np.uint64(won)
        visits, value = visits + 1, value + won
        assert (int(visits_of(word)), int(value_of(word))) == (visits, value)


def test_half_a_word_is_never_better_than_won() -> None:
    random = Random(2)
    edges = [(n, n * 256 - lost) for n in range(1, 9) for lost in range(min(600, n * 256 + 1))]
    samples = [
        (n, random.randint(0, n * 256)) for n in random.choices(range(1, MOST_VISITS), k=500)
    ]
    for visits, value in [(0, 0), *edges, *samples, (MOST_VISITS, MOST_VISITS * 256)]:
        half = halve(packed(visits, value))
        assert visits_of(half) == visits // 2
        assert value_of(half) == min(value // 2, visits // 2 * 256)


def test_owners_are_halved_apart() -> None:
    random = Random(3)
    for _ in range(200):
        black, winner = random.randrange(1 << 28), random.randrange(1 << 28)
        word = np.uint64(black) * BLACK_OWNED + np.uint64(winner) * WINNER_OWNED
        assert (int(black_owned(word)), int(winner_owned(word))) == (black, winner)
        for mark in (np.uint64(0), WAS_START):
            half = halve_owners(word | mark)
            assert (int(black_owned(half)), int(winner_owned(half))) == (black // 2, winner // 2)
            assert half & WAS_START == mark


@pytest.mark.parametrize(
    ("visits", "value"), [(0, 0), (14, 7), (20, 20), (1000, 500), (2047, 2047)]
)
def test_priors(visits: int, value: int) -> None:
    word = pack_prior(np.uint64(visits) * PRIOR_ONE, np.uint64(value) * PRIOR_ONE)
    assert int(word) < 1 << 32
    assert int(word) >> 16 == visits * 32
    assert int(word) & int(PRIOR_MASK) == value * 32
