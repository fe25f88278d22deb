"""Regions: points without a stone of a colour that hang together.

They are where the enemy of that colour may live. Whoever wants to know them brings a record
with REGION_FIELDS.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.board.neighbors import ALL_SIDES, neighbor, sides_of
from goengine.board.records import EDGE, EMPTY
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.record_types import as_record
from goengine.tactics.liberties import own_sides
from goengine.tactics.notes import MAX_POINTS
from goengine.words import U0, U1, U7

# region      by point: the first point of its region; 0 for stones of the colour and outside
# next_point  by point: the next point of the region, circular
# room        at the first point: how many of the region's points are empty and have no stone
#             of the colour beside them; there an enemy has his eyes
REGION_FIELDS = [
    ("region", np.uint16, (MAX_POINTS,)),
    ("next_point", np.uint16, (MAX_POINTS,)),
    ("room", np.uint16, (MAX_POINTS,)),
]
REGIONS_DTYPE = as_record(np.dtype(REGION_FIELDS, align=True))
ROOM_TO_LIVE = U7  # in an eye of so many points no single move prevents a second one


def blank_regions() -> Any:
    """An array of one record of zeros."""
    return np.zeros(1, REGIONS_DTYPE).view(np.recarray)


@kernel
def find_regions(board, record, color):
    """Write the regions without stones of `color`."""
    n_points = np.uint64(len(board.color))
    for point in range(n_points):
        record.region[point] = np.uint16(0)
    for index in range(n_points):
        first = np.uint64(index)
        owner = board.color[first]
        if record.region[first] == 0 and owner != color and owner != EDGE:
            _grow_region(board, record, first, color)


@inlined_kernel
def _grow_region(board, record, first, color):
    """Make a region from its first point. It grows at the end of its list."""
    name = np.uint16(first)
    record.region[first] = name
    record.next_point[first] = name
    room = U0
    last = first
    point = first
    while True:
        sides = ~sides_of(np.uint64(board.around[point]), color) & ALL_SIDES
        while sides != U0:
            beside = neighbor(board, point, trailing_zeros(sides))
            sides &= sides - U1
            if record.region[beside] == 0:
                record.region[beside] = name
                record.next_point[last] = np.uint16(beside)
                record.next_point[beside] = name
                last = beside
        room += np.uint64(board.color[point] == EMPTY and own_sides(board, point, color) == U0)
        point = np.uint64(record.next_point[point])
        if point == first:
            break
    record.room[first] = np.uint16(room)


@inlined_kernel
def has_room(record, head):
    """May a chain of the enemy live where it stands, or has it a way out?"""
    return record.room[record.region[head]] >= ROOM_TO_LIVE
