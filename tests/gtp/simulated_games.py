"""Whole games on simulated clocks: a referee who keeps time, and searches that take some."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from goengine.board import BLACK
from goengine.gtp.budget import limits_under
from goengine.gtp.clock import Clock
from goengine.search.orders import Limits

Thinking = Callable[[Limits, float], float]  # limits, part of the game that is played: seconds
Rounding = Callable[[float], float]


class Referee:
    """Keeps one player's time as a server does, with none of the code under test."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.main = clock.main
        self.in_period = clock.period
        self.stones = clock.stones  # to play in this period, or periods left
        self.spent = 0.0

    def spend(self, seconds: float) -> bool:
        """Is the player still in the game after a move that took so long?"""
        clock = self.clock
        self.spent += seconds
        if clock.move_limit is not None and seconds > clock.move_limit:
            return False
        used_of_main = min(self.main, seconds)
        self.main -= used_of_main
        over = seconds - used_of_main
        if over == 0 and clock.kind == "fischer":
            self.main = min(self.main + clock.period, clock.main_limit or math.inf)
        if over == 0:
            return True
        if clock.kind == "canadian":
            self.in_period -= over
            self.stones -= 1
            in_time = self.in_period >= 0
            if self.stones == 0:
                self.in_period, self.stones = clock.period, clock.stones
            return in_time
        if clock.kind == "byoyomi":
            self.stones -= int(over // clock.period)
            return self.stones > 0
        return False

    def tell(self, clock: Clock, rounding: Rounding = math.floor) -> Clock:
        """As servers do it, in whole seconds."""
        if self.main > 0 or clock.kind in ("absolute", "fischer"):
            return clock.with_left(BLACK, rounding(self.main), 0)
        return clock.with_left(BLACK, rounding(self.in_period), self.stones)


@dataclass(frozen=True)
class Conditions:
    """What a move takes beside its search, in seconds.

    delay       from the end of a search to the answer, which our own watch sees
    lag         of the network, which it does not see
    rounding    of what is told; None: nothing is told
    is_told_twice   before and after a move
    """

    delay: Callable[[], float] = lambda: 0.0
    lag: Callable[[], float] = lambda: 0.0
    rounding: Rounding | None = math.floor
    is_told_twice: bool = False


def as_desired(limits: Limits, _: float) -> float:
    return limits.seconds or 0.0


def to_the_end(limits: Limits, _: float) -> float:
    return limits.most_seconds or 0.0


def hastily(limits: Limits, _: float) -> float:
    """Every move is clear at once."""
    return max(limits.free_seconds, 0.25 * (limits.seconds or 0.0))


def as_it_comes(chance: random.Random) -> Thinking:
    """Unclear, clear, or clear early on; and towards the end of a game always so."""

    def think(limits: Limits, part: float) -> float:
        desired, most = limits.seconds or 0.0, limits.most_seconds or 0.0
        if chance.random() < (0.3 if part < 0.7 else 0.8):
            return max(limits.free_seconds, chance.uniform(0.2, 1.0) * desired)
        return chance.choice([desired, most, chance.uniform(desired, most)])

    return think


def play(
    settings: Clock,
    size: int,
    n_moves: int,
    think: Thinking = as_desired,
    conditions: Conditions = Conditions(),
    *,
    plays_to_the_end: bool = True,
) -> Referee | None:
    """A game of so many moves, both players' together. None if it is lost on time."""
    clock, referee = settings, Referee(settings)
    for n_played in range(0, n_moves, 2):
        if conditions.rounding:
            clock = referee.tell(clock, conditions.rounding)
        limits = limits_under(clock, BLACK, n_played, size, plays_to_the_end=plays_to_the_end)
        assert limits is not None
        assert limits.seconds is not None
        assert 0 < limits.seconds <= (limits.most_seconds or 0.0) + 1e-9
        ours = think(limits, n_played / n_moves) + conditions.delay()
        if not referee.spend(ours + conditions.lag()):
            return None
        clock = clock.with_spent(BLACK, ours)
        if conditions.rounding and conditions.is_told_twice:
            clock = referee.tell(clock, conditions.rounding)
    return referee
