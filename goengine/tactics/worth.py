"""What a chain is worth to whoever takes it, and to its owner."""

import numpy as np

from goengine.board.neighbors import neighbor
from goengine.board.records import words_of
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.tactics.liberties import HEAD_MASK, holds_head, own_sides
from goengine.tactics.regions import has_room
from goengine.words import U0, U1, U3, U16

NOTHING = 0  # it has no room to live, and is lost already
LITTLE = 1
CUT = 2  # it parts enemy chains
MUCH = 3  # it is large
N_WORTHS = 4

LARGE_CHAIN = 3  # stones

_THREE_HEADS = np.uint64(0xFFFF_FFFF_FFFF)  # as much as three take of a word


@inlined_kernel
def worth_of(board, regions, head):
    """One of the above. `regions` are those without stones of the chain's enemy."""
    if not has_room(regions, head):
        return np.uint64(NOTHING)
    if board.n_stones[head] >= LARGE_CHAIN:
        return np.uint64(MUCH)
    return np.uint64(CUT if parts_chains(board, head) else LITTLE)


@kernel
def parts_chains(board, head):
    """Does a chain stand between enemy chains that no single move of theirs would join?

    Chains that share a liberty can be joined there. Looks at the first four around it.
    """
    rest = chains_around(board, head)
    joined = rest & HEAD_MASK
    rest >>= U16
    grows = True
    while grows and rest != U0:
        grows = False
        others = U0
        while rest != U0:
            beside = rest & HEAD_MASK
            rest >>= U16
            if _shares_liberty(board, beside, joined):
                joined = joined << U16 | beside
                grows = True
            else:
                others = others << U16 | beside
        rest = others
    return rest != U0


@inlined_kernel
def chains_around(board, head):
    """The heads of up to four enemy chains beside a chain, as in chains_on."""
    enemy = U3 - np.uint64(board.color[head])
    heads = U0
    stone = head
    while True:
        sides = own_sides(board, stone, enemy)
        while sides != U0 and heads <= _THREE_HEADS:
            beside = np.uint64(board.chain[neighbor(board, stone, trailing_zeros(sides))])
            sides &= sides - U1
            if not holds_head(heads, beside):
                heads = heads << U16 | beside
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return heads


@inlined_kernel
def _shares_liberty(board, head, heads):
    """Has one of the chains of `heads` a liberty in common with that of `head`?"""
    words = words_of(board)
    while heads != U0:
        other = heads & HEAD_MASK
        heads >>= U16
        for word in range(words):
            index = np.uint64(word)
            if board.liberties[head * words + index] & board.liberties[other * words + index] != U0:
                return True
    return False
