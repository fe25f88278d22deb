"""The score of a finished playout."""

import numpy as np

from goengine.board.neighbors import sides_of
from goengine.board.records import BLACK, EDGE, EMPTY, WHITE, stride_of
from goengine.jit import inlined_kernel, kernel
from goengine.words import U0, U1, U3

_BLACK = np.uint64(BLACK)
_WHITE = np.uint64(WHITE)
_NOBODYS = np.uint8(EDGE)  # counts as both colours, so as none


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
def score_area(board, ownership, region, owners):
    """The same as score_finished for any position: regions of any size, all stones alive.

    Writes the owner of each point, BLACK, WHITE or EMPTY, to `owners`, and overwrites
    `region`, room for every point of the board.
    """
    for point in range(board.color.shape[0]):
        owners[point] = board.color[point]
    for index in range(board.n_empty):
        if owners[board.empty[index]] == EMPTY:
            _own_region(board, board.empty[index], region, owners)
    margin = 0
    for point in range(board.color.shape[0]):
        owner = np.int32(owners[point])
        if owner == _NOBODYS:
            owners[point] = EMPTY
        margin_here = (owner & 1) - (owner >> 1)
        ownership[point] += margin_here
        margin += margin_here
    return margin


@kernel
def count_dame(board, ownership, region, before):
    """What black has more than white of the points that were dame before the playout.

    `before` has the colours that stood there then, and `board` the end of the playout: what
    was empty between stones of both colours that are alive is nobody's. Takes these points
    out of `ownership`, and overwrites `before` and `region`, room for every point of the board.
    """
    margin = 0
    for start in range(board.color.shape[0]):
        if before[start] != EMPTY:
            continue
        n_region, borders = _list_region(board, start, region, before)
        if borders == U3:
            for place in range(n_region):
                color = np.int64(owner_of(board, region[place]))
                owner = (color & 1) - (color >> 1)
                ownership[region[place]] -= owner
                margin += owner
    return margin


@inlined_kernel
def _own_region(board, start, region, owners):
    """Give all empty points connected with `start` to whoever alone stands beside them."""
    n_region, borders = _list_region(board, start, region, owners)
    if borders == _BLACK or borders == _WHITE:
        for place in range(n_region):
            owners[region[place]] = np.uint8(borders)


@inlined_kernel
def _list_region(board, start, region, colors):
    """Write all empty points of `colors` connected with `start` to `region`, and mark them.

    Returns their number, and the colours beside them, as bits. Only stones that `board` has not
    given to the other colour since count there.
    """
    region[0] = np.uint16(start)
    colors[start] = _NOBODYS
    n_region = U1
    borders = U0
    n_seen = U0
    while n_seen < n_region:
        point = np.uint64(region[n_seen])
        n_seen += U1
        for step in (U1, stride_of(board)):
            for neighbor in (point - step, point + step):
                color = np.uint64(colors[neighbor])
                if color == U0:
                    colors[neighbor] = _NOBODYS
                    region[n_region] = np.uint16(neighbor)
                    n_region += U1
                elif color != U3 and owner_of(board, neighbor) == color:
                    borders |= color
    return n_region, borders
