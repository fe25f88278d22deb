"""What to play instead of a self-atari: the other liberties of the chains that it is about."""

import numpy as np

from goengine.board.chains import other_liberty
from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal
from goengine.jit import inlined_kernel, kernel
from goengine.randomness import random_below
from goengine.tactics.liberties import HEAD_MASK, chains_on, own_sides
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.words import U0, U1, U3, U16


@kernel
def better_than_self_atari(board, notes, point, color):
    """A move that saves or attacks from outside what the bad self-atari was about, or 0.

    Baudiš 2011, 3.4.1: the other liberty of an own chain, where that is safe. It is as good
    to take the other liberty of an enemy chain.
    """
    enemies = chains_on(board, point, own_sides(board, point, U3 - color))
    chosen, n_found = _draw_other_liberty(board, notes, point, color, enemies, U0, U0)
    own = chains_on(board, point, own_sides(board, point, color))
    return _draw_other_liberty(board, notes, point, color, own, chosen, n_found)[0]


@kernel
def approach_move(board, notes, point, color):
    """A liberty to fill first, so that `point` is no self-atari then, or 0."""
    own = chains_on(board, point, own_sides(board, point, color))
    return _draw_other_liberty(board, notes, point, color, own, U0, U0)[0]


@inlined_kernel
def _draw_other_liberty(board, notes, point, color, heads, chosen, n_found):
    """One of `n_found` moves, which is `chosen`, and of those at the other liberties of `heads`.

    Only chains of two liberties count. Returns the move and the number of moves.
    """
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if board.n_liberties[head] != 2:
            continue
        other = other_liberty(board, head, point)
        if (
            is_legal(board, other, color)
            and not is_eye(board, other, color)
            and not is_bad_self_atari(board, notes, other, color)
        ):
            n_found += U1
            if random_below(board, n_found) == U0:
                chosen = other
    return np.uint64(chosen), n_found
