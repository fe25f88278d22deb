"""A search that outlives its owner: what another process needs to go on with its tree.

Nodes and numbers are in the search's memory. What they are about, only the owner knows: that
fits into a note of a few bytes. Nothing of what is found is trusted; what it takes to walk
the tree is verified, and all that the owner can set again is set again.
"""

from __future__ import annotations

import msgspec
import numpy as np

from goengine.points import MAX_SIZE, MIN_SIZE, PASS, all_points
from goengine.search.memory import ROUND, SEED, SIZE, SearchMemory, layout_of
from goengine.search.search import Search
from goengine.search.spots import Spot
from goengine.tree.checking import BrokenTree
from goengine.tree.columns import BUDGET, GATE, GENERATION
from goengine.tree.deltas import MOST_OWED
from goengine.tree.gate import ENDED
from goengine.tree.packing import VALUE_BITS
from goengine.tree.soundness import check_soundness


class CannotResume(ValueError):
    """The memory holds no search that can go on; the text says why."""


class _Note(msgspec.Struct):
    layout: str  # of the memory
    label: str
    seed: int
    n_rounds: int
    root: int  # of the tree that START is in
    spot: Spot  # of that root


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(_Note)


def note_of(search: Search) -> bytes:
    """For `resume`; empty if nothing in the tree counts. It is true until the next `set_game`."""
    if search.origin is None:
        return b""
    meta = search.memory.meta
    layout = layout_of(search.memory.n_workers)
    return _encode(_Note(layout, search.label, int(meta[SEED]), int(meta[ROUND]), *search.origin))


def resume(memory: SearchMemory, note: bytes) -> Search:
    """Go on with the search that `note` is about, in the tree where it stood.

    All workers of the one before must be dead, however they died; trees of other roots are
    forgotten. Raises CannotResume, and leaves a memory of no use.
    """
    try:
        known = _decoder.decode(note)
    except msgspec.DecodeError as error:
        raise CannotResume(f"its note cannot be read: {error}") from None
    if known.layout != layout_of(memory.n_workers):
        raise CannotResume("its memory is laid out for another number of workers, or release")
    size = known.spot.context.size
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise CannotResume(f"there are no boards of size {size}")
    search = Search(memory)
    search.start_over(known.seed, known.n_rounds, known.label)
    memory.meta[SIZE] = np.uint64(size)
    try:
        _settle_all(search)
        check_soundness(memory.tree, known.root, [PASS, *all_points(size)])
    except BrokenTree as error:
        raise CannotResume(f"its tree is damaged: {error}") from None
    search.take_up(known.root, known.spot)
    memory.tallies[:] = 0
    memory.ownerships[:] = 0
    words = memory.tree.words
    words[GATE], words[BUDGET], words[GENERATION] = 0, ENDED, 1
    return search


def _settle_all(search: Search) -> None:
    """Pay what the dead owed. Raises BrokenTree."""
    memory = search.memory
    nodes, owed = memory.deltas[:, 0], memory.deltas[:, 1]
    if (nodes >= memory.tree.n_used).any() or (owed >> VALUE_BITS > MOST_OWED).any():
        raise BrokenTree("a worker owes what it cannot owe")
    for worker in range(memory.n_workers):
        search.settle(worker)
