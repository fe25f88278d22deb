"""Moves that whoever ordered the search does not want to see."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.position import Restriction
from goengine.search.reading import children_by_visits
from goengine.tree.checking import check_tree
from goengine.tree.columns import ROOT


def searched(restrictions: list[Restriction], size: int = 5, color: int = BLACK) -> LocalSearch:
    search = LocalSearch(100_000, seed=1)
    search.set_parameters(size)
    search.set_game(Game(size), color, restrictions)
    search.run(2000)
    check_tree(search.memory.tree)
    return search


def moves_below(search: LocalSearch, node: int) -> set[int]:
    tree = search.memory.tree
    return {int(tree.move[child]) for child in children_by_visits(tree, node)}


def points(text: str) -> frozenset[int]:
    return frozenset(parse_vertex(vertex, 5) for vertex in text.split())


def test_avoided_moves_get_no_node_up_to_their_depth() -> None:
    avoided = points("C3 B2 pass")
    search = searched([Restriction(BLACK, avoided, 1), Restriction(WHITE, points("D4"), 2)])
    assert moves_below(search, ROOT) == {PASS, *all_points(5)} - avoided
    best, _other, *_ = children_by_visits(search.memory.tree, ROOT)
    assert parse_vertex("D4", 5) not in moves_below(search, best)
    assert PASS in moves_below(search, best), "only black avoids it"
    deep = children_by_visits(search.memory.tree, best)[0]
    if moves := moves_below(search, deep):
        played = {int(search.memory.tree.move[node]) for node in (best, deep)}
        assert points("C3 B2") - played <= moves, "two moves later black may"


def test_a_depth_beyond_all_trees() -> None:
    search = searched([Restriction(BLACK, points("C3"), 10**18)])
    assert parse_vertex("C3", 5) not in moves_below(search, ROOT)


def test_something_is_always_left() -> None:
    everything = frozenset({PASS, *all_points(5)})
    search = searched([Restriction(BLACK, everything, 3)])
    assert moves_below(search, ROOT) == {PASS}
    assert search.read().moves[0].move == PASS


@pytest.mark.parametrize("change", ["lifted", "moved on"])
def test_a_tree_with_gaps_is_not_kept(change: str) -> None:
    restriction = Restriction(BLACK, points("C3"), 2)
    search = searched([restriction])
    game = Game(5)
    assert search.set_game(game, BLACK, [restriction]) == 2000, "the same again goes on"
    if change == "lifted":
        assert search.set_game(game, BLACK) == 0
    else:
        game.play(BLACK, parse_vertex("B3", 5))
        assert search.set_game(game, WHITE, [restriction]) == 0


def test_a_game_that_comes_back_goes_on_with_its_random_numbers() -> None:
    """Wherever its positions are searched, the n-th of a game is searched in the same way."""
    game = Game(5)
    at_once = LocalSearch(100_000, seed=7)
    at_once.set_parameters(5)
    for _ in range(3):
        at_once.forget()
        at_once.set_game(game, BLACK)
        at_once.run(500)
    elsewhere = LocalSearch(100_000, seed=1)
    elsewhere.set_parameters(5)
    elsewhere.set_game(Game(7), BLACK)
    elsewhere.start_over(seed=7, n_rounds=2)
    elsewhere.set_parameters(5)
    elsewhere.set_game(game, BLACK)
    elsewhere.run(500)
    assert elsewhere.read().moves == at_once.read().moves
