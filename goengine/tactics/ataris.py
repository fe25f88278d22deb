"""What an atari is good for: what it catches, and what it threatens beside that.

A stone that gives atari to one chain often has designs on another: the enemy cannot answer
both. What is lost already, for want of room to live, is no threat and no gain.
"""

import numpy as np

from goengine.board.chains import first_liberty, next_liberty
from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.board.neighbors import neighbor
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.tactics.captures import can_take
from goengine.tactics.ladders import is_caught, is_caught_after, next_take
from goengine.tactics.liberties import HEAD_MASK, chains_on, empty_sides, holds_head, own_sides
from goengine.tactics.regions import has_room
from goengine.tactics.self_atari import sets_up_snapback
from goengine.tactics.worth import (
    CUT,
    LARGE_CHAIN,
    LITTLE,
    MUCH,
    chains_around,
    parts_chains,
    worth_of,
)
from goengine.words import U0, U1, U3, U16

# What kind_of_atari says, the greatest that is true.
NO_ATARI = 0  # or one that only gives stones away
PLAIN = 1
THREATENS_NEARBY = 2  # while it is answered, a cutting chain of two liberties can be caught
THREATENS_BESIDE = 3  # the same of one that the stone leaves with two
DOUBLE = 4  # two chains, and no answer saves both
CATCHES = 5  # the chain is lost, and was perhaps lost before
FREES = 6  # catches what stands against a large own chain, short of liberties
CUTTING = 7  # catches what parts own chains
LARGE = 8  # catches three stones or more
SNAPBACK = 9  # takes the chain that takes the stone
N_ATARI_KINDS = 10

_SHORT = 4  # liberties


@kernel
def kind_of_atari(board, reading, regions, point, color):
    """What a stone of `color` on the empty `point` does to the chains beside it.

    `reading` is as in ladders.py, `regions` are those without stones of `color`.
    """
    beside = chains_on(board, point, own_sides(board, point, U3 - color))
    targets = _with_liberties(board, beside, 2)
    if targets == U0 or not is_legal(board, point, color):
        return U0
    after, deeper = reading[0], reading[1:]
    reading[0] = board
    if board.to_play != color:
        play_pass(after, U3 - color)
    play_move(after, point, color)
    caught = U0
    heads = targets
    while heads != U0:
        if is_caught(after, deeper, heads & HEAD_MASK):
            caught = max(caught, _gain(board, after, regions, heads & HEAD_MASK, color))
        heads >>= U16
    if caught != U0:
        return np.uint64(SNAPBACK) if sets_up_snapback(board, point, color) else caught
    if after.n_liberties[after.chain[point]] < 2:
        return U0
    if _threatens(after, deeper, regions, targets, targets):
        return np.uint64(DOUBLE)
    seconds = _cutting(after, regions, _with_liberties(board, beside, 3))
    if seconds != U0 and _threatens(after, deeper, regions, targets, seconds):
        return np.uint64(THREATENS_BESIDE)
    seconds = _cutting(after, regions, _chains_nearby(board, point, targets, color))
    while seconds != U0:
        if not _can_catch(board, deeper, seconds & HEAD_MASK):
            if _threatens(after, deeper, regions, targets, seconds & HEAD_MASK):
                return np.uint64(THREATENS_NEARBY)
        seconds >>= U16
    return np.uint64(PLAIN)


@inlined_kernel
def _with_liberties(board, heads, n_liberties):
    """Those of the chains that have so many."""
    found = U0
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if board.n_liberties[head] == n_liberties:
            found = found << U16 | head
    return found


@kernel
def _chains_nearby(board, point, targets, color):
    """Up to four chains of two liberties, one of them beside `point`, that are no targets."""
    found = U0
    sides = empty_sides(board, point)
    while sides != U0:
        liberty = neighbor(board, point, trailing_zeros(sides))
        sides &= sides - U1
        heads = chains_on(board, liberty, own_sides(board, liberty, U3 - color))
        heads = _with_liberties(board, heads, 2)
        while heads != U0:
            head = heads & HEAD_MASK
            heads >>= U16
            if not holds_head(found, head) and not holds_head(targets, head):
                found = found << U16 | head
    return found


# --- what a chain is worth ----------------------------------------------------------------


@inlined_kernel
def _gain(board, after, regions, head, color):
    """What catching a chain is good for."""
    worth = worth_of(after, regions, head)
    if worth == MUCH:
        return np.uint64(LARGE)
    if worth == CUT:
        return np.uint64(CUTTING)
    is_help = worth == LITTLE and _presses(board, head, color)
    return np.uint64(FREES if is_help else CATCHES)


@inlined_kernel
def _cutting(board, regions, heads):
    """Those of the chains that part chains of their enemy and are not lost anyway."""
    found = U0
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if has_room(regions, head) and parts_chains(board, head):
            found = found << U16 | head
    return found


@inlined_kernel
def _presses(board, head, color):
    """Is a large chain of `color` beside it short of liberties, and none of them an eye?"""
    heads = chains_around(board, head)
    while heads != U0:
        beside = heads & HEAD_MASK
        heads >>= U16
        if board.n_stones[beside] >= LARGE_CHAIN and board.n_liberties[beside] <= _SHORT:
            if not _has_eye(board, beside, color):
                return True
    return False


@inlined_kernel
def _has_eye(board, head, color):
    liberty = first_liberty(board, head)
    while liberty != U0:
        if is_eye(board, liberty, color):
            return True
        liberty = next_liberty(board, head, liberty)
    return False


# --- what cannot be answered --------------------------------------------------------------


@inlined_kernel
def _threatens(board, reading, regions, targets, seconds):
    """Can one of the targets in atari not be saved together with one of `seconds`?"""
    while targets != U0:
        target = targets & HEAD_MASK
        targets >>= U16
        if has_room(regions, target):
            heads = seconds
            while heads != U0:
                second = heads & HEAD_MASK
                heads >>= U16
                if second != target and not _can_save_both(board, reading, target, second):
                    return True
    return False


@kernel
def _can_save_both(board, reading, target, second):
    """Is there a move for `target`, which is in atari, after which neither chain is lost?"""
    owner = np.uint64(board.color[target])
    answered, deeper = reading[0], reading[1:]
    answer = first_liberty(board, target)
    take = U0
    while True:
        if is_legal(board, answer, owner):
            reading[0] = board
            play_move(answered, answer, owner)
            if not _is_lost(answered, deeper, second) and not _is_lost(answered, deeper, target):
                return True
        take = next_take(board, target, take)
        if take == U0:
            return False
        answer = take


@kernel
def _is_lost(board, reading, stone):
    """Can the enemy, who is to move, take the chain of `stone` or catch it?"""
    head = np.uint64(board.chain[stone])
    if board.n_liberties[head] == 1:
        return can_take(board, head)
    return board.n_liberties[head] == 2 and _can_catch(board, reading, head)


@inlined_kernel
def _can_catch(board, reading, head):
    """Is a chain with two liberties lost if the enemy moves on one of them?"""
    first = first_liberty(board, head)
    return is_caught_after(board, reading, head, first) or is_caught_after(
        board, reading, head, next_liberty(board, head, first)
    )
