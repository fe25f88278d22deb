"""The rules of a playout that look around the last move; each notes what it would play."""

import numpy as np

from goengine.board.chains import first_liberty
from goengine.board.eyes import is_eye, is_last_corner
from goengine.board.moves import is_legal
from goengine.board.neighbors import neighbor
from goengine.board.records import EMPTY, stride_of
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.playouts.liberty_maps import note_liberties
from goengine.playouts.patterns import may_match, pattern_weight
from goengine.playouts.rates import (
    ATARI,
    CAPTURE_ONLY,
    HOPELESS,
    PATTERN_BEFORE,
    SURE_ATARI,
    SURE_CAPTURE,
    happens,
)
from goengine.randomness import random_below
from goengine.tactics.ladders import is_edge_ladder
from goengine.tactics.liberties import (
    HEAD_MASK,
    chains_on,
    empty_sides,
    liberties_after,
    own_sides,
)
from goengine.tactics.many_liberties import note_race_moves
from goengine.tactics.nakade import nakade_point
from goengine.tactics.notes import MAX_NOTED, note
from goengine.tactics.one_liberty import note_atari_moves
from goengine.tactics.races import note_race_fills, note_sure_captures_beside
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.tactics.two_liberties import note_sure_captures, note_two_liberty_moves
from goengine.words import U0, U1, U3, U16

_MAX_NOTED = np.uint64(MAX_NOTED)
_ALWAYS_SAVED = 3  # stones in atari that are saved whenever they can be
_MOST_LIBERTIES = 4  # of a chain that is still looked at


@inlined_kernel
def note_local_ataris(board, notes, last, color):
    """Take the chain that moved into atari, or save those that it attacks.

    Returns whether a move is to be made: the rule draws its rate itself, as large chains
    are always saved.
    """
    is_large = False
    enemy_head = np.uint64(board.chain[last])
    if board.n_liberties[enemy_head] == 1:
        note_atari_moves(board, notes, enemy_head, color, True)
        if notes.n != U0 and happens(board, notes.rates[SURE_CAPTURE]):
            point = first_liberty(board, enemy_head)
            if liberties_after(board, point, U3 - color)[0] > U1:
                return True
    own = chains_on(board, last, own_sides(board, last, color))
    while own != U0:
        head = own & HEAD_MASK
        own >>= U16
        if board.n_liberties[head] == 1:
            is_large |= board.n_stones[head] >= _ALWAYS_SAVED
            is_capture_enough = happens(board, notes.rates[CAPTURE_ONLY])
            note_atari_moves(board, notes, head, color, is_capture_enough)
    return notes.n != U0 and (is_large or happens(board, notes.rates[ATARI]))


@inlined_kernel
def note_local_captures(board, notes, refused, color):
    """The enemy wanted to play `refused`, a self-atari: attack the chains that it was about."""
    heads = chains_on(board, refused, own_sides(board, refused, U3 - color))
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if board.n_liberties[head] == 2:
            note_sure_captures(board, notes, head, color)


@inlined_kernel
def note_local_two_liberties(board, notes, last, color):
    own = chains_on(board, last, own_sides(board, last, color))
    if happens(board, notes.rates[SURE_ATARI]):
        _note_sure_ataris(board, notes, own, color)
        if notes.n != U0:
            return
    avoids_hopeless = happens(board, notes.rates[HOPELESS])
    enemy_head = np.uint64(board.chain[last])
    if board.n_liberties[enemy_head] == 2:
        note_two_liberty_moves(board, notes, enemy_head, color, avoids_hopeless)
        note_liberties(board, notes, U0, enemy_head)
    while own != U0:
        head = own & HEAD_MASK
        own >>= U16
        if board.n_liberties[head] == 2:
            n_before = notes.n
            note_two_liberty_moves(board, notes, head, color, avoids_hopeless)
            note_liberties(board, notes, n_before, head)


@inlined_kernel
def _note_sure_ataris(board, notes, own, color):
    """Own chains of two liberties are safe once what stands beside them is taken."""
    while own != U0:
        head = own & HEAD_MASK
        own >>= U16
        if board.n_liberties[head] == 2:
            n_before = notes.n
            note_sure_captures_beside(board, notes, head, color)
            note_liberties(board, notes, n_before, head)


@inlined_kernel
def note_local_race_fills(board, notes, last, color):
    """Races of the own chains beside the last move."""
    own = chains_on(board, last, own_sides(board, last, color))
    while own != U0:
        head = own & HEAD_MASK
        own >>= U16
        if _is_short(board, head):
            note_race_fills(board, notes, head, color)


@kernel
def note_all_races(board, notes, color):
    """The same for all own chains on the board, and ataris that take for sure."""
    stride = stride_of(board)
    for row in range(board.rows):
        first = (np.uint64(row) + U1) * stride + U1
        for column in range(board.rows):
            point = first + np.uint64(column)
            if np.uint64(board.color[point]) == color and board.chain[point] == point:
                if board.n_liberties[point] == 2:
                    note_sure_captures_beside(board, notes, point, color)
                if _is_short(board, point):
                    note_race_fills(board, notes, point, color)


@inlined_kernel
def _is_short(board, head):
    """Has the chain so few liberties that it may be in a race?"""
    return board.n_liberties[head] > 1 and board.n_liberties[head] <= _MOST_LIBERTIES


@inlined_kernel
def note_local_races(board, notes, last, color):
    """Own chains on the eight points around the last move that have three or four liberties."""
    stride = stride_of(board)
    seen = U0
    for row in (last - stride, last, last + stride):
        for point in (row - U1, row, row + U1):
            if np.uint64(board.color[point]) != color:
                continue
            head = np.uint64(board.chain[point])
            n_liberties = board.n_liberties[head]
            if head != seen and n_liberties > 2 and n_liberties <= _MOST_LIBERTIES:
                n_before = notes.n
                note_race_moves(board, notes, head, color)
                note_liberties(board, notes, n_before, head)
                seen = head


@kernel
def vital_point_beside(board, notes, last, enemy):
    """The vital point of a small eye of `enemy` that the last move left beside it, or 0."""
    sides = empty_sides(board, last)
    while sides != U0:
        start = neighbor(board, last, trailing_zeros(sides))
        sides &= sides - U1
        point = nakade_point(board, notes, start, enemy)
        if point != U0:
            return point
    return U0


@kernel
def note_eye_saving(board, notes, last, color):
    """Points beside the last move where another enemy stone would make an own eye false."""
    stride = stride_of(board)
    for row in (last - stride, last, last + stride):
        for point in (row - U1, row, row + U1):
            if board.color[point] == EMPTY and _is_corner_of_weak_eye(board, point, color):
                note(notes, point)


@inlined_kernel
def _is_corner_of_weak_eye(board, point, color):
    stride = stride_of(board)
    for row in (point - stride, point + stride):
        for eye in (row - U1, row + U1):
            if is_eye(board, eye, color) and is_last_corner(board, eye, color):
                return True
    return False


# --- patterns -------------------------------------------------------------------


@inlined_kernel
def note_patterns(board, notes, last, color):
    """Moves beside the last one, or the one before, that complete a 3x3 pattern."""
    stride = stride_of(board)
    for row in (last - stride, last, last + stride):
        for point in (row - U1, row, row + U1):
            if board.color[point] == EMPTY and may_match(board, notes, point, color):
                _note_pattern(board, notes, point, color)
    before = board.last2
    if before == U0 or not happens(board, notes.rates[PATTERN_BEFORE]):
        return
    corner = last - stride - U1
    for row in (before - stride, before, before + stride):
        for point in (row - U1, row, row + U1):
            if (
                board.color[point] == EMPTY
                and may_match(board, notes, point, color)
                and not _is_in_square(board, point, corner)
            ):
                _note_pattern(board, notes, point, color)


@inlined_kernel
def _is_in_square(board, point, corner):
    """Is the point one of the 3x3 whose lower left one is `corner`?"""
    if point < corner:
        return False
    row = (point - corner) // stride_of(board)
    return row < U3 and point - corner - row * stride_of(board) < U3


@kernel
def _note_pattern(board, notes, point, color):
    weight = pattern_weight(board, notes, point, color)
    if weight == U0 or not is_sound_pattern_move(board, notes, point, color):
        return
    if notes.n < _MAX_NOTED:
        notes.points[notes.n] = np.uint16(point)
        notes.weights[notes.n] = np.uint16(weight)
        notes.n += U1
        notes.total += weight


@inlined_kernel
def is_sound_pattern_move(board, notes, point, color):
    """Legal, no bad self-atari, and no step along the edge with a chain that is lost?"""
    if not is_legal(board, point, color) or is_bad_self_atari(board, notes, point, color):
        return False
    own = chains_on(board, point, own_sides(board, point, color))
    while own != U0:
        head = own & HEAD_MASK
        own >>= U16
        if board.n_liberties[head] == 1:
            return not is_edge_ladder(board, head)
    return True


@inlined_kernel
def pick_pattern(board, notes):
    """One of the noted moves, each as likely as its weight."""
    left = random_below(board, notes.total)
    index = U0
    while left >= notes.weights[index]:
        left -= np.uint64(notes.weights[index])
        index += U1
    return np.uint64(notes.points[index])
