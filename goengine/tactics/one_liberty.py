"""What to do about a chain in atari: take it, save it, or let it go."""

import numpy as np

from goengine.board.chains import first_liberty
from goengine.board.eyes import is_eyelike
from goengine.board.moves import is_legal
from goengine.board.records import EMPTY, stride_of
from goengine.jit import inlined_kernel, kernel
from goengine.tactics.captures import can_take, note_countercaptures
from goengine.tactics.ladders import is_edge_ladder
from goengine.tactics.liberties import is_self_atari
from goengine.tactics.notes import note
from goengine.words import U1


@kernel
def note_atari_moves(board, notes, head, color, is_capture_enough):
    """Note what `color` can do about the chain in atari: take it, or save it if it is its own.

    A chain that can be saved by taking something needs no extension if `is_capture_enough`.
    """
    if np.uint64(board.color[head]) != color:
        if can_take(board, head):
            note(notes, first_liberty(board, head))
        return
    can_capture = note_countercaptures(board, notes, head)
    if can_capture and is_capture_enough:
        return
    if can_extend(board, head, color) and (can_capture or not is_edge_ladder(board, head)):
        note(notes, first_liberty(board, head))


@inlined_kernel
def can_extend(board, head, color):
    """Is there sense in adding a stone to the own chain in atari? Ladders are not looked at."""
    point = first_liberty(board, head)
    is_ko = board.n_stones[head] == 1 and is_eyelike(board, point, color)
    if is_ko and not _is_beside_eye(board, point, color):
        return False
    return is_legal(board, point, color) and not is_self_atari(board, point, color)


@inlined_kernel
def _is_beside_eye(board, point, color):
    """Is a diagonal of the point an eye-like point?"""
    stride = stride_of(board)
    for row in (point - stride, point + stride):
        for corner in (row - U1, row + U1):
            if board.color[corner] == EMPTY and is_eyelike(board, corner, color):
                return True
    return False
