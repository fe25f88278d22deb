"""The start goes from node to node: what it leaves, and what it finds when it comes back."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from goengine.jit import COMPILED
from goengine.tree.checking import check_tree
from goengine.tree.columns import ROOT, START, START_VISITS, USED, Tree, new_tree
from goengine.tree.starts import leave_start, plant_root, start_at, visits_from
from tests.tree.naive_trees import CLAIM_MARK, Node, plant, random_tree, read_tree, rows_of

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

SEEDS = range(12 if COMPILED else 2)
WAS_START = 1 << 63
CHILD, GRANDCHILD = 2, 4


def family() -> Tree:
    """A root, two children, and two children of the first of these."""
    grandchildren = [Node(move=8, visits=30, value=3000), Node(move=9, visits=10, value=2560)]
    child = Node(move=3, visits=48, value=4800, black=11, winner=22, children=grandchildren)
    return plant(Node(visits=100, value=12800, children=[child, Node(move=4, visits=52)]))


def simulate(tree: Tree, path: list[int], n: int, value: int) -> None:
    """So many simulations that end at the last node, each with `value` for whoever moves first."""
    for ply, row in enumerate(path):
        won = 256 - value if ply % 2 == 0 else value
        tree.stats[row] += np.uint64(n << 36 | n * won)


def words(tree: Tree, row: int) -> tuple[int, int]:
    return int(tree.stats[row]) >> 36, int(tree.stats[row]) % (1 << 36)


def test_a_new_tree_starts_at_its_root() -> None:
    tree = new_tree(10)
    assert tree.start == ROOT
    assert visits_from(tree, ROOT) == 0


def test_a_start_that_was_not_searched_leaves_no_trace() -> None:
    tree = family()
    before = [column.copy() for column in tree[:-1]]
    for row in (CHILD, GRANDCHILD, CHILD + 1):
        start_at(tree, row)
        assert tree.start == row
        check_tree(tree)
        leave_start(tree)
    start_at(tree, ROOT)
    check_tree(tree)
    assert all((old == new).all() for old, new in zip(before, tree[:-1], strict=True))


def test_a_child_gives_back_what_its_parent_did_not_choose() -> None:
    tree = family()
    start_at(tree, CHILD)
    assert int(tree.words[START_VISITS]) == 48
    simulate(tree, [CHILD, GRANDCHILD], 52, value=64)
    assert words(tree, CHILD) == (100, 4800 + 52 * 192)
    check_tree(tree)
    leave_start(tree)
    assert words(tree, CHILD) == (48, round(0.48 * (4800 + 52 * 192))), "at its present mean"
    assert words(tree, ROOT) == (100, 12800)
    assert words(tree, GRANDCHILD) == (82, 3000 + 52 * 64)
    assert int(tree.owned[CHILD]) == WAS_START | 11 << 32 | 22
    start_at(tree, ROOT)
    check_tree(tree)


def test_who_comes_back_finds_what_the_children_have() -> None:
    tree = family()
    start_at(tree, CHILD)
    simulate(tree, [CHILD, GRANDCHILD], 52, value=64)
    leave_start(tree)
    start_at(tree, ROOT)
    simulate(tree, [ROOT, CHILD, GRANDCHILD + 1], 5, value=256)
    assert words(tree, CHILD)[0] == 53
    assert visits_from(tree, CHILD) == 82 + 15
    start_at(tree, CHILD)
    for_white = 3000 + 52 * 64 + 2560 + 5 * 0
    assert words(tree, CHILD) == (97, 97 * 256 - for_white), "from the other's view"
    assert int(tree.words[START_VISITS]) == 53
    assert int(tree.owned[CHILD]) == 11 << 32 | 22
    check_tree(tree)
    leave_start(tree)
    assert words(tree, CHILD)[0] == 53
    start_at(tree, ROOT)
    check_tree(tree)


def test_a_leaf_may_be_the_start() -> None:
    tree = family()
    leaf = CHILD + 1
    tree.first_child[leaf] = CLAIM_MARK | 5
    start_at(tree, leaf)
    assert words(tree, leaf) == (52, 0)
    simulate(tree, [leaf], 8, value=0)
    leave_start(tree)
    assert words(tree, leaf) == (52, round(8 * 256 * 52 / 60))
    start_at(tree, ROOT)
    assert visits_from(tree, leaf) == 52


def test_visits_without_a_value_do_not_spill() -> None:
    """As workers leave them that were killed: children that won more often than they were tried."""
    tree = family()
    tree.stats[GRANDCHILD] = np.uint64(60 << 36 | 61 * 256)
    tree.stats[GRANDCHILD + 1] = 0
    start_at(tree, CHILD)
    assert words(tree, CHILD) == (60, 0)
    leave_start(tree)
    assert words(tree, CHILD) == (48, 0)


def test_the_largest_words() -> None:
    tree = family()
    most = (1 << 27) - 1
    start_at(tree, CHILD)
    tree.stats[GRANDCHILD : GRANDCHILD + 2] = most << 36
    tree.stats[CHILD] = 2 * most << 36 | 2 * most * 256
    leave_start(tree)
    assert words(tree, CHILD) == (48, 48 * 256)
    start_at(tree, CHILD)
    assert words(tree, CHILD) == (2 * most, 2 * most * 256)


def test_a_root_is_planted_behind_all_others() -> None:
    tree = family()
    for column in tree[:-1]:
        column[6:] = ~column.dtype.type(0)  # what an earlier tree left
    others = read_tree(tree)
    row = plant_root(tree)
    assert row == 6
    assert int(tree.words[USED]) == 7
    assert read_tree(tree, row) == Node()
    assert read_tree(tree) == others
    start_at(tree, row)
    assert check_tree(tree, roots=(ROOT, row)) == 6


@pytest.mark.parametrize("seed", SEEDS)
def test_any_walk_of_the_start(seed: int) -> None:
    """Against plain objects: no node but those that were START is ever touched by it."""
    random = Random(seed)
    root = random_tree(random, 40)
    for node in root.walk():
        node.claim = 0
    tree = plant(root, random)
    rows = rows_of(tree)
    chosen = {row: read_tree(tree, row).visits for row in rows}  # by their parents
    for _ in range(60):
        row = random.choice(rows)
        if tree.start != ROOT:
            leave_start(tree)
        start_at(tree, row)
        below = read_tree(tree, row)
        sums = sum(child.visits for child in below.children)
        assert below.visits == max(chosen[row], sums)
        n = random.randint(0, 50)
        path = [row]
        while (first := int(tree.first_child[path[-1]])) and random.random() < 0.8:
            path.append(first + random.randrange(int(tree.n_children[path[-1]])))
        simulate(tree, path, n, random.randint(0, 256))
        for each in path[1:]:
            chosen[each] += n
        if row == ROOT:
            chosen[ROOT] += n
        check_tree(tree)
        found = {each: int(tree.stats[each]) >> 36 for each in rows if each != tree.start}
        assert found == {each: chosen[each] for each in found}


def test_the_start_is_a_word_of_its_own() -> None:
    tree = family()
    before = tree.words.copy()
    start_at(tree, CHILD)
    leave_start(tree)
    changed = {int(place) for place in np.flatnonzero(before != tree.words)}
    assert changed == {START, START_VISITS}
