"""How far points are from each other when the stones of a chain count as one point.

Graepel, Goutrié, Krüger, Herbrich: "Learning on Graphs in the Game of Go" (2001), the
common fate graph.
"""

import numpy as np

from goengine.board.neighbors import neighbor
from goengine.board.records import EDGE, EMPTY, stride_of
from goengine.jit import inlined_kernel, kernel
from goengine.words import U0, U1


@kernel
def fill_distances(board, start, max_distance, distances, queue):
    """Write the distance of every point from `start`, max_distance + 1 for all beyond it.

    A step to a neighbour counts one, or nothing within a chain. `distances` are uint8 and
    `queue` is uint16 for the use of this kernel; both as long as board.color.
    """
    far = np.uint8(max_distance + U1)
    distances[:] = far
    n_found = _reach(board, np.uint64(start), np.uint8(0), distances, queue, U0)
    at = U0
    while at < n_found:
        point = np.uint64(queue[at])
        at += U1
        distance = np.uint64(distances[point]) + U1
        if distance > max_distance:
            return
        for side in range(4):
            beside = neighbor(board, point, np.uint64(side))
            if distances[beside] == far and board.color[beside] != EDGE:
                n_found = _reach(board, beside, np.uint8(distance), distances, queue, n_found)


@inlined_kernel
def _reach(board, point, distance, distances, queue, n_found):
    """Write the distance of a point, or of its whole chain. Returns how many were found."""
    stone = point
    while True:
        distances[stone] = distance
        queue[n_found] = np.uint16(stone)
        n_found += U1
        if board.color[point] == EMPTY:
            return n_found
        stone = np.uint64(board.next_stone[stone])
        if stone == point:
            return n_found


@inlined_kernel
def line_of(board, point):
    """1 at the edge."""
    row = point // stride_of(board)
    column = point - row * stride_of(board)
    return min(min(row, column), board.rows + U1 - max(row, column))
