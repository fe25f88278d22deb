"""Verifies every invariant of a tree that nobody is writing to."""

from __future__ import annotations

import numpy as np

from goengine.tree.claims import CLAIM_MARK
from goengine.tree.columns import NO_CHILDREN, ROOT, USED, Tree
from goengine.tree.packing import MAX_VISITS, PRIOR_MASK, VALUE_BITS, VALUE_MASK, WON

# A little more than the collector ever meets; of these, AMAF still fits its words.
_TOO_MANY = 9 * int(MAX_VISITS) // 8


class BrokenTree(AssertionError):
    """An invariant does not hold; the message names it and the node."""


def check_tree(tree: Tree, n_owed: int = 0) -> int:
    """Raise BrokenTree where the tree breaks docs/shared-tree.md. Returns its nodes.

    `n_owed` is the number of visits that workers who were killed may have left
    half told: added on the way down without a value, or owed to a hot node.
    """
    used = tree.n_used
    _demand(int(tree.words[USED]) > ROOT, "USED counts the root")
    words = {name: getattr(tree, name)[:used] for name in ("stats", "amaf", "owned")}
    visits = (words["stats"] >> VALUE_BITS).astype(np.int64)
    first = tree.first_child[:used].astype(np.int64)
    reached = np.zeros(used, bool)
    reached[ROOT] = True
    # Children have greater numbers than parents, so one ascending pass meets parents first.
    for node in map(int, np.flatnonzero((first != NO_CHILDREN) & (first < CLAIM_MARK))):
        if not reached[node]:
            continue
        start, count = int(first[node]), int(tree.n_children[node])
        end = start + count
        _demand(count > 0, f"node {node} has an empty block")
        _demand(start > node, f"node {node} has its children before it, at {start}")
        _demand(end <= used, f"the block of node {node} ends at {end}, past {used}")
        _demand(not reached[start:end].any(), f"node {node} shares children with another")
        reached[start:end] = True
        moves = tree.move[start:end]
        _demand(len(np.unique(moves)) == count, f"node {node} has a move twice")
        below = int(visits[start:end].sum())
        _demand(
            below <= visits[node] + n_owed,
            f"node {node} has {visits[node]} visits, its children {below}",
        )
    _check_words(tree, np.flatnonzero(reached), visits, n_owed)
    return int(reached.sum())


def _check_words(tree: Tree, nodes: np.ndarray, visits: np.ndarray, n_owed: int) -> None:
    stats, amaf = tree.stats[nodes], tree.amaf[nodes]
    prior = tree.prior[nodes].astype(np.uint64)
    owned = tree.owned[nodes]
    count = visits[nodes] + n_owed
    won = int(WON)
    _demand_all((stats & VALUE_MASK) <= won * count, nodes, "more value than visits")
    amaf_count = amaf >> VALUE_BITS
    _demand_all((amaf & VALUE_MASK) <= won * amaf_count, nodes, "more AMAF value than AMAF visits")
    _demand_all((prior & PRIOR_MASK) <= prior >> 16, nodes, "more prior value than prior visits")
    _demand_all(owned >> 32 <= count, nodes, "black owns more often than there are visits")
    low = owned & ((1 << 32) - 1)
    _demand_all(low <= count, nodes, "the winner owns more often than there are visits")
    _demand_all(visits[nodes] < _TOO_MANY, nodes, "too many visits for the word")


def _demand(holds: bool, what: str) -> None:
    if not holds:
        raise BrokenTree(what)


def _demand_all(holds: np.ndarray, nodes: np.ndarray, what: str) -> None:
    if not holds.all():
        raise BrokenTree(f"node {nodes[np.argmin(holds)]}: {what}")
