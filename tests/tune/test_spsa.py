"""The maths of tuning, on games that are made up."""

from __future__ import annotations

import math
import statistics
from random import Random

import pytest

from clients.tune.parameters import Parameter, Values, start_values
from clients.tune.spsa import ALPHA, GAMMA, Schedule, Trial, gain, moved, perturbation, trial

SCHEDULE = Schedule(iterations=500, games=8, seed=1)


def parameter(name: str = "x", **given: float) -> Parameter:
    usual = {"start": 0.0, "minimum": -1000.0, "maximum": 1000.0, "step": 1.0}
    return Parameter(name=name, whole=bool(given.pop("whole", False)), **{**usual, **given})


def play(tried: Trial, loss: Values, optimum: Values, n_games: int, random: Random) -> float:
    """The score of `plus`: every parameter loses so many Elo at a distance of 1."""

    def elo(values: Values) -> float:
        return -sum(loss[name] * (values[name] - optimum[name]) ** 2 for name in values)

    rate = 1 / (1 + 10 ** ((elo(tried.minus) - elo(tried.plus)) / 400))
    return sum(1 if random.random() < rate else -1 for _ in range(n_games)) / n_games


def tuned(
    schedule: Schedule, parameters: list[Parameter], loss: Values, optimum: Values
) -> list[Values]:
    """Where a whole run goes."""
    random = Random(schedule.seed)
    course = [start_values(parameters)]
    for number in range(1, schedule.iterations + 1):
        tried = trial(schedule, parameters, course[-1], number)
        score = play(tried, loss, optimum, schedule.games, random)
        course.append(moved(schedule, parameters, course[-1], tried, score, number))
    return course


def test_sequences_are_spalls() -> None:
    assert perturbation(SCHEDULE, 500) == 1
    assert perturbation(SCHEDULE, 1) == pytest.approx(500**GAMMA)
    assert gain(SCHEDULE, 1) / gain(SCHEDULE, 500) == pytest.approx((550 / 51) ** ALPHA)
    gains = [gain(SCHEDULE, number) for number in range(1, 501)]
    assert gains == sorted(gains, reverse=True)


def test_the_same_seed_gives_the_same_perturbations() -> None:
    parameters = [parameter("x"), parameter("y", whole=True)]
    values = {"x": 1.0, "y": 2.5}
    tried = [trial(SCHEDULE, parameters, values, number) for number in range(1, 50)]
    assert tried == [trial(SCHEDULE, parameters, values, number) for number in range(1, 50)]
    other = SCHEDULE._replace(seed=2)
    assert tried != [trial(other, parameters, values, number) for number in range(1, 50)]
    alone = [trial(SCHEDULE, parameters[:1], values, number) for number in range(1, 50)]
    assert [each.plus["x"] for each in alone] == [each.plus["x"] for each in tried]
    ups = [each.plus["x"] > each.minus["x"] for each in tried]
    assert 10 < sum(ups) < 40
    together = sum(up == (each.plus["y"] > each.minus["y"])
                   for up, each in zip(ups, tried, strict=True))  # fmt: skip
    assert 10 < together < 40, "parameters are perturbed independently"


def test_it_finds_the_optimum_of_many_parameters_at_once() -> None:
    """Ten parameters, three to eight steps away, in units that differ by a million."""
    steps = {f"p{number}": 10.0 ** (number % 7 - 3) for number in range(10)}
    away = {name: (3 + number % 6) * (-1) ** number for number, name in enumerate(steps)}
    parameters = [parameter(name, step=step, minimum=-1e5, maximum=1e5)
                  for name, step in steps.items()]  # fmt: skip
    loss = {name: 5 / step**2 for name, step in steps.items()}
    optimum = {name: away[name] * steps[name] for name in steps}
    for seed in range(3):
        *_, last = tuned(SCHEDULE._replace(seed=seed), parameters, loss, optimum)
        distances = [(last[name] - optimum[name]) / steps[name] for name in steps]
        lost = sum(5 * distance**2 for distance in distances)
        before = sum(5 * distance**2 for distance in away.values())
        assert lost < before / 20, distances
        assert max(map(abs, distances)) < 2


def test_whole_numbers_are_found_too() -> None:
    parameters = [parameter("n", whole=True, start=10, minimum=0, maximum=50, step=0.5)]
    for seed in range(5):
        schedule = Schedule(iterations=500, games=8, seed=seed)
        course = tuned(schedule, parameters, {"n": 10.0}, {"n": 14.0})
        assert abs(parameters[0].told(course[-1]["n"]) - 14) <= 1


@pytest.mark.parametrize(("iterations", "games"), [(200, 8), (400, 2), (50, 40)])
def test_a_parameter_without_effect_wanders_as_far_as_was_said(iterations: int, games: int) -> None:
    parameters = [parameter(f"p{number}") for number in range(40)]
    nothing = dict.fromkeys(start_values(parameters), 0.0)
    ends: list[float] = []
    for seed in range(2):
        schedule = Schedule(iterations, games, seed, wander=1.5)
        ends += tuned(schedule, parameters, nothing, nothing)[-1].values()
    assert abs(statistics.mean(ends)) < 4 * 1.5 / math.sqrt(len(ends))
    assert 1.1 < statistics.pstdev(ends) < 2.0


def test_a_flat_parameter_beside_strong_ones_does_not_run_away() -> None:
    parameters = [parameter("strong"), parameter("flat")]
    for seed in range(5):
        schedule = SCHEDULE._replace(seed=seed)
        course = tuned(schedule, parameters, {"strong": 10, "flat": 0}, {"strong": 5, "flat": 0})
        assert abs(course[-1]["flat"]) < 4
        assert abs(course[-1]["strong"] - 5) < 1.5


def test_values_stay_within_their_bounds() -> None:
    """The optimum is far outside, and so would be the sides of most games."""
    parameters = [
        parameter("x", minimum=-2, maximum=2),
        parameter("n", whole=True, minimum=0, maximum=4, start=1, step=1.5),
    ]
    schedule = SCHEDULE._replace(iterations=200)
    random = Random(1)
    values = start_values(parameters)
    for number in range(1, 201):
        tried = trial(schedule, parameters, values, number)
        score = play(tried, {"x": 5, "n": 5}, {"x": 9, "n": -9}, 8, random)
        values = moved(schedule, parameters, values, tried, score, number)
        for each in parameters:
            for told in (tried.plus, tried.minus, values):
                assert each.minimum <= told[each.name] <= each.maximum
            assert tried.plus[each.name] != tried.minus[each.name]
        assert tried.plus["n"] == int(tried.plus["n"])
        assert tried.minus["n"] == int(tried.minus["n"])
    assert values["x"] > 1.5
    assert values["n"] < 0.7


def test_a_whole_number_is_rounded_without_bias() -> None:
    each = parameter("n", whole=True, step=0.7)
    schedule = SCHEDULE._replace(iterations=4000)
    tried = [trial(schedule, [each], {"n": 2.3}, number) for number in range(3001, 4001)]
    middles = [(one.plus["n"] + one.minus["n"]) / 2 for one in tried]
    differences = [abs(one.plus["n"] - one.minus["n"]) for one in tried]
    assert statistics.mean(middles) == pytest.approx(2.3, abs=0.05)
    assert statistics.mean(differences) == pytest.approx(2 * 0.7 * 1.015, abs=0.06)
    assert set(differences) == {1, 2}


def test_one_move() -> None:
    each = parameter(step=2.0)
    c, a = perturbation(SCHEDULE, 7), gain(SCHEDULE, 7)
    tried = Trial({"x": 5.0 + 2 * c}, {"x": 5.0 - 2 * c})
    won = moved(SCHEDULE, [each], {"x": 5.0}, tried, 0.5, 7)
    assert won["x"] == pytest.approx(5.0 + 2.0 * a / c * 0.5)
    assert moved(SCHEDULE, [each], {"x": 5.0}, tried, 0.0, 7) == {"x": 5.0}
    same = Trial({"x": 5.0}, {"x": 5.0})
    assert moved(SCHEDULE, [each], {"x": 5.0}, same, 1.0, 7) == {"x": 5.0}
