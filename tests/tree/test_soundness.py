"""Trees that somebody left: refused, or safe to walk."""

from __future__ import annotations

from random import Random

import pytest

from goengine.tree.checking import BrokenTree, check_tree
from goengine.tree.collector import collect
from goengine.tree.columns import ROOT, START, USED, Tree
from goengine.tree.soundness import check_soundness
from tests.tree.naive_trees import CLAIM_MARK, Node, plant, random_tree

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

MOVES = range(1, 400)
MANY = (1 << 28) - 1


def small_tree() -> Tree:
    """Rows: 1 the root, 2 to 4 its children, 5 and 6 those of 2."""
    children = [Node(move=10 + index, visits=20) for index in range(3)]
    children[0].children = [Node(move=20), Node(move=21, visits=5)]
    return plant(Node(visits=70, children=children))


DAMAGE = [
    ("words", USED, 1, "START"),
    ("words", START, 0, "START"),
    ("words", START, 7, "START"),
    ("words", START, 1 << 40, "START"),
    ("words", USED, 6, "node 2"),
    ("n_children", 1, 0, "node 1"),
    ("n_children", 2, 3, "node 2"),
    ("n_children", 2, 65535, "node 2"),
    ("first_child", 2, 2, "node 2"),
    ("first_child", 2, 1, "node 2"),
    ("first_child", 2, 3, "node 2"),
    ("first_child", 2, 6, "node 2"),
    ("first_child", 2, CLAIM_MARK - 1, "node 2"),
    ("move", 3, 10, "node 1"),
    ("move", 5, 0, "node 2"),
    ("move", 5, 65535, "node 2"),
    ("stats", 6, MANY << 36, "node 2"),
    ("stats", 1, MANY << 36, "node 1"),
]


@pytest.mark.parametrize(("column", "row", "word", "complaint"), DAMAGE)
def test_every_kind_of_damage_is_found(column: str, row: int, word: int, complaint: str) -> None:
    tree = small_tree()
    check_soundness(tree, ROOT, MOVES)
    getattr(tree, column)[row] = word
    with pytest.raises(BrokenTree, match=complaint):
        check_soundness(tree, ROOT, MOVES)


def test_what_the_root_does_not_lead_to_is_no_matter() -> None:
    tree = small_tree()
    tree.words[START] = 5
    tree.first_child[3] = 1
    check_soundness(tree, 2, MOVES)
    tree.first_child[6] = 1
    with pytest.raises(BrokenTree, match="node 6"):
        check_soundness(tree, 2, MOVES)


@pytest.mark.parametrize("root", [0, 7, -1, 1 << 60])
def test_a_root_is_a_row_in_use(root: int) -> None:
    with pytest.raises(BrokenTree, match="no row in use"):
        check_soundness(small_tree(), root, MOVES)


def test_the_root_leads_to_start() -> None:
    tree = small_tree()
    tree.words[START] = 3
    with pytest.raises(BrokenTree, match="does not lead to START"):
        check_soundness(tree, 2, MOVES)


def test_claims_of_the_dead_are_no_damage() -> None:
    tree = small_tree()
    tree.first_child[5] = CLAIM_MARK + 12345
    check_soundness(tree, ROOT, MOVES)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_passes_can_be_collected(seed: int) -> None:
    """Random damage: what is let through is a tree, if perhaps one that counts wrong."""
    random = Random(seed)
    n_refused = 0
    for _ in range(60):
        tree = plant(random_tree(random, 60))
        check_soundness(tree, ROOT, range(1 << 16))
        for _ in range(random.choice((1, 3))):
            column = getattr(tree, random.choice(("first_child", "n_children", "move", "stats")))
            row = random.randrange(ROOT, tree.n_used)
            bits = 8 * column.itemsize
            column[row] = random.choice((random.randrange(tree.n_used), random.getrandbits(bits)))
        try:
            check_soundness(tree, ROOT, range(1 << 16))
        except BrokenTree:
            n_refused += 1
        else:
            collect(tree, ROOT)
            check_tree(tree, n_owed=MANY)
    assert 10 < n_refused < 60
