"""What a search by default does not see: blind_spots.t by criticality, misjudged.t by liberty maps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from goengine.points import format_vertex
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.reading import SearchReading
from tests.diagrams import COLORS, game_on, play_all
from tests.position_files import Case, read_cases

KOMI = 7.5
SEEDS = range(100, 120)  # others than those by which the positions were found
CRITICAL: dict[str, Any] = {"criticality": 2, "criticality_visits": 10}
MAPPED: dict[str, Any] = {"liberty_maps": "on"}


def game_of(case: Case, color: str) -> tuple[Game, dict[str, list[str]]]:
    """The position with `color` to play, and the lines below it by their first word."""
    settings = {word: words for word, *words in case.lines}
    game = game_on("\n".join(case.rows), COLORS[settings["play"][0]], komi=KOMI)
    play_all(game, " ".join(settings["play"]))
    assert game.to_play == COLORS[settings[color][0]]
    return game, settings


def readings(game: Game, n_playouts: int, changes: dict[str, Any]) -> Iterator[SearchReading]:
    for seed in SEEDS:
        search = LocalSearch(4 * n_playouts + 10_000, seed)
        search.set_parameters(game.size, changes)
        search.set_game(game, game.to_play)
        search.run(n_playouts)
        yield search.read(1)


def n_found(game: Game, wanted: str, n_playouts: int, changes: dict[str, Any]) -> int:
    """In so many of the searches the move was the most visited one."""
    found = [reading.moves[0].move for reading in readings(game, n_playouts, changes)]
    return [format_vertex(move, game.size) for move in found].count(wanted)


@pytest.mark.parametrize("case", read_cases("blind_spots.t"), ids=str)
def test_criticality_sees_it(case: Case) -> None:
    game, settings = game_of(case, "choose")
    _, wanted = settings["choose"]
    (playouts,) = settings["playouts"]
    by_default = n_found(game, wanted, int(playouts), {})
    critical = n_found(game, wanted, int(playouts), CRITICAL)
    assert critical >= 0.7 * len(SEEDS), case.place
    assert by_default <= 0.2 * len(SEEDS), case.place


@pytest.mark.parametrize("case", read_cases("misjudged.t"), ids=str)
def test_liberty_maps_come_nearer_to_the_truth(case: Case) -> None:
    game, settings = game_of(case, "lost")
    (playouts,), (bound,) = settings["playouts"], settings["between"]
    by_default = [r.win_rate > float(bound) for r in readings(game, int(playouts), {})]
    mapped = [r.win_rate < float(bound) for r in readings(game, int(playouts), MAPPED)]
    assert sum(by_default) >= 0.9 * len(SEEDS), case.place
    assert sum(mapped) >= 0.9 * len(SEEDS), case.place
