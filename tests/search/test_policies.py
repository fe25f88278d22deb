"""Tree policies against the published formulas, in plain floats."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED, bits_of, float_of_small, kernel
from goengine.search.parameters import POLICIES, new_parameters
from goengine.search.policies import choose_child
from goengine.tree.columns import Tree, new_tree

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N_BLOCKS = 3000 if COMPILED else 60
_FIRST = 2


@kernel
def choose(tree, parameters, first, n_children, parent_visits, color):
    return choose_child(tree, parameters[0], first, n_children, parent_visits, color)


def chosen(
    tree: Tree, parameters: Any, n_children: int, parent_visits: int, color: int = BLACK
) -> int:
    words = (np.uint64(number) for number in (_FIRST, n_children, parent_visits, color))
    return int(choose(tree, parameters, *words)) - _FIRST


def random_word(random: Random, most: int) -> tuple[int, int]:
    """Visits and value; often few, often none, often all won or lost."""
    visits = random.choice((0, 1, random.randint(0, 10), random.randint(0, most)))
    value = random.choice((0, visits * 256, random.randint(0, visits * 256)))
    return visits, value


def even_word(random: Random) -> tuple[int, int]:
    """Visits that won nearly half of the time."""
    visits = random.randint(50, 3000)
    return visits, random.randint(visits * 115, visits * 141)


def random_owners(random: Random, visits: int) -> tuple[int, int]:
    """After how many visits black, and after how many the winner has the point."""
    return random.choice((0, visits, random.randint(0, visits))), random.randint(0, visits)


class Block:
    """Random children, in plain numbers and in columns."""

    def __init__(self, tree: Tree, random: Random, has_priors: bool, is_even: bool = False) -> None:
        self.n = random.choice((1, 2, 5, random.randint(1, 82)))
        most = random.choice((20, 3000, 10**6, (1 << 28) - 1))
        self.stats = [random_word(random, most) for _ in range(self.n)]
        self.amaf = [random_word(random, most) for _ in range(self.n)]
        if is_even:
            self.stats = [even_word(random) for _ in range(self.n)]
            self.amaf = [even_word(random) for _ in range(self.n)]
        self.priors = [(0, 0)] * self.n
        if has_priors:
            equivalents = [random.choice((14, 20, random.randint(1, 2000))) for _ in range(self.n)]
            self.priors = [(32 * e, random.choice((16 * e, 32 * e, 0))) for e in equivalents]
        self.owned = [random_owners(random, visits) for visits, _ in self.stats]
        self.parent_visits = sum(visits for visits, _ in self.stats) + random.randint(0, 8)
        for index in range(self.n):
            tree.stats[_FIRST + index] = self.stats[index][0] << 36 | self.stats[index][1]
            tree.amaf[_FIRST + index] = self.amaf[index][0] << 36 | self.amaf[index][1]
            tree.prior[_FIRST + index] = self.priors[index][0] << 16 | self.priors[index][1]
            mark = random.choice((0, 1 << 63))  # of a start that was left
            tree.owned[_FIRST + index] = mark | self.owned[index][0] << 32 | self.owned[index][1]

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

    def criticalities(self, color: int, least: int) -> list[float]:
        """Baudiš 2011, 5.1, C by Pachi; 0 for children with fewer visits."""
        values = []
        for (sims, wins), (black, winner) in zip(self.stats, self.owned, strict=True):
            if sims < least or sims == 0:
                values.append(0.0)
                continue
            b = black / sims
            p = wins / 256 / sims if color == BLACK else 1 - wins / 256 / sims
            c = winner / sims - (2 * b * p - b - p + 1)
            values.append(min(2 * b * (1 - b), max(-2 * b * (1 - b), c)))
        return values

    def critical_rave_values(self, factor: float, color: int, least: int) -> list[float]:
        """Baudiš 2011, 5.2: |C| AMAF simulations more for each, won or lost."""
        values = []
        for (sims, wins), (sims_amaf, wins_amaf), (sims_prior, wins_prior), c in zip(
            self.stats, self.amaf, self.priors, self.criticalities(color, least), strict=True
        ):
            sims_crit = factor * abs(c) * sims_amaf
            wins_crit = sims_crit if c > 0 else 0.0
            sims_rave, wins_rave = sims_amaf + sims_crit, wins_amaf / 256 + wins_crit
            n, w = sims + sims_prior / 32, wins / 256 + wins_prior / 32
            beta = sims_rave / (sims_rave + n + sims_rave * n / 2500)
            mean_rave = wins_rave / sims_rave if sims_rave else 0.0
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


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(("factor", "least"), [(1, 250), (0.3, 1), (10, 1000)])
def test_rave_with_criticality(factor: float, least: int, color: int) -> None:
    random, tree = Random(f"critical {factor} {least} {color}"), new_tree(100)
    parameters = new_parameters(9, {"criticality": factor, "criticality_visits": least})
    n_told = n_plain = 0
    for _ in range(N_BLOCKS // 2):
        block = Block(tree, random, has_priors=True, is_even=random.random() < 0.5)
        values = block.critical_rave_values(factor, color, least)
        found = chosen(tree, parameters, block.n, block.parent_visits, color)
        assert values[found] == pytest.approx(max(values), abs=1e-9, rel=0)
        plain = block.rave_values(2500)
        n_told += max(plain) - plain[found] > 1e-6
        n_plain += block.parent_visits < least
    assert n_told > N_BLOCKS // 100 or not COMPILED, "it chooses others"
    assert n_plain > 0 or least == 1


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("policy", ["ucb1", "ucb1-tuned"])
def test_ucb_with_criticality(policy: str, color: int) -> None:
    """Pellegrino 2009: twice the covariance is added, which is C."""
    random, tree = Random(f"{policy} {color}"), new_tree(100)
    parameters = new_parameters(9, {"policy": policy, "criticality": 2, "criticality_visits": 5})
    for _ in range(N_BLOCKS // 2):
        block = Block(tree, random, has_priors=False)
        plain = block.ucb1_values(1, 1.1) if policy == "ucb1" else block.tuned_values(1.2, 1.1)
        terms = block.criticalities(color, 5)
        values = [value + 2 * term for value, term in zip(plain, terms, strict=True)]
        found = chosen(tree, parameters, block.n, block.parent_visits, color)
        assert values[found] == pytest.approx(max(values), abs=1e-9, rel=0)


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("owner_wins", [True, False])
def test_criticality_counts_for_whoever_chooses(color: int, owner_wins: bool) -> None:
    """Two moves that win half of their games; one of them where its point goes with winning, or
    with losing: it is the better one, or the worse.
    """
    tree = new_tree(100)
    tree.stats[_FIRST : _FIRST + 2] = 1000 << 36 | 500 * 256
    tree.amaf[_FIRST : _FIRST + 2] = 1000 << 36 | 500 * 256
    tree.owned[_FIRST] = 500 << 32 | 500  # owned by either, whoever wins
    tree.owned[_FIRST + 1] = 500 << 32 | (900 if owner_wins else 100)
    parameters = new_parameters(9, {"criticality": 1})
    for place in (0, 1):  # of that move
        tree.owned[_FIRST : _FIRST + 2] = tree.owned[_FIRST : _FIRST + 2][::-1].copy()
        assert chosen(tree, parameters, 2, 2000, color) == place ^ (not owner_wins)
    assert chosen(tree, parameters, 2, 249, color) == 0, "too few visits of the parent"


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
