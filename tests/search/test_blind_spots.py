"""What a search by default does not see: in blind_spots.t criticality does, in misjudged.t maps."""

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


def moves_found(game: Game, n_playouts: int, changes: dict[str, Any]) -> list[str]:
    """The most visited moves."""
    found = readings(game, n_playouts, changes)
    return [format_vertex(reading.moves[0].move, game.size) for reading in found]


def win_rates(game: Game, n_playouts: int, changes: dict[str, Any]) -> list[float]:
    return [reading.win_rate or 0.0 for reading in readings(game, n_playouts, changes)]


@pytest.mark.parametrize("case", read_cases("blind_spots.t"), ids=str)
def test_criticality_sees_it(case: Case) -> None:
    game, settings = game_of(case, "choose")
    _, wanted = settings["choose"]
    (playouts,) = settings["playouts"]
    by_default = moves_found(game, int(playouts), {}).count(wanted)
    critical = moves_found(game, int(playouts), CRITICAL).count(wanted)
    assert critical >= 0.7 * len(SEEDS), case.place
    assert by_default <= 0.2 * len(SEEDS), case.place


@pytest.mark.parametrize("case", read_cases("misjudged.t"), ids=str)
def test_liberty_maps_come_nearer_to_the_truth(case: Case) -> None:
    game, settings = game_of(case, "lost")
    (playouts,), (bound,) = settings["playouts"], settings["between"]
    by_default = [rate > float(bound) for rate in win_rates(game, int(playouts), {})]
    mapped = [rate < float(bound) for rate in win_rates(game, int(playouts), MAPPED)]
    assert sum(by_default) >= 0.9 * len(SEEDS), case.place
    assert sum(mapped) >= 0.9 * len(SEEDS), case.place
