"""A search as its owner sees it: what it keeps from one game to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.reading import child_for, children_by_visits
from goengine.search.search import read_visits
from goengine.tree.checking import check_tree
from goengine.tree.columns import GENERATION, ROOT
from goengine.tree.packing import VISIT
from tests.diagrams import KO, game_on, play_all
from tests.search.searches import OneWorker, moves_at, visits_at

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N = 400 if COMPILED else 16


def searched(game: Game, **changes: Any) -> OneWorker:
    search = OneWorker(game, **{"expand_visits": 1, **changes})
    search.simulate(N)
    return search


@pytest.mark.parametrize("n_moves", [1, 2, 3])
def test_the_subtree_of_the_moves_that_were_played_is_kept(n_moves: int) -> None:
    game = Game(3)
    search = searched(game)
    node = ROOT
    for _ in range(n_moves):
        node = children_by_visits(search.tree, node)[0]
        game.play(game.to_play, int(search.tree.move[node]))
    visits, moves = visits_at(search.tree, node), moves_at(search.tree, node)
    words = (int(search.tree.stats[node]), int(search.tree.amaf[node]))
    assert search.set_game(game, game.to_play) == visits == read_visits(search.memory) > 0
    assert moves_at(search.tree, ROOT) == moves
    assert (int(search.tree.stats[ROOT]), int(search.tree.amaf[ROOT])) == words
    check_tree(search.tree)
    search.simulate(10)
    assert visits_at(search.tree, ROOT) == visits + 10
    assert search.read().simulations == 10, "made for this position"
    check_tree(search.tree)


def test_the_same_position_keeps_everything() -> None:
    game = Game(3)
    search = searched(game)
    used = search.tree.n_used
    assert search.set_game(game.copy(), BLACK) == N
    assert search.tree.n_used == used


def test_a_move_without_visits_is_a_new_tree() -> None:
    game = Game(3)
    search = OneWorker(game)
    search.simulate(1)
    node = next(c for c in children_by_visits(search.tree, ROOT) if not visits_at(search.tree, c))
    game.play(BLACK, int(search.tree.move[node]))
    assert search.set_game(game, WHITE) == 0
    search.simulate(3)
    assert visits_at(search.tree, ROOT) == 3


def set_up_again(game: Game) -> None:
    stones, moves = (list(game.setup_black), list(game.setup_white)), list(game.moves)
    game.__init__(game.size, game.rules, game.komi)  # type: ignore[misc]
    game.set_up([*stones[0], parse_vertex("C1", 3)], stones[1], BLACK)
    for move in moves:
        game.play(*move)


# what changes, and who is asked then
CHANGES: list[tuple[str, Callable[[Game], None], int]] = [
    ("komi", lambda game: setattr(game, "komi", 3.5), BLACK),
    ("rules", lambda game: setattr(game, "rules", find_rules("aga")), BLACK),
    ("scoring", lambda game: setattr(game, "rules", find_rules("japanese")), BLACK),
    ("undo", lambda game: game.undo(), WHITE),
    ("undo of all", lambda game: game.undo(2), BLACK),
    ("another colour", lambda game: None, WHITE),
    ("a move out of turn", lambda game: play_all(game, "w B3"), BLACK),
    ("one colour twice", lambda game: play_all(game, "b B3 b C3"), WHITE),
    ("asked out of turn after a move", lambda game: play_all(game, "b B3"), BLACK),
    ("set-up", set_up_again, BLACK),
]


@pytest.mark.parametrize(("what", "change", "color"), CHANGES, ids=[case[0] for case in CHANGES])
def test_what_makes_results_worthless(
    what: str, change: Callable[[Game], None], color: int
) -> None:
    game = Game(3, komi=0.5)
    game.set_up([parse_vertex("A3", 3)], [], BLACK)
    play_all(game, "b A1 w B1")
    search = searched(game)
    change(game)
    assert search.set_game(game, color) == 0
    assert read_visits(search.memory) == 0
    assert search.tree.n_used == ROOT + 1
    search.simulate(2)
    check_tree(search.tree)


def test_another_size_forgets() -> None:
    search = searched(Game(3))
    search.set_parameters(2)
    assert search.set_game(Game(2), BLACK) == 0
    search.simulate(5)
    assert moves_at(search.tree, ROOT) == {PASS, *all_points(2)}


def test_forgetting_on_request() -> None:
    search = searched(Game(3))
    search.forget()
    assert search.set_game(Game(3), BLACK) == 0


def test_a_turn_that_was_handed_over_and_back_lifts_the_ban_of_a_ko() -> None:
    """No move was played, and still the position at the root is another one."""
    game = game_on(KO)
    play_all(game, "b C3")
    b3 = parse_vertex("B3", 5)
    search = searched(game)
    assert b3 not in moves_at(search.tree, ROOT)
    game.to_play = BLACK
    game.to_play = WHITE
    assert game.is_legal(WHITE, b3)
    search.set_game(game, WHITE)
    search.simulate(2)
    assert b3 in moves_at(search.tree, ROOT)


def test_every_game_is_another_generation_and_another_seed() -> None:
    search = OneWorker(Game(3))
    generation = int(search.tree.words[GENERATION])
    digests = set()
    for _ in range(3):
        search.forget()
        search.set_game(Game(3), BLACK)
        search.simulate(10)
        digests.add(search.tree.stats[: search.tree.n_used].tobytes())
    assert int(search.tree.words[GENERATION]) == generation + 3
    assert len(digests) == 3


def test_make_room_keeps_half() -> None:
    search = searched(Game(3), n_nodes=4000 if COMPILED else 200)
    before = read_visits(search.memory)
    done = search.make_room()
    assert done.n_after <= search.tree.capacity // 2
    assert read_visits(search.memory) == before
    assert len(moves_at(search.tree, ROOT)) == 10
    check_tree(search.tree)


def test_settling_pays_for_the_dead() -> None:
    search = searched(Game(3))
    deltas = search.memory.deltas[0]
    deltas[:, 5] = [ROOT, VISIT + np.uint64(256), 0]
    search.settle(0)
    assert read_visits(search.memory) == N + 1
    assert not deltas.any()


def test_a_pass_child_becomes_a_root_where_a_pass_ends_it() -> None:
    game = Game(3)
    search = searched(game)
    assert child_for(search.tree, ROOT, PASS) is not None
    game.play(BLACK, PASS)
    search.set_game(game, WHITE)
    assert int(search.memory.position[0].n_passes) == 1
    game.play(WHITE, PASS)
    search.set_game(game, BLACK)
    search.simulate(5)
    assert moves_at(search.tree, ROOT) == {PASS, *all_points(3)}
    check_tree(search.tree)
