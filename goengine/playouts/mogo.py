"""Playouts as MoGo has them (Gelly et al. 2006, 3.2): save, pattern, capture, random."""

import numpy as np

from goengine.board.chains import first_liberty
from goengine.board.moves import is_legal
from goengine.board.records import EMPTY, stride_of
from goengine.jit import inlined_kernel, kernel
from goengine.playouts.light import choose_light, take_turn
from goengine.playouts.patterns import pattern_weight
from goengine.randomness import random_below
from goengine.tactics.captures import note_countercaptures
from goengine.tactics.liberties import HEAD_MASK, chains_on, is_self_atari, own_sides
from goengine.tactics.notes import clear_notes, note, pick_noted
from goengine.words import U0, U1, U2, U3, U16


@kernel
def play_mogo(board, notes, moves, n_before):
    """Play `board` to its end as play_pachi does. Returns the moves made."""
    limit = n_before + board.rows * board.rows * U3
    n_moves = n_before
    n_passes = U0
    while n_moves < limit and n_passes < U2:
        color = board.to_play
        point = choose_mogo(board, notes, color)
        n_passes = take_turn(board, point, color, n_passes, moves, n_moves)
        n_moves += U1
    return n_moves - n_before


@kernel
def choose_mogo(board, notes, color):
    """A move for `color`, or 0 for a pass."""
    last = board.last
    if last != U0 and np.uint64(board.color[last]) == U3 - color:
        clear_notes(notes)
        _note_saving_moves(board, notes, last, color)
        if notes.n != U0:
            return pick_noted(board, notes)
        _note_patterns(board, notes, last, color)
        if notes.n != U0:
            return pick_noted(board, notes)
    point = _some_capture(board, color)
    return point if point != U0 else choose_light(board, color)


@inlined_kernel
def _note_saving_moves(board, notes, last, color):
    """Extensions and captures that save a chain which the last move put in atari."""
    own = chains_on(board, last, own_sides(board, last, color))
    while own != U0:
        head = own & HEAD_MASK
        own >>= U16
        if board.n_liberties[head] == 1:
            note_countercaptures(board, notes, head)
            point = first_liberty(board, head)
            if is_legal(board, point, color) and not is_self_atari(board, point, color):
                note(notes, point)


@inlined_kernel
def _note_patterns(board, notes, last, color):
    stride = stride_of(board)
    for row in (last - stride, last, last + stride):
        for point in (row - U1, row, row + U1):
            if (
                board.color[point] == EMPTY
                and pattern_weight(board, notes, point, color) != U0
                and is_legal(board, point, color)
            ):
                note(notes, point)


@inlined_kernel
def _some_capture(board, color):
    """A move that takes stones, or 0; every chain in atari is equally likely."""
    chosen = U0
    n_found = U0
    for index in range(board.color.shape[0]):
        head = np.uint64(index)
        if (
            np.uint64(board.color[head]) == U3 - color
            and board.chain[head] == head
            and board.n_liberties[head] == 1
        ):
            point = first_liberty(board, head)
            if is_legal(board, point, color):
                n_found += U1
                if random_below(board, n_found) == U0:
                    chosen = point
    return chosen
