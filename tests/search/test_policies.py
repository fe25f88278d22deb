"""Tree policies against the published formulas, in plain floats."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest

from goengine.jit import COMPILED, bits_of, float_of_small, kernel
from goengine.search.parameters import POLICIES, new_parameters
from goengine.search.policies import choose_child
from goengine.tree.columns import Tree, new_tree

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N_BLOCKS = 3000 if COMPILED else 60
_FIRST = 2


@kernel
def choose(tree, parameters, first, n_children, parent_visits):
    return choose_child(tree, parameters[0], first, n_children, parent_visits)


def chosen(tree: Tree, parameters: Any, n_children: int, parent_visits: int) -> int:
    words = (np.uint64(number) for number in (_FIRST, n_children, parent_visits))
    return int(choose(tree, parameters, *words)) - _FIRST


def random_word(random: Random, most: int) -> tuple[int, int]:
    """Visits and value; often few, often none, often all won or lost."""
    visits = random.choice((0, 1, random.randint(0, 10), random.randint(0, most)))
    value = random.choice((0, visits * 256, random.randint(0, visits * 256)))
    return visits, value


class Block:
    """Random children, in plain numbers and in columns."""

    def __init__(self, tree: Tree, random: Random, has_priors: bool) -> None:
        self.n = random.choice((1, 2, 5, random.randint(1, 82)))
        most = random.choice((20, 3000, 10**6, (1 << 28) - 1))
        self.stats = [random_word(random, most) for _ in range(self.n)]
        self.amaf = [random_word(random, most) for _ in range(self.n)]
        self.priors = [(0, 0)] * self.n
        if has_priors:
            equivalents = [random.choice((14, 20, random.randint(1, 2000))) for _ in range(self.n)]
            self.priors = [(32 * e, random.choice((16 * e, 32 * e, 0))) for e in equivalents]
        self.parent_visits = sum(visits for visits, _ in self.stats) + random.randint(0, 8)
        for index in range(self.n):
            tree.stats[_FIRST + index] = self.stats[index][0] << 36 | self.stats[index][1]
            tree.amaf[_FIRST + index] = self.amaf[index][0] << 36 | self.amaf[index][1]
            tree.prior[_FIRST + index] = self.priors[index][0] << 16 | self.priors[index][1]

    def rave_values(self, equivalent: float) -> list[float]:
        """Baudiš 2011, 2.3.3; priors count as simulations, 3.3."""
        values = []
        for (sims, wins), (sims_rave, wins_rave), (sims_prior, wins_prior) in zip(
            self.stats, self.amaf, self.priors, strict=True
        ):
            n, w = sims + sims_prior / 32, wins / 256 + wins_prior / 32
            beta = sims_rave / (sims_rave + n + sims_rave * n / equivalent)
            mean_rave = wins_rave / 256 / sims_rave if sims_rave else 0.0
            values.append(beta * mean_rave + (1 - beta) * w / n)
        return values

    def rave_bounds(self, c: float) -> list[float]:
        """Baudiš 2011, Table 3.1: c sqrt(log n / n_j), n_j with the prior."""
        log_n = math.log(max(self.parent_visits, 1))
        return [
            c * math.sqrt(log_n / (sims + sims_prior / 32))
            for (sims, _), (sims_prior, _) in zip(self.stats, self.priors, strict=True)
        ]

    def ucb1_values(self, c: float, urgency: float) -> list[float]:
        """Gelly et al. 2006, 2.2: mean + c sqrt(log n / n_j)."""
        log_n = math.log(max(self.parent_visits, 1))
        return [
            value / 256 / visits + c * math.sqrt(log_n / visits) if visits else urgency
            for visits, value in self.stats
        ]

    def tuned_values(self, p: float, urgency: float) -> list[float]:
        """Gelly et al. 2006, 4.2, for results of 0 and 1: the mean of squares is the mean."""
        log_n = math.log(max(self.parent_visits, 1))
        values = []
        for visits, value in self.stats:
            if not visits:
                values.append(urgency)
                continue
            mean = value / 256 / visits
            variance = mean - mean**2 + math.sqrt(2 * log_n / visits)
            values.append(mean + p * math.sqrt(log_n / visits * min(0.25, variance)))
        return values


@pytest.mark.parametrize("equivalent", [1, 300, 2500, 1e9])
def test_rave(equivalent: float) -> None:
    random, tree = Random(f"rave {equivalent}"), new_tree(100)
    parameters = new_parameters(9, {"policy": "rave", "rave_equivalent": equivalent})
    for _ in range(N_BLOCKS):
        block = Block(tree, random, has_priors=True)
        values = block.rave_values(equivalent)
        found = chosen(tree, parameters, block.n, block.parent_visits)
        assert values[found] == pytest.approx(max(values), abs=1e-9, rel=0)


@pytest.mark.parametrize("c", [0.05, 0.2, 100])
def test_rave_with_exploration(c: float) -> None:
    random, tree = Random(f"rave exploring {c}"), new_tree(100)
    parameters = new_parameters(9, {"policy": "rave", "rave_exploration": c})
    for _ in range(N_BLOCKS // 2):
        block = Block(tree, random, has_priors=True)
        means, bounds = block.rave_values(2500), block.rave_bounds(c)
        values = [mean + bound for mean, bound in zip(means, bounds, strict=True)]
        found = chosen(tree, parameters, block.n, block.parent_visits)
        assert values[found] == pytest.approx(max(values), abs=1e-7, rel=0)


@pytest.mark.parametrize("c", [0, 0.3, 1.0, 100])
@pytest.mark.parametrize("urgency", [0, 1.1, 1e6])
def test_ucb1(c: float, urgency: float) -> None:
    random, tree = Random(f"ucb1 {c} {urgency}"), new_tree(100)
    parameters = new_parameters(
        9, {"policy": "ucb1", "exploration": c, "first_play_urgency": urgency}
    )
    for _ in range(N_BLOCKS // 2):
        block = Block(tree, random, has_priors=random.random() < 0.5)
        values = block.ucb1_values(c, urgency)
        found = chosen(tree, parameters, block.n, block.parent_visits)
        assert values[found] == pytest.approx(max(values), abs=1e-9, rel=0)


@pytest.mark.parametrize("p", [0, 0.05, 1.2, 100])
@pytest.mark.parametrize("urgency", [0, 1.1, 1e6])
def test_ucb1_tuned(p: float, urgency: float) -> None:
    random, tree = Random(f"tuned {p} {urgency}"), new_tree(100)
    parameters = new_parameters(
        9, {"policy": "ucb1-tuned", "tuned_exploration": p, "first_play_urgency": urgency}
    )
    for _ in range(N_BLOCKS // 2):
        block = Block(tree, random, has_priors=random.random() < 0.5)
        values = block.tuned_values(p, urgency)
        found = chosen(tree, parameters, block.n, block.parent_visits)
        assert values[found] == pytest.approx(max(values), abs=1e-9, rel=0)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_first_of_equals_is_taken(policy: str) -> None:
    tree, parameters = new_tree(100), new_parameters(9, {"policy": policy})
    for word in (0, 10 << 36 | 1280, 10 << 36 | 2560, 10 << 36):
        tree.stats[_FIRST : _FIRST + 10] = word
        tree.prior[_FIRST : _FIRST + 10] = 64 << 16 | 32
        assert chosen(tree, parameters, 10, 100) == 0


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("n_children", [1, 81])
def test_some_child_is_chosen_of_a_node_without_visits(policy: str, n_children: int) -> None:
    tree = new_tree(100)
    parameters = new_parameters(9, {"policy": policy, "even_visits": 0, "first_play_urgency": 0})
    assert 0 <= chosen(tree, parameters, n_children, 0) < n_children


def test_without_priors_a_child_that_nobody_knows_is_tried() -> None:
    """All others lost every time: 0 of 0 must not be worse than 0 of 100."""
    tree = new_tree(100)
    parameters = new_parameters(9, {"policy": "rave", "even_visits": 0})
    tree.stats[_FIRST : _FIRST + 5] = 100 << 36
    tree.stats[_FIRST + 3] = 0
    assert chosen(tree, parameters, 5, 400) == 3


@kernel
def float_kernel(word):
    return float_of_small(word)


@kernel
def bits_kernel(value):
    return bits_of(value)


@pytest.mark.parametrize("word", [0, 1, 255, 1 << 16, (1 << 36) - 1, (1 << 52) - 1])
def test_words_as_floats(word: int) -> None:
    assert float_kernel(np.uint64(word)) == float(word)


def test_bits_are_in_the_order_of_the_floats() -> None:
    random = Random(1)
    values = sorted([0.0, 1e-9, 0.5, 1.0, *(random.random() for _ in range(50))])
    bits = [int(bits_kernel(value)) for value in values]
    assert bits == sorted(bits)
    assert bits[0] == 0
