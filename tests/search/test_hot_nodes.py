"""Nodes that everybody visits: debts and samples change nothing on the whole."""

from __future__ import annotations

import pytest

from goengine.rules.game import Game
from goengine.search.workspace import N_SIMULATIONS
from goengine.tree.checking import check_tree
from goengine.tree.columns import ROOT
from goengine.tree.deltas import pay_all
from tests.search.searches import OneWorker, all_nodes, children_of, visits_at


@pytest.mark.boundscheck
@pytest.mark.parametrize("policy", ["rave", "ucb1"])
def test_the_root_is_exact_after_every_batch(policy: str) -> None:
    search = OneWorker(Game(5), n_nodes=400_000, hot_visits=1024, policy=policy)
    tree, n_made = search.tree, 0
    for n in (1, 1023, 1, 1, 500, 3000, 1, 10_000, 777):
        assert search.simulate(n) == n
        n_made += n
        assert visits_at(tree, ROOT) == n_made == search.tally[N_SIMULATIONS]
        assert not any(column.any() for column in search.space.deltas), "nothing is owed"
        assert pay_all(tree, search.space.deltas) == 0
        check_tree(tree)
    hot = [node for node in all_nodes(tree) if visits_at(tree, node) > 1024]
    assert len(hot) > 1
    for node in hot:
        below = sum(visits_at(tree, child) for child in children_of(tree, node))
        assert visits_at(tree, node) - below == (0 if node == ROOT else 8)


def test_debts_leave_no_trace_in_the_results() -> None:
    """Win rates with and without hot nodes are those of two samples of the same thing."""
    rates = []
    for hot_visits in (1024, 1e9):
        search = OneWorker(Game(5, komi=0.5), n_nodes=400_000, hot_visits=hot_visits, policy="ucb1")
        search.simulate(20_000)
        rate = search.read().win_rate
        assert rate is not None
        rates.append(rate)
    assert rates[0] == pytest.approx(rates[1], abs=0.03)


def root_amaf(search: OneWorker) -> tuple[int, int]:
    words = [int(search.tree.amaf[child]) for child in children_of(search.tree, ROOT)]
    return sum(word >> 36 for word in words), sum(word % (1 << 36) for word in words)


def test_sampled_amaf_counts_as_much_as_all_of_it() -> None:
    """One visit in 16 tells AMAF, 16 times: the sums stay as they are without it."""
    sums = []
    for exact_visits in (1e9, 1 << 11):
        search = OneWorker(Game(3, komi=0.5), n_nodes=200_000, policy="ucb1", hot_visits=1e9)
        search.simulate(1 << 16)
        before = root_amaf(search)
        search.set_parameters(
            3, {"policy": "ucb1", "hot_visits": 1e9, "amaf_exact_visits": exact_visits}
        )
        search.simulate(1 << 16)
        after = root_amaf(search)
        sums.append((after[0] - before[0], after[1] - before[1]))
        check_tree(search.tree)
    (all_visits, all_value), (visits, value) = sums
    # One in 16 of 65,536: a standard deviation of 1.5 %.
    assert visits == pytest.approx(all_visits, rel=0.06)
    assert value / visits == pytest.approx(all_value / all_visits, abs=0.01 * 256)
    assert visits != all_visits


@pytest.mark.parametrize(("distance", "times"), [(0, {1}), (3, {1, 2, 3})])
def test_where_samples_begin(distance: int, times: set[int]) -> None:
    """docs: past amaf_exact_visits, one visit in 2, 4, 8 ... tells AMAF, with that weight."""
    search = OneWorker(
        Game(9), n_nodes=100_000, amaf_exact_visits=64, policy="ucb1", amaf_distance=distance
    )
    weights: dict[int, set[int]] = {}
    for n in range(600):
        before = [int(search.tree.amaf[row]) >> 36 for row in range(2, 84)] if n else [0] * 82
        search.simulate(1)
        after = [int(search.tree.amaf[row]) >> 36 for row in range(2, 84)]
        # 1, 2, 4 for a node with up to 64, 128, 256 visits and so on
        level = max(0, n // 64).bit_length()
        weights.setdefault(level, set()).update(set(map(int.__sub__, after, before)) - {0})
    assert weights == {level: {2**level * n for n in times} for level in range(5)}
