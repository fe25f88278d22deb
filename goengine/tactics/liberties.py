"""What would be left of liberties after a move; chains around a point."""

import numpy as np

from goengine.board.chains import is_liberty
from goengine.board.neighbors import ALL_SIDES, neighbor, sides_of
from goengine.board.records import stride_of, words_of
from goengine.jit import inlined_kernel, kernel, popcount, trailing_zeros
from goengine.words import U0, U1, U2, U3, U6, U16

_LANES = np.uint64(0x0001_0001_0001_0001)
_LANE_TOPS = np.uint64(0x8000_8000_8000_8000)
HEAD_MASK = np.uint64(0xFFFF)


@inlined_kernel
def own_sides(board, point, color):
    """The sides of `point` with a stone of `color`, as four bits."""
    around = np.uint64(board.around[point])
    return sides_of(around, color) & ~sides_of(around, U3 - color)


@inlined_kernel
def edge_sides(board, point):
    """The sides of `point` that are outside the board."""
    around = np.uint64(board.around[point])
    return sides_of(around, U1) & sides_of(around, U2)


@inlined_kernel
def empty_sides(board, point):
    around = np.uint64(board.around[point])
    return ~(sides_of(around, U1) | sides_of(around, U2)) & ALL_SIDES


@inlined_kernel
def n_empty_sides(board, point):
    return popcount(empty_sides(board, point))


@inlined_kernel
def holds_head(heads, head):
    """Is `head` one of the up to four in the word?"""
    differences = heads ^ (head * _LANES)
    return (differences - _LANES) & ~differences & _LANE_TOPS != U0


@inlined_kernel
def chains_on(board, point, sides):
    """The heads of the chains on `sides`, each once: 16 bits each in one word.

    Go through them with ``head = heads & HEAD_MASK`` and ``heads >>= U16`` until it is 0.
    """
    heads = U0
    while sides != U0:
        head = np.uint64(board.chain[neighbor(board, point, trailing_zeros(sides))])
        sides &= sides - U1
        if not holds_head(heads, head):
            heads = (heads << U16) | head
    return heads


@inlined_kernel
def is_adjacent(board, point, other):
    """Are two points of the board neighbours?"""
    distance = point - other if point > other else other - point
    return distance == U1 or distance == stride_of(board)


@inlined_kernel
def is_self_atari(board, point, color):
    """Would a stone of `color` on the empty `point` have a liberty at most? Exact."""
    return n_empty_sides(board, point) < U2 and liberties_after(board, point, color)[0] < U2


@inlined_kernel
def n_won(board, head, liberty):
    """Liberties that a chain wins by a stone on one of its own."""
    n = U0
    sides = empty_sides(board, liberty)
    while sides != U0:
        n += np.uint64(not is_liberty(board, head, neighbor(board, liberty, trailing_zeros(sides))))
        sides &= sides - U1
    return n


@inlined_kernel
def has_friend(board, head, liberty):
    """Is another own chain there, not in atari?"""
    color = np.uint64(board.color[head])
    sides = own_sides(board, liberty, color)
    while sides != U0:
        friend = np.uint64(board.chain[neighbor(board, liberty, trailing_zeros(sides))])
        sides &= sides - U1
        if friend != head and board.n_liberties[friend] > 1:
            return True
    return False


@kernel
def liberties_after(board, point, color):
    """The liberties of the chain of a stone of `color` on the empty `point`, 2 for more.

    Returns also one of them, 0 if there is none. Takes what the stone takes off the board.
    """
    words = words_of(board)
    empty = empty_sides(board, point)
    n_found = popcount(empty)
    if n_found >= U2:
        return U2, U0
    own = chains_on(board, point, own_sides(board, point, color))
    found = U0 if empty == U0 else neighbor(board, point, trailing_zeros(empty))
    heads = own
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        n = board.n_liberties[head]
        if n > 2:
            return U2, U0
        if n == 2:
            for word in range(words):
                rest = board.liberties[head * words + np.uint64(word)]
                while rest != U0:
                    liberty = (np.uint64(word) << U6) + trailing_zeros(rest)
                    rest &= rest - U1
                    if liberty != point and liberty != found:
                        if n_found == U1:
                            return U2, U0
                        n_found = U1
                        found = liberty
    enemies = chains_on(board, point, own_sides(board, point, U3 - color))
    while enemies != U0:
        head = enemies & HEAD_MASK
        enemies >>= U16
        if board.n_liberties[head] != 1:
            continue
        stone = head
        while True:
            if is_adjacent(board, stone, point) or _touches(board, stone, color, own):
                n_found += U1
                found = stone
                if n_found == U2:
                    return U2, U0
            stone = np.uint64(board.next_stone[stone])
            if stone == head:
                break
    return n_found, found


@inlined_kernel
def _touches(board, stone, color, heads):
    """Does one of the chains of `color` stand beside the stone?"""
    sides = own_sides(board, stone, color)
    while sides != U0:
        beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
        sides &= sides - U1
        if holds_head(heads, beside):
            return True
    return False
