"""Positions: the board record and the kernels that read and change it.

From Python, one call a move is fine for a game; inside searches only kernels
call kernels.
"""

from __future__ import annotations

from typing import Any

from goengine.board.moves import (
    KO,
    LEGAL,
    OCCUPIED,
    SUICIDE,
    clear_board,
    hash_after,
    illegality,
    play_move,
    play_pass,
)
from goengine.board.records import BLACK, EDGE, EMPTY, WHITE, blank_boards, copy_board

__all__ = [
    "BLACK",
    "EDGE",
    "EMPTY",
    "KO",
    "LEGAL",
    "OCCUPIED",
    "SUICIDE",
    "WHITE",
    "chain_stones",
    "clear_board",
    "copy_board",
    "hash_after",
    "illegality",
    "new_board",
    "new_boards",
    "play_move",
    "play_pass",
]


def new_boards(count: int, size: int) -> Any:
    """`count` empty positions in one array, black to play."""
    boards = blank_boards(count, size)
    for board in boards:
        clear_board(board, size)
    return boards


def new_board(size: int) -> Any:
    """An empty position, black to play."""
    return new_boards(1, size)[0]


def chain_stones(board: Any, point: int) -> list[int]:
    """Every stone of the chain on `point`. Raises ValueError where there is none."""
    if board.color[point] not in (BLACK, WHITE):
        raise ValueError(f"no stone on point {point}")
    stones = [point]
    while (stone := int(board.next_stone[stones[-1]])) != point:
        stones.append(stone)
    return stones
