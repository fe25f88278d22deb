"""What test positions call a ladder: less than every chain that is caught."""

from __future__ import annotations

import numpy as np

from goengine.board.chains import other_liberty
from goengine.jit import kernel
from goengine.tactics.captures import can_countercapture
from goengine.tactics.ladders import is_caught_after, ladder_length
from goengine.tactics.liberties import is_self_atari, n_empty_sides
from goengine.words import U1, U2, U3


@kernel
def is_ladder(board, reading, head):
    """Is the chain in atari lost, and not at once: it can run, or take something?"""
    n_runs = ladder_length(board, reading, head)
    return n_runs > U1 or (n_runs == U1 and can_countercapture(board, head))


@kernel
def makes_ladder(board, reading, head, chase):
    """Does the enemy start a ladder against the chain with two liberties on `chase`?

    As is_caught_after, but without what is shorter than a ladder or puts the chaser in atari.
    """
    if n_empty_sides(board, other_liberty(board, head, chase)) != U2:
        return False
    if is_self_atari(board, chase, U3 - np.uint64(board.color[head])):
        return False
    return is_caught_after(board, reading, head, chase)
