"""Running in a lost ladder on purpose.

Stones that are lost anyway can be given in greater number, and the enemy has to answer each
of them. That helps where he answers inside his own group: if it cannot get out, and has not
two eyes when all of them are taken, he has filled with his own hands the room that it needs.
"""

import numpy as np

from goengine.board.chains import first_liberty, next_liberty
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.board.neighbors import neighbor
from goengine.board.records import words_of
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.tactics.ladders import is_caught_after
from goengine.tactics.liberties import HEAD_MASK, chains_on, empty_sides, n_empty_sides, own_sides
from goengine.words import U0, U1, U2, U3, U6, U16, U63
from tests.tactics.groups import find_groups, group_of, has_two_eyes


@kernel
def is_useful_run(board, reading, groups, head):
    """Is the chain in atari lost, and does it help its owner to run nevertheless?

    `reading` is as in ladders.py. Overwrites groups.
    """
    color = np.uint64(board.color[head])
    enemy = U3 - color
    position, deeper = reading[0], reading[1:]
    reading[0] = board
    if board.to_play == enemy:
        play_pass(position, enemy)
    last = _run(position, deeper, head)
    if last == U0:
        return False
    play_move(position, last, enemy)
    find_groups(position, groups, enemy)
    taker = np.uint64(position.chain[last])
    return not has_two_eyes(groups, taker) and is_group_shut_in(position, groups, taker)


@inlined_kernel
def _run(board, reading, stone):
    """Run in place, chased by the enemy, as long as it is allowed.

    Returns the point where the chain of `stone` can be taken, or 0 if it cannot.
    """
    color = np.uint64(board.color[stone])
    while True:
        liberty = first_liberty(board, np.uint64(board.chain[stone]))
        if not is_legal(board, liberty, color):
            play_pass(board, color)
            break
        play_move(board, liberty, color)
        head = np.uint64(board.chain[stone])
        n_liberties = board.n_liberties[head]
        if n_liberties == 1:
            break
        if n_liberties > 2:
            return U0
        chase = first_liberty(board, head)
        if not is_caught_after(board, reading, head, chase):
            chase = next_liberty(board, head, chase)
            if not is_caught_after(board, reading, head, chase):
                return U0
        play_move(board, chase, U3 - color)
    last = first_liberty(board, np.uint64(board.chain[stone]))
    return last if is_legal(board, last, U3 - color) else U0


@kernel
def is_group_shut_in(board, groups, head):
    """Does no liberty of the group win it two more that lead on, or join it to another?"""
    words = words_of(board)
    group = group_of(groups, head)
    for word in range(words):
        rest = groups.liberties[group * words + np.uint64(word)]
        while rest != U0:
            liberty = (np.uint64(word) << U6) + trailing_zeros(rest)
            rest &= rest - U1
            if _leads_out(board, groups, group, liberty):
                return False
    return True


@inlined_kernel
def _leads_out(board, groups, group, liberty):
    words = words_of(board)
    n_won = U0
    sides = empty_sides(board, liberty)
    while sides != U0:
        point = neighbor(board, liberty, trailing_zeros(sides))
        sides &= sides - U1
        word = groups.liberties[group * words + (point >> U6)]
        if (word >> (point & U63)) & U1 == U0 and n_empty_sides(board, point) > U1:
            n_won += U1
    if n_won >= U2:
        return True
    color = np.uint64(board.color[group])
    heads = chains_on(board, liberty, own_sides(board, liberty, color))
    while heads != U0:
        if group_of(groups, heads & HEAD_MASK) != group:
            return True
        heads >>= U16
    return False
