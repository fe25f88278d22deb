"""Can a tree that somebody else left be walked without harm? What memory safety needs, fast.

`check_tree` verifies every invariant, node by node. This is one pass of a kernel that follows
nothing before it has looked where it leads.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from goengine.jit import kernel
from goengine.tree.checking import BrokenTree
from goengine.tree.claims import is_claim
from goengine.tree.columns import ROOT, Tree
from goengine.tree.packing import PEAK_VISITS, visits_of
from goengine.words import U0

_PEAK_VISITS = np.uint64(PEAK_VISITS)
_N_WORDS_OF_MOVE = 1 << 16  # values that a word of the column `move` can have


def check_soundness(tree: Tree, root: int, moves: Iterable[int]) -> None:
    """Raise BrokenTree unless `root` leads to START, and all that it leads to lies in blocks of
    different `moves`, each block behind its parent, within the rows in use and apart from all
    others, with counts that fit their words.
    """
    if not (ROOT <= root < tree.n_used and ROOT <= tree.start < tree.n_used):
        raise BrokenTree("the root or START is no row in use")
    is_move = np.zeros(_N_WORDS_OF_MOVE, np.bool_)
    is_move[list(moves)] = True
    last_parent = np.zeros(_N_WORDS_OF_MOVE, np.uint32)
    reached = np.zeros(tree.n_used, np.bool_)
    node = find_unsound(tree, np.uint64(root), is_move, last_parent, reached)
    if node != U0:
        raise BrokenTree(f"node {node} leads where no children can be, or counts too many visits")
    if not reached[tree.start]:
        raise BrokenTree("the root does not lead to START")


@kernel
def find_unsound(tree, root, is_move, last_parent, reached):
    """The first node that is wrong, 0 if all are right.

    `is_move` and `last_parent` are by move; that and `reached`, by row in use, is room, all 0.
    """
    n_rows = np.uint64(len(reached))
    reached[root] = True
    for row in range(root, n_rows):
        if not reached[row]:
            continue
        first = np.uint64(tree.first_child[row])
        n_below = U0
        if first != U0 and not is_claim(first):
            end = first + np.uint64(tree.n_children[row])
            if first <= row or end <= first or end > n_rows:
                return row
            for child in range(first, end):
                move = tree.move[child]
                if reached[child] or not is_move[move] or last_parent[move] == row:
                    return row
                reached[child] = True
                last_parent[move] = np.uint32(row)
                n_below += visits_of(tree.stats[child])
        if max(n_below, visits_of(tree.stats[row])) >= _PEAK_VISITS:
            return row
    return U0
