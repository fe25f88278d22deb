"""Chains with two liberties: putting them in atari, and getting them out of danger."""

import numpy as np

from goengine.board.chains import first_liberty, next_liberty
from goengine.board.moves import is_legal
from goengine.board.neighbors import neighbor
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.tactics.approaches import approach_move
from goengine.tactics.captures import can_countercapture
from goengine.tactics.liberties import HEAD_MASK, chains_on, has_friend, n_won, own_sides
from goengine.tactics.notes import note
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.words import U0, U1, U2, U3, U16

_CLEAR = U2  # so much more room is better without doubt
_FRIEND = U2  # a chain to connect to is worth so many liberties


@kernel
def note_two_liberty_moves(board, notes, head, color, avoids_hopeless):
    """Note what `color` can do about the chain: atari, or escape, capture and counter-atari."""
    if is_safe_either_way(board, head):
        return
    _note_fills(board, notes, head, color, avoids_hopeless)
    if np.uint64(board.color[head]) == color:
        note_counterattacks(board, notes, head, color, True, avoids_hopeless)


@kernel
def note_counterattacks(board, notes, head, color, is_taking, avoids_hopeless):
    """Note ataris on enemy chains beside that of `head`, and captures if `is_taking`."""
    enemy = U3 - color
    seen = U0
    stone = head
    while True:
        sides = own_sides(board, stone, enemy)
        while sides != U0:
            beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
            sides &= sides - U1
            if beside == seen:
                continue
            seen = beside
            n_liberties = board.n_liberties[beside]
            if n_liberties == 2:
                _note_fills(board, notes, beside, color, avoids_hopeless)
            elif n_liberties == 1 and is_taking:
                point = first_liberty(board, beside)
                if is_legal(board, point, color):
                    note(notes, point)
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return


@kernel
def is_safe_either_way(board, head):
    """Can the chain connect at one liberty, and connect or extend at the other?"""
    first = first_liberty(board, head)
    second = next_liberty(board, head, first)
    connects_first = has_friend(board, head, first)
    connects_second = has_friend(board, head, second)
    if not connects_first and not connects_second:
        return False
    return (connects_second or n_won(board, head, second) > U0) and (
        connects_first or n_won(board, head, first) > U0
    )


@inlined_kernel
def _room(board, head, liberty):
    """What the chain has by a stone on `liberty` once its other liberty is gone."""
    return n_won(board, head, liberty) + _FRIEND * np.uint64(has_friend(board, head, liberty))


@kernel
def _note_fills(board, notes, head, color, avoids_hopeless):
    """Note the liberties that `color` would fill; if one is clearly better only that.

    Whoever attacks leaves the chain where it has less room, and its owner goes where it
    has more: Baudiš 2011, 3.4.
    """
    first = first_liberty(board, head)
    second = next_liberty(board, head, first)
    room1 = _room(board, head, first)
    room2 = _room(board, head, second)
    is_defence = np.uint64(board.color[head]) == color
    if is_defence:
        move1 = _defence(board, notes, first, color, room1, avoids_hopeless)
        move2 = _defence(board, notes, second, color, room2, avoids_hopeless)
    else:
        move1 = _attack(board, notes, first, color)
        move2 = _attack(board, notes, second, color)
        room1, room2 = room2, room1
    less, more = min(room1, room2), max(room1, room2)
    is_clear = move1 != U0 and move2 != U0 and more >= less + _CLEAR
    if move1 != U0 and not (is_clear and (room1 < room2) == is_defence):
        note(notes, move1)
    if move2 != U0 and not (is_clear and (room2 < room1) == is_defence):
        note(notes, move2)


@inlined_kernel
def _defence(board, notes, liberty, color, room, avoids_hopeless):
    """The liberty, if a stone there helps the own chain, or 0."""
    if avoids_hopeless and room < U2:
        return U0
    if not is_legal(board, liberty, color) or is_bad_self_atari(board, notes, liberty, color):
        return U0
    return liberty


@inlined_kernel
def _attack(board, notes, liberty, color):
    """The liberty, or what has to be played before it can be filled, or 0."""
    if not is_legal(board, liberty, color):
        return U0
    if is_bad_self_atari(board, notes, liberty, color):
        return approach_move(board, notes, liberty, color)
    return liberty


@kernel
def note_sure_captures(board, notes, head, color):
    """Note an atari on the enemy chain after which it can neither extend nor take anything."""
    first = first_liberty(board, head)
    second = next_liberty(board, head, first)
    owner = U3 - color
    if _leads_nowhere(board, head, second, owner) and _is_sound(board, notes, first, color):
        atari = first
    elif _leads_nowhere(board, head, first, owner) and _is_sound(board, notes, second, color):
        atari = second
    else:
        return
    if not can_countercapture(board, head):
        note(notes, atari)


@inlined_kernel
def _is_sound(board, notes, point, color):
    return is_legal(board, point, color) and not is_bad_self_atari(board, notes, point, color)


@inlined_kernel
def _leads_nowhere(board, head, point, owner):
    """Has the chain after extending to `point` one liberty at most, the other one gone?"""
    if n_won(board, head, point) > U1 or has_friend(board, head, point):
        return False
    takes = chains_on(board, point, own_sides(board, point, U3 - owner))
    while takes != U0:
        if board.n_liberties[takes & HEAD_MASK] == 1:
            return False
        takes >>= U16
    return True
