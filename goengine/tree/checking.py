"""Verifies every invariant of a tree that nobody is writing to."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from goengine.tree.claims import CLAIM_MARK
from goengine.tree.columns import NO_CHILDREN, ROOT, START_VISITS, USED, Tree
from goengine.tree.packing import (
    PEAK_VISITS,
    PRIOR_MASK,
    VALUE_BITS,
    VALUE_MASK,
    WAS_START,
    WON,
    black_owned,
    winner_owned,
)


class BrokenTree(AssertionError):
    """An invariant does not hold; the message names it and the node."""


def check_tree(tree: Tree, n_owed: int = 0, roots: Collection[int] = (ROOT,)) -> int:
    """Raise BrokenTree where the tree breaks docs/shared-tree.md. Returns its nodes.

    `n_owed` is the number of visits that workers who were killed may have left
    half told: added on the way down without a value, or owed to a hot node.
    """
    used = tree.n_used
    _demand(int(tree.words[USED]) > ROOT, "USED counts the root")
    _demand(all(ROOT <= root < used for root in roots), "a root is a row in use")
    _demand(ROOT <= tree.start < used, "START is a row in use")
    words = {name: getattr(tree, name)[:used] for name in ("stats", "amaf", "owned")}
    visits = (words["stats"] >> VALUE_BITS).astype(np.int64)
    first = tree.first_child[:used].astype(np.int64)
    was_start = words["owned"] & WAS_START != 0
    # Visits that a node has because its parent chose it. A root is nobody's child.
    chosen = visits.copy()
    chosen[tree.start] = int(tree.words[START_VISITS])
    reached = np.zeros(used, bool)
    reached[list(roots)] = True
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
        below = int(chosen[start:end].sum())
        _demand(
            below <= visits[node] + n_owed or bool(was_start[node]),
            f"node {node} has {visits[node]} visits, its children {below}",
        )
    start, known = tree.start, int(chosen[tree.start])
    _demand(bool(reached[start]), f"no root leads to START, node {start}")
    _demand(
        start in roots or known <= visits[start] + n_owed,
        f"START, node {start}, had {known} visits when it became so, and now {visits[start]}",
    )
    _demand(not was_start[start], f"START, node {start}, was left")
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
    black, winner = black_owned(owned), winner_owned(owned)
    _demand_all(black <= count, nodes, "black owns more often than there are visits")
    _demand_all(winner <= count, nodes, "the winner owns more often than there are visits")
    _demand_all(visits[nodes] < PEAK_VISITS, nodes, "too many visits for the word")


def _demand(holds: bool, what: str) -> None:
    if not holds:
        raise BrokenTree(what)


def _demand_all(holds: np.ndarray, nodes: np.ndarray, what: str) -> None:
    if not holds.all():
        raise BrokenTree(f"node {nodes[np.argmin(holds)]}: {what}")
