"""The rules proved by counting."""

import pytest

from daemon.bench.positions import LEGAL_POSITIONS
from goengine.board.enumeration import count_legal_positions
from goengine.points import PASS, all_points
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from tests.twins.naive_game import NaiveGame

POSITIONAL = find_rules("tromp-taylor")


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("size", [1, 2])
def test_legal_positions_of_tiny_boards(size: int) -> None:
    assert count_legal_positions(size) == LEGAL_POSITIONS[size]


def test_legal_positions_of_3x3() -> None:
    assert count_legal_positions(3) == 12_675


def perft(game: Game, depth: int) -> list[int]:
    """Number of sequences of 1, 2, ... `depth` legal moves in turn, passes included."""
    counts = [0] * depth
    waiting = [game]
    while waiting:
        parent = waiting.pop()
        length = len(parent.moves)
        for point in (PASS, *all_points(parent.size)):
            if parent.is_legal(parent.to_play, point):
                counts[length] += 1
                if length + 1 < depth:
                    child = parent.copy()
                    child.play(child.to_play, point)
                    waiting.append(child)
    return counts


def naive_perft(size: int, depth: int) -> list[int]:
    """The same on the naive twin, which replays each sequence from the start."""
    counts = [0] * depth
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        moves = waiting.pop()
        game = NaiveGame(size, POSITIONAL)
        for move in moves:
            game.play(game.to_play, move)
        for point in (PASS, *all_points(size)):
            if game.is_legal(game.to_play, point):
                counts[len(moves)] += 1
                if len(moves) + 1 < depth:
                    waiting.append((*moves, point))
    return counts


@pytest.mark.parametrize(("size", "depth"), [(2, 9), (3, 5)])
def test_move_sequences_under_positional_superko(size: int, depth: int) -> None:
    assert perft(Game(size, POSITIONAL), depth) == naive_perft(size, depth)
