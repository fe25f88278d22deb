"""Chains in atari: taking them, and saving them by taking what surrounds them."""

import numpy as np

from goengine.board.chains import first_liberty
from goengine.board.moves import is_legal
from goengine.board.neighbors import neighbor
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.tactics.liberties import liberties_after, n_empty_sides, own_sides
from goengine.tactics.notes import note
from goengine.words import U0, U1, U3


@kernel
def is_snapback(board, head):
    """Does taking the chain of one stone, in atari, put all that takes it in atari?

    A ko is none: there a single stone takes.
    """
    if board.n_stones[head] != 1:
        return False
    point = first_liberty(board, head)
    if n_empty_sides(board, point) != U0:
        return False
    captor = U3 - np.uint64(board.color[head])
    if own_sides(board, point, captor) == U0:
        return False
    return liberties_after(board, point, captor)[0] == U1


@inlined_kernel
def can_take(board, head):
    """May the enemy take the chain in atari, and not be taken back at once?"""
    captor = U3 - np.uint64(board.color[head])
    return is_legal(board, first_liberty(board, head), captor) and not is_snapback(board, head)


@kernel
def note_countercaptures(board, notes, head):
    """Note the moves that take a chain beside that of `head`. Returns whether there is one."""
    enemy = U3 - np.uint64(board.color[head])
    found = False
    stone = head
    while True:
        sides = own_sides(board, stone, enemy)
        while sides != U0:
            beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
            sides &= sides - U1
            if board.n_liberties[beside] == 1 and can_take(board, beside):
                note(notes, first_liberty(board, beside))
                found = True
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return found


@kernel
def can_countercapture(board, head):
    """Can a chain beside that of `head` be taken?"""
    enemy = U3 - np.uint64(board.color[head])
    stone = head
    while True:
        sides = own_sides(board, stone, enemy)
        while sides != U0:
            beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
            sides &= sides - U1
            if board.n_liberties[beside] == 1 and can_take(board, beside):
                return True
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return False
