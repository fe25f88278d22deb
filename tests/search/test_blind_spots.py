"""tests/positions/blind_spots.t: what criticality sees and a search by default does not."""

from __future__ import annotations

from typing import Any

import pytest

from goengine.points import format_vertex
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from tests.diagrams import COLORS, game_on, play_all
from tests.position_files import Case, read_cases

KOMI = 7.5
SEEDS = range(100, 120)  # others than those by which the positions were found
CRITICAL: dict[str, Any] = {"criticality": 2, "criticality_visits": 10}


def n_found(game: Game, wanted: str, n_playouts: int, changes: dict[str, Any]) -> int:
    """In so many of the searches the move was the most visited one."""
    n = 0
    for seed in SEEDS:
        search = LocalSearch(4 * n_playouts + 10_000, seed)
        search.set_parameters(game.size, changes)
        search.set_game(game, game.to_play)
        search.run(n_playouts)
        n += format_vertex(search.read(1).moves[0].move, game.size) == wanted
    return n


@pytest.mark.parametrize("case", read_cases("blind_spots.t"), ids=str)
def test_criticality_sees_it(case: Case) -> None:
    settings = {word: words for word, *words in case.lines}
    color, wanted = settings["choose"]
    (playouts,) = settings["playouts"]
    game = game_on("\n".join(case.rows), COLORS[settings["play"][0]], komi=KOMI)
    play_all(game, " ".join(settings["play"]))
    assert game.to_play == COLORS[color]
    by_default = n_found(game, wanted, int(playouts), {})
    critical = n_found(game, wanted, int(playouts), CRITICAL)
    assert critical >= 0.7 * len(SEEDS), case.place
    assert by_default <= 0.2 * len(SEEDS), case.place
