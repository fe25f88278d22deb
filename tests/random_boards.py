"""Positions of random games, for comparisons with slow plain twins."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from goengine.board import BLACK, LEGAL, illegality, new_board, play_move
from goengine.board.eyes import is_eye
from goengine.jit import kernel
from goengine.points import all_points


@kernel
def ask_is_eye(board, point, color):
    return is_eye(board, np.uint64(point), np.uint64(color))


def random_boards(size: int, n_games: int, every: int = 5, fill_eyes: bool = True) -> Iterator[Any]:
    """The position after every few moves of random games; the same record each time."""
    points = all_points(size)
    for game in range(n_games):
        chance = random.Random(f"{size} {game}")
        board = new_board(size)
        color = BLACK
        for n_moves in range(1, 3 * size * size):
            point = chance.choice(points)
            is_legal = illegality(board, point, color, False) == LEGAL
            if is_legal and (fill_eyes or not ask_is_eye(board, point, color)):
                play_move(board, point, color)
            color = 3 - color
            if n_moves % every == 0:
                yield board
