"""What is left to be filled when nobody gains anything any more.

Both sides fill the points between them as long as no own stones come into danger, and
connect what comes into atari. What lies between the two then is a seki; and what had to be
filled of one's own territory was none: one-sided dame.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from goengine.board import BLACK, EMPTY, WHITE, chain_stones, copy_board, play_move
from goengine.points import steps_on
from goengine.rules.game import Game, opponent
from goengine.rules.scoring import empty_regions


class Remains(NamedTuple):
    dame: frozenset[int]  # points between the colours that somebody may fill
    seki: frozenset[int]  # living stones beside points that nobody may fill
    one_sided: frozenset[int]  # points of territory that their owner has to fill


def find_remains(game: Game, dead: Collection[int]) -> Remains:
    """What is left after the `dead` stones, all of each chain, are taken off the board."""
    living = {point: color for color, point in game.stones() if point not in dead}
    filled = Game(game.size)
    filled.set_up(
        [point for point, color in living.items() if color == BLACK],
        [point for point, color in living.items() if color == WHITE],
        game.to_play,
    )
    between, _ = _between(filled)
    dame: set[int] = set()
    one_sided: set[int] = set()
    n_passes = 0
    while n_passes < 2:
        color = filled.to_play
        move = _rescue(filled, color) or _fill(filled, between, color)
        if move is None:
            filled.to_play = opponent(color)
            n_passes += 1
            continue
        n_passes = 0
        (dame if move in between else one_sided).add(move)
        filled.play(color, move)
        between, _ = _between(filled)
    _, beside = _between(filled)
    in_seki = {stone for at in beside for stone in chain_stones(filled.board, at)}
    return Remains(frozenset(dame), frozenset(in_seki & living.keys()), frozenset(one_sided))


def _between(game: Game) -> tuple[set[int], set[int]]:
    """Empty points of regions that both colours border on, and the stones beside them."""
    stones = {point: color for color, point in game.stones()}
    points: set[int] = set()
    beside: set[int] = set()
    for region, border in empty_regions(game.size, stones):
        if len({stones[stone] for stone in border}) == 2:
            points.update(region)
            beside |= border
    return points, beside


def _rescue(game: Game, color: int) -> int | None:
    """The last liberty of a chain, where a stone there saves it."""
    board = game.board
    for stone_color, stone in game.stones():
        if stone_color == color and board.n_liberties[board.chain[stone]] == 1:
            liberty = _liberty_of(game, stone)
            if _liberties_after(game, liberty, color) > 1:
                return liberty
    return None


def _fill(game: Game, between: Collection[int], color: int) -> int | None:
    """A point between the colours where a stone is safe."""
    return next((at for at in sorted(between) if _liberties_after(game, at, color) > 1), None)


def _liberties_after(game: Game, point: int, color: int) -> int:
    """Liberties of a stone there; 0 where it is illegal, or takes what nobody has called dead."""
    if not game.is_legal(color, point):
        return 0
    board = copy_board(game.board)
    play_move(board, point, color)
    if board.captures[color] != game.board.captures[color]:
        return 0
    return int(board.n_liberties[board.chain[point]])


def _liberty_of(game: Game, stone: int) -> int:
    """One of them."""
    stones = chain_stones(game.board, stone)
    around = (at + step for at in stones for step in steps_on(game.size))
    return next(at for at in around if game.board.color[at] == EMPTY)
