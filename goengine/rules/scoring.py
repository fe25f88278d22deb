"""The score of a position, by area or by territory.

Who is dead, or in seki, is for the caller to say: nothing here reads life and
death. By area and without dead stones, that is Tromp and Taylor's count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from goengine.board import BLACK, EMPTY, WHITE, chain_stones
from goengine.points import all_points, format_vertex, is_on_board, steps_on
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


def score_game(
    game: Game,
    dead: Iterable[int] = (),
    seki: Iterable[int] = (),
    one_sided: Iterable[int] = (),
) -> Score:
    """Score the position under the game's rules.

    dead        stones taken off before counting, as prisoners. One stone of a chain
                is enough to name it.
    seki        stones whose eyes are no territory; makes no difference by area
    one_sided   points that their owner has to fill, so no territory; nor does this

    A region of empty points and dead stones belongs to a colour if it touches
    living stones of that colour alone. Raises ValueError for a point without a stone.
    """
    stones = {point: color for color, point in game.stones()}
    dead_stones = _whole_chains(game, dead)
    living = {point: color for point, color in stones.items() if point not in dead_stones}
    by_territory = game.rules.scoring == "territory"
    territory = _territory(game.size, living, _whole_chains(game, seki) if by_territory else set())
    if by_territory:
        territory = {at: color for at, color in territory.items() if at not in set(one_sided)}

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


def is_won_as_it_stands(game: Game, color: int) -> bool:
    """Does `color` win if the game ends now, with every stone on the board alive?"""
    margin = score_game(game).margin
    return margin > 0 if color == BLACK else margin < 0


def format_score(score: Score) -> str:
    """Return ``B+8.0``, ``W+2.5`` or ``0``; two decimals where one would not do."""
    margin = round(score.margin, 2)
    if margin == 0:
        return "0"
    points = f"{abs(margin):.2f}"
    winner = "B" if margin > 0 else "W"
    return f"{winner}+{points.removesuffix('0')}"


def empty_regions(size: int, stones: dict[int, int]) -> Iterator[tuple[list[int], set[int]]]:
    """Every region of points without one of `stones` (colours by point), and those beside it."""
    steps = steps_on(size)
    unvisited = set(all_points(size)) - stones.keys()
    while unvisited:
        region = [unvisited.pop()]
        border = set()
        for point in region:  # grows meanwhile
            for beside in [point + step for step in steps]:
                if beside in unvisited:
                    unvisited.remove(beside)
                    region.append(beside)
                elif beside in stones:
                    border.add(beside)
        yield region, border


def _territory(size: int, living: dict[int, int], neutral: Collection[int]) -> dict[int, int]:
    """The colour of every point that living stones of one colour surround.

    Regions that touch a stone of `neutral` are nobody's.
    """
    territory: dict[int, int] = {}
    for region, border in empty_regions(size, living):
        colors = {living[stone] for stone in border}
        if len(colors) == 1 and border.isdisjoint(neutral):
            territory |= dict.fromkeys(region, colors.pop())
    return territory


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
