"""Who lives, of the stones on a board: by what cannot be otherwise, else by playouts.

Whoever plays searches for a move; here is what such a search says about every chain.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from goengine.board import BLACK, WHITE, chain_stones
from goengine.endgame.dame import find_remains
from goengine.points import all_points, steps_on
from goengine.rules.game import Game, opponent
from goengine.rules.scoring import Score, empty_regions, score_game
from goengine.tactics.life import blank_life, find_unconditional_life

SETTLED = 0.7  # ownership, 0 to 1, from which on nobody fights for a point any more
MOST_DAME = 2  # points between the colours that may lie beside one of them alone


class Verdict(NamedTuple):
    dead: frozenset[int]  # every stone of each dead chain
    is_settled: bool  # nobody changes that, nor whose the empty points are


# By point: 1 black's to -1 white's, on average over playouts.
Ownership = Mapping[int, float]


def judge(game: Game, black_first: Ownership | None, white_first: Ownership | None) -> Verdict:
    """Who is dead, by what becomes of the points where either side goes on first.

    A chain is dead if it falls when the enemy begins. Without any ownership, all that is not
    certainly dead lives, and nothing is settled; with one, it serves for both.
    """
    black_first, white_first = black_first or white_first, white_first or black_first
    certain = owners_for_ever(game)
    if black_first is None or white_first is None:
        dead = {at for color, at in game.stones() if certain.get(at, color) != color}
        return Verdict(frozenset(dead), False)
    falls: list[tuple[float, list[int]]] = []
    is_settled = True
    for chain in _chains(game):
        color = int(game.board.color[chain[0]])
        if chain[0] in certain:
            holds = [1.0 if certain[chain[0]] == color else -1.0] * 2
        else:
            holds = [_mean(each, chain, color) for each in (black_first, white_first)]
        if holds[color == BLACK] < 0:  # where the enemy begins
            falls.append((sum(holds), chain))
        is_settled &= max(holds) <= -SETTLED or min(holds) >= SETTLED
    dead = _that_fall_together(game, sorted(falls))
    is_settled = is_settled and all(
        _are_regions_settled(game, dead, each, certain) for each in (black_first, white_first)
    )
    return Verdict(frozenset(dead), is_settled)


def _that_fall_together(game: Game, falls: list[tuple[float, list[int]]]) -> set[int]:
    """The stones of these chains, but for those whose captors fall sooner."""
    colors = game.board.color
    dead: set[int] = set()
    for _, chain in falls:
        enemy = opponent(int(colors[chain[0]]))
        around = {at + step for at in chain for step in steps_on(game.size)}
        if not any(colors[at] == enemy and at in dead for at in around):
            dead.update(chain)
    return dead


def score_by(game: Game, verdict: Verdict) -> Score:
    """The score of the game if it ends like this."""
    if game.rules.scoring == "area":
        return score_game(game, verdict.dead)
    remains = find_remains(game, verdict.dead)
    return score_game(game, verdict.dead, remains.seki, remains.one_sided)


def owners_for_ever(game: Game) -> dict[int, int]:
    """The colour of each point that nobody can take from it, even if it passes for ever."""
    life = blank_life()
    points = all_points(game.size)
    owners: dict[int, int] = {}
    for color in (BLACK, WHITE):
        find_unconditional_life(game.board, life[0], np.uint64(color), game.rules.suicide)
        status = life[0].status
        owners |= {point: color for point in points if status[point]}
    return owners


def _are_regions_settled(
    game: Game, dead: set[int], ownership: Mapping[int, float], certain: Mapping[int, int]
) -> bool:
    """Does whoever surrounds a region without the dead stones own every point of it?"""
    living = {point: color for color, point in game.stones() if point not in dead}
    steps = steps_on(game.size)
    for region, border in empty_regions(game.size, living):
        colors = {living[stone] for stone in border}
        if len(colors) == 1:
            color = colors.pop()
            open_points = [point for point in region if point not in certain]
            if any(_mean(ownership, [point], color) < SETTLED for point in open_points):
                return False
        elif not colors or any(point in dead for point in region):
            return False  # an empty board, or dead stones that nobody alone surrounds
        elif len(region) > MOST_DAME and not all(
            {living.get(point + step) for step in steps} >= {BLACK, WHITE} for point in region
        ):
            return False  # somebody may close it first
    return True


def _chains(game: Game) -> list[list[int]]:
    chains = []
    seen: set[int] = set()
    for _, point in game.stones():
        if point not in seen:
            chains.append(chain_stones(game.board, point))
            seen.update(chains[-1])
    return chains


def _mean(ownership: Mapping[int, float], points: list[int], color: int) -> float:
    """How surely `color` has them, 1 to -1."""
    mean = sum(ownership[point] for point in points) / len(points)
    return mean if color == BLACK else -mean
