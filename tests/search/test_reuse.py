"""What was searched once is found again while memory lasts: undo, redo, variations, other games."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.search import search as search_module
from goengine.search.local import LocalSearch
from goengine.search.position import Restriction
from goengine.search.reading import child_for
from goengine.search.search import read_visits
from goengine.tree.checking import check_tree
from goengine.tree.columns import ROOT
from tests.diagrams import SEND_TWO, game_on, play_all
from tests.search.searches import (
    PLAIN,
    OneWorker,
    best_of,
    children_of,
    searched,
    visits_at,
    walk_to,
)

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N = 300 if COMPILED else 20


# --- undo and redo --------------------------------------------------------------


def test_undo_finds_the_tree_as_it_was() -> None:
    game = Game(3)
    search = searched(game, N)
    before = search.read()
    child = best_of(search)
    game.play(BLACK, before.moves[0].move)
    search.set_game(game, WHITE)
    search.simulate(4 * N)
    assert visits_at(search.tree, child) == before.moves[0].visits + 4 * N
    game.undo()
    assert search.set_game(game, BLACK) == N
    after = search.read()
    assert {move.move: move.visits for move in after.moves} == {
        move.move: move.visits for move in before.moves
    }, "nobody is a favourite because somebody looked"
    assert after.moves[1:] == before.moves[1:]
    search.check()
    search.simulate(N)
    assert read_visits(search.memory) == 2 * N
    search.check()


def test_what_was_found_below_a_move_counts_for_its_value() -> None:
    game = Game(3)
    search = searched(game, 5)
    child = best_of(search)
    visits = visits_at(search.tree, child)
    game.play(BLACK, int(search.tree.move[child]))
    search.set_game(game, WHITE)
    search.simulate(N)
    white = search.read().win_rate
    assert white is not None
    game.undo()
    search.set_game(game, BLACK)
    found = next(move for move in search.read().moves if move.move == int(search.tree.move[child]))
    assert found.visits == visits
    assert found.win_rate == pytest.approx(1 - white, abs=0.5 / 256)


def test_redo_finds_everything() -> None:
    game = Game(3)
    search = searched(game, N)
    move = int(search.tree.move[best_of(search)])
    game.play(BLACK, move)
    search.set_game(game, WHITE)
    search.simulate(N)
    replies = {each.move: (each.visits, each.win_rate) for each in search.read().moves}
    game.undo()
    search.set_game(game, BLACK)
    game.play(BLACK, move)
    kept = search.set_game(game, WHITE)
    assert {each.move: (each.visits, each.win_rate) for each in search.read().moves} == replies
    assert kept == sum(visits for visits, _ in replies.values()) >= N
    search.check()


def test_a_line_of_moves_back_and_forth() -> None:
    """Each position has its own searches, and what its ancestors chose."""
    game = Game(3)
    search = searched(game, N)
    counts = [N]
    for _ in range(3):
        game.play(game.to_play, int(search.tree.move[best_of(search)]))
        kept = search.set_game(game, game.to_play)
        search.simulate(N)
        counts.append(kept + N)
    line = list(game.moves)
    for n_moves in (2, 1, 0, 1, 2, 3, 0, 3):
        game = Game(3)
        game.replay(line[:n_moves])
        # Visits before a node had children are not among theirs: one, by expand_visits.
        assert counts[n_moves] - 1 <= search.set_game(game, game.to_play) <= counts[n_moves]
        search.check()
    assert search.roots == [ROOT]


def test_of_two_trees_with_the_position_the_one_that_knows_more_counts() -> None:
    game = Game(3)
    later = game.copy()
    later.play(BLACK, parse_vertex("B2", 3))
    search = searched(later, 3)
    assert search.set_game(game, BLACK) == 0
    search.simulate(N)
    child = child_for(search.tree, search.tree.start, parse_vertex("B2", 3))
    assert child is not None
    assert visits_at(search.tree, child) > 3
    assert search.set_game(later, WHITE) == visits_at(search.tree, child)
    assert search.tree.start == child
    rare = min(children_of(search.tree, search.roots[1]), key=lambda c: visits_at(search.tree, c))
    later.undo()
    later.play(BLACK, int(search.tree.move[rare]))
    search.set_game(later, WHITE)
    assert search.tree.start == rare


# --- elsewhere and back -----------------------------------------------------------


def test_an_unrelated_position_of_the_game_and_back() -> None:
    game = Game(3)
    search = searched(game, N)
    other = Game(3)
    play_all(other, "b A1 w B1 b C1 w C3 b B3")
    assert search.set_game(other, WHITE) == 0
    search.simulate(N // 2)
    assert search.set_game(game, BLACK) == N
    assert search.set_game(other, WHITE) == N // 2
    play_all(other, "w pass b pass")
    search.set_game(other, WHITE)
    search.simulate(1)
    assert search.moves <= {PASS, *all_points(3)}
    search.check()


def test_restrictions_are_found_at_their_root_alone() -> None:
    game = Game(3)
    corner = [Restriction(BLACK, frozenset({parse_vertex("A1", 3)}), 3)]
    search = searched(game, N)
    walk_to(search, "B2", "A2")
    visits = read_visits(search.memory)
    assert search.set_game(game, BLACK, corner) == 0
    search.simulate(N // 2)
    assert parse_vertex("A1", 3) not in search.moves
    play_all(game, "b B2 w A2")
    assert search.set_game(game, BLACK, corner) == 0
    search.simulate(1)
    assert parse_vertex("A1", 3) not in search.moves
    assert search.set_game(game, BLACK) > 0, "the tree without them leads here"
    search.simulate(1)
    assert parse_vertex("A1", 3) in search.moves
    assert search.set_game(Game(3), BLACK, corner) == N // 2
    assert search.set_game(Game(3), BLACK) == visits
    assert search.check() <= search.read().nodes


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "aga"])
def test_superko_forbids_the_same_moves_wherever_the_search_began(rules: str) -> None:
    """White sends two, black takes them: may white take one back?"""
    game = game_on(SEND_TWO, WHITE, rules)
    search = OneWorker(game, expand_visits=1, **PLAIN)
    node = walk_to(search, "A1", "C1")
    play_all(game, "w A1 b C1")
    search.set_game(game, WHITE)
    assert search.tree.start == node
    assert search.moves == searched(game, 1).moves
    b1 = parse_vertex("B1", 4)
    assert (b1 in search.moves) == game.is_legal(WHITE, b1) == (rules != "tromp-taylor")
    game.undo()
    search.set_game(game, BLACK)
    search.simulate(N)
    search.check()


def test_a_turn_that_was_handed_over_is_another_past_where_superko_asks_who_was_to_play() -> None:
    game = game_on(SEND_TWO, WHITE, "aga")
    play_all(game, "w D4")
    search = searched(game, N)
    turned = game.copy()
    turned.to_play = WHITE
    turned.to_play = BLACK
    assert search.set_game(turned, BLACK) == 0
    play_all(turned, "b C4")
    assert search.set_game(turned, WHITE) == 0
    assert search.set_game(game, BLACK) == N


# --- memory -----------------------------------------------------------------------


def test_what_is_not_searched_goes_when_rows_run_out() -> None:
    game = Game(3)
    search = searched(game, N, n_nodes=2000 if COMPILED else 300)
    game.play(BLACK, int(search.tree.move[best_of(search)]))
    visits = search.set_game(game, WHITE)
    n_made = 0
    while not search.needs_room:
        n_made += search.simulate(10)
    search.make_room()
    assert search.roots == [ROOT]
    assert search.check() == search.read().nodes <= search.tree.capacity // 2
    assert search.set_game(game, WHITE) == visits + n_made
    game.undo()
    assert search.set_game(game, BLACK) == 0
    search.simulate(1)
    game.play(BLACK, parse_vertex("B2", 3))
    search.check()


def test_leaves_go_only_if_the_rest_is_not_enough() -> None:
    game = Game(3)
    search = searched(game, N, n_nodes=3000)
    game.play(BLACK, int(search.tree.move[best_of(search)]))
    search.set_game(game, WHITE)
    n_nodes = len(subtree(search))
    done = search.make_room()
    assert (done.n_after, done.min_visits) == (n_nodes, 0)


def subtree(search: OneWorker) -> list[int]:
    nodes = [search.tree.start]
    for node in nodes:  # grows meanwhile
        nodes += children_of(search.tree, node)
    return nodes


@pytest.mark.parametrize("n_nodes", [3, 4, 12, 13, 25, 60])
def test_positions_without_end_in_a_tree_that_is_far_too_small(n_nodes: int) -> None:
    """There is always a root for the next one, and what was searched last is kept if it fits."""
    search = LocalSearch(n_nodes, seed=1)
    search.set_parameters(3, {"expand_visits": 1, **PLAIN})
    for number in range(12):
        game = Game(3, komi=number)
        assert search.set_game(game, BLACK) == 0
        search.run(5)
        assert read_visits(search.memory) == 5
        check_tree(search.memory.tree, roots=search.roots)
        assert search.set_game(game, BLACK) == 5


def test_the_last_position_is_kept_when_the_next_one_needs_room() -> None:
    search = searched(Game(3), N, n_nodes=200)
    search.simulate(1000)
    assert search.needs_room
    visits = read_visits(search.memory)
    assert search.set_game(Game(3, komi=50), BLACK) == 0
    assert len(search.roots) == 2
    assert not search.needs_room
    assert search.set_game(Game(3), BLACK) == visits
    search.check()


def test_there_are_not_more_roots_than_can_be_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_module, "MAX_ROOTS", 4)
    search = searched(Game(3), N)
    for number in range(1, 10):
        last = Game(3, komi=10 + number)
        assert search.set_game(last, BLACK) == 0
        search.simulate(2)
        assert len(search.roots) <= 4
        search.check()
    assert search.set_game(last, BLACK) == 2
    assert search.set_game(Game(3), BLACK) == 0
