"""Searches that run out of rows, or of bits, and go on."""

from __future__ import annotations

import numpy as np
import pytest

from goengine.jit import COMPILED
from goengine.points import PASS, all_points
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.search import read_visits
from goengine.tree.checking import check_tree
from goengine.tree.columns import FULL, ROOT
from goengine.tree.packing import MAX_VISITS
from tests.search.searches import OneWorker, children_of, moves_at, visits_at

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]


def small_search(size: int, n_nodes: int, seed: int = 1, **changes: float) -> LocalSearch:
    search = LocalSearch(n_nodes, seed)
    search.set_parameters(size, {"expand_visits": 1, **changes})
    game = Game(size)
    search.set_game(game, game.to_play)
    return search


@pytest.mark.parametrize("n_nodes", [12, 20, 25, 40, 100])
def test_a_tree_that_is_far_too_small(n_nodes: int) -> None:
    search = small_search(3, n_nodes)
    n = 500 if COMPILED else 10
    for _ in range(3):
        search.run(n)
        check_tree(search.memory.tree)
        assert moves_at(search.memory.tree, ROOT) == {PASS, *all_points(3)}
        assert not search.needs_room
    assert read_visits(search.memory) == 3 * n == search.read().simulations
    assert search.n_collections > 0


@pytest.mark.parametrize("n_nodes", [3, 5])
def test_a_tree_without_room_for_the_moves_of_the_root(n_nodes: int) -> None:
    """Too small for anything, but it ends, counts and is whole."""
    search = small_search(3, n_nodes)
    tree = search.memory.tree
    assert tree.capacity < 12
    search.run(10)
    assert read_visits(search.memory) == 10
    assert check_tree(tree) == 1
    assert search.read().moves == ()


@pytest.mark.skipif(not COMPILED, reason="thousands of simulations")
@pytest.mark.parametrize("seed", range(3))
def test_a_long_search_in_a_small_tree(seed: int) -> None:
    search = small_search(9, 3000, seed, hot_visits=1024)
    search.run(20_000)
    tree = search.memory.tree
    check_tree(tree)
    assert search.n_collections > 10
    assert read_visits(search.memory) == 20_000
    assert sum(visits_at(tree, child) for child in children_of(tree, ROOT)) == 20_000
    assert len(children_of(tree, ROOT)) == 82
    best = search.read().moves[0]
    assert children_of(tree, int(np.argmax(tree.stats[2:84])) + 2), "the best keep theirs"
    assert len(best.variation) >= 2


def test_a_full_tree_stops_the_workers_until_there_is_room() -> None:
    search = OneWorker(Game(3), n_nodes=30, expand_visits=1)
    n_made = search.simulate(1000)
    assert 0 < n_made < 1000
    assert search.needs_room
    assert read_visits(search.memory) == n_made, "the last one was told all the same"
    assert search.simulate(5) == 0
    check_tree(search.tree)
    search.make_room()
    assert int(search.tree.words[FULL]) == 0
    assert search.simulate(1) == 1


def test_progress_is_told() -> None:
    search = small_search(2, 1000)
    told: list[int] = []
    search.run(40, told.append)
    assert told[-1] == 40
    assert told == sorted(told)


def test_a_node_that_lost_its_block_gets_another() -> None:
    search = OneWorker(Game(3), n_nodes=200, expand_visits=1)
    n_made = search.simulate(30)
    search.make_room()
    n_made += search.simulate(3)
    check_tree(search.tree)
    assert read_visits(search.memory) == n_made


@pytest.mark.parametrize("visits", [int(MAX_VISITS), (1 << 28) - 10])
def test_counts_are_halved_before_they_spill(visits: int) -> None:
    """On a small board rows never run out; after some hours the count of visits would."""
    search = small_search(2, 5000)
    search.run(20)
    tree = search.memory.tree
    tree.stats[ROOT] = np.uint64(visits << 36 | visits * 128)
    for _ in range(2):  # debts to a hot root are paid at the end of a batch
        search.run(15)
    assert int(MAX_VISITS) // 2 <= read_visits(search.memory) < visits
    check_tree(tree)
