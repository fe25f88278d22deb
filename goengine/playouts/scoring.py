"""The score of a finished playout."""

import numpy as np

from goengine.board.neighbors import sides_of
from goengine.board.records import BLACK, WHITE
from goengine.jit import kernel
from goengine.words import U0

_BLACK = np.uint64(BLACK)
_WHITE = np.uint64(WHITE)


@kernel
def score_finished(board, ownership):
    """Area of black minus area of white. Adds each point's owner to `ownership`: +1, -1, 0.

    An empty point is owned by the colour that alone stands beside it. That is
    the area score wherever empty regions are single points, as they are when
    neither side has a move left that does not fill an own eye.
    """
    margin = 0
    for point in range(board.color.shape[0]):
        color = np.int32(board.color[point])
        owner = (color & 1) - (color >> 1)  # the edge is both, so nobody's
        ownership[point] += owner
        margin += owner
    for index in range(board.n_empty):
        point = board.empty[index]
        around = np.uint64(board.around[point])
        black = sides_of(around, _BLACK)
        white = sides_of(around, _WHITE)
        owner = int((black & ~white) != U0) - int((white & ~black) != U0)
        ownership[point] += owner
        margin += owner
    return margin
