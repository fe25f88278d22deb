"""The score of a position, by area or by territory.

Who is dead, or in seki, is for the caller to say: nothing here reads life and
death. By area and without dead stones, that is Tromp and Taylor's count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from goengine.board import BLACK, EMPTY, WHITE, chain_stones
from goengine.points import all_points, format_vertex, is_on_board, stride_for
from goengine.rules.game import Game, opponent

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes long to import


@dataclass(frozen=True)
class Score:
    """Both sides' points; white's include komi and the compensation for handicap stones.

    ownership   by point: 1 black, -1 white, 0 nobody (dame, seki under territory
                scoring, points outside the board). Living stones own their points.
    """

    black: float
    white: float
    ownership: NDArray[np.int8] = field(compare=False, repr=False)

    @property
    def margin(self) -> float:
        """Positive if black is ahead."""
        return self.black - self.white


def score_game(game: Game, dead: Iterable[int] = (), seki: Iterable[int] = ()) -> Score:
    """Score the position under the game's rules.

    dead    stones taken off before counting, as prisoners. One stone of a chain
            is enough to name it.
    seki    stones whose eyes are no territory; makes no difference by area

    A region of empty points and dead stones belongs to a colour if it touches
    living stones of that colour alone. Raises ValueError for a point without a stone.
    """
    stones = {point: color for color, point in game.stones()}
    dead_stones = _whole_chains(game, dead)
    living = {point: color for point, color in stones.items() if point not in dead_stones}
    by_territory = game.rules.scoring == "territory"
    territory = _territory(game.size, living, _whole_chains(game, seki) if by_territory else set())

    points = Counter(territory.values())
    if by_territory:
        points += Counter(opponent(stones[stone]) for stone in dead_stones)
        points += Counter({color: game.captures(color) for color in (BLACK, WHITE)})
    else:
        points += Counter(living.values())
    return Score(
        black=float(points[BLACK]),
        white=points[WHITE] + game.white_bonus,
        ownership=_ownership(len(game.board.color), living | territory),
    )


def format_score(score: Score) -> str:
    """Return ``B+8.0``, ``W+2.5`` or ``0``; two decimals where one would not do."""
    margin = round(score.margin, 2)
    if margin == 0:
        return "0"
    points = f"{abs(margin):.2f}"
    winner = "B" if margin > 0 else "W"
    return f"{winner}+{points.removesuffix('0')}"


def _territory(size: int, living: dict[int, int], neutral: Collection[int]) -> dict[int, int]:
    """The colour of every point that living stones of one colour surround.

    Regions that touch a stone of `neutral` are nobody's.
    """
    territory: dict[int, int] = {}
    unvisited = set(all_points(size)) - living.keys()
    while unvisited:
        region, border = _flood(unvisited, living, stride_for(size))
        colors = {living[stone] for stone in border}
        if len(colors) == 1 and border.isdisjoint(neutral):
            territory |= dict.fromkeys(region, colors.pop())
    return territory


def _flood(unvisited: set[int], living: dict[int, int], stride: int) -> tuple[list[int], set[int]]:
    """Take one region out of `unvisited`; return it and the stones that it touches."""
    region = [unvisited.pop()]
    border = set()
    for point in region:  # grows meanwhile
        for beside in (point - stride, point - 1, point + 1, point + stride):
            if beside in unvisited:
                unvisited.remove(beside)
                region.append(beside)
            elif beside in living:
                border.add(beside)
    return region, border


def _ownership(n_points: int, owner: dict[int, int]) -> NDArray[np.int8]:
    ownership = np.zeros(n_points, np.int8)
    for point, color in owner.items():
        ownership[point] = 1 if color == BLACK else -1
    return ownership


def _whole_chains(game: Game, stones: Iterable[int]) -> set[int]:
    """Every stone of the chains that `stones` belong to. Raises ValueError."""
    found: set[int] = set()
    for stone in stones:
        if not is_on_board(stone, game.size):
            raise ValueError(f"point {stone} is not on a {game.size}x{game.size} board")
        if game.board.color[stone] == EMPTY:
            raise ValueError(f"{format_vertex(stone, game.size)} is empty, not a stone")
        if stone not in found:
            found.update(chain_stones(game.board, stone))
    return found
