"""What a worker owes to nodes that everybody visits: added up at home, paid in sums.

docs/shared-tree.md, "Contention": a node past `hot_visits` is hot. A worker keeps its
visits, values and owners for hot nodes in a small table of its own and pays a node
when it owes at least one visit in 1,024 of what the node has, up to 64; and everything
at the end of a batch. The table is in shared memory: for a worker that was killed,
the supervisor pays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from goengine.jit import atomic_add, inlined_kernel, kernel
from goengine.tree.packing import visits_of
from goengine.words import U0, U1

N_DELTAS = 128  # a power of two
_PLACE_MASK = np.uint64(N_DELTAS - 1)
_SHARE_BITS = np.uint64(10)
MOST_OWED = np.uint64(64)


class Deltas(NamedTuple):
    """By place: the node, 0 for none, and what is owed to it."""

    node: Any
    stats: Any
    owned: Any


def new_deltas(rows: Any = None) -> Deltas:
    """Over three rows of N_DELTAS words, or in private memory."""
    return Deltas(*(np.zeros((3, N_DELTAS), np.uint64) if rows is None else rows))


@inlined_kernel
def owe(tree, deltas, node, visits, stats, owned):
    """Note a debt to a hot `node` that has `visits`. Returns the payments made, 0 to 2."""
    place = node & _PLACE_MASK
    paid = U0
    if deltas.node[place] != node:
        paid += pay(tree, deltas, place)
        deltas.node[place] = node
    deltas.stats[place] += stats
    deltas.owned[place] += owned
    if visits_of(deltas.stats[place]) >= min(visits >> _SHARE_BITS, MOST_OWED):
        paid += pay(tree, deltas, place)
    return paid


@kernel
def pay(tree, deltas, place):
    """Pay what one place owes. Returns 1 if it owed anything."""
    if deltas.stats[place] == U0:
        return U0
    node = deltas.node[place]
    atomic_add(tree.stats, node, deltas.stats[place])
    atomic_add(tree.owned, node, deltas.owned[place])
    deltas.stats[place] = U0
    deltas.owned[place] = U0
    return U1


@kernel
def pay_all(tree, deltas):
    """Leave no debt and no node: rows may move before the next batch."""
    paid = U0
    for place in range(N_DELTAS):
        paid += pay(tree, deltas, np.uint64(place))
        deltas.node[place] = U0
    return paid
