"""The score of a finished playout."""

import numpy as np

from goengine.board.neighbors import sides_of
from goengine.board.records import BLACK, EMPTY, WHITE, stride_of
from goengine.jit import inlined_kernel, kernel
from goengine.words import U0, U1, U3

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
        black, white = _neighbors_of_empty(board, point)
        owner = int(black) - int(white)
        ownership[point] += owner
        margin += owner
    return margin


@inlined_kernel
def _neighbors_of_empty(board, point):
    """Does black, does white have a stone beside the point?"""
    around = np.uint64(board.around[point])
    black = sides_of(around, _BLACK)
    white = sides_of(around, _WHITE)
    return (black & ~white) != U0, (white & ~black) != U0


@inlined_kernel
def owner_of(board, point):
    """BLACK, WHITE or EMPTY: who has `point` of a finished playout."""
    if board.color[point] != EMPTY:
        return np.uint64(board.color[point])
    black, white = _neighbors_of_empty(board, point)
    if black == white:
        return U0
    return _BLACK if black else _WHITE


@kernel
def score_area(board, ownership, region, is_counted):
    """The same as score_finished for any position: regions of any size, all stones alive.

    Overwrites `region`, room for every point of the board, and `is_counted`, by point.
    """
    margin = 0
    for point in range(board.color.shape[0]):
        color = np.int32(board.color[point])
        owner = (color & 1) - (color >> 1)
        ownership[point] += owner
        margin += owner
        is_counted[point] = False
    for index in range(board.n_empty):
        if is_counted[board.empty[index]]:
            continue
        n_region, borders = _collect_region(board, board.empty[index], region, is_counted)
        if borders == U0 or borders == U3:
            continue
        owner = 1 if borders == _BLACK else -1
        margin += owner * np.int64(n_region)
        for place in range(n_region):
            ownership[region[place]] += owner
    return margin


@inlined_kernel
def _collect_region(board, start, region, is_counted):
    """Write the empty points connected with `start`. Returns their number and who is beside."""
    region[0] = start
    is_counted[start] = True
    n_region = U1
    borders = U0
    n_seen = U0
    while n_seen < n_region:
        point = np.uint64(region[n_seen])
        n_seen += U1
        for step in (U1, stride_of(board)):
            for neighbor in (point - step, point + step):
                color = np.uint64(board.color[neighbor])
                if color == U0:
                    if not is_counted[neighbor]:
                        is_counted[neighbor] = True
                        region[n_region] = np.uint16(neighbor)
                        n_region += U1
                elif color != U3:
                    borders |= color
    return n_region, borders
