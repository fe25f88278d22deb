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
from goengine.tree.columns import GENERATION, ROOT
from goengine.tree.packing import VISIT
from tests.diagrams import KO, game_on, play_all
from tests.search.searches import (
    OneWorker,
    children_of,
    digest_of,
    moves_at,
    visits_at,
    walk_to,
)

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
    visits, digest = visits_at(search.tree, node), digest_of(search)
    assert search.set_game(game, game.to_play) == visits == read_visits(search.memory) > 0
    assert search.tree.start == node
    assert digest_of(search) == digest, "nothing has moved"
    search.check()
    search.simulate(10)
    assert visits_at(search.tree, node) == visits + 10
    assert visits_at(search.tree, ROOT) == N
    assert search.read().simulations == 10, "made for this position"
    assert search.read().visits == visits + 10
    search.check()


def test_a_collection_keeps_the_subtree_of_the_start() -> None:
    game = Game(3)
    search = searched(game)
    node = children_by_visits(search.tree, ROOT)[0]
    words, moves = int(search.tree.stats[node]), moves_at(search.tree, node)
    game.play(BLACK, int(search.tree.move[node]))
    search.set_game(game, WHITE)
    done = search.forget_others()
    assert search.tree.start == ROOT
    assert (int(search.tree.stats[ROOT]), search.moves) == (words, moves)
    assert search.check() == done.n_after < done.n_before
    search.simulate(10)
    assert search.set_game(game, WHITE) == (words >> 36) + 10
    game.undo()
    assert search.set_game(game, BLACK) == 0, "the rest is gone"


def test_the_same_position_keeps_everything() -> None:
    game = Game(3)
    search = searched(game)
    used = search.tree.n_used
    assert search.set_game(game.copy(), BLACK) == N
    assert search.tree.n_used == used


def test_a_move_without_visits_is_a_start_like_others() -> None:
    game = Game(3)
    search = OneWorker(game)
    search.simulate(1)
    node = next(c for c in children_by_visits(search.tree, ROOT) if not visits_at(search.tree, c))
    game.play(BLACK, int(search.tree.move[node]))
    assert search.set_game(game, WHITE) == 0
    assert search.tree.start == node
    search.simulate(3)
    assert visits_at(search.tree, node) == 3
    assert sum(visits_at(search.tree, child) for child in children_of(search.tree, node)) == 3
    search.check()


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
def test_what_does_not_count_for_another_position(
    what: str, change: Callable[[Game], None], color: int
) -> None:
    game = Game(3, komi=0.5)
    game.set_up([parse_vertex("A3", 3)], [], BLACK)
    play_all(game, "b A1 w B1")
    search = searched(game)
    before, used = game.copy(), search.tree.n_used
    change(game)
    assert search.set_game(game, color) == 0
    assert read_visits(search.memory) == 0
    assert search.tree.n_used == used + 1, "a root of its own"
    search.simulate(2)
    assert (search.read().visits, search.read().to_play) == (2, color)
    search.check()
    assert search.set_game(before, BLACK) == N, "and the other is still there"
    assert search.set_game(game, color) == 2
    search.check()


def test_another_size_and_back() -> None:
    search = searched(Game(3))
    search.set_parameters(2)
    assert search.set_game(Game(2), BLACK) == 0
    search.simulate(5)
    assert search.moves == {PASS, *all_points(2)}
    search.set_parameters(3)
    assert search.set_game(Game(3), BLACK) == N
    assert search.moves == {PASS, *all_points(3)}
    search.simulate(5)
    search.check()


@pytest.mark.parametrize("how", ["forget", "start over", "give up"])
def test_forgetting_on_request(how: str) -> None:
    game = Game(3)
    search = searched(game)
    game.play(BLACK, PASS)
    search.set_game(game, WHITE)
    search.simulate(3)
    if how == "forget":
        search.forget()
    elif how == "start over":
        search.start_over(seed=5)
    else:
        search.give_up()
    for position, color in ((game, WHITE), (Game(3), BLACK)):
        assert search.set_game(position, color) == 0
    assert search.roots == [ROOT, ROOT + 1], "of the old tree there is not a row left"
    assert search.check() == 2


def test_what_was_forgotten_does_not_come_back_by_making_room() -> None:
    search = searched(Game(3))
    search.forget()
    search.make_room()
    assert search.set_game(Game(3), BLACK) == 0


def test_a_turn_that_was_handed_over_and_back_lifts_the_ban_of_a_ko() -> None:
    """No move was played, and still the position at the root is another one."""
    game = game_on(KO)
    play_all(game, "b C3")
    b3 = parse_vertex("B3", 5)
    search = searched(game)
    assert b3 not in search.moves
    banned = game.copy()
    game.to_play = BLACK
    game.to_play = WHITE
    assert game.is_legal(WHITE, b3)
    search.set_game(game, WHITE)
    search.simulate(2)
    assert b3 in search.moves
    assert search.set_game(banned, WHITE) == N
    assert b3 not in search.moves


def test_a_ban_that_was_lifted_is_not_found_in_the_tree_of_a_move_before() -> None:
    game = game_on(KO)
    search = OneWorker(game, expand_visits=1)
    walk_to(search, "C3")
    play_all(game, "b C3")
    game.to_play = BLACK
    game.to_play = WHITE
    assert search.set_game(game, WHITE) == 0
    search.simulate(1)
    assert parse_vertex("B3", 5) in search.moves


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
    assert len(search.moves) == 10
    search.check()


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
    assert search.moves == {PASS, *all_points(3)}
    search.check()
