"""How the moves of the root stand, at a glance: cheap enough to look many times a second."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goengine.search.memory import SearchMemory
from goengine.search.reading import read_real_win_rate
from goengine.tree.blocks import block_of
from goengine.tree.columns import Tree
from goengine.tree.packing import VALUE_BITS, VALUE_MASK, WON

_TRIED = 0.1  # part of the most visits that a win rate needs to be taken for one
_SHIFT, _ONES, _WON = int(VALUE_BITS), int(VALUE_MASK), float(WON)


class Standing(NamedTuple):
    """Win rates are those of the player to move, 0 to 1."""

    visits: int  # of the most visited move
    second_visits: int  # of the next; 0 if there is none
    win_rate: float  # of the most visited move
    best_win_rate: float  # of any move with enough visits to tell
    reply_win_rate: float  # what the best reply leaves; as `win_rate` before there is any
    real_win_rate: float | None = None  # in the game as it is; None: as `win_rate`

    @property
    def chances(self) -> float:
        """Of the game as it is."""
        return self.win_rate if self.real_win_rate is None else self.real_win_rate


def read_standing(memory: SearchMemory) -> Standing | None:
    """Read while workers write; not while the collector moves rows. None: no move has a visit."""
    tree = memory.tree
    block = block_of(tree, tree.start)
    stats = tree.stats[block].copy()  # counts and sums of one moment
    if not len(stats):
        return None
    visits = stats >> VALUE_BITS
    best = int(np.argmax(visits))
    most = int(visits[best])
    if most == 0:
        return None
    rates = (stats & VALUE_MASK) / (np.maximum(visits, 1) * _WON)
    is_tried = visits >= _TRIED * most
    win_rate = float(rates[best])
    visits[best] = 0
    return Standing(
        visits=most,
        second_visits=int(visits.max()),
        win_rate=win_rate,
        best_win_rate=float(rates[is_tried].max()),
        reply_win_rate=_reply_win_rate(tree, block.start + best, win_rate),
        real_win_rate=read_real_win_rate(memory),
    )


def has_moves(memory: SearchMemory) -> bool:
    """Are there any to choose from, if only by what is known beforehand?"""
    return len(memory.tree.stats[block_of(memory.tree, memory.tree.start)]) > 0


def _reply_win_rate(tree: Tree, node: int, win_rate: float) -> float:
    best = int(tree.stats[block_of(tree, node)].max(initial=0))
    visits = best >> _SHIFT
    return 1.0 - (best & _ONES) / (visits * _WON) if visits else win_rate
