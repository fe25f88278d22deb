"""The board: one numpy record a position.

Copying a position is one assignment, ``boards[1] = boards[0]``. The record type
carries the array lengths, so numba compiles each kernel once a capacity, with
the stride between rows as a constant.

Points are numbered row by row on a padded board: point = (row + 1) * stride +
column + 1, stride = capacity + 1. One column of padding serves as the right
edge of a row and the left edge of the next.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from goengine.jit import constant_of_type
from goengine.points import CAPACITIES, capacity_for
from goengine.record_types import as_record

# Bit 0 is set for black, bit 1 for white; the edge counts as both.
EMPTY = 0
BLACK = 1
WHITE = 2
EDGE = 3


def n_points(capacity: int) -> int:
    """Length of the padded board: every neighbour of a point on the board has an index."""
    stride = capacity + 1
    return stride * (stride + 1) + 1


def n_words(capacity: int) -> int:
    """64-bit words in a set of points."""
    return (n_points(capacity) + 63) // 64


@functools.cache
def board_dtype(capacity: int) -> np.dtype[Any]:
    """The record type. Only the kernels in goengine/board write to it.

    Per point:
        color       EMPTY, BLACK, WHITE or EDGE
        around      the colours of the eight neighbours, see neighbors.py;
                    undefined outside the board
        chain       head of the chain (one of its stones); undefined without a stone
        next_stone  next stone of the chain, circular; undefined without a stone
        empty_at    index in `empty`; undefined with a stone
    Per chain, at the index of its head, undefined elsewhere:
        n_stones, n_liberties
        liberties   set of points, n_words 64-bit words a head, flat
    Per position:
        empty       the empty points in any order; the first n_empty count
        ko          the point that to_play may not take back now, or 0
        to_play     BLACK or WHITE
        last, last2 the last move and the one before: point or 0 (a pass, or none)
        captures    enemy stones that each colour has taken, indexed by colour
        n_moves     moves and passes since the board was cleared
        last_ko     the point that was `ko` last, or 0, and n_moves after that capture
        last_ko_move
        hash        Zobrist hash of the stones alone, see hashing.py
        random      state of the random generator, see goengine/randomness.py
        rows        the size of the board; a record has an attribute `size` of its own
    """
    points = n_points(capacity)
    fields = np.dtype(
        [
            ("around", np.uint16, (points,)),
            ("chain", np.uint16, (points,)),
            ("next_stone", np.uint16, (points,)),
            ("n_liberties", np.uint16, (points,)),
            ("n_stones", np.uint16, (points,)),
            ("empty_at", np.uint16, (points,)),
            ("empty", np.uint16, (capacity * capacity,)),
            ("color", np.uint8, (points,)),
            ("liberties", np.uint64, (points * n_words(capacity),)),
            ("n_empty", np.uint64),
            ("random", np.uint64),
            ("hash", np.uint64),
            ("ko", np.uint64),
            ("to_play", np.uint64),
            ("last", np.uint64),
            ("last2", np.uint64),
            ("rows", np.uint64),
            ("captures", np.uint64, (3,)),
            ("n_moves", np.uint64),
            ("last_ko", np.uint64),
            ("last_ko_move", np.uint64),
        ],
        align=True,
    )
    return as_record(fields)


_CAPACITY_BY_DTYPE = {board_dtype(capacity): capacity for capacity in CAPACITIES}


@constant_of_type
def stride_of(dtype: np.dtype[Any]) -> int:
    """Distance between a point and the one above it, a constant when compiled."""
    return _CAPACITY_BY_DTYPE[dtype] + 1


@constant_of_type
def words_of(dtype: np.dtype[Any]) -> int:
    """64-bit words in a set of points, a constant when compiled."""
    return n_words(_CAPACITY_BY_DTYPE[dtype])


def blank_boards(count: int, size: int) -> Any:
    """Records of zeros that can hold boards of `size`; clear_board makes a position of each."""
    return np.zeros(count, board_dtype(capacity_for(size))).view(np.recarray)


def copy_board(board: Any) -> Any:
    """An independent position equal to `board`."""
    boards = np.zeros(1, board.dtype.base).view(np.recarray)
    boards[0] = board
    return boards[0]
