"""Fills what lies between the colours when nobody gains anything any more."""

import numpy as np

from goengine.board.chains import first_liberty
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.board.records import EMPTY
from goengine.jit import inlined_kernel, kernel
from goengine.playouts.scoring import score_area
from goengine.tactics.liberties import HEAD_MASK, chains_on, liberties_after, own_sides
from goengine.words import U0, U1, U2, U3, U16

# What a point was filled as.
DAME = 1  # it lay between the colours
OWN = 2  # it was its owner's, who had to connect there


@kernel
def fill_dame(board, living, filled, owners, region, ownership):
    """Both sides fill points between them where a stone is safe, and save what is in atari.

    board       has the dead stones too: they take liberties as long as they stand
    living      the same position without them, which tells what lies between whom

    Plays on both until nobody has such a move. Writes to `filled` what each point was filled
    as, and to `owners` whose the points are then, EMPTY for what still lies between the colours.
    Overwrites `region` and `ownership`; all have room for every point of the board.
    """
    n_passes = U0
    while n_passes < U2:
        score_area(living, ownership, region, owners)
        color = board.to_play
        point = _find_rescue(board, living, color)
        if point == U0:
            point = _find_fill(board, living, owners, color)
        if point == U0:
            play_pass(board, color)
            n_passes += U1
            continue
        filled[point] = np.uint8(DAME if owners[point] == EMPTY else OWN)
        play_move(board, point, color)
        play_move(living, point, color)
        n_passes = U0


@inlined_kernel
def _find_rescue(board, living, color):
    """The last liberty of a living chain of `color`, where a stone there saves it, or 0."""
    for index in range(np.uint64(len(board.color))):
        head = np.uint64(index)
        if (
            living.color[head] == color
            and board.chain[head] == head
            and board.n_liberties[head] == 1
        ):
            liberty = first_liberty(board, head)
            if _is_safe(board, living, liberty, color):
                return liberty
    return U0


@inlined_kernel
def _find_fill(board, living, owners, color):
    """A point that is nobody's, where a stone of `color` is safe, or 0."""
    for index in range(board.n_empty):
        point = np.uint64(board.empty[index])
        if owners[point] == EMPTY and _is_safe(board, living, point, color):
            return point
    return U0


@kernel
def _is_safe(board, living, point, color):
    """Has a stone there two liberties, without taking what is alive?"""
    if not is_legal(board, point, color):
        return False
    enemies = chains_on(board, point, own_sides(board, point, U3 - color))
    while enemies != U0:
        head = enemies & HEAD_MASK
        enemies >>= U16
        if board.n_liberties[head] == 1 and living.color[head] != EMPTY:
            return False
    return liberties_after(board, point, color)[0] > U1
