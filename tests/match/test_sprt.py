"""The sequential test: its bounds, its order, and how often it errs on simulated players."""

from __future__ import annotations

import functools
import heapq
import math
from typing import NamedTuple

import numpy as np
import pytest

from clients.match.definition import Sprt
from clients.match.intervals import rate_from_elo
from clients.match.sprt import sprt_state

N_MATCHES = 10_000
MOST_GAMES = 1000
PART = 500  # matches at a time
KEPT = 40  # of each part, to be looked at game by game
SPRT = Sprt(elo0=0, elo1=80, alpha=0.05, beta=0.1)
EMPTY = sprt_state(SPRT, [])


def test_bounds_are_walds():
    state = sprt_state(Sprt(elo0=-5, elo1=5), [])
    assert (state.lower, state.upper) == pytest.approx((-math.log(19), math.log(19)))
    assert (EMPTY.lower, EMPTY.upper) == pytest.approx((math.log(0.1 / 0.95), math.log(18)))
    assert EMPTY[0::3] == (0.0, None)
    assert EMPTY.n_games == 0


def test_ratio_of_likelihoods():
    p0, p1 = 0.5, rate_from_elo(80)
    state = sprt_state(SPRT, [1, 1, 0])
    assert math.exp(state.llr) == pytest.approx((p1 / p0) ** 2 * (1 - p1) / (1 - p0))
    assert sprt_state(SPRT, [0.5, 0.5]).llr == pytest.approx(sprt_state(SPRT, [1, 0]).llr)
    assert (state.verdict, state.n_games) == (None, 3)


def test_first_crossing_decides_and_later_games_do_not():
    n_wins = math.ceil(EMPTY.upper / math.log(rate_from_elo(80) / 0.5))
    assert sprt_state(SPRT, [1] * (n_wins - 1)).verdict is None
    decided = sprt_state(SPRT, [1] * n_wins)
    assert (decided.verdict, decided.n_games) == ("elo1", n_wins)
    assert decided.llr >= decided.upper
    assert sprt_state(SPRT, [1] * n_wins + [0] * 500) == decided
    n_losses = math.ceil(EMPTY.lower / math.log((1 - rate_from_elo(80)) / 0.5))
    assert sprt_state(SPRT, [0] * (n_losses - 1)).verdict is None
    decided = sprt_state(SPRT, [0] * n_losses)
    assert (decided.verdict, decided.n_games) == ("elo0", n_losses)
    assert sprt_state(SPRT, [0] * n_losses + [1] * 500) == decided


def test_only_games_before_the_first_unfinished_one_count():
    assert sprt_state(SPRT, [None] + [1] * 500) == EMPTY
    assert sprt_state(SPRT, [1, 0, None] + [0] * 500) == sprt_state(SPRT, [1, 0])


class Simulation(NamedTuple):
    """Matches played to the bounds, all at once.

    points      of every game, in some of the matches
    verdicts    1 for elo1, -1 for elo0, 0 for neither
    n_games     at the decision
    """

    points: np.ndarray
    verdicts: np.ndarray
    n_games: np.ndarray

    def share(self, verdict: int) -> float:
        return float(np.mean(self.verdicts == verdict))


@functools.cache
def simulate(
    elo: float,
    draws: float = 0.0,
    bounds: tuple[float, float] = (EMPTY.lower, EMPTY.upper),
) -> Simulation:
    """A first player who is stronger by `elo`, and draws so large a share of the games."""
    rng = np.random.default_rng(17)
    rate0, rate1 = rate_from_elo(SPRT.elo0), rate_from_elo(SPRT.elo1)
    win, loss = math.log(rate1 / rate0), math.log((1 - rate1) / (1 - rate0))
    parts = []
    for _ in range(N_MATCHES // PART):
        drawn = rng.random((PART, MOST_GAMES), dtype=np.float32)
        wins = rate_from_elo(elo) - draws / 2
        points = ((drawn < wins) + 0.5 * ((drawn >= wins) & (drawn < wins + draws))).astype("f4")
        total = points.cumsum(axis=1, dtype=np.float64)
        llr = total * win + (np.arange(1, MOST_GAMES + 1) - total) * loss
        side = (llr >= bounds[1]).astype(np.int8) - (llr <= bounds[0]).astype(np.int8)
        first = (side != 0).argmax(axis=1)
        parts.append(Simulation(points[:KEPT], side[np.arange(len(side)), first], first + 1))
    return Simulation(*map(np.concatenate, zip(*parts, strict=True)))


def deviation(share: float) -> float:
    return math.sqrt(share * (1 - share) / N_MATCHES)


def errs_as_promised(share: float, promised: float, other: float) -> bool:
    """Wald's limit, and not much less: bounds that are too far out cost games.

    A match ends a little past the bound, by half a step of 0.2: that makes errors rarer.
    """
    limit = promised / (1 - other)
    return 0.8 * promised < share < limit + 3 * deviation(limit)


def test_wrong_verdicts_are_as_rare_as_promised():
    at_elo0, at_elo1 = simulate(SPRT.elo0), simulate(SPRT.elo1)
    assert errs_as_promised(at_elo0.share(1), SPRT.alpha, SPRT.beta)
    assert errs_as_promised(at_elo1.share(-1), SPRT.beta, SPRT.alpha)
    assert at_elo0.share(0) + at_elo1.share(0) < 0.001


@pytest.mark.parametrize("factor", [0.85, 1.15])
def test_other_bounds_are_told_from_walds(factor: float):
    bounds = (factor * EMPTY.lower, factor * EMPTY.upper)
    at_elo0 = simulate(SPRT.elo0, bounds=bounds)
    at_elo1 = simulate(SPRT.elo1, bounds=bounds)
    assert not errs_as_promised(at_elo0.share(1), SPRT.alpha, SPRT.beta)
    assert not errs_as_promised(at_elo1.share(-1), SPRT.beta, SPRT.alpha)


def test_it_is_surer_outside_the_two_strengths():
    assert simulate(SPRT.elo0 - 40).share(1) < SPRT.alpha / 4
    assert simulate(SPRT.elo1 + 40).share(-1) < SPRT.beta / 4


def test_draws_only_make_errors_rarer():
    assert simulate(SPRT.elo0, draws=0.4).share(1) < 0.8 * SPRT.alpha
    assert simulate(SPRT.elo1, draws=0.4).share(-1) < 0.8 * SPRT.beta


def test_length_is_walds():
    """The bound that is reached on average, divided by what a game brings on average."""
    for elo, p_upper in ((SPRT.elo0, SPRT.alpha), (SPRT.elo1, 1 - SPRT.beta)):
        rate = rate_from_elo(elo)
        step = rate * sprt_state(SPRT, [1]).llr + (1 - rate) * sprt_state(SPRT, [0]).llr
        expected = (p_upper * EMPTY.upper + (1 - p_upper) * EMPTY.lower) / step
        assert expected < simulate(elo).n_games.mean() < 1.1 * expected


@pytest.mark.parametrize(("elo", "draws"), [(0, 0.0), (80, 0.0), (40, 0.3)])
def test_function_decides_as_the_simulation(elo: float, draws: float):
    names = {1: "elo1", -1: "elo0", 0: None}
    found = simulate(elo, draws)
    kept = [number for number in range(N_MATCHES) if number % PART < KEPT]
    assert len(kept) == len(found.points) == 800
    for number, points in zip(kept, found.points.tolist(), strict=True):
        state = sprt_state(SPRT, points)
        verdict = int(found.verdicts[number])
        assert state.verdict == names[verdict]
        assert state.n_games == (found.n_games[number] if verdict else MOST_GAMES)


def finishing_order(results: list[float], n_slots: int) -> list[int]:
    """Games in the order in which they finish: a game that is won takes 1, a lost one 5."""
    running: list[tuple[float, int]] = []
    order = []
    for game, result in enumerate(results):
        start = 0.0
        if len(running) == n_slots:
            start, finished = heapq.heappop(running)
            order.append(finished)
        heapq.heappush(running, (start + (1 if result else 5), game))
    return order + [heapq.heappop(running)[1] for _ in range(len(running))]


def test_short_games_do_not_bias_it():
    """Equal players, 16 games at once, wins are short: asked whenever a game finishes."""
    rng = np.random.default_rng(23)
    n_wrong = n_wrong_by_finishing = 0
    for _ in range(200):
        results = [float(won) for won in rng.random(250) < 0.5]
        order = finishing_order(results, n_slots=16)
        known: list[float | None] = [None] * len(results)
        verdicts = []
        for game in order:
            known[game] = results[game]
            verdicts.append(sprt_state(SPRT, known).verdict)
        decided = [verdict for verdict in verdicts if verdict]
        assert len(set(decided)) <= 1
        assert decided == verdicts[len(verdicts) - len(decided) :]
        n_wrong += verdicts[-1] == "elo1"
        in_order = [results[game] for game in order]
        n_wrong_by_finishing += sprt_state(SPRT, in_order).verdict == "elo1"
    assert n_wrong < 200 * 0.12
    assert n_wrong_by_finishing > 200 * 0.2
