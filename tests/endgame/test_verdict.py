"""Verdicts by given ownership, and what is left to be filled."""

from __future__ import annotations

import pytest

from goengine.board import BLACK
from goengine.endgame.dame import find_remains
from goengine.endgame.verdict import judge, owners_for_ever
from goengine.points import all_points, format_vertex, parse_vertex
from goengine.rules.game import Game
from goengine.rules.scoring import score_game
from tests.diagrams import game_on

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

WALLS = """
    . . X O .
    . . X O .
    . . X . O
    . . X O .
    . . X O .
"""
RACE = """
    . X O . O
    X X O O O
    X . . X X
    O O O O X
    O . O . X
"""


def owned(game: Game, **by_vertex: float) -> dict[int, float]:
    """As it stands, all stones alive, but for some points."""
    owners = score_game(game).ownership
    ownership = {at: float(owners[at]) for at in all_points(game.size)}
    return ownership | {parse_vertex(at, game.size): value for at, value in by_vertex.items()}


def names(points: frozenset[int], size: int) -> set[str]:
    return {format_vertex(point, size) for point in points}


def test_dame_are_filled() -> None:
    game = game_on(WALLS, BLACK)
    remains = find_remains(game, ())
    assert names(remains.dame, 5) == {"D3"}
    assert remains.seki == remains.one_sided == frozenset()


def test_dead_stones_are_no_border() -> None:
    game = game_on(WALLS, BLACK)
    dead = [point for color, point in game.stones() if color != BLACK]
    assert find_remains(game, dead).dame == frozenset()


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_an_empty_board_has_nothing_to_fill(size: int) -> None:
    game = Game(size)
    assert find_remains(game, ()) == (frozenset(), frozenset(), frozenset())
    assert judge(game, owned(game), None) == (frozenset(), False)


def test_who_falls_where_the_enemy_begins_is_dead() -> None:
    """The wall of white falls when black begins; black's stands."""
    game = game_on(WALLS, BLACK)
    lost = dict.fromkeys(("D1", "D2", "D4", "D5", "E3"), 0.9)
    black_begins, white_begins = owned(game, **lost), owned(game)
    verdict = judge(game, black_begins, white_begins)
    assert names(verdict.dead, 5) == {"D1", "D2", "D4", "D5", "E3"}
    assert not verdict.is_settled, "it matters who begins"
    assert judge(game, white_begins, black_begins).dead == frozenset()
    assert names(judge(game, None, black_begins).dead, 5) == {"D1", "D2", "D4", "D5", "E3"}


def test_of_two_that_fall_the_weaker_is_dead() -> None:
    """In a race that who begins wins, both cannot be taken off."""
    game = game_on(RACE, BLACK)
    black_begins = owned(game, A2=0.9, B2=0.9, C2=0.9, D2=0.9, A1=0.9, C1=0.9)
    white_begins = owned(game, D3=-0.8, E3=-0.8, E2=-0.8, E1=-0.8)
    dead = names(judge(game, black_begins, white_begins).dead, 5)
    assert dead in ({"A2", "B2", "C2", "D2", "A1", "C1"}, {"D3", "E3", "E2", "E1"})


@pytest.mark.parametrize(("value", "is_settled"), [(0.65, False), (0.75, True)])
def test_settled(value: float, is_settled: bool) -> None:
    game = game_on(WALLS, BLACK)
    verdict = judge(game, owned(game, A3=value), None)
    assert verdict == (frozenset(), is_settled)


def test_what_is_certain_needs_no_playouts() -> None:
    game = game_on(
        """
        . X . X .
        X X X X O
        . X X X O
        X X X X O
        O . X X O
        """,
        BLACK,
    )
    certain = owners_for_ever(game)
    assert certain[parse_vertex("A1", 5)] == BLACK
    everything = dict.fromkeys(all_points(5), -1.0)
    dead = {"A1", "E1", "E2", "E3", "E4"}
    assert names(judge(game, everything, everything).dead, 5) == dead
