"""Intervals and the z-test: against published figures, and on simulated players."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clients.match.intervals import (
    Interval,
    Tally,
    elo_from_rate,
    elo_interval,
    rate_from_elo,
    two_proportions,
    wilson,
)

N_MATCHES = 10_000
RATES = np.linspace(0.05, 0.95, 181)


def test_tally():
    tally = Tally(wins=3, losses=1, draws=2)
    assert (tally.games, tally.points) == (6, 4.0)
    assert tally.turned == Tally(wins=1, losses=3, draws=2)
    assert tally.plus(Tally(1, 0, 1)) == Tally(4, 1, 3)
    assert Tally().games == 0


@pytest.mark.parametrize(
    ("tally", "low", "high"),
    [  # Newcombe 1998, table I, method 3
        (Tally(81, 182), 0.2553, 0.3662),
        (Tally(15, 133), 0.0624, 0.1605),
        (Tally(0, 20), 0.0, 0.1611),
        (Tally(1, 28), 0.0061, 0.1718),
    ],
)
def test_published_intervals(tally: Tally, low: float, high: float):
    found = wilson(tally)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@pytest.mark.parametrize("tally", [Tally(1, 0), Tally(6, 4), Tally(1, 998), Tally(3, 2, 6)])
def test_bounds_are_rates_that_differ_by_so_many_deviations_of_their_own(tally: Tally):
    n = tally.games
    for z in (1.0, 1.959964, 3.0):
        found = wilson(tally, z)
        assert found.value == tally.points / n
        for bound in found[1:]:
            apart = abs(found.value - bound)
            assert apart == pytest.approx(z * math.sqrt(bound * (1 - bound) / n), abs=1e-12)
        turned = wilson(tally.turned, z)
        assert turned == pytest.approx((1 - found.value, 1 - found.high, 1 - found.low))


def test_a_draw_is_half_of_each():
    assert wilson(Tally(50, 30)) == wilson(Tally(40, 20, 20)) == wilson(Tally(20, 0, 60))


def test_without_games_anything_is_possible():
    assert wilson(Tally()) == Interval(0.5, 0.0, 1.0)
    assert elo_interval(Tally()) == Interval(0.0, -math.inf, math.inf)


@pytest.mark.parametrize("n", [1, 3, 10, 99, 1234, 100_000])
def test_who_won_everything_has_no_upper_bound(n: int):
    assert wilson(Tally(wins=n))[::2] == (1.0, 1.0)
    value, low, high = elo_interval(Tally(wins=n))
    assert (value, high) == (math.inf, math.inf)
    assert math.isfinite(low)
    assert elo_interval(Tally(losses=n)) == pytest.approx((-math.inf, -math.inf, -low))


def test_elo_of_rates():
    assert elo_from_rate(0.5) == 0
    assert elo_from_rate(10 / 11) == pytest.approx(400)
    assert elo_from_rate(0.75) == pytest.approx(190.848502)
    for elo in (-800.0, -35.5, 0.0, 3.0, 1000.0):
        assert elo_from_rate(rate_from_elo(elo)) == pytest.approx(elo)
    assert rate_from_elo(0) == 0.5
    assert rate_from_elo(400) == pytest.approx(10 / 11)
    assert (rate_from_elo(math.inf), rate_from_elo(-math.inf)) == (1, 0)
    assert (rate_from_elo(1e9), rate_from_elo(-1e9)) == (1, 0)
    found, rates = elo_interval(Tally(8, 2)), wilson(Tally(8, 2))
    assert tuple(map(rate_from_elo, found)) == pytest.approx(rates)


def coverage(n_games: int, z: float | None = None) -> np.ndarray:
    """How often the interval holds the true rate, by rate."""
    found = [
        wilson(Tally(wins, n_games - wins), *([z] if z else [])) for wins in range(n_games + 1)
    ]
    low, high = np.array([each.low for each in found]), np.array([each.high for each in found])
    wins = np.random.default_rng(n_games).binomial(n_games, RATES, (N_MATCHES, len(RATES)))
    held = (low[wins] <= RATES) & (high[wins] >= RATES)
    return np.asarray(held.mean(axis=0))


@pytest.mark.parametrize("n_games", [20, 100, 1000])
def test_wilson_interval_holds_the_true_rate(n_games: int):
    held = coverage(n_games)
    assert held.mean() == pytest.approx(0.95, abs=0.006)
    assert held.min() > 0.915


@pytest.mark.parametrize("z", [1.8, 2.15])
def test_another_width_is_told_from_95_percent(z: float):
    assert coverage(100, z).mean() != pytest.approx(0.95, abs=0.006)


def test_draws_only_make_it_hold_more_often():
    counts = np.random.default_rng(3).multinomial(100, [0.35, 0.35, 0.3], N_MATCHES).tolist()
    found = [wilson(Tally(*each)) for each in counts]
    assert np.mean([each.low <= 0.5 <= each.high for each in found]) > 0.96


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [  # as a thesis on Go programs gives them, one-sided
        ((510, 1000), (500, 1000), 0.3437),
        ((5100, 10_000), (5000, 10_000), 0.08074),
        ((7140, 14_000), (7000, 14_000), 0.04831),
    ],
)
def test_published_p_values(first: tuple[int, int], second: tuple[int, int], p: float):
    a, b = (Tally(wins, games - wins) for wins, games in (first, second))
    found = two_proportions(a, b)
    assert float(f"{found.p_one_sided:.4g}") == p
    assert found.p_two_sided == pytest.approx(2 * found.p_one_sided)
    other_way = two_proportions(b, a)
    assert other_way.z == -found.z
    assert other_way.p_one_sided == pytest.approx(1 - found.p_one_sided)
    assert other_way.p_two_sided == found.p_two_sided


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (Tally(), Tally()),
        (Tally(9, 1), Tally()),
        (Tally(), Tally(9, 1)),
        (Tally(5, 0), Tally(7, 0)),
        (Tally(0, 5), Tally(0, 7)),
        (Tally(1, 1), Tally(1, 0)),
        (Tally(3, 3, 4), Tally(50, 50)),
    ],
)
def test_nothing_to_tell_apart(a: Tally, b: Tally):
    assert two_proportions(a, b) == (0.0, 0.5, 1.0)


def test_draws_are_halves():
    assert two_proportions(Tally(40, 20, 40), Tally(50, 50)) == two_proportions(
        Tally(60, 40), Tally(50, 50)
    )


def rejections(rate_a: float, rate_b: float, n_a: int, n_b: int) -> tuple[float, float]:
    """How often equal strength is rejected at 5 %, one-sided and two-sided."""
    rng = np.random.default_rng(11)
    wins_a, wins_b = rng.binomial(n_a, rate_a, N_MATCHES), rng.binomial(n_b, rate_b, N_MATCHES)
    found = [
        two_proportions(Tally(a, n_a - a), Tally(b, n_b - b))
        for a, b in zip(wins_a.tolist(), wins_b.tolist(), strict=True)
    ]
    one_sided = np.mean([each.p_one_sided < 0.05 for each in found])
    two_sided = np.mean([each.p_two_sided < 0.05 for each in found])
    return float(one_sided), float(two_sided)


# Three standard deviations of a share of 5 % among so many matches.
NOISE = 3 * math.sqrt(0.05 * 0.95 / N_MATCHES)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
@pytest.mark.parametrize(("n_a", "n_b"), [(2000, 2000), (1000, 4000)])
def test_equal_players_are_seldom_told_apart(rate: float, n_a: int, n_b: int):
    for share in rejections(rate, rate, n_a, n_b):
        # The correction makes it a little more careful than it says.
        assert 0.04 < share < 0.05 + NOISE


def test_unequal_players_are_told_apart():
    # A difference of 0.05, at se 0.0158 each way: z is about 3.1 with a deviation of 1.
    one_sided, two_sided = rejections(0.55, 0.5, 2000, 2000)
    assert one_sided == pytest.approx(0.93, abs=0.015)
    assert two_sided == pytest.approx(0.88, abs=0.015)
