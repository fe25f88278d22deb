"""Ladders: is a chain in atari lost, however it runs?

`reading` is an array of positions of the board's own type: the line that is read lives in
one of them, and each branch puts a copy on top of it. Sixteen are enough for all but the
wildest; only the reading of a fight that branches more often ends before it is decided.
"""

import numpy as np

from goengine.board.chains import first_liberty, next_liberty
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.board.neighbors import neighbor
from goengine.jit import inlined_kernel, kernel, popcount, recursive_kernel, trailing_zeros
from goengine.tactics.captures import can_countercapture, can_take
from goengine.tactics.liberties import (
    edge_sides,
    is_adjacent,
    liberties_after,
    n_empty_sides,
    own_sides,
)
from goengine.words import U0, U1, U2, U3

READING_DEPTH = 16  # positions that are kept at a time while a ladder is read
MAX_READ = np.uint64(2000)  # moves in all branches together; who reads further gives up

# What find_ladders says of a point, the greatest that is true.
RUNS = 1  # saves an own chain in atari
CHASES = 2  # atari on a chain that gets out
DEFENDS = 3  # a liberty of an own chain that would be caught
RUNS_IN_VAIN = 4  # the last liberty of an own chain that is lost
CATCHES = 5  # atari on a chain that is lost then
N_LADDER_KINDS = 6


@kernel
def is_edge_ladder(board, head):
    """Is it no use for the chain in atari to run along the edge? A look, nothing is played.

    Asks only where the last liberty is on the first line with room on both sides of it and
    an own stone above; elsewhere the answer is no.
    """
    liberty = first_liberty(board, head)
    edge = edge_sides(board, liberty)
    if popcount(edge) != U1 or n_empty_sides(board, liberty) != U2:
        return False
    up = U3 - trailing_zeros(edge)
    if board.chain[neighbor(board, liberty, up)] != head:
        return False
    along = U1 if up == U0 or up == U3 else U0
    return (
        _crawls_in_vain(board, head, liberty, along, up)
        or _crawls_in_vain(board, head, liberty, U3 - along, up)
    ) and not can_countercapture(board, head)


@inlined_kernel
def _crawls_in_vain(board, head, liberty, ahead, up):
    """Does the enemy block one side of `liberty`, and is nothing to be had on the other?

    There the chain has one liberty again, if an enemy is above and no friend behind.
    """
    color = np.uint64(board.color[head])
    enemy = U3 - color
    above_block = neighbor(board, neighbor(board, liberty, U3 - ahead), up)
    if board.color[above_block] != enemy or board.n_liberties[board.chain[above_block]] < 3:
        return False
    next_point = neighbor(board, liberty, ahead)
    above = neighbor(board, next_point, up)
    if board.color[above] != enemy or board.n_liberties[board.chain[above]] < 2:
        return False
    return np.uint64(board.color[neighbor(board, next_point, ahead)]) != color


@kernel
def is_caught(board, reading, head):
    """Is the chain in atari lost though its owner moves, running or taking what chases it?

    A ko on the way counts as an escape, and so does a line too long to be read.
    """
    return ladder_length(board, reading, head) != U0


@kernel
def ladder_length(board, reading, head):
    """How often the chain in atari runs before it is lost; 0 if it is not. See is_caught."""
    enemy = U3 - np.uint64(board.color[head])
    reading[0] = board
    if board.to_play == enemy:
        play_pass(reading[0], enemy)
    return _read(reading, U0, head, U0)[0]


@kernel
def is_caught_after(board, reading, head, chase):
    """Is the chain with two liberties lost once the enemy plays on `chase`, one of them?"""
    color = np.uint64(board.color[head])
    enemy = U3 - color
    if not is_legal(board, chase, enemy):
        return False
    reading[0] = board
    if board.to_play == color:
        play_pass(reading[0], color)
    play_move(reading[0], chase, enemy)
    return _read(reading, U0, head, U0)[0] != U0


@kernel
def find_ladders(board, reading, color, kinds):
    """Write to `kinds`, by point, what a move of `color` has to do with ladders, or 0."""
    kinds[:] = np.uint8(0)
    for index in range(len(board.color)):
        head = np.uint64(index)
        owner = np.uint64(board.color[head])
        if (owner != U1 and owner != U2) or board.chain[head] != head:
            continue
        if board.n_liberties[head] == 1 and owner == color:
            is_lost = is_caught(board, reading, head)
            _note_kind(kinds, first_liberty(board, head), RUNS_IN_VAIN if is_lost else RUNS)
        elif board.n_liberties[head] == 2:
            first = first_liberty(board, head)
            second = next_liberty(board, head, first)
            by_first = is_caught_after(board, reading, head, first)
            by_second = is_caught_after(board, reading, head, second)
            if owner != color:
                _note_kind(kinds, first, CATCHES if by_first else CHASES)
                _note_kind(kinds, second, CATCHES if by_second else CHASES)
            elif by_first or by_second:
                _note_kind(kinds, first, DEFENDS)
                _note_kind(kinds, second, DEFENDS)


@inlined_kernel
def _note_kind(kinds, point, kind):
    kinds[point] = max(kinds[point], np.uint8(kind))


@kernel
def next_take(board, head, after):
    """The lowest point above `after` where a chain beside the one in atari is taken, or 0.

    Also where a ko forbids it now, but not on the last liberty: there the chain takes by
    running.
    """
    enemy = U3 - np.uint64(board.color[head])
    liberty = first_liberty(board, head)
    lowest = U0
    stone = head
    while True:
        sides = own_sides(board, stone, enemy)
        while sides != U0:
            beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
            sides &= sides - U1
            if board.n_liberties[beside] == 1:
                take = first_liberty(board, beside)
                if take > after and take != liberty and (lowest == U0 or take < lowest):
                    if take == board.ko or can_take(board, beside):
                        lowest = take
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return lowest


@recursive_kernel
def _read(reading, level, stone, n_read):
    """Read on from reading[level], which is played on, and from copies above it.

    If the owner of the chain of `stone` is to move it is in atari. Returns how often it runs
    until it is lost, 0 if it is not; and the moves read so far, `n_read` and those read here.
    """
    board = reading[level]
    color = np.uint64(board.color[stone])
    enemy = U3 - color
    has_room = level + U1 < np.uint64(len(reading))
    n_runs = U0
    while n_read < MAX_READ:
        head = np.uint64(board.chain[stone])
        if board.to_play == color:
            liberty = first_liberty(board, head)
            if n_empty_sides(board, liberty) > U2 or liberty == board.ko:
                return U0, n_read
            take = next_take(board, head, U0)
            while take != U0:
                if take == board.ko or not has_room:
                    return U0, n_read
                reading[level + U1] = board
                play_move(reading[level + U1], take, color)
                n_more, n_read = _read(reading, level + U1, stone, n_read + U1)
                if n_more == U0:
                    return U0, n_read
                take = next_take(board, head, take)
            n_runs += U1
            if liberties_after(board, liberty, color)[0] < U2:
                return n_runs, n_read
            play_move(board, liberty, color)
            n_read += U1
            head = np.uint64(board.chain[stone])
        n = board.n_liberties[head]
        first = first_liberty(board, head)
        if n == 1 and is_legal(board, first, enemy):
            return n_runs + U1, n_read
        if n != 2:
            return U0, n_read
        second = next_liberty(board, head, first)
        on_first = _may_chase(board, first, second, enemy)
        on_second = _may_chase(board, second, first, enemy)
        if not on_first and not on_second:
            return U0, n_read
        if on_first and on_second:
            # First where the chain would have more room; alone, if there is none for a copy.
            if n_empty_sides(board, first) < n_empty_sides(board, second):
                first, second = second, first
            if has_room:
                reading[level + U1] = board
                play_move(reading[level + U1], first, enemy)
                n_more, n_read = _read(reading, level + U1, stone, n_read + U1)
                if n_more != U0:
                    return n_runs + n_more, n_read
                on_first = False
        play_move(board, first if on_first else second, enemy)
        n_read += U1
    return U0, n_read


@inlined_kernel
def _may_chase(board, chase, escape, enemy):
    """Is it worth the chaser's while to leave the chain with `escape` alone?"""
    room = n_empty_sides(board, escape)
    if room > U2 and (room > U3 or not is_adjacent(board, chase, escape)):
        return False
    return is_legal(board, chase, enemy)
