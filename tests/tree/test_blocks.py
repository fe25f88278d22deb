"""Blocks: one claimant, rows to the last one, published when complete."""

from __future__ import annotations

import numpy as np
import pytest

from goengine.tree.blocks import (
    claim_node,
    fill_row,
    give_up_claim,
    hand_out_rows,
    publish_block,
)
from goengine.tree.checking import check_tree
from goengine.tree.claims import claim_of, new_worker_table
from goengine.tree.columns import FULL, NO_CHILDREN, ROOT, USED, Tree, new_tree
from goengine.words import U0

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

_ROOT = np.uint64(ROOT)
CLAIM = np.uint64(claim_of(new_worker_table(1), U0))


def with_rows(n_nodes: int) -> Tree:
    tree = new_tree(n_nodes)
    return Tree(*(column[:n_nodes] if column is not tree.words else column for column in tree))


def test_one_of_two_gets_the_node() -> None:
    tree = with_rows(10)
    assert claim_node(tree, _ROOT, U0, CLAIM)
    assert int(tree.first_child[ROOT]) == CLAIM
    assert not claim_node(tree, _ROOT, U0, CLAIM + np.uint64(1))
    assert int(tree.first_child[ROOT]) == CLAIM
    assert claim_node(tree, _ROOT, CLAIM, CLAIM + np.uint64(1)), "a claim can be taken over"
    give_up_claim(tree, _ROOT)
    assert int(tree.first_child[ROOT]) == NO_CHILDREN


def test_rows_are_handed_out_to_the_last_one() -> None:
    tree = with_rows(10)
    assert hand_out_rows(tree, np.uint64(3)) == 2
    assert hand_out_rows(tree, np.uint64(5)) == 5
    assert int(tree.words[FULL]) == 0
    assert int(tree.words[USED]) == tree.n_used == 10


@pytest.mark.parametrize("n_rows", [1, 2, 500])
def test_a_full_tree_says_so_and_hands_out_nothing(n_rows: int) -> None:
    tree = with_rows(10)
    hand_out_rows(tree, np.uint64(8))
    before = [column.copy() for column in tree[:-1]]
    for _ in range(3):
        assert hand_out_rows(tree, np.uint64(n_rows)) == 0
        assert int(tree.words[FULL]) == 1
        assert tree.n_used == 10
    assert all((old == new).all() for old, new in zip(before, tree[:-1], strict=True))


def test_a_block_that_does_not_quite_fit() -> None:
    tree = with_rows(10)
    assert hand_out_rows(tree, np.uint64(9)) == 0
    assert int(tree.words[FULL]) == 1
    assert hand_out_rows(tree, np.uint64(1)) == 0, "full until the collector has been there"


def test_rows_hold_nothing_of_an_earlier_tree() -> None:
    tree = with_rows(10)
    for column in tree[:-1]:
        column[2:] = ~column.dtype.type(0)
    first = hand_out_rows(tree, np.uint64(3))
    for index in range(3):
        fill_row(tree, first + np.uint64(index), np.uint64(40 + index), np.uint64(7 << 16 | 3))
    assert tree.move[2:5].tolist() == [40, 41, 42]
    assert (tree.prior[2:5] == 7 << 16 | 3).all()
    for name in ("stats", "amaf", "owned", "first_child"):
        assert not getattr(tree, name)[2:5].any(), name
    for column in tree[:-1]:
        assert (column[5:] == ~column.dtype.type(0)).all(), "the next rows are not touched"
    assert int(tree.first_child[ROOT]) == NO_CHILDREN, "nobody can reach them yet"
    publish_block(tree, _ROOT, first, np.uint64(3))
    assert (int(tree.first_child[ROOT]), int(tree.n_children[ROOT])) == (2, 3)
    assert check_tree(tree) == 4


def test_first_child_is_written_last() -> None:
    """In the order of a plain-Python run; a release store keeps it when compiled."""
    order: list[str] = []

    class Column:
        def __init__(self, name: str) -> None:
            self.name = name

        def __setitem__(self, row: object, value: object) -> None:
            order.append(self.name)

    plain = getattr(publish_block, "py_func", publish_block)
    release = plain.__globals__["store_release"]
    plain.__globals__["store_release"] = lambda column, row, value: column.__setitem__(row, value)
    try:
        columns = {name: Column(name) for name in Tree._fields}
        plain(Tree(**columns), _ROOT, np.uint64(2), np.uint64(3))
    finally:
        plain.__globals__["store_release"] = release
    assert order == ["n_children", "first_child"]
