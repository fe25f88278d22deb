"""The clock: what is left, as we and the client see it, and lag."""

from __future__ import annotations

import json
import math

import msgspec
import pytest

from goengine.board import BLACK, WHITE
from goengine.gtp.clock import UNTOLD_LAG, Clock, Kind, Lag, TimeLeft
from tests.gtp.simulated_games import Referee, Rounding

pytestmark = pytest.mark.uncompiled

ABSOLUTE = Clock("absolute", 300)
CANADIAN = Clock("canadian", 300, 60, 25)
BYOYOMI = Clock("byoyomi", 300, 30, 5)
FISCHER = Clock("fischer", 120, 10)
CAPPED = Clock("fischer", 120, 10, 0, main_limit=125, move_limit=20)

# clock, what was left before a move, seconds that it took, what is left
SPENT = [
    (ABSOLUTE, None, 20, TimeLeft(280, 0)),
    (ABSOLUTE, TimeLeft(10, 0), 11, TimeLeft(-1, 0)),
    (CANADIAN, None, 20, TimeLeft(280, 0)),
    (CANADIAN, TimeLeft(10, 0), 15, TimeLeft(55, 24)),
    (CANADIAN, TimeLeft(55, 24), 5, TimeLeft(50, 23)),
    (CANADIAN, TimeLeft(5, 1), 4, TimeLeft(60, 25)),
    (Clock("canadian", 0, 60, 25), None, 4, TimeLeft(56, 24)),
    (Clock("canadian", 10, 60, 1), TimeLeft(1, 0), 4, TimeLeft(60, 1)),
    (BYOYOMI, None, 20, TimeLeft(280, 0)),
    (BYOYOMI, TimeLeft(10, 0), 15, TimeLeft(30, 5)),
    (BYOYOMI, TimeLeft(10, 0), 45, TimeLeft(30, 4)),
    (BYOYOMI, TimeLeft(30, 5), 29, TimeLeft(30, 5)),
    (BYOYOMI, TimeLeft(30, 5), 61, TimeLeft(30, 3)),
    (BYOYOMI, TimeLeft(30, 1), 61, TimeLeft(30, 1)),
    (Clock("byoyomi", 0, 30, 3), None, 31, TimeLeft(30, 2)),
    (FISCHER, None, 30, TimeLeft(100, 0)),
    (CAPPED, None, 1, TimeLeft(125, 0)),
    (CAPPED, None, 15, TimeLeft(115, 0)),
]


@pytest.mark.parametrize(("clock", "before", "seconds", "after"), SPENT)
def test_spent(clock: Clock, before: TimeLeft | None, seconds: float, after: TimeLeft) -> None:
    if before is not None:
        clock = clock.with_left(WHITE, before.seconds, before.stones)
    spent = clock.with_spent(WHITE, seconds)
    left = spent.left(WHITE)
    assert left.seconds == pytest.approx(after.seconds, abs=0.02)
    assert left.stones == after.stones
    assert spent.black is None
    assert spent.restarted() == clock.restarted()


def test_without_settings_nothing_is_charged() -> None:
    assert Clock().with_left(BLACK, 1, 0).with_spent(BLACK, 5) == Clock()


# kind, seconds believed, told, rounds up: seconds
AGREED = [
    ("absolute", 20.7, 20, False, 20.7),  # cut off
    ("absolute", 19.3, 20, False, 19.3),  # or rounded up
    ("absolute", 21.7, 20, False, 20),
    ("absolute", 15, 20, False, 19),
    ("absolute", 20.4, 20.6, False, 20.6),
    ("absolute", 20.7, 20, True, 19),
    ("absolute", 19.3, 20, True, 19),
    ("absolute", 18.9, 20, True, 19),
    ("fischer", 20.7, 20, False, 20),
    ("fischer", 19.3, 20, False, 19.3),
]


@pytest.mark.parametrize(("kind", "believed", "told", "rounds_up", "seconds"), AGREED)
def test_what_is_told_in_whole_seconds(
    kind: Kind, believed: float, told: float, rounds_up: bool, seconds: float
) -> None:
    clock = Clock(kind, 300, black=TimeLeft(believed, 0), black_lag=Lag(rounds_up=rounds_up))
    for _ in range(2):
        clock = clock.with_left(BLACK, told, 0)
        assert clock.left(BLACK) == TimeLeft(seconds, 0)


@pytest.mark.parametrize("rounding", [math.floor, math.ceil, round, float])
@pytest.mark.parametrize("lag", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("settings", [Clock("absolute", 600), Clock("fischer", 60, 5)], ids=str)
def test_lag_is_found_out(settings: Clock, lag: float, rounding: Rounding) -> None:
    clock, referee = settings, Referee(settings)
    for n_told in range(40):
        for _ in range(1 + n_told % 2):  # before, and sometimes after a move, too
            clock = referee.tell(clock, rounding)
        referee.spend(2.23 + lag)
        clock = clock.with_spent(BLACK, 2.23)
    clock = referee.tell(clock, rounding)
    assert clock.lag(BLACK).usual == pytest.approx(lag, abs=0.04)
    if rounding is not round:
        assert clock.lag(BLACK).rounds_up == (rounding is math.ceil)
    assert abs(clock.left(BLACK).seconds - referee.main) <= 1.1
    assert clock.lag(WHITE) == Lag()
    assert clock.restarted().lag(BLACK).usual == clock.lag(BLACK).usual


def test_a_clock_that_somebody_set_says_nothing_of_lag() -> None:
    clock = ABSOLUTE.with_spent(BLACK, 5).with_left(BLACK, 100, 0).with_left(BLACK, 900, 0)
    assert clock.lag(BLACK).usual == Lag().usual
    assert clock.left(BLACK).seconds == pytest.approx(899, abs=1)


def test_no_period_begins_on_a_guess() -> None:
    """Who is not told what is left must not count a move for a period that has not begun."""
    clock = CANADIAN.with_spent(BLACK, 300 - UNTOLD_LAG / 2)
    assert clock.left(BLACK) == TimeLeft(0, 0)
    assert clock.with_spent(BLACK, 5).left(BLACK).stones == 24


CLOCKS = [Clock(), ABSOLUTE, CAPPED.with_left(WHITE, 3.5, 2), BYOYOMI.with_spent(BLACK, 3)]


@pytest.mark.parametrize("clock", CLOCKS, ids=str)
def test_json_and_back(clock: Clock) -> None:
    assert Clock.from_json(json.loads(json.dumps(clock.to_json()))) == clock


@pytest.mark.parametrize("data", [{"kind": "hourglass"}, {"main": "x"}, {"black": 3}, []])
def test_json_that_is_no_clock(data: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        Clock.from_json(data)
