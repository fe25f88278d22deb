"""Passes: two in a row end the game, and then the area decides, with or without dead stones."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.points import PASS, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import RULESETS
from goengine.search.parameters import PLAYOUTS
from goengine.search.reading import child_for
from goengine.search.workspace import MARGIN_SUM
from goengine.tree.checking import check_tree
from goengine.tree.columns import ROOT
from tests.diagrams import COLORS, game_on, play_all
from tests.search.searches import CERTAIN, OneWorker, children_of, visits_at, walk_to

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

HALF = """
    . X . O .
    . X . O .
    . X . O .
    X X . O O
    . X . O .
"""
BLACK_STONE = """
    . . .
    . X .
    . . .
"""
DEAD_STONE = """
    . X .
    X X X
    O . X
"""

# position, komi, area margin of black
ENDED = [
    (HALF, 0.5, 0),
    (HALF, -0.5, 0),
    (HALF, 0, 0),
    (BLACK_STONE, 0.5, 9),
    (BLACK_STONE, 9, 9),
    (BLACK_STONE, 100, 9),
    (DEAD_STONE, 6.5, 6),
    (DEAD_STONE, 5.5, 6),
]


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(("position", "komi", "margin"), ENDED)
def test_a_pass_after_a_pass_ends_the_game(
    position: str, komi: float, margin: int, color: int
) -> None:
    game = game_on(position, 3 - color, "tromp-taylor", komi)
    game.play(3 - color, PASS)
    search = OneWorker(game, expand_visits=1, value_scale=0)
    assert int(search.memory.position[0].n_passes) == 1
    search.simulate(1)
    child = child_for(search.tree, ROOT, PASS)
    assert child is not None
    search.tree.prior[child] = CERTAIN
    n_before, value_before = visits_at(search.tree, child), search.tally[MARGIN_SUM]
    stats_before = int(search.tree.stats[child])
    search.simulate(6)
    assert visits_at(search.tree, child) == n_before + 6
    assert children_of(search.tree, child) == []
    assert search.tally[MARGIN_SUM] - value_before == 6 * margin
    black_value = 128 if margin == komi else 256 * (margin > komi)
    value = black_value if color == BLACK else 256 - black_value
    assert int(search.tree.stats[child]) - stats_before == 6 * ((1 << 36) + value)
    check_tree(search.tree)


@pytest.mark.parametrize("playout", PLAYOUTS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("rules", RULESETS)
def test_dead_stones_are_found_where_the_rules_take_them_off(
    rules: str, color: int, playout: str
) -> None:
    """The white stone cannot be saved, and all nine points are black's."""
    game = game_on(DEAD_STONE, 3 - color, rules, 0.5)
    game.play(3 - color, PASS)
    search = OneWorker(game, playout=playout)
    node = walk_to(search, "pass")
    before, n_before = int(search.tally[MARGIN_SUM]), visits_at(search.tree, node)
    search.simulate(3)
    assert visits_at(search.tree, node) == n_before + 3
    assert children_of(search.tree, node) == []
    margin = 6 if rules in ("tromp-taylor", "cgos") else 9
    assert int(search.tally[MARGIN_SUM]) - before == 3 * margin
    check_tree(search.tree)


# moves before, who is asked, passes that count
BEFORE = [
    ("", "b", 0),
    ("b pass", "w", 1),
    ("b pass", "b", 0),
    ("b pass w pass", "b", 1),
    ("b pass w pass", "w", 0),
    ("b pass w C3", "b", 0),
    ("b C3 w pass", "b", 1),
    ("w pass w pass", "b", 1),
]


@pytest.mark.parametrize(("moves", "color", "n_passes"), BEFORE)
def test_passes_of_the_game_count(moves: str, color: str, n_passes: int) -> None:
    game = Game(3)
    play_all(game, moves)
    search = OneWorker(game, COLORS[color], expand_visits=1)
    assert int(search.memory.position[0].n_passes) == n_passes
    assert int(search.memory.root(3).boards[0].to_play) == COLORS[color]
    line = ["pass"] * (2 - n_passes)
    assert children_of(search.tree, walk_to(search, *line)) == []
    assert children_of(search.tree, walk_to(search, *line[1:])) != []


def test_a_stone_between_two_passes() -> None:
    search = OneWorker(Game(3), expand_visits=1)
    node = walk_to(search, "pass", "B2", "pass")
    assert children_of(search.tree, node)
    search = OneWorker(Game(3), expand_visits=1)
    node = walk_to(search, "B2", "pass", "pass")
    assert children_of(search.tree, node) == []


def test_the_pass_that_wins_is_found() -> None:
    """Black wins by half a point if he ends it; all else fills an eye of his."""
    game = game_on(
        """
        . X . X .
        X X X X X
        X X X O O
        O O O O .
        . O . O O
        """,
        WHITE,
        "chinese",
        0.5,
    )
    game.play(WHITE, PASS)
    search = OneWorker(game, seed=3)
    search.simulate(40)
    best = search.read().moves[0]
    assert best.move == PASS
    assert best.win_rate is not None
    assert best.win_rate > 0.9
    others = {move.move: move.visits for move in search.read().moves[1:]}
    assert others == {parse_vertex(vertex, 5): 0 for vertex in ("A5", "C5", "E5")}
