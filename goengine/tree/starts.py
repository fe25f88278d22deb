"""Where simulations begin: roots are planted, and the start goes from node to node.

docs/shared-tree.md, "Starts": what is found while a node is START counts for that node, and
its parent has not chosen it. So a start that is left shows its parent no more visits than
before; they are taken from its children when the start comes back. Nobody else may be in
the tree.
"""

from __future__ import annotations

import numpy as np

from goengine.tree.blocks import block_of
from goengine.tree.columns import START, START_VISITS, USED, Tree, clear_row
from goengine.tree.packing import VALUE_BITS, VALUE_MASK, WAS_START, WON

_SHIFT, _ONES, _WON = int(VALUE_BITS), int(VALUE_MASK), int(WON)


def plant_root(tree: Tree) -> int:
    """A node without a parent, in the next row. Does not check that there is one."""
    row = int(tree.words[USED])
    clear_row(tree, row)
    tree.words[USED] = row + 1
    return row


def leave_start(tree: Tree) -> None:
    """Give START, if it is no root, the visits that its parent knows of, at its present mean."""
    start, known = tree.start, int(tree.words[START_VISITS])
    word = int(tree.stats[start])
    visits, value = word >> _SHIFT, word & _ONES
    if visits > known:
        tree.stats[start] = known << _SHIFT | (value * known + visits // 2) // visits
        tree.owned[start] |= WAS_START


def start_at(tree: Tree, node: int) -> None:
    """Make it START. If its children have more visits than it has, it gets theirs."""
    visits = int(tree.stats[node]) >> _SHIFT
    below, value = _sum_of_children(tree, node)
    tree.words[START], tree.words[START_VISITS] = node, visits
    if below > visits:
        tree.stats[node] = below << _SHIFT | value
    tree.owned[node] &= ~WAS_START


def visits_from(tree: Tree, node: int) -> int:
    """What the node would have as START."""
    return max(int(tree.stats[node]) >> _SHIFT, _sum_of_children(tree, node)[0])


def _sum_of_children(tree: Tree, node: int) -> tuple[int, int]:
    """Their visits, and their value for the player who moved into the node."""
    words = tree.stats[block_of(tree, node)]
    visits = int(np.sum(words >> VALUE_BITS))
    return visits, max(0, visits * _WON - int(np.sum(words & VALUE_MASK)))
