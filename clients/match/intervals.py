"""What counts of won and lost games say about strength, and how surely."""

from __future__ import annotations

import math
from typing import NamedTuple

# Standard deviations on either side that hold 95 % of a normal distribution.
Z95 = 1.959964
LOGITS_TO_ELO = 400 / math.log(10)


class Tally(NamedTuple):
    """Results as the first player sees them."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def turned(self) -> Tally:
        """As the second player sees them."""
        return Tally(self.losses, self.wins, self.draws)

    def plus(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.losses + other.losses, self.draws + other.draws)


class Interval(NamedTuple):
    """An estimate, and the bounds of its confidence interval."""

    value: float
    low: float
    high: float


class ZTest(NamedTuple):
    """z > 0: the first scored more. One-sided: how likely that is if it is not the better one;
    two-sided: how likely a difference of this size is if both are equal."""

    z: float
    p_one_sided: float
    p_two_sided: float


def wilson(tally: Tally, z: float = Z95) -> Interval:
    """Wilson's score interval of points a game; without games it is all of 0 to 1.

    A draw counts as half a win and half a loss, so that draws only make it too wide.
    """
    n = tally.games
    if n == 0:
        return Interval(0.5, 0.0, 1.0)
    rate = tally.points / n
    shrink = 1 + z * z / n
    center = (rate + z * z / (2 * n)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / shrink
    # The formula gives exactly 0 and 1 there, but for rounding.
    low = 0.0 if rate == 0 else center - half
    high = 1.0 if rate == 1 else center + half
    return Interval(rate, low, high)


def elo_from_rate(rate: float) -> float:
    """How much stronger one is who scores so much; infinite at 0 and 1."""
    if rate <= 0:
        return -math.inf
    if rate >= 1:
        return math.inf
    return LOGITS_TO_ELO * math.log(rate / (1 - rate))


def rate_from_elo(elo: float) -> float:
    """The points a game to be expected of one who is so much stronger."""
    return (1 + math.tanh(elo / LOGITS_TO_ELO / 2)) / 2


def elo_interval(tally: Tally, z: float = Z95) -> Interval:
    """Wilson's interval in Elo; its bounds, and even its value, may be infinite."""
    return Interval(*map(elo_from_rate, wilson(tally, z)))


def two_proportions(a: Tally, b: Tally) -> ZTest:
    """The pooled two-proportion z-test of whether `a` scored more than `b`.

    With Yates' continuity correction, as R's prop.test has it. Without games on both sides,
    or if all games ended alike, there is no difference.
    """
    if a.games == 0 or b.games == 0:
        return ZTest(0.0, 0.5, 1.0)
    pooled = (a.points + b.points) / (a.games + b.games)
    weight = 1 / a.games + 1 / b.games
    difference = a.points / a.games - b.points / b.games
    error = math.sqrt(pooled * (1 - pooled) * weight)
    if error == 0:
        return ZTest(0.0, 0.5, 1.0)
    z = math.copysign(max(abs(difference) - weight / 2, 0.0) / error, difference)
    return ZTest(z, math.erfc(z / math.sqrt(2)) / 2, math.erfc(abs(z) / math.sqrt(2)))
