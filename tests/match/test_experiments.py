"""The files in experiments/: each declares a match that can be played, with figures in print."""

from __future__ import annotations

from pathlib import Path

import pytest

from clients.match.definition import Match, Pairing, read_match
from goengine.engines import ENGINE_NAMES
from goengine.search.parameters import find_parameter

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"
FILES = sorted(EXPERIMENTS.glob("*.toml"))
OWN = "baseline"  # begins the name of a pairing that nobody published


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def match(request: pytest.FixtureRequest) -> Match:
    return read_match(request.param)


def test_there_are_experiments() -> None:
    assert FILES


def test_figures_have_a_source(match: Match) -> None:
    assert match.published
    assert match.published.source.strip()


def test_every_pairing_is_published_or_a_baseline_of_ours(match: Match) -> None:
    assert any(pairing.published for pairing in match.pairings)
    for pairing in match.pairings:
        is_own = pairing.name.startswith(OWN)
        assert (pairing.published is None) == is_own, pairing.name


def test_parameters_exist_and_can_be_set(match: Match) -> None:
    for player in match.players.values():
        if player.engine is not None:
            assert player.engine in ENGINE_NAMES
        for name, value in player.parameters.items():
            find_parameter(name).parse(str(value))


def test_every_player_plays(match: Match) -> None:
    playing = {name for pairing in match.pairings for name in (pairing.first, pairing.second)}
    assert playing == set(match.players)


def test_our_players_say_how_long_they_search_and_with_how_many_workers(match: Match) -> None:
    for pairing in match.pairings:
        for player in pairing.players:
            if player.engine is not None:
                limits = (pairing.clock, player.playouts, player.seconds)
                assert sum(limit is not None for limit in limits) == 1, pairing.name
                assert player.workers


def test_games_of_several_workers_do_not_compete_for_cores(match: Match) -> None:
    if any(most_workers(pairing) > 1 for pairing in match.pairings):
        assert match.games_at_once == 1


def most_workers(pairing: Pairing) -> int:
    return max(player.workers or 1 for player in pairing.players)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_begins_with_question_source_and_what_differs(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    comment = lines[: lines.index("")]
    assert 2 <= len(comment) <= 4
    assert all(line.startswith("# ") for line in comment)
    assert comment[0].endswith("?")
    assert comment[1].startswith("# Source: ")
    assert any(line.startswith("# Ours: ") for line in comment)


@pytest.mark.parametrize("path", sorted(EXPERIMENTS.glob("own/*.toml")), ids=lambda path: path.stem)
def test_own_experiments_can_be_played(path: Path) -> None:
    match = read_match(path)
    test_parameters_exist_and_can_be_set(match)
    test_every_player_plays(match)


def test_the_list_has_every_file() -> None:
    rows = (EXPERIMENTS / "README.md").read_text(encoding="utf-8").splitlines()
    listed = [row.split("](", 1)[1].split(")", 1)[0] for row in rows if row.startswith("| [")]
    assert sorted(listed) == [path.name for path in FILES]
