"""What stands as it is, and is lost by whoever moves first: seki, and bent four in the corner."""

import numpy as np

from goengine.board.chains import first_liberty, is_liberty, next_liberty, other_liberty
from goengine.board.eyes import is_eyelike
from goengine.board.neighbors import neighbor
from goengine.board.records import words_of
from goengine.jit import inlined_kernel, kernel, popcount, trailing_zeros
from goengine.tactics.liberties import (
    HEAD_MASK,
    chains_on,
    edge_sides,
    has_friend,
    n_empty_sides,
    n_won,
    own_sides,
)
from goengine.words import U0, U1, U2, U3, U6, U16

_WITHIN = 3  # stones in a seki that leave one eye when they are taken, and more than one point
_LARGEST_NAKADE = U6


@inlined_kernel
def is_better_left(board, point, color):
    """Does `color` lose by a stone on the empty `point` what stands well as it is?

    That is an own chain that lives in a seki, or one that takes a bent four in the corner: it
    lives by a ko at best, and the enemy may wait until there is no threat left.
    """
    if n_empty_sides(board, point) > U1 or own_sides(board, point, color) == U0:
        return False
    if is_eyelike(board, point, color):
        return _is_early_connection(board, point, color)
    sides = own_sides(board, point, U3 - color)
    while sides != U0:
        head = np.uint64(board.chain[neighbor(board, point, trailing_zeros(sides))])
        sides &= sides - U1
        n_liberties = board.n_liberties[head]
        if n_liberties == 2 and board.n_stones[head] == _WITHIN:
            if _breaks_seki(board, head, point, color):
                return True
        elif n_liberties == 1 and board.n_stones[head] == 4:
            if _is_bent_four(board, head) and _is_rim_in_atari(board, head):
                return True
    return False


@kernel
def _is_bent_four(board, head):
    """Does the chain of four stones bend around a corner of the board?"""
    stone = head
    while True:
        if popcount(edge_sides(board, stone)) == U2:
            own = own_sides(board, stone, np.uint64(board.color[head]))
            if popcount(own) == U2:
                first = neighbor(board, stone, trailing_zeros(own))
                second = neighbor(board, stone, trailing_zeros(own & (own - U1)))
                inner = first + second - stone
                return board.color[inner] != board.color[head]
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return False


@inlined_kernel
def _is_rim_in_atari(board, head):
    """Has no enemy chain around more than one liberty?"""
    enemy = U3 - np.uint64(board.color[head])
    stone = head
    while True:
        sides = own_sides(board, stone, enemy)
        while sides != U0:
            beside = board.chain[neighbor(board, stone, trailing_zeros(sides))]
            sides &= sides - U1
            if board.n_liberties[beside] != 1:
                return False
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return True


@kernel
def _is_early_connection(board, point, color):
    """Is a false eye filled though nothing there is in atari, and two liberties are left?

    Few stones may well be connected: they stand in an eye of the enemy, and fill it.
    """
    words = words_of(board)
    own = chains_on(board, point, own_sides(board, point, color))
    n_stones = U1
    heads = own
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if board.n_liberties[head] == 1:
            return False
        n_stones += np.uint64(board.n_stones[head])
    if n_stones <= _LARGEST_NAKADE:
        return False
    n_liberties = U0
    for word in range(words):
        index = np.uint64(word)
        union = U0
        heads = own
        while heads != U0:
            union |= board.liberties[(heads & HEAD_MASK) * words + index]
            heads >>= U16
        n_liberties += popcount(union)
    return n_liberties <= U3


@kernel
def _breaks_seki(board, head, point, color):
    """Does a chain of `color` beside `point` live around the chain of `head`, and on nothing else?

    It has both liberties of that chain. To take it would leave one eye.
    """
    other = other_liberty(board, head, point)
    own = chains_on(board, point, own_sides(board, point, color))
    while own != U0:
        around = own & HEAD_MASK
        own >>= U16
        if is_liberty(board, around, other) and board.n_liberties[around] > 2:
            return not _has_way_out(board, around, point, other)
    return False


@inlined_kernel
def _has_way_out(board, head, point, other):
    """Is one of the liberties besides these two part of an eye, or does it lead anywhere?"""
    enemy = U3 - np.uint64(board.color[head])
    liberty = first_liberty(board, head)
    while liberty != U0:
        if liberty != point and liberty != other:
            if n_won(board, head, liberty) != U0 or has_friend(board, head, liberty):
                return True
            if own_sides(board, liberty, enemy) == U0:
                return True
        liberty = next_liberty(board, head, liberty)
    return False
