"""Random clocks: another one for each pair of games, by a seed."""

from __future__ import annotations

import math
from random import Random

from clients.match.definition import Pairing
from clients.match.time_settings import Clock, RandomClock

MOVES_FOR_A_POINT = 0.64  # of each player: docs/measurements.md, lengths of games
_MOST_MOVES_IN_PERIOD = 15
_MOST_PERIODS = 5


def clock_for(pairing: Pairing, number: int) -> Clock | None:
    """That of a game, the same for both players."""
    clock = pairing.clock
    if clock is None or not clock.random:
        return clock
    return draw_clock(clock.random, pairing.turn_of(number), pairing.size)


def draw_clock(wanted: RandomClock, turn: int, size: int) -> Clock:
    """Absolute, Fischer, byoyomi or Canadian time; the same for the same seed and turn.

    In a game of usual length a move has so long on average, by logarithms evenly from `least`
    to `most`. What is not main time is in the increments or periods.
    """
    random = Random(f"{wanted.seed} {turn}")
    average = math.exp(random.uniform(math.log(wanted.least), math.log(wanted.most)))
    whole_time = average * MOVES_FOR_A_POINT * size * size
    kind = random.randrange(4)
    share = random.uniform(0.1, 0.9)  # of main time
    has_main = random.random() < 0.75
    count = random.random()
    if kind == 0:
        return Clock(main=_rounded(whole_time))
    if kind == 1:
        return Clock(main=_rounded(share * whole_time), increment=_rounded((1.0 - share) * average))
    main = _rounded(share * whole_time) if has_main else 0.0
    if kind == 2:
        return Clock(main=main, period=_rounded(average), periods=1 + int(_MOST_PERIODS * count))
    n_moves = 1 + int(_MOST_MOVES_IN_PERIOD * count)
    return Clock(main=main, period=_rounded(n_moves * average), moves=n_moves)


def _rounded(seconds: float) -> float:
    """What engines are told in words is what they have."""
    return max(0.001, round(seconds, 3))
