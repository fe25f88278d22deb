"""Small boards whose outcome is known, with every policy."""

from __future__ import annotations

from itertools import pairwise

import pytest

from goengine.board import BLACK
from goengine.points import PASS, all_points, format_vertex
from goengine.rules.game import Game
from goengine.rules.scoring import score_game
from goengine.search.local import LocalSearch
from goengine.search.parameters import POLICIES
from goengine.search.reading import MoveReading
from tests.diagrams import COLORS, draw, game_on

pytestmark = pytest.mark.parametrize("policy", POLICIES)

# Size, komi, the centre, simulations, and by how much black's win rate must rise, if it must:
# on 7x7 it is near a half from the beginning on, and both sides find better moves. Black wins
# 5x5 by 25 and 7x7 by 9.
OPENINGS = [(5, 3.5, "C3", 100_000, 0.04), (7, 7.5, "D4", 200_000, None)]
FEW = 2_000  # simulations


def new_search(game: Game, policy: str, n_nodes: int) -> LocalSearch:
    """Results count as won or lost and nothing between."""
    search = LocalSearch(n_nodes)
    search.set_parameters(game.size, {"policy": policy, "value_scale": 0})
    search.set_game(game, game.to_play)
    return search


def win_rate_of(search: LocalSearch) -> float:
    """Of the player to move, over all simulations."""
    win_rate = search.read().win_rate
    assert win_rate is not None
    return win_rate


def best_of(search: LocalSearch) -> MoveReading:
    return search.read().moves[0]


@pytest.mark.parametrize(("size", "komi", "centre", "n", "rise"), OPENINGS)
def test_centre_is_the_best_opening(
    policy: str, size: int, komi: float, centre: str, n: int, rise: float | None
) -> None:
    """Black's win rate rises as simulations gather there.

    That of the centre alone need not: white's answers get better at the same time.
    """
    search = new_search(Game(size, komi=komi), policy, n_nodes=2_000_000)
    search.run(FEW)
    early = win_rate_of(search)
    search.run(n - FEW)
    moves = search.read().moves
    assert format_vertex(moves[0].move, size) == centre
    assert moves[0].visits > 1.5 * moves[1].visits
    if rise is not None:
        assert win_rate_of(search) > early + rise


# To play, komi, position, who wins, and in how many moves at most.
ENDINGS = [
    # the white stone is dead: all nine points
    ("b", 8.5, ". X .\nX X X\n. O .", "b", 5),
    ("w", 0.5, ". X .\n. X .\nX X .", "b", 5),
    # white cannot make an eye in the corner that is left
    ("w", 8.5, "O O .\nO X X\n. X .", "b", 10),
    # a ko: whoever is to play
    ("b", 0.5, ". X O\nX O .\n. X O", "b", 3),
    ("w", 0.5, ". X O\nX O .\n. X O", "w", 9),
    # A2 dies or lives with C3
    ("b", 0.5, ". X O .\nX X . O\nO X O O\n. X O .", "b", 5),
    ("w", 0.5, ". X O .\nX X . O\nO X O O\n. X O .", "w", 6),
]
CHECKPOINTS = (300, 3_000, 30_000)  # simulations
NOISE = 0.03  # of a win rate after the first of them


def can_force(game: Game, color: int, n_moves: int) -> bool:
    """Can `color` end the game as a winner within `n_moves`? Tries every legal move."""
    if game.is_over:
        return (score_game(game).margin > 0) == (color == BLACK)
    if n_moves == 0:
        return False
    is_ours = game.to_play == color
    for move in (PASS, *all_points(game.size)):
        if game.is_legal(game.to_play, move):
            after = game.copy()
            after.play(game.to_play, move)
            if can_force(after, color, n_moves - 1) == is_ours:
                return is_ours
    return not is_ours


@pytest.mark.parametrize(("to_play", "komi", "diagram", "winner", "n_moves"), ENDINGS)
def test_value_of_a_certain_ending(
    policy: str, to_play: str, komi: float, diagram: str, winner: str, n_moves: int
) -> None:
    game = game_on(diagram, COLORS[to_play], "chinese-ogs", komi)
    if policy == POLICIES[0]:  # once is enough
        assert can_force(game, COLORS[winner], n_moves)

    search = new_search(game, policy, n_nodes=200_000)
    values = []  # of the winner
    n_done = 0
    for n_simulations in CHECKPOINTS:
        search.run(n_simulations - n_done)
        n_done = n_simulations
        win_rate = win_rate_of(search)
        values.append(win_rate if to_play == winner else 1.0 - win_rate)
    for before, after in pairwise(values):
        assert after > before - NOISE, f"{values}\n{draw(game)}"
    assert values[-1] > 0.97, f"{values}\n{draw(game)}"
    if to_play == winner:
        win_rate_of_best = best_of(search).win_rate
        assert win_rate_of_best is not None
        assert win_rate_of_best > 0.97
