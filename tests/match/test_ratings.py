"""Ratings: against formulas where there are some, and on simulated players elsewhere."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

from clients.match.intervals import LOGITS_TO_ELO, Tally, rate_from_elo
from clients.match.ratings import Rating, ratings

Results = dict[tuple[str, str], Tally]


def play(
    elos: dict[str, float], n_games: int, rng: np.random.Generator, draws: float = 0.0
) -> Results:
    """Everybody against everybody; `draws` is the share of draws between equal players."""
    results = {}
    for first, second in combinations(elos, 2):
        rate = rate_from_elo(elos[first] - elos[second])
        drawn = draws * 4 * rate * (1 - rate)
        shares = [rate - drawn / 2, 1 - rate - drawn / 2, drawn]
        results[first, second] = Tally(*rng.multinomial(n_games, shares).tolist())
    return results


def only(groups: list[list[Rating]]) -> dict[str, Rating]:
    (group,) = groups
    assert group == sorted(group, key=lambda rating: -rating.elo)
    return {rating.name: rating for rating in group}


def test_nobody_and_nothing():
    assert ratings({}) == []
    assert ratings({("a", "b"): Tally()}) == []
    assert ratings({("a", "a"): Tally(5, 3)}) == []


@pytest.mark.parametrize("tally", [Tally(1, 0), Tally(7, 3), Tally(0, 40), Tally(5, 2, 6)])
def test_two_players_are_rated_as_if_they_drew_once_more(tally: Tally):
    found = only(ratings({("a", "b"): tally}, anchor="b"))
    won, lost = tally.points + 0.5, tally.turned.points + 0.5
    elo = LOGITS_TO_ELO * math.log(won / lost)
    error = 1.959964 * LOGITS_TO_ELO * math.sqrt(1 / won + 1 / lost)
    assert found["a"] == ("a", *map(pytest.approx, (elo, elo - error, elo + error)), tally.games)
    assert found["b"] == ("b", 0.0, 0.0, 0.0, tally.games)
    # Without the anchor each is half as far from the mean, and half as unsure of it.
    found = only(ratings({("a", "b"): tally}))
    assert found["a"][1:4] == pytest.approx((elo / 2, (elo - error) / 2, (elo + error) / 2))
    assert found["b"].elo == pytest.approx(-elo / 2)


def test_it_does_not_matter_who_is_named_first():
    results = play({"a": 90, "b": 0, "c": -40}, 30, np.random.default_rng(1))
    turned = {(b, a): tally.turned for (a, b), tally in reversed(results.items())}
    halves = {pair: Tally(*(n // 2 for n in tally)) for pair, tally in results.items()}
    rests = {(b, a): Tally(*(n - n // 2 for n in results[a, b])).turned for a, b in results}
    expected = only(ratings(results))
    for same in (turned, {**halves, **rests}):
        found = only(ratings(same))
        assert found == {name: (name, *map(pytest.approx, expected[name][1:])) for name in expected}


def test_games_against_oneself_do_not_matter():
    results = {("a", "b"): Tally(7, 3)}
    assert ratings({**results, ("a", "a"): Tally(70, 30)}) == ratings(results)


def test_who_wins_everything_is_rated_finitely():
    names = ("a", "b", "c", "d", "e")
    results = {pair: Tally(wins=50) for pair in combinations(names, 2)}
    (group,) = ratings(results)
    assert [rating.name for rating in group] == list(names)
    assert all(abs(rating.elo) < 2000 and rating.high - rating.low < 2000 for rating in group)
    assert sum(rating.elo for rating in group) == pytest.approx(0, abs=1e-6)
    assert {rating.games for rating in group} == {200}


def test_groups_that_did_not_meet_are_rated_by_themselves():
    pair, chain = Tally(8, 2), Tally(6, 4)
    results = {("x", "y"): pair, ("a", "b"): chain, ("y", "z"): Tally(), ("b", "c"): chain}
    first, second = ratings(results, anchor="y")
    assert [rating.name for rating in first] == ["a", "b", "c"]
    assert first == ratings({("a", "b"): chain, ("b", "c"): chain})[0]
    assert second == ratings({("x", "y"): pair}, anchor="y")[0]


def penalised_likelihood(names: list[str], results: Results, elos: np.ndarray) -> float:
    """Log likelihood plus half the log determinant of the information: written out anew."""
    strengths = dict(zip(names, elos / LOGITS_TO_ELO, strict=True))
    information = np.zeros((len(names), len(names)))
    total = 0.0
    for (first, second), tally in results.items():
        rate = 1 / (1 + math.exp(strengths[second] - strengths[first]))
        total += tally.points * math.log(rate) + tally.turned.points * math.log(1 - rate)
        row = np.array([(name == first) - (name == second) for name in names], float)
        information += tally.games * rate * (1 - rate) * np.outer(row, row)
    return total + float(np.linalg.slogdet(information[1:, 1:])[1]) / 2


def random_tournament(rng: np.random.Generator) -> tuple[list[str], Results]:
    """Few or many games, close or hopeless, with gaps: but everybody is connected."""
    names = [f"p{number}" for number in range(rng.integers(2, 8))]
    elos = dict(zip(names, rng.normal(0, rng.choice([50, 400, 1500]), len(names)), strict=True))
    played = play(elos, int(rng.choice([1, 3, 20, 1000])), rng, draws=float(rng.choice([0, 0.3])))
    met = set(pairwise(names))
    kept = {pair: tally for pair, tally in played.items() if pair in met or rng.random() < 0.5}
    return names, kept


def test_found_strengths_are_the_likeliest():
    rng = np.random.default_rng(2)
    # Newton's full steps lead away from the first of these.
    lopsided = {("b", "a"): Tally(100_000), ("c", "a"): Tally(1), ("b", "c"): Tally(1)}
    for names, results in [
        (["a", "b", "c"], lopsided),
        *(random_tournament(rng) for _ in range(100)),
    ]:
        found = only(ratings(results))
        elos = np.array([found[name].elo for name in names])
        best = penalised_likelihood(names, results, elos)
        for away in rng.normal(0, 1, (20, len(names))):
            assert penalised_likelihood(names, results, elos + away) < best + 1e-9


def test_known_strengths_are_recovered():
    elos = {"a": 310.0, "b": 120.0, "c": 0.0, "d": -30.0, "e": -400.0}
    found = only(ratings(play(elos, 100_000, np.random.default_rng(3)), anchor="c"))
    assert list(found) == list(elos)
    for name, elo in elos.items():
        assert found[name].elo == pytest.approx(elo, abs=6)
        assert found[name].high - found[name].low < 8


@pytest.mark.parametrize(
    ("n_games", "spread", "anchor", "at_most"),
    [(200, 150, None, 0.96), (40, 100, None, 0.96), (40, 100, "c", 0.96), (4, 50, None, 0.975)],
)
def test_intervals_hold_the_true_strengths(
    n_games: int, spread: float, anchor: str | None, at_most: float
):
    rng = np.random.default_rng(n_games)
    truth = dict(zip("abcde", spread * np.array([2.0, 0.5, 0.5, -1.0, -2.0]), strict=True))
    zero = truth[anchor] if anchor else 0.0
    held, errors = [], []
    for _ in range(500):
        found = only(ratings(play(truth, n_games, rng), anchor))
        for name in truth.keys() - {anchor}:
            elo = truth[name] - zero
            held.append(found[name].low <= elo <= found[name].high)
            errors.append((found[name].elo - elo) * math.copysign(1, elo))
    assert 0.94 <= np.mean(held) <= at_most
    # No bias: neither drawn towards the mean by the prior, nor away from it by extreme scores.
    assert abs(np.mean(errors)) < 0.1 * np.std(errors) + 1
