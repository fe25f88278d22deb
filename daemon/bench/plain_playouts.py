"""Light playouts on the plainest board: colours, and a flood fill for every question.

The yardstick of `goengine bench playouts`. It shares nothing with goengine/board,
so the same length and the same win rate from both say that both are right, and
the ratio of their speeds says on any machine what the board's bookkeeping is worth.

`colors` is a flat padded board: 0 empty, 1 black, 2 white, 3 edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goengine.jit import allocating_kernel


def run_plain(size: int, n_playouts: int, komi: float, seed: int) -> tuple[int, int]:
    """Play the empty board out. Returns the number of moves and of black wins."""
    start: NDArray[np.int8] = np.full((size + 2, size + 2), 3, np.int8)
    start[1:-1, 1:-1] = 0
    n_moves, n_black_wins = _run(start.ravel(), size, n_playouts, komi, seed)
    return int(n_moves), int(n_black_wins)


@allocating_kernel
def _run(start: Any, size: int, n_playouts: int, komi: float, seed: int) -> Any:
    np.random.seed(seed)
    sides = np.array([1, -1, size + 2, -size - 2])
    corners = np.array([size + 3, size + 1, -size - 1, -size - 3])
    chain = np.zeros(len(start), np.int64)
    n_moves = 0
    n_black_wins = 0
    for _ in range(n_playouts):
        colors = start.copy()
        n_moves += _play_out(colors, size, sides, corners, chain)
        n_black_wins += _margin(colors, sides) > komi
    return n_moves, n_black_wins


@allocating_kernel
def _play_out(colors: Any, size: int, sides: Any, corners: Any, chain: Any) -> Any:
    empty = np.zeros(size * size, np.int64)
    color = 1
    ko = -1
    n_passes = 0
    n_moves = 0
    while n_passes < 2 and n_moves < 3 * size * size:
        n_empty = 0
        for point in range(len(colors)):
            if colors[point] == 0:
                empty[n_empty] = point
                n_empty += 1
        next_ko = -1
        played = False
        for place in range(n_empty):
            other = np.random.randint(place, n_empty)
            empty[place], empty[other] = empty[other], empty[place]
            point = empty[place]
            if point != ko and not _is_eye(colors, point, color, sides, corners):
                played, next_ko = _try_move(colors, point, color, sides, chain)
                if played:
                    break
        ko = next_ko
        n_passes = 0 if played else n_passes + 1
        n_moves += 1
        color = 3 - color
    return n_moves


@allocating_kernel
def _try_move(colors: Any, point: int, color: int, sides: Any, chain: Any) -> Any:
    """Returns whether the move was legal, and the ko point or -1."""
    colors[point] = color
    n_taken = 0
    taken = -1
    for side in sides:
        if colors[point + side] == 3 - color:
            n_stones, n_liberties = _fill(colors, point + side, sides, chain)
            if n_liberties == 0:
                n_taken += n_stones
                taken = point + side
                for index in range(n_stones):
                    colors[chain[index]] = 0
    n_stones, n_liberties = _fill(colors, point, sides, chain)
    if n_liberties == 0:
        colors[point] = 0
        return False, -1
    is_ko = n_taken == 1 and n_stones == 1 and n_liberties == 1
    return True, taken if is_ko else -1


@allocating_kernel
def _fill(colors: Any, point: int, sides: Any, chain: Any) -> Any:
    """Write the stones of a chain to `chain`. Returns their number and that of its liberties.

    Marks stones with 4 and liberties with 8 on the way, and takes the marks off again.
    """
    color = colors[point]
    chain[0] = point
    colors[point] |= 4
    n_stones = 1
    n_liberties = 0
    done = 0
    while done < n_stones:
        for side in sides:
            beside = chain[done] + side
            if colors[beside] == color:
                colors[beside] |= 4
                chain[n_stones] = beside
                n_stones += 1
            elif colors[beside] == 0:
                colors[beside] = 8
                n_liberties += 1
        done += 1
    for index in range(n_stones):
        colors[chain[index]] = color
        for side in sides:
            if colors[chain[index] + side] == 8:
                colors[chain[index] + side] = 0
    return n_stones, n_liberties


@allocating_kernel
def _is_eye(colors: Any, point: int, color: int, sides: Any, corners: Any) -> Any:
    for side in sides:
        if colors[point + side] != color and colors[point + side] != 3:
            return False
    n_enemies = 0
    n_edges = 0
    for corner in corners:
        n_enemies += colors[point + corner] == 3 - color
        n_edges += colors[point + corner] == 3
    return n_enemies + (n_edges > 0) < 2


@allocating_kernel
def _margin(colors: Any, sides: Any) -> Any:
    margin = 0
    for point in range(len(colors)):
        owner = colors[point]
        if owner == 0:
            for side in sides:
                if colors[point + side] != 3:
                    owner |= colors[point + side]
        margin += (owner & 1) - (owner >> 1)
    return margin
