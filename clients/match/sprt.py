"""Wald's sequential probability ratio test: stop as soon as the games say enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from clients.match.definition import Sprt
from clients.match.intervals import rate_from_elo

Verdict = Literal["elo0", "elo1"]


class SprtState(NamedTuple):
    """llr runs from 0 until it reaches `lower`, for elo0, or `upper`, for elo1.

    verdict     None: not decided yet
    n_games     looked at; once decided, those up to the decision
    """

    llr: float
    lower: float
    upper: float
    verdict: Verdict | None
    n_games: int


def sprt_state(sprt: Sprt, results: Sequence[float | None]) -> SprtState:
    """Points of the first player by number of the game, from game 1; None is not finished yet.

    Short games finish first, and one player may win the short ones: so only the games before
    the first unfinished one are looked at, in their order. The first of them that reaches a
    bound decides, and no later game changes that.

    The wrong verdict comes with a probability of about alpha if elo0 is true and beta if elo1
    is: never more than alpha / (1 - beta) and beta / (1 - alpha). A draw is half a win and half
    a loss, which is cautious: results that vary less decide more safely.
    """
    rate0, rate1 = rate_from_elo(sprt.elo0), rate_from_elo(sprt.elo1)
    win, loss = math.log(rate1 / rate0), math.log((1 - rate1) / (1 - rate0))
    lower = math.log(sprt.beta / (1 - sprt.alpha))
    upper = math.log((1 - sprt.beta) / sprt.alpha)
    points, llr, n_games = 0.0, 0.0, 0
    for result in results:
        if result is None:
            break
        n_games += 1
        points += result
        llr = points * win + (n_games - points) * loss
        if llr >= upper:
            return SprtState(llr, lower, upper, "elo1", n_games)
        if llr <= lower:
            return SprtState(llr, lower, upper, "elo0", n_games)
    return SprtState(llr, lower, upper, None, n_games)
