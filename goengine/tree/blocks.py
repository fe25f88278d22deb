"""Claim a node, hand out rows, publish the block.

docs/shared-tree.md, "Publication": rows are filled while nobody can reach them;
`n_children` is written next and `first_child` last, with release. A worker killed
before that leaves rows that no node points to, and a claim that names a dead worker.
"""

import numpy as np

from goengine.jit import atomic_add, compare_exchange, inlined_kernel, store_release
from goengine.tree.claims import CLAIM_MARK
from goengine.tree.columns import FULL, NO_CHILDREN, USED, Tree
from goengine.words import U0

_NO_CHILDREN = np.uint32(NO_CHILDREN)


@inlined_kernel
def claim_node(tree, node, found, claim):
    """Become the one who fills the block of `node`, whose first_child was `found`."""
    return compare_exchange(tree.first_child, node, np.uint32(found), np.uint32(claim))


@inlined_kernel
def hand_out_rows(tree, n_rows):
    """The first of so many rows, or 0 and the word FULL set."""
    first = atomic_add(tree.words, USED, n_rows)
    if first + n_rows > np.uint64(len(tree.move)):
        store_release(tree.words, FULL, np.uint64(1))
        return U0
    return first


@inlined_kernel
def fill_row(tree, row, move, prior):
    """Write every column: a row may hold what an earlier tree left."""
    tree.stats[row] = U0
    tree.amaf[row] = U0
    tree.owned[row] = U0
    tree.first_child[row] = _NO_CHILDREN
    tree.prior[row] = np.uint32(prior)
    tree.move[row] = np.uint16(move)


@inlined_kernel
def publish_block(tree, node, first, n_rows):
    """Let everybody see the filled block."""
    tree.n_children[node] = np.uint16(n_rows)
    store_release(tree.first_child, node, np.uint32(first))


@inlined_kernel
def give_up_claim(tree, node):
    store_release(tree.first_child, node, _NO_CHILDREN)


def block_of(tree: Tree, node: int) -> slice:
    """The rows of the children; empty if there are none, or somebody is about to fill them."""
    first = int(tree.first_child[node])
    if first == NO_CHILDREN or first & CLAIM_MARK:
        return slice(0, 0)
    return slice(first, first + int(tree.n_children[node]))
