"""Races: two chains that are shut in, and only one of them will be left.

Who moves and has the liberties for it fills those of the enemy, first the ones that are not
its own as well. Müller, "Race to Capture: Analyzing Semeai in Go" (1999), tells who wins by
counting them.
"""

import numpy as np

from goengine.board.chains import first_liberty, next_liberty
from goengine.board.eyes import is_eyelike
from goengine.board.moves import is_legal
from goengine.board.neighbors import neighbor
from goengine.board.records import words_of
from goengine.jit import inlined_kernel, kernel, popcount, trailing_zeros
from goengine.tactics.captures import can_countercapture
from goengine.tactics.liberties import has_friend, n_won, own_sides
from goengine.tactics.notes import note
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.tactics.two_liberties import note_sure_captures
from goengine.words import U0, U1, U3, U6


@kernel
def is_shut_in(board, head):
    """Does no liberty of the chain win it two more, join it to a friend, or look like an eye?"""
    color = np.uint64(board.color[head])
    liberty = first_liberty(board, head)
    while liberty != U0:
        if is_eyelike(board, liberty, color) or n_won(board, head, liberty) > U1:
            return False
        if has_friend(board, head, liberty):
            return False
        liberty = next_liberty(board, head, liberty)
    return True


@kernel
def note_race_fills(board, notes, head, color):
    """Note liberties of enemy chains beside the own one that lose a race if it moves now."""
    if not is_shut_in(board, head):
        return
    most = board.n_liberties[head]  # of an enemy that may be slower
    seen = U0
    stone = head
    while True:
        sides = own_sides(board, stone, U3 - color)
        while sides != U0:
            beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
            sides &= sides - U1
            n_liberties = board.n_liberties[beside]
            if beside != seen and n_liberties > 1 and n_liberties <= most:
                seen = beside
                if wins_race(board, head, beside) and is_shut_in(board, beside):
                    if not can_countercapture(board, beside):
                        _note_outside_liberties(board, notes, head, beside, color)
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return


@inlined_kernel
def wins_race(board, head, enemy):
    """Is the chain of `head` the faster one, if it moves and neither has an eye?

    A chain all of whose liberties are shared stands within the other: that is about eyes.
    """
    words = words_of(board)
    n_own, n_enemy, n_shared = U0, U0, U0
    for word in range(words):
        index = np.uint64(word)
        own = board.liberties[head * words + index]
        other = board.liberties[enemy * words + index]
        n_own += popcount(own & ~other)
        n_enemy += popcount(other & ~own)
        n_shared += popcount(own & other)
    if n_enemy == U0:
        return False
    if n_shared != U0:
        n_own += U1
    return n_own >= n_enemy + n_shared


@inlined_kernel
def _note_outside_liberties(board, notes, head, enemy, color):
    """Note the liberties of `enemy` that the chain of `head` has not, and that are no eye."""
    words = words_of(board)
    for word in range(words):
        index = np.uint64(word)
        rest = board.liberties[enemy * words + index] & ~board.liberties[head * words + index]
        while rest != U0:
            point = (index << U6) + trailing_zeros(rest)
            rest &= rest - U1
            if own_sides(board, point, color) == U0 and n_won(board, enemy, point) == U0:
                continue
            if is_legal(board, point, color) and not is_bad_self_atari(board, notes, point, color):
                note(notes, point)


@kernel
def note_sure_captures_beside(board, notes, head, color):
    """Note ataris that take an enemy chain beside the own one for sure."""
    seen = U0
    stone = head
    while True:
        sides = own_sides(board, stone, U3 - color)
        while sides != U0:
            beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
            sides &= sides - U1
            if beside != seen and board.n_liberties[beside] == 2:
                seen = beside
                note_sure_captures(board, notes, beside, color)
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return
