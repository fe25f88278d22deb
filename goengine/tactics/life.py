"""Chains that cannot be taken even if their owner passes for ever.

D. B. Benson, "Life in the Game of Go" (1976). The points without a stone of a colour fall
into regions. A region is vital to a chain if each of its empty points is a liberty of the
chain; where suicide is allowed, which can empty the others, each of its points must be beside
the chain. All chains are taken for alive at first. Then, as long as anything changes, those
with less than two vital regions are dropped, and with them every region that they border on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.board.neighbors import neighbor
from goengine.board.records import EMPTY
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.record_types import as_record
from goengine.tactics.liberties import HEAD_MASK, chains_on, holds_head, own_sides
from goengine.tactics.notes import MAX_POINTS
from goengine.tactics.regions import REGION_FIELDS, find_regions
from goengine.words import U0, U1, U16

# What `status` says of a point; 0: neither.
ALIVE_STONE = 1
VITAL_POINT = 2  # of a region that is vital to a chain alive, and borders on no other chain

# status      by point: what was found, 0 outside the board
# n_vital     at the head of a chain: how many regions are vital to it
LIFE_DTYPE = as_record(
    np.dtype(
        [
            ("status", np.uint8, (MAX_POINTS,)),
            ("n_vital", np.uint16, (MAX_POINTS,)),
            *REGION_FIELDS,
        ],
        align=True,
    )
)
_ALIVE = np.uint8(ALIVE_STONE)
_VITAL = np.uint8(VITAL_POINT)
_NEITHER = np.uint8(0)


def blank_life() -> Any:
    """An array of one record of zeros."""
    return np.zeros(1, LIFE_DTYPE).view(np.recarray)


@kernel
def find_unconditional_life(board, life, color, suicide_allowed):
    """Write the status of every point for `color`."""
    find_regions(board, life, color)
    _take_all_for_alive(board, life, color)
    while True:
        _count_vital_regions(board, life, color, suicide_allowed)
        if not _drop_chains(board, life):
            break
        _drop_regions(board, life, color)
    _keep_vital_regions(board, life, color, suicide_allowed)


@inlined_kernel
def _take_all_for_alive(board, life, color):
    """All chains for alive, and all regions for vital."""
    for point in range(np.uint64(len(board.color))):
        if board.color[point] == color:
            life.status[point] = _ALIVE
        else:
            life.status[point] = _VITAL if life.region[point] != 0 else _NEITHER


@inlined_kernel
def _starts_region(life, point):
    """Is `point` the first one of a region, not dropped yet?"""
    return life.status[point] == _VITAL and life.region[point] == point


@inlined_kernel
def _count_vital_regions(board, life, color, suicide_allowed):
    life.n_vital[:] = np.uint16(0)
    for index in range(np.uint64(len(board.color))):
        first = np.uint64(index)
        if _starts_region(life, first):
            heads = _vital_chains(board, life, first, color, suicide_allowed)
            while heads != U0:
                life.n_vital[heads & HEAD_MASK] += np.uint16(1)
                heads >>= U16


@kernel
def _vital_chains(board, life, first, color, suicide_allowed):
    """The heads of the chains to which a region is vital, as in chains_on."""
    point = first
    while board.color[point] != EMPTY:
        point = np.uint64(life.next_point[point])
    heads = chains_on(board, point, own_sides(board, point, color))
    vital = U0
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if _is_vital(board, life, first, color, suicide_allowed, head):
            vital = vital << U16 | head
    return vital


@inlined_kernel
def _is_vital(board, life, first, color, suicide_allowed, head):
    """Is the chain beside every empty point of the region, or beside every point?"""
    point = first
    while True:
        if suicide_allowed or board.color[point] == EMPTY:
            heads = chains_on(board, point, own_sides(board, point, color))
            if not holds_head(heads, head):
                return False
        point = np.uint64(life.next_point[point])
        if point == first:
            return True


@inlined_kernel
def _drop_chains(board, life):
    """Drop chains with less than two vital regions. Returns whether there was one."""
    found = False
    for index in range(np.uint64(len(board.color))):
        head = np.uint64(index)
        if life.status[head] != _ALIVE or board.chain[head] != head or life.n_vital[head] >= 2:
            continue
        found = True
        stone = head
        while True:
            life.status[stone] = _NEITHER
            stone = np.uint64(board.next_stone[stone])
            if stone == head:
                break
    return found


@inlined_kernel
def _drop_regions(board, life, color):
    """Drop regions that border on a chain that was dropped."""
    for index in range(np.uint64(len(board.color))):
        first = np.uint64(index)
        if _starts_region(life, first) and _borders_on_dropped(board, life, first, color):
            _drop_region(life, first)


@inlined_kernel
def _borders_on_dropped(board, life, first, color):
    point = first
    while True:
        sides = own_sides(board, point, color)
        while sides != U0:
            if life.status[neighbor(board, point, trailing_zeros(sides))] != _ALIVE:
                return True
            sides &= sides - U1
        point = np.uint64(life.next_point[point])
        if point == first:
            return False


@inlined_kernel
def _keep_vital_regions(board, life, color, suicide_allowed):
    """Drop regions that are vital to nobody."""
    for index in range(np.uint64(len(board.color))):
        first = np.uint64(index)
        if (
            _starts_region(life, first)
            and _vital_chains(board, life, first, color, suicide_allowed) == U0
        ):
            _drop_region(life, first)


@inlined_kernel
def _drop_region(life, first):
    point = first
    while True:
        life.status[point] = _NEITHER
        point = np.uint64(life.next_point[point])
        if point == first:
            break
