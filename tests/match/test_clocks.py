"""Clocks: what the referee charges, what engines are told, and what is drawn by a seed."""

from __future__ import annotations

import math
from random import Random

import msgspec
import pytest

from clients.match.clocks import CannotTell, GameClock, settings_command
from clients.match.random_clocks import MOVES_FOR_A_POINT, clock_for, draw_clock
from clients.match.time_settings import Clock, RandomClock
from goengine.board import BLACK
from goengine.gtp import GtpSession
from goengine.gtp.clock import Lag
from tests.gtp.engines_for_tests import FirstLegalEngine
from tests.match.example_games import example_pairing

ALL_COMMANDS = ("time_settings", "kgs-time_settings", "kata-time_settings")


def charges(clock: GameClock, *seconds: float) -> list[bool]:
    return [clock.charge("black", each) for each in seconds]


def test_absolute_time() -> None:
    clock = GameClock(Clock(main=10))
    assert clock.left("black") == clock.left("white") == (10, 0)
    assert clock.most_seconds("black") == 10
    assert charges(clock, 4, 6) == [True, True]
    assert clock.left("black") == (0, 0)
    assert clock.left("white") == (10, 0), "each has his own"
    assert charges(clock, 0.01) == [False]


def test_canadian_time() -> None:
    clock = GameClock(Clock(main=10, period=6, moves=3))
    assert clock.most_seconds("black") == 16
    assert charges(clock, 9) == [True]
    assert clock.left("black") == (1, 0)
    assert charges(clock, 3) == [True], "main time ran out within the move"
    assert clock.left("black") == (4, 2)
    assert clock.most_seconds("black") == 4
    assert charges(clock, 1, 2) == [True, True]
    assert clock.left("black") == (6, 3), "a new period, nothing is kept"
    assert charges(clock, 6) == [True]
    assert clock.left("black") == (0, 2)
    assert charges(clock, 0.5) == [False]


def test_one_move_a_period() -> None:
    clock = GameClock(Clock(main=2, period=5))
    assert charges(clock, 6) == [True], "two seconds of main time and four of the period"
    assert clock.left("black") == (5, 1)
    assert charges(clock, 5, 5, 4.9) == [True, True, True]
    assert clock.left("black") == (5, 1)
    assert charges(clock, 5.1) == [False]


def test_main_time_that_ends_with_a_move() -> None:
    clock = GameClock(Clock(main=2, period=5, moves=4))
    assert charges(clock, 2) == [True]
    assert clock.left("black") == (5, 4)


def test_main_time_and_period_are_too_little_for_one_move() -> None:
    assert charges(GameClock(Clock(main=2, period=5, moves=4)), 7.1) == [False]


def test_no_main_time_begins_with_a_period() -> None:
    clock = GameClock(Clock(period=5, moves=2))
    assert clock.left("white") == (5, 2)
    assert clock.most_seconds("white") == 5
    assert charges(clock, 2, 2) == [True, True]
    assert clock.left("black") == (5, 2)


def test_byoyomi() -> None:
    clock = GameClock(Clock(main=10, period=5, periods=3))
    assert clock.left("black") == (10, 0)
    assert clock.most_seconds("black") == 25
    assert charges(clock, 9) == [True]
    assert clock.left("black") == (1, 0)
    assert charges(clock, 3) == [True], "main time ran out within the move"
    assert clock.left("black") == (5, 3)
    assert clock.most_seconds("black") == 15
    assert charges(clock, 5, 0.1, 4.9) == [True, True, True]
    assert clock.left("black") == (5, 3), "a period is whole again after each move"
    assert charges(clock, 5.1) == [True]
    assert clock.left("black") == (5, 2)
    assert charges(clock, 9.9) == [True]
    assert clock.left("black") == (5, 1)
    assert clock.most_seconds("black") == 5
    assert charges(clock, 5, 5.1) == [True, False]
    assert clock.left("white") == (10, 0)


def test_several_periods_for_one_move() -> None:
    clock = GameClock(Clock(main=10, period=5, periods=3))
    assert charges(clock, 24.9) == [True]
    assert clock.left("black") == (5, 1)
    assert charges(GameClock(Clock(main=10, period=5, periods=3)), 25.1) == [False]
    clock = GameClock(Clock(period=0.5, periods=2))
    assert clock.left("black") == (0.5, 2)
    assert charges(clock, 0.75) == [True]
    assert clock.left("black") == (0.5, 1)


def test_main_time_that_ends_with_a_move_before_byoyomi() -> None:
    clock = GameClock(Clock(main=10, period=5, periods=3))
    assert charges(clock, 10) == [True]
    assert clock.left("black") == (5, 3)


def test_fischer() -> None:
    clock = GameClock(Clock(main=2, increment=0.5))
    assert clock.left("black") == (2, 0)
    assert clock.most_seconds("black") == 2, "the increment comes after the move"
    assert charges(clock, 2) == [True]
    assert clock.left("black") == (0.5, 0)
    assert charges(clock, 0.25, 0.25) == [True, True]
    assert clock.left("black") == (1, 0)
    assert charges(clock, 1.01) == [False]


@pytest.mark.parametrize("seed", range(40))
def test_engine_and_referee_count_alike(seed: int) -> None:
    """Any clock, told as the referee tells it, and moves that take any time."""
    random = Random(seed)
    clock = draw_clock(RandomClock(seed=seed, least=0.01, most=100), 0, 9)
    referee = GameClock(clock)
    session = GtpSession(engine=FirstLegalEngine())
    assert session.run_line(settings_command(clock, ALL_COMMANDS) or "") == "=\n\n"
    engine = msgspec.structs.replace(session.clock, black_lag=Lag(usual=0.0))
    for _ in range(100):
        assert engine.left(BLACK).stones == referee.left("black")[1]
        assert engine.left(BLACK).seconds == pytest.approx(referee.left("black")[0])
        seconds = random.random() ** 4 * 1.05 * referee.most_seconds("black")
        is_up = seconds > referee.most_seconds("black")
        assert referee.charge("black", seconds) != is_up
        if is_up:
            break
        engine = engine.with_spent(BLACK, seconds)


@pytest.mark.parametrize(
    ("clock", "known", "command"),
    [
        # whole seconds: the oldest command that can say it
        (Clock(main=60), "time kgs kata", "time_settings 60 0 0"),
        (Clock(main=60, period=5, moves=3), "time kgs kata", "time_settings 60 5 3"),
        (Clock(period=5), "time", "time_settings 0 5 1"),
        (Clock(main=60), "kgs", "kgs-time_settings absolute 60"),
        (Clock(main=60, period=5, moves=3), "kata", "kata-time_settings canadian 60 5 3"),
        (Clock(main=60, period=5, periods=3), "time kgs kata", "kgs-time_settings byoyomi 60 5 3"),
        (Clock(main=60, period=5, periods=3), "time kata", "kata-time_settings byoyomi 60 5 3"),
        (Clock(main=60, increment=2), "time kgs kata", "kata-time_settings fischer 60 2"),
        # fractions
        (Clock(main=5.25), "time kgs kata", "kata-time_settings absolute 5.25"),
        (Clock(period=0.2), "time kgs kata", "kata-time_settings canadian 0 0.2 1"),
        (Clock(period=0.2, periods=3), "time kgs kata", "kata-time_settings byoyomi 0 0.2 3"),
        (Clock(main=12345.678, increment=0.1), "kata", "kata-time_settings fischer 12345.678 0.1"),
        # fractions that cannot be told: never more than there is
        (Clock(main=5.75), "time", "time_settings 5 0 0"),
        (Clock(main=5.75, period=1.5, moves=3), "time kgs", "time_settings 5 1 3"),
        (Clock(main=5.75, period=1.5, periods=3), "time kgs", "kgs-time_settings byoyomi 5 1 3"),
        # who knows no clock at all has to be fast
        (Clock(main=60), "", None),
        (Clock(main=0.5, period=5), "", None),
    ],
)
def test_how_engines_are_told(clock: Clock, known: str, command: str | None) -> None:
    assert settings_command(clock, names(known)) == command


@pytest.mark.parametrize(
    ("clock", "known", "complaint"),
    [
        (Clock(main=0.8), "time kgs", "whole seconds alone, not absolute 0.8"),
        (Clock(main=60, period=0.5), "time", "whole seconds alone, not canadian 60 0.5 1"),
        (Clock(main=60, period=0.5, periods=2), "kgs", "whole seconds alone, not byoyomi 60 0.5 2"),
        (Clock(main=60, period=5, periods=3), "time", "does not know kgs- or kata-time_settings"),
        (Clock(main=60, increment=2), "time kgs", "does not know kata-time_settings, the command"),
    ],
)
def test_engines_that_cannot_be_told(clock: Clock, known: str, complaint: str) -> None:
    with pytest.raises(CannotTell, match=complaint):
        settings_command(clock, names(known))


def names(known: str) -> set[str]:
    full = {"time": "time_settings", "kgs": "kgs-time_settings", "kata": "kata-time_settings"}
    return {full[word] for word in known.split()} | {"time_left", "genmove"}


def test_random_clocks_are_the_same_for_both_colours_and_every_time() -> None:
    pairing = example_pairing(clock=Clock(random=RandomClock(seed=3)), size=7)
    clocks = [clock_for(pairing, number) for number in range(1, 41)]
    assert clocks[::2] == clocks[1::2]
    assert len(set(clocks)) == 20
    assert clocks == [clock_for(pairing, number) for number in range(1, 41)]
    assert clocks[0] == draw_clock(RandomClock(seed=3), 0, 7)
    assert clocks[0] != draw_clock(RandomClock(seed=4), 0, 7)
    one_color = msgspec.structs.replace(pairing, colors="first is black")
    assert [clock_for(one_color, number) for number in range(1, 21)] == clocks[::2]


def test_a_clock_that_is_not_random_is_that_of_all_games() -> None:
    assert clock_for(example_pairing(), 5) is None
    assert clock_for(example_pairing(clock=Clock(main=5)), 5) == Clock(main=5)


@pytest.mark.parametrize("size", [7, 9, 19])
def test_random_clocks_are_of_all_kinds_and_give_what_is_wanted(size: int) -> None:
    wanted = RandomClock(seed=1, least=0.2, most=2.0)
    clocks = [draw_clock(wanted, turn, size) for turn in range(400)]
    n_moves = round(MOVES_FOR_A_POINT * size * size)
    averages = [seconds_for(clock, n_moves) / n_moves for clock in clocks]
    assert all(0.19 < average < 2.1 for average in averages)
    kinds = [clock.kind for clock in clocks]
    assert all(70 < kinds.count(kind) < 130 for kind in set(kinds))
    assert len(set(kinds)) == 4
    below = sum(average < math.sqrt(0.2 * 2.0) for average in averages)
    assert 160 < below < 240, "half of them below the geometric mean"
    periods = [clock for clock in clocks if clock.period]
    assert 0.15 < sum(not clock.main for clock in periods) / len(periods) < 0.35


def seconds_for(clock: Clock, n_moves: int) -> float:
    """What a player has for so many moves if he spends main time as fast as what follows it."""
    if clock.increment:
        return clock.main + n_moves * clock.increment
    if not clock.period:
        return clock.main
    a_move = clock.period / clock.moves
    n_in_main = round(clock.main / a_move)
    return clock.main + (n_moves - n_in_main) * a_move


def test_games_of_old_keep_their_key() -> None:
    """The key of a pairing is made from this."""
    assert msgspec.json.encode(Clock(main=10.0)) == b'{"main":10.0,"period":0.0,"moves":1}'
