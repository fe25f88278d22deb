"""Moves: legality under simple ko, playing in place, passing."""

import numpy as np

from goengine.board.chains import (
    extend_chain,
    merge_chains,
    remove_chain,
    remove_liberty,
    start_chain,
)
from goengine.board.hashing import stone_key
from goengine.board.neighbors import (
    ALL_SIDES,
    compute_around,
    neighbor,
    sides_of,
    toggle_around,
)
from goengine.board.records import BLACK, EDGE, EMPTY, stride_of
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.words import U0, U1, U3

# Answers of `illegality`.
LEGAL = 0
OCCUPIED = 1
KO = 2
SUICIDE = 3


@kernel
def clear_board(board, size):
    """Make `board` the empty position of `size` rows, black to play. Keeps `random`."""
    stride = stride_of(board)
    board.color[:] = np.uint8(EDGE)
    board.around[:] = np.uint16(0)
    n_empty = U0
    for row in range(size):
        for column in range(size):
            point = np.uint64(row + 1) * stride + np.uint64(column + 1)
            board.color[point] = np.uint8(EMPTY)
            board.empty[n_empty] = np.uint16(point)
            board.empty_at[point] = np.uint16(n_empty)
            n_empty += U1
    for index in range(n_empty):
        point = np.uint64(board.empty[index])
        board.around[point] = np.uint16(compute_around(board, point))
    board.n_empty = n_empty
    board.rows = np.uint64(size)
    board.to_play = np.uint64(BLACK)
    board.hash = U0
    board.ko = U0
    board.last = U0
    board.last2 = U0
    board.captures[:] = U0
    board.n_moves = U0
    board.last_ko = U0
    board.last_ko_move = U0


@inlined_kernel
def is_legal(board, point, color):
    """May `color` play on the empty `point` under simple ko, suicide forbidden?"""
    around = np.uint64(board.around[point])
    own = sides_of(around, color)
    enemy = sides_of(around, U3 - color)
    if point == board.ko and color == board.to_play:
        return False
    if own | enemy != ALL_SIDES:
        return True
    sides = own & ~enemy
    while sides != U0:
        head = board.chain[neighbor(board, point, trailing_zeros(sides))]
        if board.n_liberties[head] > 1:
            return True
        sides &= sides - U1
    sides = enemy & ~own
    while sides != U0:
        head = board.chain[neighbor(board, point, trailing_zeros(sides))]
        if board.n_liberties[head] == 1:
            return True
        sides &= sides - U1
    return False


@inlined_kernel
def play_move(board, point, color):
    """Play in place. Returns the number of enemy stones taken.

    Captures; removes the own chain if it is left without liberties (suicide);
    sets ko, to_play, last moves, hash and captures. Does not check legality.
    """
    point = np.uint64(point)
    color = np.uint64(color)
    enemy = U3 - color
    around = np.uint64(board.around[point])
    own_or_edge = sides_of(around, color)
    enemy_or_edge = sides_of(around, enemy)
    own_sides = own_or_edge & ~enemy_or_edge
    enemy_sides = enemy_or_edge & ~own_or_edge
    empty_sides = ~(own_or_edge | enemy_or_edge) & ALL_SIDES

    _put_stone(board, point, color)
    if own_sides == U0:
        head = point
        start_chain(board, point, empty_sides)
    else:
        head = np.uint64(board.chain[neighbor(board, point, trailing_zeros(own_sides))])
        own_sides &= own_sides - U1
        extend_chain(board, head, point, empty_sides)
        while own_sides != U0:
            other = np.uint64(board.chain[neighbor(board, point, trailing_zeros(own_sides))])
            own_sides &= own_sides - U1
            if other != head:
                head = merge_chains(board, head, other, point)

    captured = U0
    captured_head = U0
    while enemy_sides != U0:
        beside = neighbor(board, point, trailing_zeros(enemy_sides))
        enemy_sides &= enemy_sides - U1
        # The chain may have been taken already, through another of its stones.
        if board.color[beside] != EMPTY:
            enemy_head = np.uint64(board.chain[beside])
            if remove_liberty(board, enemy_head, point) == U0:
                captured_head = enemy_head
                captured += remove_chain(board, enemy_head, enemy)

    board.ko = U0
    board.n_moves += U1
    if captured != U0:
        board.captures[color] += captured
        if captured == U1 and board.n_stones[head] == 1 and board.n_liberties[head] == 1:
            board.ko = captured_head
            board.last_ko = captured_head
            board.last_ko_move = board.n_moves
    elif board.n_liberties[head] == 0:
        board.captures[enemy] += remove_chain(board, head, color)
    board.to_play = enemy
    board.last2 = board.last
    board.last = point
    return captured


@inlined_kernel
def play_pass(board, color):
    """Pass in place; lifts the ko ban."""
    board.ko = U0
    board.n_moves += U1
    board.to_play = U3 - np.uint64(color)
    board.last2 = board.last
    board.last = U0


@inlined_kernel
def _put_stone(board, point, color):
    board.color[point] = np.uint8(color)
    board.hash ^= stone_key(point, color)
    toggle_around(board, point, color)
    n_empty = board.n_empty - U1
    board.n_empty = n_empty
    index = board.empty_at[point]
    moved = board.empty[n_empty]
    board.empty[index] = moved
    board.empty_at[moved] = index


@kernel
def illegality(board, point, color, suicide_allowed):
    """Why `color` may not play on `point`: LEGAL, OCCUPIED, KO or SUICIDE.

    Knows simple ko only. Allowed suicide is that of two stones and more: alone,
    a stone that takes itself off would be a pass.
    """
    point = np.uint64(point)
    color = np.uint64(color)
    if board.color[point] != EMPTY:
        return OCCUPIED
    if point == board.ko and color == board.to_play:
        return KO
    if is_legal(board, point, color):
        return LEGAL
    around = np.uint64(board.around[point])
    own_sides = sides_of(around, color) & ~sides_of(around, U3 - color)
    return LEGAL if suicide_allowed and own_sides != U0 else SUICIDE


@kernel
def hash_after(board, point, color):
    """The hash that play_move would leave, without playing. Does not check legality."""
    point = np.uint64(point)
    color = np.uint64(color)
    enemy = U3 - color
    around = np.uint64(board.around[point])
    own_or_edge = sides_of(around, color)
    enemy_or_edge = sides_of(around, enemy)
    taken = _keys_in_atari(board, point, enemy, enemy_or_edge & ~own_or_edge)
    after = board.hash ^ stone_key(point, color) ^ taken
    if taken != U0 or (own_or_edge | enemy_or_edge) != ALL_SIDES:
        return after
    own_sides = own_or_edge & ~enemy_or_edge
    sides = own_sides
    while sides != U0:
        head = board.chain[neighbor(board, point, trailing_zeros(sides))]
        if board.n_liberties[head] > 1:
            return after
        sides &= sides - U1
    return board.hash ^ _keys_in_atari(board, point, color, own_sides)


@kernel
def _keys_in_atari(board, point, color, sides):
    """Keys of all stones of the chains on `sides` whose last liberty is `point`."""
    keys = U0
    left = sides
    while left != U0:
        side = trailing_zeros(left)
        left &= left - U1
        head = board.chain[neighbor(board, point, side)]
        if board.n_liberties[head] == 1 and not _is_beside(board, point, head, sides, side):
            stone = np.uint64(head)
            while True:
                keys ^= stone_key(stone, color)
                stone = np.uint64(board.next_stone[stone])
                if stone == head:
                    break
    return keys


@inlined_kernel
def _is_beside(board, point, head, sides, before):
    """Does a side of `sides` lower than `before` hold a stone of the chain of `head`?"""
    sides &= (U1 << before) - U1
    while sides != U0:
        if board.chain[neighbor(board, point, trailing_zeros(sides))] == head:
            return True
        sides &= sides - U1
    return False
