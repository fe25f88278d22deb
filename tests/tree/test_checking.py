"""check_tree finds every kind of damage."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from goengine.tree.checking import BrokenTree, check_tree
from goengine.tree.columns import FULL, ROOT, START, START_VISITS, USED, Tree, new_tree
from tests.tree.naive_trees import CLAIM_MARK, Node, plant, random_tree, rows_of

pytestmark = pytest.mark.uncompiled

INNER, LEAF = 2, 4  # rows of `whole_tree` with and without children


def whole_tree() -> Tree:
    """Rows: 1 the root, 2 to 4 its children, 5 and 6 those of 2, 7 and 8 those of 3."""
    children = [
        Node(
            move=10 + index,
            visits=20,
            value=2000,
            amaf_visits=50,
            amaf_value=5000,
            black=7,
            winner=9,
            prior=64 << 16 | 32,
        )
        for index in range(3)
    ]
    children[0].children = [Node(move=20), Node(move=21, visits=5)]
    children[1].children = [Node(move=22), Node(move=23, visits=5)]
    return plant(Node(visits=70, value=7000, children=children))


def set_word(name: str, row: int, word: int) -> Callable[[Tree], None]:
    def damage(tree: Tree) -> None:
        getattr(tree, name)[row] = word

    return damage


MANY = (1 << 28) - 1
TOO_MANY = 33 << 20  # seven times as many fit the 28 bits of AMAF
WAS_START = 1 << 63

# what is damaged, how, what the complaint must say
DAMAGE = [
    ("no root", set_word("words", USED, 1), "USED counts the root"),
    ("nothing at all", set_word("words", USED, 0), "USED counts the root"),
    ("rows past USED", set_word("words", USED, 8), "block of node 3 ends at 9, past 8"),
    ("a block of none", set_word("n_children", ROOT, 0), "node 1 has an empty block"),
    ("an inner block of none", set_word("n_children", INNER, 0), "node 2 has an empty block"),
    ("a block too long", set_word("n_children", 3, 3), "node 3 ends at 10, past 9"),
    ("far too long", set_word("n_children", 3, 65535), "node 3 ends at 65542, past 9"),
    ("a loop to itself", set_word("first_child", INNER, INNER), "children before it, at 2"),
    ("a loop to the root", set_word("first_child", INNER, ROOT), "children before it, at 1"),
    ("a loop of the root", set_word("first_child", ROOT, ROOT), "node 1 has its children before"),
    ("children nowhere", set_word("first_child", INNER, 9), "node 2 ends at 11, past 9"),
    ("children far off", set_word("first_child", INNER, CLAIM_MARK - 1), "past 9"),
    ("the block of another", set_word("first_child", 3, 5), "node 3 shares children"),
    ("part of a block", set_word("first_child", INNER, 6), "shares children"),
    ("own siblings", set_word("first_child", INNER, 3), "node 2 shares children"),
    ("a block into the next", set_word("n_children", INNER, 3), "shares children"),
    ("the same move", set_word("move", 3, 10), "node 1 has a move twice"),
    ("two passes", lambda tree: tree.move.__setitem__(slice(5, 7), 0), "node 2 has a move twice"),
    ("lost visits", set_word("stats", INNER, 4 << 36), "node 2 has 4 visits, its children 5"),
    ("lost root visits", set_word("stats", ROOT, 59 << 36), "1 has 59 visits, its children 60"),
    ("too good", set_word("stats", LEAF, 20 << 36 | 5121), "node 4: more value than visits"),
    ("value alone", set_word("stats", 5, 1), "node 5: more value than visits"),
    ("AMAF too good", set_word("amaf", LEAF, 3 << 36 | 769), "node 4: more AMAF value than"),
    ("AMAF of the root", set_word("amaf", ROOT, 1), "node 1: more AMAF value than"),
    ("prior too good", set_word("prior", LEAF, 64 << 16 | 65), "node 4: more prior value"),
    ("black's too often", set_word("owned", LEAF, 21 << 32), "node 4: black owns more often"),
    ("winner's too often", set_word("owned", LEAF, 21), "node 4: the winner owns more often"),
    ("about to spill", set_word("stats", ROOT, MANY << 36), "node 1: too many visits"),
    ("AMAF may spill", set_word("stats", ROOT, TOO_MANY << 36), "node 1: too many visits"),
    ("no start", set_word("words", START, 0), "START is a row in use"),
    ("a start past USED", set_word("words", START, 9), "START is a row in use"),
    ("a start with a mark", set_word("owned", ROOT, WAS_START), "START, node 1, was left"),
    ("a mark on black's", set_word("owned", LEAF, WAS_START | 21 << 32), "black owns more often"),
]


def test_the_tree_is_whole_before() -> None:
    tree = whole_tree()
    assert check_tree(tree) == 8
    assert tree.n_used == 9


@pytest.mark.parametrize(("what", "damage", "complaint"), DAMAGE, ids=[case[0] for case in DAMAGE])
def test_damage_is_found(what: str, damage: Callable[[Tree], None], complaint: str) -> None:
    tree = whole_tree()
    damage(tree)
    with pytest.raises(BrokenTree, match=complaint):
        check_tree(tree)


@pytest.mark.parametrize(
    "harmless",
    [
        set_word("first_child", LEAF, CLAIM_MARK | 77),
        set_word("n_children", LEAF, 9999),
        set_word("words", USED, 10**6),
        set_word("words", FULL, 1),
        set_word("stats", 0, 12345),
        set_word("stats", ROOT, TOO_MANY - 1 << 36),
        set_word("words", START_VISITS, 12345),
        set_word("owned", INNER, WAS_START | 7 << 32 | 9),
    ],
)
def test_what_is_no_damage(harmless: Callable[[Tree], None]) -> None:
    tree = whole_tree()
    for column in tree[:-1]:
        column[9:] = ~column.dtype.type(0)  # rows that belong to nobody
    for row in range(9, tree.capacity):
        tree.first_child[row], tree.n_children[row] = 5, 2
    harmless(tree)
    assert check_tree(tree) == 8


def test_visits_that_were_never_told_can_be_allowed_for() -> None:
    tree = whole_tree()
    tree.stats[ROOT] = 57 << 36
    assert check_tree(tree, n_owed=3) == 8
    with pytest.raises(BrokenTree, match="node 1 has 57 visits, its children 60"):
        check_tree(tree, n_owed=2)
    tree.stats[ROOT] = 70 << 36
    tree.stats[LEAF] = 20 << 36 | 20 * 256 + 100
    check_tree(tree, n_owed=1)


def test_visits_of_the_start_that_its_parent_knows_nothing_of() -> None:
    tree = whole_tree()
    tree.words[START], tree.words[START_VISITS] = INNER, 20
    tree.stats[INNER] = 1000 << 36
    assert check_tree(tree) == 8
    tree.words[START_VISITS] = 31
    with pytest.raises(BrokenTree, match="node 1 has 70 visits, its children 71"):
        check_tree(tree)
    tree.stats[INNER], tree.words[START_VISITS] = 20 << 36, 21
    with pytest.raises(BrokenTree, match=r"START, node 2, had 21 visits .* and now 20"):
        check_tree(tree)
    assert check_tree(tree, n_owed=1) == 8


def test_a_start_that_was_left_may_have_less_than_its_children() -> None:
    tree = whole_tree()
    tree.stats[6] = 500 << 36
    with pytest.raises(BrokenTree, match="node 2 has 20 visits, its children 500"):
        check_tree(tree)
    tree.owned[INNER] |= np.uint64(WAS_START)
    assert check_tree(tree) == 8


def test_more_than_one_root() -> None:
    tree = plant(Node(visits=70, children=[Node(move=1, visits=3), Node(move=2)]))
    tree.words[USED] = 7
    tree.first_child[4], tree.n_children[4] = 5, 2
    tree.first_child[5:7] = 0
    for column in (tree.stats, tree.amaf, tree.owned, tree.prior):
        column[4:7] = 0
    tree.move[5:7] = [1, 2]
    tree.words[START] = 4
    with pytest.raises(BrokenTree, match="no root leads to START, node 4"):
        check_tree(tree)
    assert check_tree(tree, roots=(ROOT, 4)) == 6
    tree.stats[5] = 1 << 36
    with pytest.raises(BrokenTree, match="node 4 has 0 visits, its children 1"):
        check_tree(tree, roots=(ROOT, 4))
    for row in (0, 7):
        with pytest.raises(BrokenTree, match="a root is a row in use"):
            check_tree(tree, roots=(ROOT, row))
    with pytest.raises(BrokenTree, match="node 4 shares children with another"):
        check_tree(tree, roots=(ROOT, 4, 6))


def test_a_new_tree_is_whole() -> None:
    assert check_tree(new_tree(5)) == 1


def is_whole(tree: Tree) -> bool:
    """The same question, asked of one node after the other."""
    used = min(int(tree.words[USED]), tree.capacity)
    met = {ROOT}
    waiting = [ROOT]
    for row in waiting:  # grows meanwhile
        stats, amaf, owned = (int(column[row]) for column in (tree.stats, tree.amaf, tree.owned))
        visits, prior = stats >> 36, int(tree.prior[row])
        was_start, owned = owned >= WAS_START, owned % WAS_START
        if (
            stats % (1 << 36) > 256 * visits
            or amaf % (1 << 36) > 256 * (amaf >> 36)
            or prior % (1 << 16) > prior >> 16
            or max(owned >> 32, owned % (1 << 32)) > visits
            or visits >= TOO_MANY
            or (was_start and row == ROOT)
        ):
            return False
        first = int(tree.first_child[row])
        if first == 0 or first >= CLAIM_MARK:
            continue
        block = range(first, first + int(tree.n_children[row]))
        if not block or first <= row or block[-1] >= used or met.intersection(block):
            return False
        moves = {int(tree.move[child]) for child in block}
        below = sum(int(tree.stats[child]) >> 36 for child in block)
        if len(moves) < len(block) or (below > visits and not was_start):
            return False
        met.update(block)
        waiting += block
    return True


@pytest.mark.parametrize("seed", range(12))
def test_random_damage_is_found_if_it_matters(seed: int) -> None:
    random = Random(seed)
    tree = plant(random_tree(random, 40), random)
    untouched = [column.copy() for column in tree]
    n_found = 0
    for _ in range(60):
        for column, old in zip(tree, untouched, strict=True):
            column[:] = old
        for _ in range(random.randint(1, 3)):
            name = random.choice(Tree._fields[:-1])
            column, row = getattr(tree, name), random.choice(rows_of(tree))
            bits = column.itemsize * 8
            word = random.choice((random.randrange(tree.n_used + 3), random.getrandbits(bits)))
            column[row] = column.dtype.type(word % (1 << bits))
            if not is_whole(tree):
                break
        if is_whole(tree):
            check_tree(tree)
            continue
        n_found += 1
        with pytest.raises(BrokenTree):
            check_tree(tree)
    assert n_found > 10
