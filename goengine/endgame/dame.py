"""What is left to be filled when nobody gains anything any more.

Both sides fill the points between them as long as no own stones come into danger, and
connect what comes into atari. What lies between the two then is a seki. What has to be filled
of one's own territory, while dead stones are still there, is none: one-sided dame.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from goengine.board import BLACK, EMPTY, WHITE, chain_stones, copy_board
from goengine.points import all_points, steps_on
from goengine.rules.game import Game
from goengine.tactics.filling import DAME, OWN, fill_dame


class Remains(NamedTuple):
    dame: frozenset[int]  # points between the colours that somebody may fill
    seki: frozenset[int]  # living stones beside points that nobody may fill
    one_sided: frozenset[int]  # points of territory that their owner has to fill


def find_remains(game: Game, dead: Collection[int]) -> Remains:
    """What is left after the `dead` stones, all of each chain, are taken off the board."""
    black = [point for color, point in game.stones() if color == BLACK and point not in dead]
    white = [point for color, point in game.stones() if color == WHITE and point not in dead]
    if not black or not white:
        return Remains(frozenset(), frozenset(), frozenset())
    without_dead = Game(game.size)
    without_dead.set_up(black, white, game.to_play)
    points = all_points(game.size)
    one_sided = _fill(game.board, copy_board(without_dead.board))[0]
    board = without_dead.board
    filled, owners = _fill(board, board)
    left = [at for at in points if board.color[at] == owners[at] == EMPTY]
    beside = {at + step for at in left for step in steps_on(game.size)}
    in_seki = {
        stone
        for at in beside
        if board.color[at] in (BLACK, WHITE)
        for stone in chain_stones(board, at)
    }
    return Remains(
        frozenset(at for at in points if filled[at] == DAME),
        frozenset(in_seki.intersection(black + white)),
        frozenset(at for at in points if one_sided[at] == OWN),
    )


def _fill(board: Any, living: Any) -> tuple[Any, Any]:
    """Fill `living`. Returns by point what it was filled as, and whose it is then."""
    n_points = len(board.color)
    filled, owners = np.zeros(n_points, np.uint8), np.zeros(n_points, np.uint8)
    region, ownership = np.zeros(n_points, np.uint16), np.zeros(n_points, np.int64)
    fill_dame(copy_board(board), living, filled, owners, region, ownership)
    return filled, owners
