"""Positions as a search knows them: by how they came about.

Two searches may share a tree if all is equal that decides which moves have nodes and what
they are worth. What a board shows does not tell: the past forbids moves too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from goengine.rules.game import Game, Move, opponent
from goengine.rules.rulesets import Rules
from goengine.search.position import Restriction


class Setup(NamedTuple):
    """What was there before the first move."""

    black: tuple[int, ...]
    white: tuple[int, ...]
    first_to_play: int
    prisoners: tuple[int, int]


class Context(NamedTuple):
    """What must be the same for results to go on counting, whatever was played."""

    size: int
    rules: Rules
    bonus: float
    setup: Setup
    restrictions: tuple[Restriction, ...]
    turned: frozenset[int]  # positions that stood with either to play, where superko asks for it
    has_extra_komi: bool = False


class Spot(NamedTuple):
    """A position in a game, with who is to play there."""

    context: Context
    moves: tuple[Move, ...]
    to_play: int
    ko: int  # point where taking is forbidden, or 0
    is_by_moves: bool  # no turn was handed over since the last of them


def spot_of(
    game: Game,
    color: int,
    restrictions: Sequence[Restriction] = (),
    has_extra_komi: bool = False,
) -> Spot:
    """Where a search for `color` in `game` starts."""
    stones = (tuple(game.setup_black), tuple(game.setup_white))
    setup = Setup(*stones, game.first_to_play, game.prisoners_before)
    context = Context(
        game.size,
        game.rules,
        game.white_bonus,
        setup,
        tuple(restrictions),
        _turned(game),
        has_extra_komi,
    )
    # A turn that is handed over lifts a ko, also when it comes back.
    ko = int(game.board.ko) if game.to_play == color else 0
    return Spot(context, tuple(game.moves), color, ko, game.n_handed_over == 0)


def moves_between(root: Spot, spot: Spot) -> list[int] | None:
    """The moves that lead from `root` to `spot` in a tree; None if no tree of the one can have
    the other.
    """
    n_before = len(root.moves)
    if root.context != spot.context or spot.moves[:n_before] != root.moves:
        return None
    played = spot.moves[n_before:]
    if not played:
        return [] if (root.to_play, root.ko) == (spot.to_play, spot.ko) else None
    if root.context.restrictions or not spot.is_by_moves:
        return None  # restrictions count from the root, and a tree hands no turns over
    to_play = root.to_play
    for move in played:
        if move.color != to_play:
            return None
        to_play = opponent(to_play)
    return [move.point for move in played] if to_play == spot.to_play else None


def is_same_game(spot: Spot, other: Spot) -> bool:
    """Has one come from the other, by moves and by taking some back? Half of them are the same."""
    ours, others = spot.context, other.context
    if (ours.size, ours.bonus, ours.setup) != (others.size, others.bonus, others.setup):
        return False
    pairs = zip(spot.moves, other.moves, strict=False)
    n_same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return 2 * n_same >= max(len(spot.moves), len(other.moves))


def _turned(game: Game) -> frozenset[int]:
    """A turn that is handed over and back leaves a position behind that no move explains."""
    if game.rules.ko != "situational":
        return frozenset()
    times = Counter(position for position, _ in game.positions())
    return frozenset(position for position, n in times.items() if n > 1)
