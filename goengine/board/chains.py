"""Chains and their exact liberties.

A chain is named by its head. Its stones form a circular list; its liberties are
a set of points in `n_words` words at liberties[head * n_words].

The four neighbours of a point lie within 2 * stride + 1 bits of each other, at
most 53, so one unaligned 64-bit window that starts at the byte of the southern
neighbour covers them together with the point: adding a stone to a chain reads
and writes one window. A window may reach into the words of the next head, whose
bits it leaves as they are.
"""

import numpy as np

from goengine.board.hashing import stone_key
from goengine.board.neighbors import neighbor, sides_of, toggle_around
from goengine.board.records import EMPTY, stride_of, words_of
from goengine.jit import (
    inlined_kernel,
    kernel,
    load_window,
    popcount,
    store_window,
    trailing_zeros,
)
from goengine.words import U0, U1, U2, U3, U6, U7, U8, U63


@inlined_kernel
def start_chain(board, point, empty_sides):
    """Make a lone stone on `point` a chain of its own."""
    words = words_of(board)
    board.chain[point] = np.uint16(point)
    board.next_stone[point] = np.uint16(point)
    board.n_stones[point] = np.uint16(1)
    board.n_liberties[point] = np.uint16(popcount(empty_sides))
    first = point * words
    for word in range(words):
        board.liberties[first + np.uint64(word)] = U0
    byte = _window_byte(board, point, point)
    window = load_window(board.liberties, byte)
    store_window(board.liberties, byte, window | _neighbors_in_window(board, point, empty_sides))


@inlined_kernel
def extend_chain(board, head, point, empty_sides):
    """Add the stone on `point`, a liberty until now, to the chain of `head`."""
    board.chain[point] = np.uint16(head)
    board.next_stone[point] = board.next_stone[head]
    board.next_stone[head] = np.uint16(point)
    board.n_stones[head] += np.uint16(1)
    byte = _window_byte(board, head, point)
    before = load_window(board.liberties, byte)
    own_bit = U1 << (stride_of(board) + _window_shift(board, point))
    after = (before & ~own_bit) | _neighbors_in_window(board, point, empty_sides)
    store_window(board.liberties, byte, after)
    n_liberties = np.uint64(board.n_liberties[head])
    board.n_liberties[head] = np.uint16(n_liberties + popcount(after) - popcount(before))


@inlined_kernel
def merge_chains(board, head, other, point):
    """Join two chains that the stone on `point`, part of `head`'s, connects.

    Returns the head of the whole: that of the larger one.
    """
    words = words_of(board)
    remove_liberty(board, other, point)
    if board.n_stones[other] > board.n_stones[head]:
        head, other = other, head
    stone = other
    while True:
        board.chain[stone] = np.uint16(head)
        stone = np.uint64(board.next_stone[stone])
        if stone == other:
            break
    after_head = board.next_stone[head]
    board.next_stone[head] = board.next_stone[other]
    board.next_stone[other] = after_head
    board.n_stones[head] += board.n_stones[other]
    n_liberties = U0
    for word in range(words):
        index = np.uint64(word)
        union = board.liberties[head * words + index] | board.liberties[other * words + index]
        board.liberties[head * words + index] = union
        n_liberties += popcount(union)
    board.n_liberties[head] = np.uint16(n_liberties)
    return head


@inlined_kernel
def add_liberty(board, head, point):
    """Does nothing if it is one already."""
    word = head * words_of(board) + (point >> U6)
    bit = U1 << (point & U63)
    old = board.liberties[word]
    board.liberties[word] = old | bit
    board.n_liberties[head] += np.uint16((old & bit) == U0)


@inlined_kernel
def remove_liberty(board, head, point):
    """Does nothing if it is none. Returns the number that are left."""
    word = head * words_of(board) + (point >> U6)
    bit = U1 << (point & U63)
    old = board.liberties[word]
    board.liberties[word] = old & ~bit
    left = np.uint64(board.n_liberties[head]) - np.uint64((old & bit) != U0)
    board.n_liberties[head] = np.uint16(left)
    return left


@kernel
def remove_chain(board, head, color):
    """Take the stones of a chain off the board. Returns how many they were.

    Their points become empty, and liberties of the enemy chains beside them.
    """
    n_empty = board.n_empty
    n_before = n_empty
    hash_change = U0
    enemy = U3 - color
    stone = head
    while True:
        around = np.uint64(board.around[stone])
        board.color[stone] = np.uint8(EMPTY)
        board.empty[n_empty] = np.uint16(stone)
        board.empty_at[stone] = np.uint16(n_empty)
        n_empty += U1
        hash_change ^= stone_key(stone, color)
        toggle_around(board, stone, color)
        sides = sides_of(around, enemy) & ~sides_of(around, color)
        while sides != U0:
            beside = neighbor(board, stone, trailing_zeros(sides))
            sides &= sides - U1
            add_liberty(board, np.uint64(board.chain[beside]), stone)
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            break
    board.n_empty = n_empty
    board.hash ^= hash_change
    return n_empty - n_before


@inlined_kernel
def is_liberty(board, head, point):
    word = head * words_of(board) + (point >> U6)
    return (board.liberties[word] >> (point & U63)) & U1 != U0


@inlined_kernel
def first_liberty(board, head):
    """The lowest liberty of a chain that has one."""
    words = words_of(board)
    index = head * words
    while board.liberties[index] == U0:
        index += U1
    return ((index - head * words) << U6) + trailing_zeros(board.liberties[index])


@inlined_kernel
def next_liberty(board, head, point):
    """The lowest liberty above `point`, or 0."""
    words = words_of(board)
    word = point >> U6
    rest = board.liberties[head * words + word] & (~U1 << (point & U63))
    while rest == U0:
        word += U1
        if word == words:
            return U0
        rest = board.liberties[head * words + word]
    return (word << U6) + trailing_zeros(rest)


@inlined_kernel
def other_liberty(board, head, point):
    """The lowest liberty that is not `point`; the chain has one."""
    first = first_liberty(board, head)
    return first if first != point else next_liberty(board, head, first)


@inlined_kernel
def _window_byte(board, head, point):
    return head * words_of(board) * U8 + ((point - stride_of(board)) >> U3)


@inlined_kernel
def _window_shift(board, point):
    return (point - stride_of(board)) & U7


@inlined_kernel
def _neighbors_in_window(board, point, sides):
    """The neighbours on `sides` (four bits) as bits of the window."""
    stride = stride_of(board)
    bits = sides & U1
    bits |= ((sides >> U1) & U1) << (stride - U1)
    bits |= ((sides >> U2) & U1) << (stride + U1)
    bits |= (sides >> U3) << (stride + stride)
    return bits << _window_shift(board, point)
