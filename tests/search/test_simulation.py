"""Simulations one at a time, against what they must have done; then what must hold of many."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.parameters import MAX_DEPTH
from goengine.search.workspace import DEPTH_SUM, MAX_DEPTH_SEEN, N_SIMULATIONS
from goengine.tree.checking import check_tree
from goengine.tree.claims import INCARNATION, claim_of
from goengine.tree.columns import FULL, GATE, ROOT
from goengine.words import U0
from tests.diagrams import game_on
from tests.search.naive_simulation import Watcher
from tests.search.searches import (
    CERTAIN,
    PLAIN,
    OneWorker,
    all_nodes,
    children_of,
    moves_at,
    visits_at,
)

uncompiled = pytest.mark.uncompiled
boundscheck = pytest.mark.boundscheck


def random_opening(size: int, rules: str, seed: int, komi: float) -> Game:
    """A few moves, captures and passes included."""
    random = Random(f"{size} {rules} {seed}")
    game = Game(size, find_rules(rules), komi)
    for _ in range(random.randrange(3 * size)):
        color = game.to_play if random.random() < 0.9 else random.choice((BLACK, WHITE))
        legal = [point for point in all_points(size) if game.is_legal(color, point)]
        game.play(color, random.choice(legal) if legal and random.random() < 0.9 else PASS)
    return game


# size, rules, komi, simulations
WATCHED = [
    (2, "chinese", 0.5, 300),
    (2, "tromp-taylor", 1, 300),
    (2, "aga", 0, 300),
    (2, "japanese", 1, 300),
    (3, "tromp-taylor", 9, 300),
    (3, "new-zealand", 0.5, 300),
    (3, "japanese", 0.5, 300),
    (4, "chinese-ogs", 2, 200),
    (5, "aga", 0, 100),
    (5, "korean", 1, 100),
    (9, "tromp-taylor", 7.5, 20),
]


# Playouts of every kind, with everything that is known beforehand, with some of it, with none.
WAYS: list[dict[str, Any]] = [
    {},
    {**PLAIN, "eye_prior": 14, "amaf_distance": 7},
    {"playout": "mogo", "amaf_distance": 3, "criticality_local": "on"},
    {**PLAIN, "playout": "pachi", "amaf_distance": 2.5},
]


@uncompiled
@boundscheck
@pytest.mark.parametrize("policy", ["rave", "ucb1-tuned"])
@pytest.mark.parametrize(("size", "rules", "komi", "n"), WATCHED)
def test_every_simulation_does_what_it_should(
    size: int, rules: str, komi: float, n: int, policy: str
) -> None:
    """The path, legality, superko, result, AMAF, owners; and nothing else changes."""
    if not COMPILED and (size > 3 or policy != "rave"):
        pytest.skip("too slow as plain Python")
    n_over = n_ties = n_eyes = 0
    for seed, changes in enumerate(WAYS):
        game = random_opening(size, rules, seed, komi)
        color = game.to_play if seed < 3 else 3 - game.to_play
        changes = {"seed": seed, "policy": policy, "expand_visits": 1 + seed % 2, **changes}
        search = OneWorker(game, color, **changes)
        watcher = Watcher(search, game, color)
        for _ in range(n // 2 if COMPILED else 5):
            watcher.step()
        n_over, n_ties = n_over + watcher.n_over, n_ties + watcher.n_ties
        n_eyes += watcher.n_eyes
        check_tree(search.tree)
        if size > 4:
            distance = search.memory.parameters[0].amaf_distance
            assert max(watcher.weights) == max(1, math.ceil(distance))
            is_local = bool(search.memory.parameters[0].criticality_local)
            assert len(watcher.sixths) in ((4, 5, 6) if is_local else (0,))
    if COMPILED and size <= 3:
        assert n_over > 0
        assert n_ties == 0 or komi == int(komi)
    if COMPILED and size == 4:
        assert (n_eyes > 0) == (policy == "rave")


@uncompiled
@boundscheck
@pytest.mark.parametrize("local", ["off", "on"])
def test_owners_where_two_passes_ended_the_game(local: str) -> None:
    """By area, as the score: an empty point may be far from any stone, or beside one alone."""
    n_over = 0
    for seed in range(4 if COMPILED else 1):
        game = Game(2, find_rules("tromp-taylor"), 0.5)
        search = OneWorker(game, seed=seed, expand_visits=1, criticality_local=local)
        watcher = Watcher(search, game, owners_at_the_end=True)
        for _ in range(300 if COMPILED else 60):
            watcher.step()
        n_over += watcher.n_over
    assert n_over > 0


@uncompiled
@boundscheck
@pytest.mark.parametrize("expand_visits", [1, 3])
@pytest.mark.parametrize("size", [3, 9])
def test_visits_add_up(size: int, expand_visits: int) -> None:
    n = 3000 if COMPILED else 40
    if not COMPILED and size > 3:
        pytest.skip("too slow as plain Python")
    search = OneWorker(Game(size), n_nodes=300_000, expand_visits=expand_visits)
    assert search.simulate(n) == n
    tree = search.tree
    assert visits_at(tree, ROOT) == n == search.tally[N_SIMULATIONS]
    check_tree(tree)
    n_expanded = 0
    passes = {ROOT: 0}
    for node in all_nodes(tree):
        children = children_of(tree, node)
        for child in children:
            passes[child] = passes[node] + 1 if tree.move[child] == PASS else 0
        visits = visits_at(tree, node)
        if children:
            own = visits - sum(visits_at(tree, child) for child in children)
            assert own == (0 if node == ROOT else expand_visits)
            n_expanded += 1
        elif passes[node] < 2:
            assert visits <= expand_visits
    assert n_expanded > n / 100
    assert tree.n_used == len(all_nodes(tree)) + 1


# Every size in one way of running at least: each capacity takes 15 s to compile.
SIZES = (2, 3, 7, 9, 14, 19) if COMPILED else (2, 3, 13, 25)


@uncompiled
@boundscheck
@pytest.mark.parametrize("size", SIZES)
def test_all_sizes(size: int) -> None:
    n = 500 if COMPILED else 3 if size < 10 else 1
    search = OneWorker(Game(size), n_nodes=100_000)
    assert search.simulate(n) == n
    assert visits_at(search.tree, ROOT) == n
    assert moves_at(search.tree, ROOT) == {PASS, *all_points(size)}
    check_tree(search.tree)


@uncompiled
@boundscheck
@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
def test_where_only_a_pass_is_left(rules: str) -> None:
    game = game_on(
        """
        . X .
        X X X
        X X .
        """,
        WHITE,
        rules,
        0.5,
    )
    search = OneWorker(game)
    assert search.simulate(15) == 15
    assert moves_at(search.tree, ROOT) == {PASS}
    check_tree(search.tree)


@uncompiled
@boundscheck
def test_where_one_point_is_left() -> None:
    """And two own eyes: where something speaks against them, nobody is forbidden to fill them."""
    game = game_on(
        """
        . X .
        X X X
        X . O
        """,
        BLACK,
        "chinese",
        0.5,
    )
    search = OneWorker(game, **{**PLAIN, "eye_prior": 30})
    search.simulate(20)
    b1, *eyes = (parse_vertex(vertex, 3) for vertex in ("B1", "A3", "C3"))
    assert moves_at(search.tree, ROOT) == {PASS, b1, *eyes}
    check_tree(search.tree)
    known = {move.move: (move.prior_visits, move.prior_win_rate) for move in search.read().moves}
    assert known == {PASS: (1, 1), b1: (14, 0.5), **dict.fromkeys(eyes, (44, 7 / 44))}
    for changes in ({"policy": "ucb1"}, {"eye_prior": 0}):
        search = OneWorker(game, **changes)
        search.simulate(20)
        assert moves_at(search.tree, ROOT) == {PASS, b1}


@uncompiled
def test_the_gate_and_a_full_tree_stop_it() -> None:
    search = OneWorker(Game(2))
    for word in (GATE, FULL):
        search.tree.words[word] = 1
        assert search.simulate(10) == 0
        search.tree.words[word] = 0
    assert search.simulate(10) == 10


@uncompiled
@boundscheck
def test_claims_of_the_living_are_respected_and_of_the_dead_taken_over() -> None:
    search = OneWorker(Game(3), expand_visits=1)
    tree, workers = search.tree, search.workers
    claim = int(claim_of(workers, U0))  # nobody but us could have made it
    tree.first_child[ROOT] = claim
    assert search.simulate(5) == 5
    assert int(tree.first_child[ROOT]) == claim
    assert visits_at(tree, ROOT) == 5
    workers[INCARNATION] += 1
    search.simulate(1)
    assert len(children_of(tree, ROOT)) == 10
    check_tree(tree)


def test_a_simulation_never_goes_past_the_deepest_place() -> None:
    """Down one line of an empty board, where nothing but MAX_DEPTH stops it."""
    search = OneWorker(Game(19), n_nodes=300_000, **PLAIN, expand_visits=1, rave_equivalent=1)
    tree, deepest = search.tree, 0
    for _ in range(800):
        before = int(search.tally[DEPTH_SUM])
        assert search.simulate(1) == 1
        depth = int(search.tally[DEPTH_SUM]) - before
        deepest = max(deepest, depth)
        for node in search.space.path[max(0, depth - 1) : depth + 1]:
            children = children_of(tree, int(node))
            if children and not any(int(tree.prior[child]) == CERTAIN for child in children):
                tree.prior[children[0]] = CERTAIN  # a stone wherever there is a point
    assert deepest == MAX_DEPTH
    assert int(search.tally[MAX_DEPTH_SEEN]) == deepest
    check_tree(tree)
