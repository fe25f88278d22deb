"""Debts: whatever the order, the tree ends with the exact sums, and nobody owes much."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from goengine.jit import COMPILED, kernel
from goengine.tree.columns import Tree, new_tree
from goengine.tree.deltas import N_DELTAS, Deltas, new_deltas, owe, pay, pay_all
from goengine.tree.packing import BLACK_OWNED, VISIT
from goengine.words import U0, U1

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]


@kernel
def owe_kernel(tree, deltas, node, visits, stats, owned):
    return owe(tree, deltas, node, visits, stats, owned)


def total(tree: Tree, deltas: Deltas, name: str) -> Any:
    """What every node has or is owed."""
    sums = getattr(tree, name).copy()
    np.add.at(sums, deltas.node.astype(np.int64), getattr(deltas, name))
    return sums


@pytest.mark.parametrize("n_nodes", [2, 100, 1000])
@pytest.mark.parametrize("start", [0, 1024, 20_000, 100_000, 1 << 27])
def test_random_debts_are_paid_exactly(n_nodes: int, start: int) -> None:
    random = Random(f"{n_nodes} {start}")
    tree, deltas = new_tree(n_nodes), new_deltas()
    tree.stats[:] = np.uint64(start << 36)
    expected, expected_owned = tree.stats.copy(), tree.owned.copy()
    n_paid = 0
    for _ in range(2000 if COMPILED else 300):
        node = min(int(random.expovariate(0.1)), n_nodes - 1) if random.random() < 0.8 else 1
        visits = tree.stats[node] >> np.uint64(36)
        stats = VISIT + np.uint64(random.randint(0, 256))
        owned = BLACK_OWNED * np.uint64(random.randint(0, 1)) + np.uint64(random.randint(0, 1))
        paid = owe_kernel(tree, deltas, np.uint64(node), visits, stats, owned)
        assert 0 <= paid <= 2
        n_paid += int(paid)
        expected[node] += stats
        expected_owned[node] += owned
        owed = int(deltas.stats[node % N_DELTAS] >> np.uint64(36))
        assert owed < 64
        assert owed <= int(visits) / 1024
    assert (total(tree, deltas, "stats") == expected).all()
    assert (total(tree, deltas, "owned") == expected_owned).all()
    n_owing = int((deltas.stats != 0).sum())
    assert pay_all(tree, deltas) == n_owing
    assert n_paid + n_owing > 0
    assert (tree.stats == expected).all()
    assert (tree.owned == expected_owned).all()
    assert not any(column.any() for column in deltas), "neither debts nor nodes"
    assert pay_all(tree, deltas) == 0


@pytest.mark.parametrize(
    ("visits", "n_owed"), [(0, 1), (1023, 1), (1024, 1), (2048, 2), (10_240, 10), (1 << 20, 64)]
)
def test_when_a_node_is_paid(visits: int, n_owed: int) -> None:
    tree, deltas = new_tree(10), new_deltas()
    for n in range(1, n_owed + 1):
        paid = owe_kernel(tree, deltas, np.uint64(5), np.uint64(visits), VISIT, U0)
        assert paid == (n == n_owed)
    assert int(tree.stats[5]) == n_owed << 36


def test_two_nodes_of_one_place_do_not_mix() -> None:
    tree, deltas = new_tree(400), new_deltas()
    here, there = np.uint64(3), np.uint64(3 + N_DELTAS)
    many = np.uint64(1 << 20)
    assert owe_kernel(tree, deltas, here, many, VISIT + U1, BLACK_OWNED) == 0
    assert owe_kernel(tree, deltas, there, many, VISIT, U0) == 1, "the other is paid first"
    assert (int(tree.stats[3]), int(tree.owned[3])) == (int(VISIT) + 1, int(BLACK_OWNED))
    assert int(tree.stats[there]) == 0
    assert owe_kernel(tree, deltas, here, U0, VISIT, U0) == 2
    assert int(tree.stats[there]) == int(VISIT)


def test_a_lost_visit_is_a_debt_too() -> None:
    tree, deltas = new_tree(10), new_deltas()
    owe_kernel(tree, deltas, U1, np.uint64(1 << 20), VISIT, U0)
    assert pay(tree, deltas, U1) == 1
    assert int(tree.stats[1]) == int(VISIT)
    assert pay(tree, deltas, U1) == 0


def test_somebody_else_can_pay_from_the_same_rows() -> None:
    """For a worker that was killed, the supervisor pays."""
    rows = np.zeros((2, 3, N_DELTAS), np.uint64)
    tree = new_tree(10)
    owe_kernel(tree, new_deltas(rows[1]), U1, np.uint64(1 << 20), VISIT, U1)
    assert rows[1].any()
    assert not rows[0].any()
    assert pay_all(tree, new_deltas(rows[1])) == 1
    assert (int(tree.stats[1]), int(tree.owned[1])) == (int(VISIT), 1)
    assert not rows.any()
