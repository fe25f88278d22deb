"""SPSA, the maths alone: which values play each other, and what their games say.

Simultaneous perturbation (Spall 1992): every iteration moves all parameters away from where
they are, each by its step up or down as a coin falls, plays the one side (`plus`) against its
mirror image (`minus`), and follows the side that won. However many parameters there are, two
sides are enough, since the moves of the others are noise that has no direction.

All is counted in a parameter's own steps, so that parameters of any unit are alike. Of N
iterations the k-th has

    c_k = (N / k) ** GAMMA                        the perturbation; one step at the end
    a_k = a * ((A + N) / (A + k)) ** ALPHA        the gain; A is a tenth of N

with Spall's exponents (1998, III.B). `a` follows from `wander`: how many steps a parameter
without any effect is away from its start at the end, as a standard deviation. So more games
carry further towards the optimum, but never make noise look like a result.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from clients.tune.parameters import Parameter, Values

ALPHA = 0.602
GAMMA = 0.101
_STABILITY = 0.1  # A as a part of N: keeps the first moves from being wild


class Schedule(NamedTuple):
    """games    in each iteration"""

    iterations: int
    games: int
    seed: int
    wander: float = 1.0


class Trial(NamedTuple):
    """The two sides of an iteration, as engines are told."""

    plus: Values
    minus: Values


def perturbation(schedule: Schedule, number: int) -> float:
    """c_k in steps, of iteration `number`, from 1."""
    return float((schedule.iterations / number) ** GAMMA)


def gain(schedule: Schedule, number: int) -> float:
    """a_k: steps that a parameter moves at a perturbation of one if `plus` wins every game."""
    return _last_gain(schedule) * _decline(schedule, number)


def trial(
    schedule: Schedule, parameters: Sequence[Parameter], values: Values, number: int
) -> Trial:
    """The sides of iteration `number`, which starts at `values`: the same whenever it is asked."""
    plus, minus = {}, {}
    for parameter in parameters:
        # Its own generator: what is drawn for one does not depend on which others there are.
        random = Random(f"{schedule.seed} {number} {parameter.name}")
        away = random.choice((-1, 1)) * perturbation(schedule, number) * parameter.step
        # A whole number is rounded up as often as it is near the next one; by the same draw on
        # both sides, so that their difference is two perturbations on average.
        lift = random.random() if parameter.whole else None
        plus[parameter.name] = _placed(parameter, values[parameter.name] + away, lift)
        minus[parameter.name] = _placed(parameter, values[parameter.name] - away, lift)
    return Trial(plus, minus)


def moved(
    schedule: Schedule,
    parameters: Sequence[Parameter],
    values: Values,
    tried: Trial,
    score: float,
    number: int,
) -> Values:
    """Where iteration `number` leads to from `values`; always within the bounds.

    score   (won - lost) / games of `plus`: -1 to 1
    """
    weight = gain(schedule, number) / perturbation(schedule, number) ** 2 * score
    after = {}
    for parameter in parameters:
        name = parameter.name
        # What was played, not what was meant: bounds and rounding may have moved a side, and
        # who played with the same value on both sides learned nothing about it.
        half_difference = (tried.plus[name] - tried.minus[name]) / 2
        after[name] = parameter.within(values[name] + weight * half_difference)
    return after


def _placed(parameter: Parameter, value: float, lift: float | None) -> float:
    """`lift`: so much is added before a whole number is rounded down."""
    return parameter.told(value if lift is None else math.floor(value + lift))


@functools.cache
def _last_gain(schedule: Schedule) -> float:
    """A score of n even games has the variance 1 / n; the moves of all iterations add up."""
    total = sum(
        (_decline(schedule, number) / perturbation(schedule, number)) ** 2
        for number in range(1, schedule.iterations + 1)
    )
    return schedule.wander / math.sqrt(total / schedule.games)


def _decline(schedule: Schedule, number: int) -> float:
    """The gain as a multiple of the last one."""
    offset = _STABILITY * schedule.iterations
    return float(((offset + schedule.iterations) / (offset + number)) ** ALPHA)
