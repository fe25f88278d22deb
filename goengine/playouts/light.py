"""Light playouts: random moves, no own eye filled, no suicide, capped length."""

import numpy as np

from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.board.records import BLACK, WHITE
from goengine.jit import inlined_kernel, kernel
from goengine.randomness import random_below
from goengine.words import U0, U1, U3

_BLACK = np.uint64(BLACK)
_WHITE = np.uint64(WHITE)


@kernel
def play_light(board, moves, n_before):
    """Play `board` to its end: two passes, or three moves a point. Returns the moves made.

    Writes them, 0 for a pass, to `moves` from index `n_before` on, if it is not None.
    """
    limit = n_before + board.rows * board.rows * U3
    n_moves = n_before
    n_passes = U0
    if board.to_play == _WHITE:
        n_passes = take_turn(board, choose_light(board, _WHITE), _WHITE, n_passes, moves, n_moves)
        n_moves += U1
    # The colour is a constant in each turn: 6 to 10 % faster than one turn for both.
    while n_moves < limit:
        n_passes = take_turn(board, choose_light(board, _BLACK), _BLACK, n_passes, moves, n_moves)
        n_moves += U1
        if n_passes > U1:
            break
        n_passes = take_turn(board, choose_light(board, _WHITE), _WHITE, n_passes, moves, n_moves)
        n_moves += U1
        if n_passes > U1:
            break
    return n_moves - n_before


@inlined_kernel
def take_turn(board, point, color, n_passes, moves, index):
    """Play on `point`, or pass if it is 0, and note it. Returns the passes in a row."""
    if moves is not None:
        moves[index] = np.uint16(point)
    if point == U0:
        play_pass(board, color)
        return n_passes + U1
    play_move(board, point, color)
    return U0


@inlined_kernel
def choose_light(board, color):
    """A point that `color` may play and that is no own eye, or 0.

    The first one from a random place of the list of empty points onwards, round
    its end. A point behind a refused one is thus a little likelier; drawing
    again instead makes playouts 9 % slower and half a per cent longer.
    """
    n_empty = board.n_empty
    if n_empty == U0:
        return U0
    index = random_below(board, n_empty)
    for _ in range(n_empty):
        point = np.uint64(board.empty[index])
        if is_candidate(board, point, color):
            return point
        index += U1
        if index == n_empty:
            index = U0
    return U0


@inlined_kernel
def is_candidate(board, point, color):
    """May `color` play on the empty `point`, and is it no own eye? Knows simple ko only."""
    return not is_eye(board, point, color) and is_legal(board, point, color)
