"""Trees of plain objects: grown at random, planted into columns, read back, pruned by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from goengine.tree.columns import ROOT, START, USED, Tree, bytes_for, tree_over

CLAIM_MARK = 1 << 31
_WON = 256


@dataclass
class Node:
    """What one row says. `claim` is a word in first_child that is no row."""

    move: int = 0
    visits: int = 0
    value: int = 0
    amaf_visits: int = 0
    amaf_value: int = 0
    black: int = 0
    winner: int = 0
    prior: int = 0
    claim: int = 0
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            yield from child.walk()


def random_tree(random: Random, n_nodes: int, most_children: int = 6) -> Node:
    """About so many nodes, with counts that a search could have left, and a few claims."""
    root = Node()
    leaves, n_left = [root], n_nodes - 1
    while n_left > 0:
        leaf = leaves.pop(random.randrange(len(leaves)))
        moves = random.sample(range(1000), min(n_left, random.randint(1, most_children)))
        leaf.children = [Node(move=move) for move in moves]
        n_left -= len(moves)
        leaves += leaf.children
    _count(root, random)
    for leaf in leaves:
        if random.random() < 0.2:
            leaf.claim = CLAIM_MARK | random.randrange(CLAIM_MARK)
    return root


def _count(node: Node, random: Random) -> None:
    for child in node.children:
        _count(child, random)
    most = random.choice((1, 8, 100, 5000))
    node.visits = sum(child.visits for child in node.children) + random.randint(0, most)
    node.value = random.randint(0, node.visits * _WON)
    node.amaf_visits = random.randint(0, 2 * node.visits)
    node.amaf_value = random.randint(0, node.amaf_visits * _WON)
    node.black = random.randint(0, node.visits)
    node.winner = random.randint(0, node.visits)
    equivalent = random.randrange(1 << 16)
    node.prior = equivalent << 16 | random.randint(0, equivalent)


def plant(root: Node, random: Random | None = None) -> Tree:
    """Write the tree to columns full of garbage; with `random`, in any order and with gaps.

    Gaps are rows that were handed out and belong to nobody, as a killed worker leaves them.
    """
    n_rows = 2 * sum(1 for _ in root.walk()) + 16
    noise = np.random.default_rng(1)
    tree = tree_over(bytearray(noise.bytes(bytes_for(n_rows))))
    tree.words[:] = 0
    tree.words[START] = ROOT
    write_row(tree, ROOT, root)
    waiting = [(ROOT, root)]
    used = ROOT + 1
    while waiting:
        row, node = waiting.pop(random.randrange(len(waiting)) if random else 0)
        if not node.children:
            continue
        if random and random.random() < 0.2:
            used += random.randint(1, 3) if used + 3 < n_rows - sum(1 for _ in root.walk()) else 0
        tree.first_child[row], tree.n_children[row] = used, len(node.children)
        for child in node.children:
            write_row(tree, used, child)
            waiting.append((used, child))
            used += 1
    tree.words[USED] = used
    return tree


def write_row(tree: Tree, row: int, node: Node) -> None:
    tree.stats[row] = node.visits << 36 | node.value
    tree.amaf[row] = node.amaf_visits << 36 | node.amaf_value
    tree.owned[row] = node.black << 32 | node.winner
    tree.prior[row] = node.prior
    tree.move[row] = node.move
    tree.first_child[row] = node.claim


def read_tree(tree: Tree, row: int = ROOT) -> Node:
    """The opposite of `plant`. Follows rows wherever they lead."""
    stats, amaf, owned = (int(column[row]) for column in (tree.stats, tree.amaf, tree.owned))
    first = int(tree.first_child[row])
    is_block = 0 < first < CLAIM_MARK
    n_children = int(tree.n_children[row]) if is_block else 0
    return Node(
        move=int(tree.move[row]),
        visits=stats >> 36,
        value=stats & (1 << 36) - 1,
        amaf_visits=amaf >> 36,
        amaf_value=amaf & (1 << 36) - 1,
        black=owned >> 32,
        winner=owned & (1 << 32) - 1,
        prior=int(tree.prior[row]),
        claim=0 if is_block else first,
        children=[read_tree(tree, first + index) for index in range(n_children)],
    )


def pruned(node: Node, min_visits: int = 0, is_root: bool = True) -> Node:
    """A copy without claims, and without the blocks of nodes with too few visits."""
    keeps = is_root or node.visits >= min_visits
    children = [pruned(child, min_visits, False) for child in node.children] if keeps else []
    return replace(node, claim=0, children=children)


def halved(node: Node) -> Node:
    """A copy with half of every count, no value above what its visits allow."""
    visits, amaf_visits = node.visits // 2, node.amaf_visits // 2
    return replace(
        node,
        visits=visits,
        value=min(node.value // 2, visits * _WON),
        amaf_visits=amaf_visits,
        amaf_value=min(node.amaf_value // 2, amaf_visits * _WON),
        black=node.black // 2,
        winner=node.winner // 2,
        children=[halved(child) for child in node.children],
    )


def rows_of(tree: Tree) -> list[int]:
    """Every row that the root leads to, parents first."""
    rows = [ROOT]
    for row in rows:  # grows meanwhile
        first = int(tree.first_child[row])
        if 0 < first < CLAIM_MARK:
            rows += range(first, first + int(tree.n_children[row]))
    return rows
