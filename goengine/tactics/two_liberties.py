"""Chains with two liberties: putting them in atari, and getting them out of danger."""

import numpy as np

from goengine.board.chains import first_liberty, next_liberty
from goengine.board.moves import is_legal
from goengine.board.neighbors import neighbor
from goengine.jit import inlined_kernel, kernel, popcount, trailing_zeros
from goengine.tactics.approaches import approach_move
from goengine.tactics.captures import can_countercapture
from goengine.tactics.liberties import (
    HEAD_MASK,
    chains_on,
    edge_sides,
    empty_sides,
    is_adjacent,
    n_empty_sides,
    own_sides,
)
from goengine.tactics.notes import note
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.words import U0, U1, U2, U3, U16


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
    stone = head
    while True:
        sides = own_sides(board, stone, enemy)
        while sides != U0:
            beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
            sides &= sides - U1
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
    connects_first = _connects(board, head, first)
    connects_second = _connects(board, head, second)
    beside = np.uint64(is_adjacent(board, first, second))
    extends_first = n_empty_sides(board, first) > beside
    extends_second = n_empty_sides(board, second) > beside
    return (connects_first and (connects_second or extends_second)) or (
        connects_second and extends_first
    )


@inlined_kernel
def _connects(board, head, point):
    """Does a stone on `point` join the chain to another one that is not in atari?"""
    color = np.uint64(board.color[head])
    friends = chains_on(board, point, own_sides(board, point, color))
    while friends != U0:
        friend = friends & HEAD_MASK
        friends >>= U16
        if friend != head and board.n_liberties[friend] > 1:
            return True
    return False


@kernel
def _note_fills(board, notes, head, color, avoids_hopeless):
    """Note the liberties that `color` would fill; if one is clearly better only that."""
    first = first_liberty(board, head)
    second = next_liberty(board, head, first)
    move1, is_liked1 = _consider_fill(board, notes, head, first, second, color, avoids_hopeless)
    move2, is_liked2 = _consider_fill(board, notes, head, second, first, color, avoids_hopeless)
    if move1 != U0 and (move2 == U0 or is_liked1 or not is_liked2):
        note(notes, move1)
    if move2 != U0 and (move1 == U0 or is_liked2 or not is_liked1):
        note(notes, move2)


@kernel
def _consider_fill(board, notes, head, point, other, color, avoids_hopeless):
    """The move for filling `point`, 0 if there is none, and whether it is a good one."""
    owner = np.uint64(board.color[head])
    if not is_legal(board, point, color):
        return U0, False
    if avoids_hopeless and color == owner and _is_hopeless(board, point, other, owner):
        return U0, False
    is_liked = True
    if is_bad_self_atari(board, notes, point, color):
        if color == owner:
            return U0, False
        # Often a false eye has to be connected first.
        point = approach_move(board, notes, point, color)
        if point == U0:
            return U0, False
        is_liked = False
    # A lump in the own corner is worse than the open side.
    walls = own_sides(board, point, color) | edge_sides(board, point)
    return point, is_liked and popcount(walls) < U3


@inlined_kernel
def _is_hopeless(board, point, other, owner):
    """Does the chain win no liberty by a stone on `point` that joins nothing else?"""
    if popcount(own_sides(board, point, owner)) != U1:
        return False
    n_empty = n_empty_sides(board, point)
    return n_empty == U1 or (n_empty == U2 and is_adjacent(board, point, other))


@kernel
def note_sure_captures(board, notes, head, color):
    """Note an atari on the enemy chain after which it can neither extend nor take anything."""
    first = first_liberty(board, head)
    second = next_liberty(board, head, first)
    owner = U3 - color
    if can_countercapture(board, head):
        return
    if is_legal(board, first, color) and _leads_nowhere(board, head, second, first, owner):
        note(notes, first)
    elif is_legal(board, second, color) and _leads_nowhere(board, head, first, second, owner):
        note(notes, second)


@inlined_kernel
def _leads_nowhere(board, head, point, filled, owner):
    """Has the chain after extending to `point` one liberty at most, with `filled` gone?"""
    empty = empty_sides(board, point)
    n_empty = popcount(empty) - np.uint64(is_adjacent(board, point, filled))
    if n_empty > U1 or _connects(board, head, point):
        return False
    takes = chains_on(board, point, own_sides(board, point, U3 - owner))
    while takes != U0:
        if board.n_liberties[takes & HEAD_MASK] == 1:
            return False
        takes >>= U16
    return True
