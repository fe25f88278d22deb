"""How long a move may take: never too long, and all of the time is used."""

from __future__ import annotations

import math
import random

import msgspec
import pytest

from goengine.board import BLACK
from goengine.gtp.budget import LEAST, limits_under
from goengine.gtp.clock import Clock, Lag, TimeLeft
from tests.gtp.simulated_games import (
    Conditions,
    Rounding,
    Thinking,
    as_desired,
    as_it_comes,
    hastily,
    play,
    to_the_end,
)

pytestmark = pytest.mark.uncompiled

ABSOLUTE = Clock("absolute", 300)
CANADIAN = Clock("canadian", 300, 60, 25)
BYOYOMI = Clock("byoyomi", 300, 30, 5)
FISCHER = Clock("fischer", 120, 10)
CAPPED = Clock("fischer", 120, 10, 0, main_limit=125, move_limit=20)
TOLD = Lag(is_told=True)

# clock, what is left, moves played on 19x19; about how long the next move should and may take,
# and what of it is free
MOVES = [
    (ABSOLUTE, TimeLeft(300, 0), 0, 1.5, 3.0, 0),
    (ABSOLUTE, TimeLeft(200, 0), 100, 2.6, 5.2, 0),  # most in the middle game
    (ABSOLUTE, TimeLeft(60, 0), 250, 0.95, 1.9, 0.95),  # nothing to save it for
    (ABSOLUTE, TimeLeft(1, 0), 250, LEAST, LEAST, 0),
    (ABSOLUTE, TimeLeft(0, 0), 0, LEAST, LEAST, 0),
    (ABSOLUTE, TimeLeft(-3, 0), 0, LEAST, LEAST, 0),
    (CANADIAN, TimeLeft(300, 0), 0, 2.3, 6.9, 0),
    (CANADIAN, TimeLeft(0, 0), 0, 2.1, 2.5, 0),
    (CANADIAN, TimeLeft(60, 25), 0, 2.1, 2.5, 0),
    (CANADIAN, TimeLeft(20, 1), 0, 18.7, 18.7, 18.7),
    (CANADIAN, TimeLeft(0.4, 1), 0, 0.3, 0.3, 0.3),
    (BYOYOMI, TimeLeft(300, 0), 0, 28.6, 86, 0),
    (BYOYOMI, TimeLeft(1, 0), 0, 29.6, 59.6, 29.6),
    (BYOYOMI, TimeLeft(30, 5), 0, 28.6, 58.6, 28.6),
    (BYOYOMI, TimeLeft(12, 1), 0, 10.6, 10.6, 10.6),
    (Clock("byoyomi", 7200, 1, 5), TimeLeft(7200, 0), 0, 40, 120, 0),
    (FISCHER, TimeLeft(120, 0), 0, 10.5, 21, 0),
    (FISCHER, TimeLeft(11.4, 0), 100, 9.9, 10, 0),
    (FISCHER, TimeLeft(5, 0), 100, 3.8, 3.8, 0),
    (CAPPED, TimeLeft(125, 0), 0, 10.5, 18.7, 10),
    (Clock("fischer", 120, 10, 0, 120, 3), TimeLeft(120, 0), 0, 2.3, 2.3, 2.3),
]


@pytest.mark.parametrize(("clock", "left", "n_moves", "seconds", "most", "free"), MOVES)
def test_a_move(
    clock: Clock, left: TimeLeft, n_moves: int, seconds: float, most: float, free: float
) -> None:
    clock = msgspec.structs.replace(clock, black=left, black_lag=TOLD)
    limits = limits_under(clock, BLACK, n_moves, 19)
    assert limits is not None
    about = [pytest.approx(value, rel=0.08, abs=LEAST) for value in (seconds, most, free)]
    assert [limits.seconds, limits.most_seconds, limits.free_seconds] == about
    assert limits.playouts is None


def test_without_a_clock_there_is_no_limit() -> None:
    assert limits_under(Clock().with_left(BLACK, 1, 0), BLACK, 0, 19) is None


def test_main_time_is_spent_before_periods_that_give_more_than_the_rest_of_it() -> None:
    clock = Clock("canadian", 600, 60, 10)
    limits = limits_under(clock, BLACK, 60, 19)
    assert limits is not None
    assert limits.seconds is not None
    assert 2 * 600 / (1.3 * 361 / 2) < limits.seconds < 30


GAMES = [
    Clock("absolute", 60),
    ABSOLUTE,
    Clock("absolute", 3600),
    CANADIAN,
    Clock("canadian", 0, 30, 25),
    Clock("canadian", 60, 10, 1),
    BYOYOMI,
    Clock("byoyomi", 0, 2, 1),
    Clock("byoyomi", 60, 5, 3),
    FISCHER,
    Clock("fischer", 5, 1),
    CAPPED,
    Clock("fischer", 60, 2, 0, 60, 3),
]


@pytest.mark.parametrize("think", [as_desired, to_the_end, as_it_comes(random.Random(1))])
@pytest.mark.parametrize("settings", GAMES, ids=str)
def test_the_usual_clocks(settings: Clock, think: Thinking) -> None:
    for size, rounding in [(9, math.floor), (9, None), (19, math.floor), (19, None)]:
        conditions = Conditions(lambda: 0.03, lambda: 0.005, rounding)
        assert play(settings, size, int(1.4 * size * size), think, conditions), (size, rounding)


def random_settings(chance: random.Random, size: int, seconds: float) -> Clock:
    """A clock with about so many seconds a move."""
    n_moves = 0.65 * size * size
    main = chance.choice([0, 1, 1]) * chance.uniform(0.3, 1.0) * seconds * n_moves
    stones = chance.choice([1, 3, 10, 25])
    match chance.choice(["absolute", "absolute", "canadian", "byoyomi", "fischer"]):
        case "canadian":
            return Clock("canadian", main, max(seconds * stones, 0.5), stones)
        case "byoyomi":
            return Clock("byoyomi", main, max(seconds, 1.0), chance.choice([1, 2, 5]))
        case "fischer":
            main = max(main, 5 * seconds)
            limits = chance.choice([(None, None), (1.1 * main, None), (1.1 * main, 2 * seconds)])
            return Clock("fischer", main, seconds, 0, *limits)
        case _:
            return Clock("absolute", seconds * n_moves)


def in_whole_seconds(clock: Clock) -> Clock:
    """As who tells whole seconds sets a clock, too."""
    return msgspec.structs.replace(
        clock,
        main=math.ceil(clock.main),
        period=math.ceil(clock.period),
        main_limit=clock.main_limit and math.ceil(clock.main_limit) + 1,
        move_limit=clock.move_limit and math.ceil(clock.move_limit) + 1,
    )


@pytest.mark.parametrize("block", range(8))
def test_no_game_is_lost_on_time(block: int) -> None:
    """From 0.2 s a move on, with lag that varies, on machines that are busy at times."""
    for seed in range(100 * block, 100 * (block + 1)):
        chance = random.Random(seed)
        size = chance.choice([7, 9, 13, 19])
        seconds = 0.2 * 150 ** chance.random()
        rounding = chance.choice([math.floor, math.floor, math.ceil, round, float, None])
        settings = random_settings(chance, size, seconds)
        if rounding in (math.floor, math.ceil, round):
            settings = in_whole_seconds(settings)
        lag = min(0.2, chance.choice([0, 0.01, 0.03]) * seconds) if rounding else 0.007
        delay = chance.choice([0.005, 0.02, 0.04])
        conditions = Conditions(
            lambda: min(chance.expovariate(1 / delay), 0.12, 0.1 * seconds),  # noqa: B023
            lambda: chance.uniform(0.0, 2.0 * lag),  # noqa: B023
            rounding,
            is_told_twice=chance.random() < 0.5,
        )
        think = chance.choice([as_desired, to_the_end, as_it_comes(chance)])
        n_moves = int(chance.uniform(0.5, 1.4) * size * size)
        to_the_last = chance.random() < 0.5
        referee = play(settings, size, n_moves, think, conditions, plays_to_the_end=to_the_last)
        assert referee, (seed, settings)


# Moves a point; are dead stones taken before the end? docs/measurements.md, lengths of games.
LENGTHS = [(1.2, True), (1.3, True), (1.4, True), (0.95, False), (1.1, False), (1.25, False)]


@pytest.mark.parametrize("rounding", [math.floor, None])
@pytest.mark.parametrize("seconds", [0.2, 1, 10])  # a move
@pytest.mark.parametrize(("length", "to_the_last"), LENGTHS)
@pytest.mark.parametrize("size", [7, 9, 13, 19])
def test_most_of_the_time_is_used(
    size: int, length: float, to_the_last: bool, seconds: float, rounding: Rounding | None
) -> None:
    main = math.ceil(seconds * 0.65 * size * size)
    conditions = Conditions(lambda: 0.02, lambda: 0.003, rounding)
    n_moves = int(length * size * size)
    for think in (as_desired, to_the_end, as_it_comes(random.Random(1)), hastily):
        clock = Clock("absolute", main)
        referee = play(clock, size, n_moves, think, conditions, plays_to_the_end=to_the_last)
        assert referee is not None
        assert referee.spent >= 0.85 * main, think
