"""The columns of a tree over any buffer, and its control words.

A node is a row of the columns. Node 0 is none, node ROOT the first root; others may be
planted behind it (starts.py). The children of a node are one block of neighbouring rows,
and their numbers are greater than their parent's. Values are from the view of the player
who moved into the node.

    column       type     unit, sentinel                            written by
    stats        uint64   visits and value, see packing.py          atomic add
    amaf         uint64   the same for simulations in which this move came later in the
                          game, its point first taken by its colour atomic add
    owned        uint64   visits after which black, and after which the winner, has the
                          point of the move                         atomic add;
                          WAS_START, see packing.py                 starts.py
    first_child  uint32   row of the first child; NO_CHILDREN; or a claim, see claims.py
                                                                    compare-and-exchange
    prior        uint32   equivalent visits and value               who fills the block
    move         uint16   the point that leads here, 0 a pass       who fills the block
    n_children   uint16   undefined before first_child is a row     who fills the block
"""

from __future__ import annotations

import mmap
from typing import Any, NamedTuple

import numpy as np

NO_NODE = 0
ROOT = 1
NO_CHILDREN = 0

COLUMNS = (
    ("stats", np.uint64),
    ("amaf", np.uint64),
    ("owned", np.uint64),
    ("first_child", np.uint32),
    ("prior", np.uint32),
    ("move", np.uint16),
    ("n_children", np.uint16),
)
BYTES_PER_NODE = sum(np.dtype(dtype).itemsize for _, dtype in COLUMNS)

# Control words, each on a cache line of its own.
_LINE = 8  # words
USED = 0 * _LINE  # rows that were handed out, row 0 included; may pass the capacity
GATE = 1 * _LINE  # 0: workers may enter; anything else: keep out and leave
BUDGET = 2 * _LINE  # simulations that may still be begun
GENERATION = 3 * _LINE  # of the position: another number is another root, workers load it anew
FULL = 4 * _LINE  # 1: a worker wants the collector
START = 5 * _LINE  # the row where simulations begin: a root, or a node that some root leads to
START_VISITS = 6 * _LINE  # of START when it became so, as its parent knows them; a root has none
N_WORDS = 8 * _LINE

_ALIGNMENT = 64
_CONTROL_BYTES = N_WORDS * 8
MAX_NODES = 2**31 - 1  # the highest bit of first_child marks a claim


class Tree(NamedTuple):
    """Arrays over one buffer; kernels take it as it is."""

    stats: Any
    amaf: Any
    owned: Any
    first_child: Any
    prior: Any
    move: Any
    n_children: Any
    words: Any

    @property
    def capacity(self) -> int:
        return len(self.move)

    @property
    def n_used(self) -> int:
        """Rows in use, row 0 included."""
        return min(int(self.words[USED]), self.capacity)

    @property
    def start(self) -> int:
        return int(self.words[START])


def bytes_for(n_nodes: int) -> int:
    """What a tree of this capacity needs."""
    sizes = (np.dtype(dtype).itemsize * n_nodes for _, dtype in COLUMNS)
    return _CONTROL_BYTES + sum(_aligned(size) for size in sizes)


def tree_over(buffer: Any) -> Tree:
    """The largest tree that the buffer holds. Changes nothing. Raises ValueError."""
    n_bytes = memoryview(buffer).nbytes
    n_nodes = min((n_bytes - bytes_for(0)) // BYTES_PER_NODE, MAX_NODES)
    while n_nodes > ROOT and bytes_for(n_nodes) > n_bytes:
        n_nodes -= 1  # what alignment takes
    if n_nodes <= ROOT:
        raise ValueError(f"{n_bytes} bytes are too few for a tree")
    columns = {"words": np.frombuffer(buffer, np.uint64, N_WORDS)}
    offset = _CONTROL_BYTES
    for name, dtype in COLUMNS:
        columns[name] = np.frombuffer(buffer, dtype, n_nodes, offset)
        offset += _aligned(columns[name].nbytes)
    return Tree(**columns)


def new_tree(n_nodes: int) -> Tree:
    """A clear tree in private memory."""
    tree = tree_over(private_memory(bytes_for(n_nodes)))
    clear_tree(tree)
    return tree


def private_memory(n_bytes: int) -> mmap.mmap:
    """Zeros that begin on a page and take no room until they are written to."""
    return mmap.mmap(-1, n_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def clear_tree(tree: Tree) -> None:
    """Leave nothing but a root without visits. Nobody else may be at work in the tree."""
    clear_row(tree, ROOT)
    tree.words[USED] = ROOT + 1
    tree.words[FULL] = 0
    tree.words[START] = ROOT


def clear_row(tree: Tree, row: int) -> None:
    """Make it a node without visits and children, which no move leads to."""
    for column in (tree.stats, tree.amaf, tree.owned, tree.first_child, tree.prior, tree.move):
        column[row] = 0


def _aligned(n_bytes: int) -> int:
    return -(-n_bytes // _ALIGNMENT) * _ALIGNMENT
