"""The collector against a plain tree that is copied by hand."""

from __future__ import annotations

from random import Random

import pytest

from goengine.jit import COMPILED
from goengine.tree.checking import check_tree
from goengine.tree.collector import collect
from goengine.tree.columns import FULL, NO_CHILDREN, ROOT, START, USED
from tests.tree.naive_trees import (
    CLAIM_MARK,
    Node,
    halved,
    plant,
    pruned,
    random_tree,
    read_tree,
    rows_of,
)

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

MAX_VISITS = 1 << 23
SEEDS = range(12 if COMPILED else 2)
N_NODES = 300 if COMPILED else 80


def n_rows(node: Node) -> int:
    return sum(1 for _ in node.walk())


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_planted_is_read(seed: int) -> None:
    random = Random(seed)
    root = random_tree(random, N_NODES)
    tree = plant(root, random)
    assert read_tree(tree) == root
    assert check_tree(tree) == N_NODES


@pytest.mark.parametrize("seed", SEEDS)
def test_the_subtree_of_any_node_is_kept(seed: int) -> None:
    """Moves, counts and order; claims are lifted and rows of nobody dropped."""
    random = Random(seed)
    root = random_tree(random, N_NODES)
    for _ in range(12):
        tree = plant(root, random)
        row = random.choice(rows_of(tree))
        expected = pruned(read_tree(tree, row))
        n_before = tree.n_used - 1
        done = collect(tree, row)
        assert read_tree(tree) == expected
        assert done == (n_before, n_rows(expected), 0, False)
        assert int(tree.words[USED]) == n_rows(expected) + 1
        assert tree.start == ROOT
        assert check_tree(tree) == n_rows(expected), "no row is left out"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_second_collection_changes_nothing(seed: int) -> None:
    random = Random(seed)
    tree = plant(random_tree(random, N_NODES), random)
    collect(tree)
    columns = [column.copy() for column in tree]
    done = collect(tree)
    assert done.n_before == done.n_after
    assert all((old == new).all() for old, new in zip(columns, tree, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.5, 0.9, 0.99, 1.0])
def test_the_least_visited_parents_lose_their_blocks(seed: int, share: float) -> None:
    random = Random(f"{seed} {share}")
    root = random_tree(random, N_NODES)
    tree = plant(root, random)
    row = ROOT if random.random() < 0.5 else random.choice(rows_of(tree))
    wanted = read_tree(tree, row)
    max_nodes = int(share * n_rows(wanted))
    done = collect(tree, row, max_nodes)

    kept = read_tree(tree)
    assert kept == pruned(wanted, done.min_visits)
    assert len(kept.children) == len(wanted.children), "the root keeps its children"
    assert done.n_after == n_rows(kept) == check_tree(tree)
    assert done.n_after <= max(max_nodes, 1 + len(wanted.children))
    losers = [node for node in list(wanted.walk())[1:] if node.children]
    losers = [node for node in losers if node.visits < done.min_visits]
    if not losers:
        assert n_rows(kept) == n_rows(wanted)
        return
    # It did not drop more than it had to: with those of an eighth fewer visits it is too much.
    most = max(node.visits for node in losers)
    nearly_kept = sum(len(node.children) for node in losers if node.visits >= most * 8 / 9)
    assert n_rows(kept) + nearly_kept > max_nodes


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7])
def test_what_lies_below_a_start_that_was_left_counts_no_more_than_it(
    seed: int, share: float
) -> None:
    """Else what goes with it would push out what could stay."""
    random = Random(f"{seed} {share}")
    root = random_tree(random, N_NODES)
    for node in random.choices(list(root.walk())[1:], k=10):
        node.visits = min(node.visits, random.randint(0, 20))
    root.visits = min(root.visits, random.choice((50, 10**6)))
    tree = plant(root, random)
    max_nodes = int(share * N_NODES)
    done = collect(tree, ROOT, max_nodes)
    assert read_tree(tree) == pruned(root, done.min_visits)
    assert done.n_after <= max(max_nodes, 1 + len(root.children))
    assert done.min_visits > 0
    # An eighth fewer would have been too much.
    assert n_rows(pruned(root, done.min_visits * 8 // 9)) > max_nodes


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_that_fits_is_left_whole(seed: int) -> None:
    random = Random(seed)
    root = random_tree(random, N_NODES)
    tree = plant(root, random)
    done = collect(tree, ROOT, max_nodes=N_NODES)
    assert (done.n_after, done.min_visits) == (N_NODES, 0)
    assert read_tree(tree) == pruned(root)


@pytest.mark.parametrize("visits", [MAX_VISITS - 1, MAX_VISITS, MAX_VISITS + 1, 2 * MAX_VISITS])
def test_counts_are_halved_when_the_new_root_has_too_many(visits: int) -> None:
    random = Random(visits)
    tree_root = random_tree(random, 60)
    tree_root.visits, tree_root.value = visits, visits * 256
    root = Node(visits=(1 << 28) - 1, value=5, children=[tree_root])
    tree = plant(root, random)
    done = collect(tree, 1 + int(tree.first_child[ROOT]) - 1)
    assert done.halved == (visits > MAX_VISITS)
    expected = pruned(tree_root)
    assert read_tree(tree) == (halved(expected) if done.halved else expected)
    check_tree(tree)


def test_halving_and_dropping_agree_on_what_a_visit_is() -> None:
    random = Random(5)
    root = random_tree(random, N_NODES)
    root.visits += MAX_VISITS
    tree = plant(root, random)
    done = collect(tree, ROOT, N_NODES // 2)
    assert done.halved
    assert read_tree(tree) == halved(pruned(root, done.min_visits))
    assert check_tree(tree) == done.n_after <= N_NODES // 2


@pytest.mark.parametrize("n_more", [0, 1])
def test_counts_are_halved_when_any_node_has_sent_on_too_many(n_more: int) -> None:
    """As one that was START: its children have what it has given back."""
    random = Random(n_more)
    below = [Node(move=1, visits=MAX_VISITS - 7), Node(move=2, visits=7 + n_more, value=9)]
    root = Node(visits=50, children=[Node(move=1, visits=20, children=below), Node(move=2)])
    tree = plant(root, random)
    child = int(tree.first_child[ROOT])
    tree.owned[child] = 1 << 63
    done = collect(tree)
    assert done.halved == (n_more == 1)
    assert int(tree.owned[int(tree.first_child[ROOT])]) == 1 << 63
    tree.owned[int(tree.first_child[ROOT])] = 0
    assert read_tree(tree) == (halved(root) if done.halved else root)


@pytest.mark.parametrize("claim", [NO_CHILDREN, CLAIM_MARK, CLAIM_MARK | 12345])
def test_a_leaf_as_root(claim: int) -> None:
    root = Node(visits=5, children=[Node(move=3, visits=2, claim=claim), Node(move=4)])
    for row in (2, 3):
        tree = plant(root)
        expected = pruned(root.children[row - 2])
        assert collect(tree, row, 1).n_after == 1
        assert read_tree(tree) == expected
        assert int(tree.words[USED]) == ROOT + 1


def test_a_full_tree_has_room_again() -> None:
    root = random_tree(Random(1), 100)
    tree = plant(root)
    tree.words[USED] = tree.capacity + 77  # rows were asked for that are not there
    tree.words[FULL] = 1
    done = collect(tree, ROOT, tree.capacity // 2)
    assert int(tree.words[FULL]) == 0
    assert int(tree.words[USED]) == done.n_after + 1
    assert done.n_before == tree.capacity - 1


def test_other_control_words_stay() -> None:
    tree = plant(random_tree(Random(1), 20))
    tree.words[8:32:8] = [11, 12, 13]
    tree.words[START] = 3
    collect(tree)
    assert tree.words[8:32:8].tolist() == [11, 12, 13]
    assert tree.start == ROOT


@pytest.mark.parametrize("visits", [0, 1, 7, 8, 9, 15, 16, 17, 1000, 1 << 20, 10_000_000])
def test_levels_at_their_edges(visits: int) -> None:
    """Two nodes of the same visits are never told apart; one visit more is never worse."""
    children = [Node(move=n, visits=visits, children=[Node(move=1)]) for n in (1, 2)]
    children.append(Node(move=3, visits=visits + 1 + visits // 8, children=[Node(move=1)]))
    root = Node(visits=(1 << 28) - 1, children=children)
    tree = plant(root)
    collect(tree, ROOT, 5)
    kept = [len(child.children) for child in read_tree(tree).children]
    assert kept == [0, 0, 1]
