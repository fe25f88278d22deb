"""When a search for a move under a clock ends, as a table."""

from __future__ import annotations

import pytest

from goengine.search.orders import Limits
from goengine.search.standing import Standing
from goengine.search.stopping import (
    LEAST_INTERVAL,
    LOOKS,
    goes_on,
    is_unclear,
    seconds_to_next_look,
)

pytestmark = pytest.mark.uncompiled

CLOCK = Limits(None, 10.0, 20.0)
PERIOD = Limits(None, 10.0, 20.0, free_seconds=10.0)
FIXED = Limits(None, 10.0)

CLEAR = Standing(6000, 2000, 0.5, 0.5, 0.51)
CLOSE = CLEAR._replace(second_visits=3000)
NOT_BEST = CLEAR._replace(best_win_rate=0.52)
REFUTED = CLEAR._replace(reply_win_rate=0.45)
WINNING = CLOSE._replace(win_rate=0.75, best_win_rate=0.75, reply_win_rate=0.75)
WON = CLEAR._replace(win_rate=0.96, best_win_rate=0.96, reply_win_rate=0.96)
FAR_AHEAD = CLEAR._replace(visits=60_000)
ALONE = CLEAR._replace(second_visits=0)
WON_IN_TRUTH = CLEAR._replace(real_win_rate=0.96)  # extra komi makes it even
ONLY_WITH_KOMI = WON._replace(real_win_rate=0.3)
LOST = CLEAR._replace(win_rate=0.004, best_win_rate=0.006, reply_win_rate=0.003)


@pytest.mark.parametrize("standing", [CLOSE, NOT_BEST, REFUTED, WINNING])
def test_unclear(standing: Standing) -> None:
    assert is_unclear(standing)


@pytest.mark.parametrize("standing", [CLEAR, WON, FAR_AHEAD, ALONE, LOST])
def test_clear(standing: Standing) -> None:
    assert not is_unclear(standing)


# limits, seconds that have passed, standing, playouts, playouts a second: does it go on?
TABLE = [
    (CLOCK, 5.0, WON, 5000, 1000, False),
    (CLOCK, 5.0, WON_IN_TRUTH, 5000, 1000, False),
    (CLOCK, 5.0, ONLY_WITH_KOMI, 5000, 1000, True),
    (CLOCK, 5.0, CLEAR, 5000, 1000, True),
    (CLOCK, 9.9, CLOSE, 9900, 1000, True),
    (CLOCK, 10.1, CLEAR, 9900, 1000, False),
    (CLOCK, 10.1, CLOSE, 9900, 1000, True),
    (CLOCK, 10.1, NOT_BEST, 9900, 1000, True),
    (CLOCK, 10.1, REFUTED, 9900, 1000, True),
    (CLOCK, 19.9, REFUTED, 9900, 1000, False),  # it cannot be overtaken any more
    (CLOCK, 19.9, CLOSE, 9900, 100_000, True),
    (CLOCK, 20.0, CLOSE, 9900, 100_000, False),
    (CLOCK, 14.9, WINNING, 9900, 100_000, True),  # a win is not worth all of the time
    (CLOCK, 15.1, WINNING, 9900, 100_000, False),
    (CLOCK, 5.0, FAR_AHEAD, 5000, 1000, False),
    (CLOCK, 5.0, FAR_AHEAD, 5000, 100_000, True),
    (CLOCK, 5.0, FAR_AHEAD, 100, 1000, True),  # kept visits; hardly a look at this position
    (CLOCK, 5.0, FAR_AHEAD._replace(best_win_rate=0.6), 5000, 4000, True),  # unclear: 15 s more
    (CLOCK, 5.0, WON, 5000, 10_000, False),
    (CLOCK, 5.0, WON._replace(visits=4000), 5000, 10_000, True),
    (PERIOD, 5.0, FAR_AHEAD, 5000, 1000, True),  # nothing is saved by an early end
    (PERIOD, 9.9, WON, 5000, 10_000, True),
    (PERIOD, 10.1, CLEAR, 5000, 1000, False),
    (PERIOD, 10.1, CLOSE, 5000, 1000, True),
    (FIXED, 5.0, FAR_AHEAD, 5000, 1000, True),
    (FIXED, 5.0, WON, 5000, 1000, True),
    (Limits(1000), 5.0, FAR_AHEAD, 500, 100, True),
    (Limits(), 5.0, WON, 5000, 1000, True),
]


@pytest.mark.parametrize(("limits", "elapsed", "standing", "n_playouts", "rate", "expected"), TABLE)
def test_it_goes_on(
    limits: Limits, elapsed: float, standing: Standing, n_playouts: int, rate: float, expected: bool
) -> None:
    assert goes_on(limits, elapsed, standing, n_playouts, rate) == expected


@pytest.mark.parametrize(
    ("limits", "elapsed", "seconds"),
    [
        (CLOCK, 0.0, 10 / LOOKS),
        (CLOCK, 9.95, 0.05),  # one when it should end
        (CLOCK, 10.0, 10 / LOOKS),
        (Limits(None, 0.1, 0.2), 0.0, LEAST_INTERVAL),
        (FIXED, 1.0, float("inf")),
        (Limits(100), 1.0, float("inf")),
    ],
)
def test_the_next_look(limits: Limits, elapsed: float, seconds: float) -> None:
    assert seconds_to_next_look(limits, elapsed) == pytest.approx(seconds)


def test_no_longer_than_somebody_allows() -> None:
    assert PERIOD.within(5) == Limits(None, 5, 5, 5)
    assert CLOCK.within(15) == Limits(None, 10, 15)
    assert Limits(1000).within(5) == Limits(1000, 5)
