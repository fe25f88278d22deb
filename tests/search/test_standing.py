"""A glance at the root agrees with the full reading."""

from __future__ import annotations

import pytest

from goengine.jit import COMPILED
from goengine.rules.game import Game
from goengine.search.reading import children_by_visits
from goengine.search.standing import has_moves, read_standing
from goengine.tree.columns import ROOT
from tests.search.searches import OneWorker

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N = 2000 if COMPILED else 25


def test_before_the_first_playout() -> None:
    search = OneWorker(Game(5), n_nodes=1000)
    assert read_standing(search.memory) is None
    assert not has_moves(search.memory)


@pytest.mark.parametrize("n_moves", [0, 3])
@pytest.mark.parametrize("size", [3, 5])
def test_as_in_the_reading(size: int, n_moves: int) -> None:
    game = Game(size)
    for point in [int(point) for point in game.board.empty[:n_moves]]:
        game.play(game.to_play, point)
    search = OneWorker(game, n_nodes=100_000, expand_visits=1)
    search.simulate(N)
    reading, standing = search.read(), read_standing(search.memory)
    assert standing is not None
    assert has_moves(search.memory)
    best, second = reading.moves[:2]
    assert (standing.visits, standing.second_visits) == (best.visits, second.visits)
    rates = [move.win_rate or 0.0 for move in reading.moves if move.visits >= best.visits / 10]
    assert standing.best_win_rate == pytest.approx(max(rates))
    assert any(
        move.visits == standing.visits and move.win_rate == pytest.approx(standing.win_rate)
        for move in reading.moves
    )


def test_the_best_reply() -> None:
    search = OneWorker(Game(3), n_nodes=100_000, expand_visits=1)
    search.simulate(N)
    standing, tree = read_standing(search.memory), search.tree
    assert standing is not None
    best = max(children_by_visits(tree, ROOT), key=lambda row: int(tree.stats[row]) >> 36)
    replies = children_by_visits(tree, best)
    if not replies or int(tree.stats[replies[0]]) >> 36 == 0:
        assert standing.reply_win_rate == standing.win_rate
        return
    word = max(int(tree.stats[row]) for row in replies)
    value = (word & ((1 << 36) - 1)) / 256 / (word >> 36)
    assert standing.reply_win_rate == pytest.approx(1.0 - value)
