"""Everything that belongs to one search, laid out over any buffer.

part         written by                     read by
meta         who owns the search            workers
root         who owns the search, at any time the parameters, and with the gate
             closed the board and position  workers
tallies      each worker its own row        who owns the search
ownerships   each worker its own row        who owns the search
ratings      workers, docs/shared-tree.md   workers
situation    docs/shared-tree.md, "The situation"
tree         everybody, docs/shared-tree.md everybody
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np

from goengine.board.records import board_dtype
from goengine.points import CAPACITIES, capacity_for
from goengine.ratings import RATINGS_DTYPE
from goengine.search.parameters import PARAMETERS_DTYPE
from goengine.search.position import POSITION_DTYPE
from goengine.search.results import N_PLACES
from goengine.search.situation import N_WORDS as N_SITUATION_WORDS
from goengine.search.situation import SITUATION_DTYPE, Situation
from goengine.search.workspace import MAX_POINTS, N_TALLIES, Root
from goengine.tree.columns import COLUMNS, N_WORDS, Tree, bytes_for, tree_over
from goengine.tree.deltas import N_DELTAS

# Words of `meta`.
SIZE = 0  # rows of the board
SEED = 1
ROUND = 2  # positions set since the game began: each has random numbers of its own
_N_META = 8

_LINE = 64


class SearchMemory(NamedTuple):
    meta: Any
    boards: Any  # raw bytes; `root` gives them their type
    position: Any
    parameters: Any
    tallies: Any  # by worker
    ownerships: Any  # by worker, two rows by point: see workspace.py
    deltas: Any  # by worker
    ratings: Any  # one record, see goengine/ratings.py
    situation: Situation
    tree: Tree

    def root(self, size: int) -> Root:
        """What kernels for a board of `size` start from."""
        dtype = board_dtype(capacity_for(size))
        boards = self.boards[: dtype.itemsize].view(dtype).view(np.recarray)
        return Root(boards, self.position, self.parameters, self.situation)

    @property
    def n_workers(self) -> int:
        return len(self.tallies)


def _parts(n_workers: int) -> dict[str, tuple[Any, tuple[int, ...]]]:
    return {
        "meta": (np.uint64, (_N_META,)),
        "boards": (np.uint8, (board_dtype(CAPACITIES[-1]).itemsize,)),
        "position": (POSITION_DTYPE, (1,)),
        "parameters": (PARAMETERS_DTYPE, (1,)),
        "tallies": (np.int64, (n_workers, N_TALLIES)),
        "ownerships": (np.int64, (n_workers, 2, -(-MAX_POINTS // 8) * 8)),
        "deltas": (np.uint64, (n_workers, 3, N_DELTAS)),
        "ratings": (RATINGS_DTYPE, (1,)),
        "record": (SITUATION_DTYPE, (1,)),
        "words": (np.uint64, (N_SITUATION_WORDS,)),
        "counts": (np.int64, (n_workers, N_PLACES)),
        "before": (np.int64, (N_PLACES,)),
        "latest": (np.int64, (N_PLACES,)),
    }


def layout_of(n_workers: int) -> str:
    """A hash of what lies where: memory of another one means something else."""
    said = repr((list(_parts(n_workers).items()), COLUMNS, N_WORDS))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def memory_for(n_nodes: int, n_workers: int) -> int:
    """Bytes that a search with so many nodes and workers needs."""
    fixed = sum(_size_of(dtype, shape) for dtype, shape in _parts(n_workers).values())
    return fixed + bytes_for(n_nodes)


def memory_over(buffer: Any, n_workers: int) -> SearchMemory:
    """Lay a search out over the buffer. Changes nothing. Raises ValueError if it is too small."""
    arrays: dict[str, Any] = {}
    offset = 0
    n_bytes = memoryview(buffer).nbytes
    for name, (dtype, shape) in _parts(n_workers).items():
        size = _size_of(dtype, shape)
        if offset + size > n_bytes:
            raise ValueError(f"{n_bytes} bytes are too few for a search with {n_workers} workers")
        flat = np.frombuffer(buffer, dtype, int(np.prod(shape)), offset)
        arrays[name] = flat.reshape(shape)
        offset += size
    for name in ("position", "parameters", "ratings", "record"):
        arrays[name] = arrays[name].view(np.recarray)
    situation = Situation(**{name: arrays.pop(name) for name in Situation._fields})
    tree = tree_over(memoryview(buffer).cast("B")[offset:])
    return SearchMemory(**arrays, situation=situation, tree=tree)


def _size_of(dtype: Any, shape: tuple[int, ...]) -> int:
    """Bytes of a part; each begins on a cache line of its own."""
    n_bytes = int(np.dtype(dtype).itemsize * np.prod(shape))
    return -(-n_bytes // _LINE) * _LINE
