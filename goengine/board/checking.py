"""A consistency check that recomputes everything from the stones alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.board.chains import is_liberty
from goengine.board.hashing import stone_key
from goengine.board.neighbors import ALL_SIDES, compute_around, neighbor, sides_of
from goengine.board.records import BLACK, EDGE, EMPTY, WHITE, stride_of, words_of
from goengine.jit import kernel, popcount
from goengine.points import MAX_SIZE, format_vertex, is_on_board
from goengine.words import U0, U1, U3

_FAULTS = (
    "no fault",
    "to_play is neither black nor white",
    "size does not fit the record",
    "color is wrong for a point on or off the board",
    "around differs from the neighbours' colours",
    "the list of empty points and its inverse disagree",
    "n_empty differs from the number of empty points",
    "stones of one chain have different heads, or the head is not among them",
    "the circular list of a chain does not hold its stones",
    "n_stones is wrong",
    "n_liberties is wrong",
    "the liberty set is wrong",
    "a chain has no liberty",
    "hash is wrong",
    "ko is not a point that to_play could take back",
)


class BoardFault(AssertionError):
    """A board record contradicts itself."""


def check_board(board: Any) -> None:
    """Raise BoardFault if any field differs from what the stones say."""
    n_points = board.color.shape[0]
    room = tuple(np.zeros((3, n_points), np.uint64))
    fault, point = find_fault(board, room)
    if fault:
        size = int(board.rows)
        on_board = 1 <= size <= MAX_SIZE and is_on_board(int(point), size)
        place = format_vertex(int(point), size) if on_board else f"point {point}"
        raise BoardFault(f"{_FAULTS[fault]} at {place}")


@kernel
def find_fault(board, room):
    """Return the first fault, an index of _FAULTS, and where it was seen; (0, 0) if none.

    room    three arrays of zeros by point
    """
    stride = stride_of(board)
    size = board.rows
    if board.to_play != BLACK and board.to_play != WHITE:
        return 1, U0
    if size < U1 or size >= stride:
        return 2, U0
    n_empty = U0
    hashed = U0
    for index in range(board.color.shape[0]):
        point = np.uint64(index)
        row = point // stride
        column = point % stride
        on_board = row >= U1 and row <= size and column >= U1 and column <= size
        color = board.color[point]
        if (color != EDGE) != on_board or color > EDGE:
            return 3, point
        if not on_board:
            continue
        if np.uint64(board.around[point]) != compute_around(board, point):
            return 4, point
        if color == EMPTY:
            n_empty += U1
            place = np.uint64(board.empty_at[point])
            if place >= board.n_empty or board.empty[place] != point:
                return 5, point
        else:
            hashed ^= stone_key(point, np.uint64(color))
    if n_empty != board.n_empty:
        return 6, U0
    fault, point = _find_chain_fault(board, room)
    if fault != 0:
        return fault, point
    if hashed != board.hash:
        return 13, U0
    if board.ko != U0:
        around = np.uint64(board.around[board.ko])
        if board.color[board.ko] != EMPTY or sides_of(around, U3 - board.to_play) != ALL_SIDES:
            return 14, board.ko
    return 0, U0


@kernel
def _find_chain_fault(board, room):
    filled, is_counted, stones = room  # filled: by the stone from which the fill came, or 0
    for index in range(board.color.shape[0]):
        start = np.uint64(index)
        color = board.color[start]
        if (color != BLACK and color != WHITE) or filled[start] != U0:
            continue
        is_counted[:] = U0
        filled[start] = start
        stones[0] = start
        n_stones = 1
        n_liberties = 0
        head = np.uint64(board.chain[start])
        done = 0
        while done < n_stones:
            stone = stones[done]
            done += 1
            if board.chain[stone] != head:
                return 7, stone
            for side in range(4):
                beside = neighbor(board, stone, np.uint64(side))
                if board.color[beside] == color and filled[beside] == U0:
                    filled[beside] = start
                    stones[n_stones] = beside
                    n_stones += 1
                elif board.color[beside] == EMPTY and is_counted[beside] == U0:
                    is_counted[beside] = U1
                    n_liberties += 1
                    if not is_liberty(board, head, beside):
                        return 11, stone
        if filled[head] != start or board.color[head] != color:
            return 7, start
        fault = _find_list_fault(board, head, start, filled, n_stones, n_liberties)
        if fault != 0:
            return fault, start
    return 0, U0


@kernel
def _find_list_fault(board, head, start, filled, n_stones, n_liberties):
    stone = head
    for step in range(1, n_stones + 1):
        stone = np.uint64(board.next_stone[stone])
        if filled[stone] != start or (stone == head) != (step == n_stones):
            return 8
    if board.n_stones[head] != n_stones:
        return 9
    if board.n_liberties[head] != n_liberties:
        return 10
    n_bits = U0
    for word in range(words_of(board)):
        n_bits += popcount(board.liberties[head * words_of(board) + np.uint64(word)])
    if n_bits != n_liberties:
        return 11
    return 12 if n_liberties == 0 else 0
