"""How much of a value is the margin, by situation."""

from __future__ import annotations

from typing import Any

import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED
from goengine.points import parse_vertex
from goengine.rules.game import Game
from goengine.search.parameters import new_parameters
from goengine.search.value_scaling import value_scale_of
from tests.diagrams import game_on
from tests.search.naive_simulation import Watcher
from tests.search.searches import OneWorker

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

HALF_FULL = """
    . . . . .
    . X X O O
    X X O O .
    X X O O .
    . . . . .
"""  # 12 of 25
FULL = """
    X . X O .
    X X X O O
    . X O O O
    X X O . O
    X X O O O
"""


def scale(game: Game, black_wins: float = 0.5, **changes: Any) -> float:
    parameters = new_parameters(game.size, {"value_scale_full": 0.24, **changes})[0]
    return float(value_scale_of(parameters, game.board, black_wins))


@pytest.mark.parametrize(("diagram", "expected"), [(HALF_FULL, 0.04 + 0.2 * 12 / 20), (FULL, 0.24)])
def test_phase(diagram: str, expected: float) -> None:
    assert scale(game_on(diagram), value_scaling="phase") == pytest.approx(expected)
    assert scale(game_on(diagram)) == 0.04
    assert scale(Game(5), value_scaling="phase") == 0.04


@pytest.mark.parametrize(
    ("black_wins", "expected"), [(0.5, 0.04), (1, 0.24), (0, 0.24), (0.75, 0.14), (0.25, 0.14)]
)
def test_decided(black_wins: float, expected: float) -> None:
    assert scale(Game(5), float(black_wins), value_scaling="decided") == pytest.approx(expected)
    assert scale(Game(5), float(black_wins)) == 0.04


@pytest.mark.parametrize(("color", "n_possible"), [(BLACK, 0), (WHITE, 0)])
def test_endgame_begins_with_few_moves(color: int, n_possible: int) -> None:
    """Own eyes are no moves, nor is what is illegal."""
    assert scale(game_on(FULL, color), value_scaling="endgame", endgame_moves=n_possible) == 0.04
    assert scale(game_on(FULL, color), value_scaling="endgame", endgame_moves=1) == 0.24
    assert scale(game_on(HALF_FULL, color), value_scaling="endgame", endgame_moves=13) == 0.04
    assert scale(game_on(HALF_FULL, color), value_scaling="endgame", endgame_moves=14) == 0.24


@pytest.mark.parametrize("scaling", ["fixed", "phase", "decided", "endgame"])
def test_simulations_have_it(scaling: str) -> None:
    """Komi -20: black wins all, and after the first slice that is known."""
    game = Game(3, komi=-20.5)
    for vertex in ("B2", "A1", "C3"):
        game.play(game.to_play, parse_vertex(vertex, 3))
    search = OneWorker(
        game, value_scaling=scaling, value_scale_full=0.24, endgame_moves=9, komi_slice=10
    )
    watcher = Watcher(search, game)
    later = {"fixed": 0.04, "phase": 0.04 + 0.2 * (3 / 9) / 0.8, "decided": 0.24, "endgame": 0.24}
    for number in range(40 if COMPILED else 14):
        is_early = scaling == "decided" and number < 10
        watcher.scale = 0.04 if is_early else later[scaling]
        watcher.step()
        assert search.space.scale[0] == pytest.approx(watcher.scale)
    told = search.read().real_win_rate
    assert told == (None if scaling == "fixed" else 0.0)
    assert search.read().extra_komi == 0.0
