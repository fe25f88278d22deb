"""Moves that the rules forbid because of the past get no node."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.position import MAX_HISTORY
from goengine.tree.checking import check_tree
from goengine.tree.columns import ROOT
from tests.diagrams import COLORS, KO, SEND_TWO, game_on, play_all
from tests.search.searches import OneWorker, moves_at, walk_to

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

# position, rules, who begins, moves of the game, moves in the tree, point, has it a node?
KOS = [
    # simple ko, at the root and in the tree
    (KO, "chinese", "b", "b C3", "", "B3", False),
    (KO, "chinese", "b", "", "C3", "B3", False),
    (KO, "chinese", "b", "b C3 w pass b pass", "", "B3", True),
    (KO, "chinese", "b", "b C3", "pass pass", "B3", None),  # the game is over there
    (KO, "chinese", "b", "b C3", "E5 A5", "B3", True),
    (KO, "tromp-taylor", "b", "b C3", "E5 A5", "B3", True),
    # superko after passes, from the game and along the path
    (KO, "tromp-taylor", "b", "b C3 w pass b E5", "", "B3", True),
    (KO, "tromp-taylor", "b", "b C3 w pass b pass", "", "B3", False),
    (KO, "aga", "b", "b C3 w pass b pass", "", "B3", False),
    (KO, "tromp-taylor", "b", "b C3 w pass", "pass", "B3", None),
    # two stones are sent, two are returned: the same position, the other player to move
    (SEND_TWO, "chinese", "w", "w A1 b C1", "", "B1", True),
    (SEND_TWO, "chinese-ogs", "w", "w A1 b C1", "", "B1", False),
    (SEND_TWO, "tromp-taylor", "w", "w A1 b C1", "", "B1", False),
    (SEND_TWO, "aga", "w", "w A1 b C1", "", "B1", True),
    (SEND_TWO, "chinese", "w", "", "A1 C1", "B1", True),
    (SEND_TWO, "chinese-ogs", "w", "", "A1 C1", "B1", False),
    (SEND_TWO, "tromp-taylor", "w", "", "A1 C1", "B1", False),
    (SEND_TWO, "aga", "w", "", "A1 C1", "B1", True),
    (SEND_TWO, "chinese-ogs", "w", "w A1", "C1", "B1", False),
    (SEND_TWO, "aga", "w", "w A1", "C1", "B1", True),
    # the second time round it is a situation that stood before
    (SEND_TWO, "aga", "w", "w A1 b C1 w B1 b pass", "", "A1", False),
    (SEND_TWO, "aga", "w", "w A1 b C1", "B1 pass", "A1", False),
    (SEND_TWO, "aga", "w", "", "A1 C1 B1 pass", "A1", False),
    (SEND_TWO, "chinese", "w", "", "A1 C1 B1 pass", "A1", True),
    # a pass first: then the position has stood with black to play, too
    (SEND_TWO, "aga", "b", "b pass w A1 b C1", "", "B1", False),
    (SEND_TWO, "aga", "b", "b pass", "A1 C1", "B1", False),
    (SEND_TWO, "aga", "b", "", "pass A1 C1", "B1", False),
    # white plays out of turn, in the game or because he is asked
    (SEND_TWO, "aga", "b", "w A1 b C1", "", "B1", False),
    (SEND_TWO, "aga", "b", "w A1", "C1", "B1", False),
]


@pytest.mark.parametrize(
    "case", KOS, ids=lambda case: f"{case[1]}: {case[3]} / {case[4]} {case[5]}"
)
def test_forbidden_moves(case) -> None:
    position, rules, begins, moves, line, vertex, has_node = case
    game = game_on(position, COLORS[begins], rules)
    play_all(game, moves)
    search = OneWorker(game, expand_visits=1)
    node = walk_to(search, *line.split())
    found = moves_at(search.tree, node)
    point = parse_vertex(vertex, game.size)
    assert (point in found) == bool(has_node)
    if has_node is None:
        assert found == set()
    else:
        assert PASS in found
    check_tree(search.tree)


@pytest.mark.parametrize("rules", ["chinese", "chinese-ogs", "tromp-taylor", "aga"])
def test_a_search_out_of_turn_knows_what_the_game_knows(rules: str) -> None:
    """What is legal at the root is what the game says, own eyes and suicide aside."""
    game = game_on(SEND_TWO, BLACK, rules)
    for color in (WHITE, BLACK):
        search = OneWorker(game, color)
        search.simulate(1)
        legal = {point for point in all_points(4) if game.is_legal(color, point)}
        assert moves_at(search.tree, ROOT) - {PASS} <= legal
    assert int(search.memory.position[0].n_history) == len(game.positions())


def test_white_sends_two_out_of_turn() -> None:
    game = game_on(SEND_TWO, BLACK, "aga")
    search = OneWorker(game, WHITE, expand_visits=1)
    node = walk_to(search, "A1", "C1")
    again = game.copy()
    play_all(again, "w A1 b C1")
    b1 = parse_vertex("B1", 4)
    assert (b1 in moves_at(search.tree, node)) == again.is_legal(WHITE, b1) is False


def test_a_history_that_is_too_long_keeps_the_latest_positions() -> None:
    game = Game(3, find_rules("aga"))
    n_more = MAX_HISTORY + 7
    game._seen |= {1000 + n: WHITE for n in range(n_more)}
    play_all(game, "b A1")
    search = OneWorker(game, expand_visits=1)
    record = search.memory.position[0]
    assert int(record.n_history) == MAX_HISTORY
    keys = [int(key) ^ int(record.side_key) for key in record.history]
    assert keys[-2] == 1000 + n_more - 1
    assert keys[-1] == int(game.board.hash)
    search.simulate(3)
    check_tree(search.tree)
