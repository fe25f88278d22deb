"""What a search says: plain, in order, and consistent with the tree."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED
from goengine.points import PASS, all_points
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.reading import (
    MAX_VARIATION,
    MoveReading,
    SearchReading,
    child_for,
    children_by_visits,
)
from goengine.search.workspace import DEPTH_SUM, MARGIN_SUM, WINS_LESS_LOSSES
from goengine.tree.columns import ROOT
from tests.diagrams import game_on
from tests.search.searches import OneWorker, children_of

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N = 2000 if COMPILED else 25


def read(game: Game, **changes: Any) -> tuple[OneWorker, SearchReading]:
    search = OneWorker(game, **{"n_nodes": 100_000, "expand_visits": 1, **changes})
    search.simulate(N)
    return search, search.read()


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
def test_everything_adds_up(rules: str, color: int) -> None:
    game = Game(3, find_rules(rules), 0.5)
    game.to_play = color
    search, reading = read(game)
    assert (reading.size, reading.to_play) == (3, color)
    assert reading.simulations == reading.visits == N
    assert sum(move.visits for move in reading.moves) == N
    wins = sum(move.visits * (move.win_rate or 0.0) for move in reading.moves)
    assert reading.win_rate == pytest.approx(wins / N)
    assert reading.score is not None
    assert reading.score == pytest.approx(search.tally[MARGIN_SUM] / N - 0.5)
    assert reading.ownership.keys() == set(all_points(3))
    assert all(-1 <= owner <= 1 for owner in reading.ownership.values())
    assert sum(reading.ownership.values()) == pytest.approx(reading.score + 0.5)
    assert 1 <= reading.depth <= reading.max_depth
    assert reading.depth == search.tally[DEPTH_SUM] / N
    assert reading.nodes < reading.capacity == search.tree.capacity


def test_moves_are_in_order_and_in_range() -> None:
    _, reading = read(Game(3, komi=3))
    visits = [move.visits for move in reading.moves]
    assert visits == sorted(visits, reverse=True)
    assert {move.move for move in reading.moves} == {PASS, *all_points(3)}
    for move in reading.moves:
        assert (move.win_rate is None) == (move.visits == 0)
        assert (move.amaf_win_rate is None) == (move.amaf_visits == 0)
        for rate in (move.win_rate, move.amaf_win_rate, move.prior_win_rate):
            assert rate is None or 0 <= rate <= 1
        assert move.move == PASS or move.amaf_visits >= move.visits, "a move is its own AMAF"
        assert move.move != PASS or move.amaf_visits == 0


@pytest.mark.parametrize("rules", ["chinese", "aga", "tromp-taylor"])
def test_variations_are_games(rules: str) -> None:
    game = Game(3, find_rules(rules), 0.5)
    search, reading = read(game, seed=4)
    longest = 0
    for move in reading.moves:
        assert move.variation[0] == move.move
        assert len(move.variation) <= MAX_VARIATION
        line, node = game.copy(), ROOT
        for point in move.variation:
            assert not line.is_over
            line.play(line.to_play, point)
            child = child_for(search.tree, node, point)
            assert child is not None
            best = max(int(search.tree.stats[c]) for c in children_of(search.tree, node))
            assert int(search.tree.stats[child]) == best or node == ROOT
            node = child
        below = [int(search.tree.stats[c]) >> 36 for c in children_of(search.tree, node)]
        assert not any(below) or len(move.variation) == MAX_VARIATION, "it goes on to the end"
        longest = max(longest, len(move.variation))
    assert longest > 2


def test_a_reading_is_plain_data() -> None:
    def types_of(value: object) -> set[type]:
        if isinstance(value, dict):
            return set().union(*(types_of(part) for pair in value.items() for part in pair))
        if isinstance(value, (tuple, list)):
            return set().union(*(types_of(part) for part in value), set())
        return {type(value)}

    for n in (0, 1, 20):
        search = OneWorker(Game(3), expand_visits=1)
        search.simulate(n)
        data = dataclasses.asdict(search.read())
        assert types_of(data) <= {int, float, str, type(None)}
        again = json.loads(json.dumps(data, allow_nan=False))
        assert again["visits"] == n


def test_before_the_first_simulation() -> None:
    reading = OneWorker(Game(3)).read()
    assert (reading.simulations, reading.visits, reading.nodes, reading.moves) == (0, 0, 1, ())
    assert (reading.win_rate, reading.score, reading.depth, reading.max_depth) == (None, None, 0, 0)
    assert set(reading.ownership.values()) == {0.0}


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "japanese"])
def test_criticality_is_the_covariance_of_owning_and_winning(rules: str) -> None:
    """Baudiš 2011, 5.1, Coulom's form, from the simulations one by one."""
    size = 4
    search = OneWorker(Game(size, find_rules(rules), 1.5), expand_visits=1)
    points = all_points(size)
    ownership, (tally,) = search.memory.ownerships[0, 0], search.memory.tallies
    black_wins: list[bool] = []
    owners: list[list[int]] = []
    for _ in range(12 * N // 25):
        before, wins = ownership[points].copy(), int(tally[WINS_LESS_LOSSES])
        search.simulate(1)
        owners.append((ownership[points] - before).tolist())
        black_wins.append(int(tally[WINS_LESS_LOSSES]) > wins)
    n = len(owners)
    assert 0 < sum(black_wins) < n
    reading = search.read()
    expected = {}
    for place, point in enumerate(points):
        column = [row[place] for row in owners]
        assert set(column) <= {1, 0, -1}
        winner_owns = sum(
            each == (1 if won else -1) for each, won in zip(column, black_wins, strict=True)
        )
        by_chance = column.count(1) * sum(black_wins) + column.count(-1) * (n - sum(black_wins))
        expected[point] = winner_owns / n - by_chance / n**2
    assert reading.criticality == pytest.approx(expected)
    assert max(expected.values()) > 0.05


def test_equals_are_told_apart_by_value_and_then_by_amaf() -> None:
    search = OneWorker(Game(2))
    search.simulate(1)
    tree = search.tree
    rows = children_of(tree, ROOT)
    words = [(5, 100, 0), (5, 200, 0), (7, 0, 0), (5, 100, 50), (0, 0, 0)]
    for row, (visits, value, amaf) in zip(rows, words, strict=True):
        tree.stats[row] = np.uint64(visits << 36 | value)
        tree.amaf[row] = np.uint64(1 << 36 | amaf)
    assert children_by_visits(tree, ROOT) == [rows[index] for index in (2, 1, 3, 0, 4)]


def test_a_claimed_root_has_no_moves() -> None:
    search = OneWorker(Game(2))
    search.tree.first_child[ROOT] = 1 << 31
    assert search.read().moves == ()
    assert child_for(search.tree, ROOT, PASS) is None


def test_a_move_reading_of_a_tie() -> None:
    """Half a win for both, whoever is to move."""
    game = game_on(
        """
        . X O .
        X X O O
        . X O .
        X X O O
        """,
        BLACK,
        komi=0,
    )
    search = OneWorker(game)
    search.simulate(20)
    best: MoveReading = search.read().moves[0]
    assert (search.read().win_rate, best.win_rate, search.read().score) == (0.5, 0.5, 0.0)
