"""Makes room: slides what is still wanted of a tree down in place, in one ascending pass.

Nobody else may be in the tree (docs/shared-tree.md, "The gate"). What is kept is the
subtree of a new root; of that, when it is still too large, the blocks of the
most-visited nodes. A visit to a child is a visit to its parent, so whoever keeps its
block has parents that keep theirs; but a node that was START has fewer than its
children, so a block counts by the fewest visits on the way to it.

If this is cut short, the tree is lost: the segment's header says so while it runs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from goengine.jit import inlined_kernel, kernel
from goengine.tree.claims import is_claim
from goengine.tree.columns import FULL, NO_CHILDREN, ROOT, START, USED, Tree
from goengine.tree.packing import MAX_VISITS, halve, halve_owners, visits_of
from goengine.words import U0, U1

_ROOT = np.uint64(ROOT)
_NO_CHILDREN = np.uint32(NO_CHILDREN)

# Visits are told apart by their leading bit and the three after it.
_FINE_BITS = 3
_N_LEVELS = 32 << _FINE_BITS
_MORE_THAN_ANY = np.uint32((1 << 32) - 1)


class Collection(NamedTuple):
    """What a collection did: nodes before and after, and the visits a kept block needs."""

    n_before: int
    n_after: int
    min_visits: int
    halved: bool


def collect(tree: Tree, root: int = ROOT, max_nodes: int | None = None) -> Collection:
    """Keep the subtree of `root`, as ROOT and START, and of that at most `max_nodes` nodes.

    Halves all counts if the new root has more than MAX_VISITS, or the children of any
    node have. Lifts every claim: nobody is at work. Without `max_nodes` everything below
    `root` is kept.
    """
    n_before = tree.n_used - 1
    # By row: the parent of the block that begins there, in its new place; 0 elsewhere.
    parent_of_block = np.zeros(tree.n_used + 1, np.uint32)
    limit = tree.capacity if max_nodes is None else max(1, max_nodes)
    min_visits = U0
    if n_before > limit:
        level_sizes = np.zeros(_N_LEVELS, np.uint64)
        fewest = np.zeros_like(parent_of_block)
        measure_levels(tree, np.uint64(root), parent_of_block, fewest, level_sizes)
        min_visits = _visits_that_fit(level_sizes, limit)
        parent_of_block[:] = 0
    n_after, most = slide_down(tree, np.uint64(root), min_visits, parent_of_block)
    halved = bool(most > MAX_VISITS)
    if halved:
        halve_counts(tree)
    tree.words[FULL] = 0
    tree.words[START] = ROOT
    return Collection(n_before, int(n_after), int(min_visits), halved)


def _visits_that_fit(level_sizes: Any, limit: int) -> np.uint64:
    """The visits that a node needs to keep its block, so that at most `limit` rows are kept."""
    kept = 1
    for level in range(_N_LEVELS - 1, -1, -1):
        kept += int(level_sizes[level])
        if kept > limit:
            return np.uint64(_lowest_of(level + 1))
    return U0


@kernel
def _level_of(visits):
    """A logarithmic scale that never falls: neighbouring levels are an eighth apart or less."""
    if visits < np.uint64(1 << _FINE_BITS):
        return visits
    leading = U0
    rest = visits >> np.uint64(_FINE_BITS + 1)
    while rest != U0:
        leading += U1
        rest >>= U1
    return ((leading + U1) << np.uint64(_FINE_BITS)) + (
        (visits >> leading) & np.uint64((1 << _FINE_BITS) - 1)
    )


def _lowest_of(level: int) -> int:
    """The fewest visits of a level."""
    if level < 1 << _FINE_BITS:
        return level
    leading = (level >> _FINE_BITS) - 1
    return ((1 << _FINE_BITS) + (level & ((1 << _FINE_BITS) - 1))) << leading


@kernel
def measure_levels(tree, root, parent_of_block, fewest, level_sizes):
    """Add up the rows of all blocks below `root`, by the level of the fewest visits that a
    node on the way from it has; its own block has the highest.

    `fewest` is room for these visits, by the row where a block begins.
    """
    first = np.uint64(tree.first_child[root])
    if first == U0 or is_claim(first):
        return
    parent_of_block[first] = np.uint32(root)
    fewest[first] = _MORE_THAN_ANY
    row = first
    end = np.uint64(len(parent_of_block) - 1)
    while row < end:
        parent = np.uint64(parent_of_block[row])
        if parent == U0:
            row += U1
            continue
        n_rows = np.uint64(tree.n_children[parent])
        visits = np.uint64(fewest[row])
        level_sizes[_level_of(visits)] += n_rows
        for child in range(row, row + n_rows):
            first = np.uint64(tree.first_child[child])
            if first != U0 and not is_claim(first):
                parent_of_block[first] = np.uint32(child)
                fewest[first] = np.uint32(min(visits, visits_of(tree.stats[child])))
        row += n_rows


@kernel
def slide_down(tree, root, min_visits, parent_of_block):
    """Move the subtree of `root` to the front. Returns the rows in use, without row 0,
    and the most visits of the root and of the children of any node.

    A node with fewer than `min_visits` loses its block; never the root.
    """
    _move_row(tree, root, _ROOT)
    most = visits_of(tree.stats[_ROOT])
    first = np.uint64(tree.first_child[_ROOT])
    row = first
    if first == U0 or is_claim(first):
        tree.first_child[_ROOT] = _NO_CHILDREN
        row = np.uint64(len(parent_of_block))
    else:
        parent_of_block[first] = np.uint32(_ROOT)
    end = np.uint64(len(parent_of_block) - 1)
    target = _ROOT + U1
    while row < end:
        parent = np.uint64(parent_of_block[row])
        if parent == U0:
            row += U1
            continue
        n_rows = np.uint64(tree.n_children[parent])
        tree.first_child[parent] = np.uint32(target)
        visits_of_block = U0
        for _ in range(n_rows):
            visits = visits_of(tree.stats[row])
            visits_of_block += visits
            _move_row(tree, row, target)
            first = np.uint64(tree.first_child[target])
            if first != U0:
                if is_claim(first) or visits < min_visits:
                    tree.first_child[target] = _NO_CHILDREN
                else:
                    parent_of_block[first] = np.uint32(target)
            row += U1
            target += U1
        most = max(most, visits_of_block)
    tree.words[USED] = target
    return target - U1, most


@kernel
def halve_counts(tree):
    """Halve every count and sum of the rows in use, of which there are no more than there are."""
    for row in range(_ROOT, tree.words[USED]):
        tree.stats[row] = halve(tree.stats[row])
        tree.amaf[row] = halve(tree.amaf[row])
        tree.owned[row] = halve_owners(tree.owned[row])


@inlined_kernel
def _move_row(tree, row, target):
    tree.stats[target] = tree.stats[row]
    tree.amaf[target] = tree.amaf[row]
    tree.owned[target] = tree.owned[row]
    tree.first_child[target] = tree.first_child[row]
    tree.prior[target] = tree.prior[row]
    tree.move[target] = tree.move[row]
    tree.n_children[target] = tree.n_children[row]
