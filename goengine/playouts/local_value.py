"""Local value: how much of a point and its four neighbours a colour has in the end.

Baudiš 2011, 2.4.3: a third for the point itself and a sixth for each neighbour, here counted in
whole sixths. An empty point is its owner's, as in scoring.py. The thesis does not say what a side
counts where the board ends: here it goes with the point itself, so that a move that keeps all
there is around it is worth six sixths in a corner, too.
"""

import numpy as np

from goengine.board.neighbors import ALL_SIDES, neighbor, sides_of
from goengine.board.records import BLACK, WHITE
from goengine.jit import inlined_kernel, popcount, trailing_zeros
from goengine.playouts.scoring import owner_of
from goengine.words import U0, U1, U2, U4

_BLACK = np.uint64(BLACK)
_WHITE = np.uint64(WHITE)


@inlined_kernel
def local_value(board, point, color):
    """What `color` has of `point` after a finished playout: 0 to SIXTHS."""
    black, white = local_values(board, point)
    return black if color == _BLACK else white


@inlined_kernel
def local_values(board, point):
    """What black, and what white has of `point` after a finished playout.

    Stones and edge beside the point are counted by their bits; only empty neighbours, of which a
    finished playout leaves few, are looked at one by one.
    """
    around = np.uint64(board.around[point])
    black_sides = sides_of(around, _BLACK)
    white_sides = sides_of(around, _WHITE)
    edge = black_sides & white_sides
    own = U2 + popcount(edge)
    owner = owner_of(board, point)
    black = popcount(black_sides ^ edge) + (own if owner == _BLACK else U0)
    white = popcount(white_sides ^ edge) + (own if owner == _WHITE else U0)
    empty = ALL_SIDES ^ (black_sides | white_sides)
    while empty != U0:
        owner = owner_of(board, neighbor(board, point, trailing_zeros(empty)))
        black += owner & U1
        white += owner >> U1
        empty &= empty - U1
    return black, white


@inlined_kernel
def point_of_sixth(board, point, sixth):
    """The point that a sixth of the local value stands for, 0 to 5: four sides, twice itself."""
    if sixth >= U4:
        return point
    around = np.uint64(board.around[point])
    is_edge = (sides_of(around, _BLACK) & sides_of(around, _WHITE)) >> sixth & U1
    return point if is_edge != U0 else neighbor(board, point, sixth)
