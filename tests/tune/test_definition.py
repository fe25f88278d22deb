"""Tuning files: what they declare, and what is said about mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clients.match.definition import MatchError, Player
from clients.tune import sides
from clients.tune.definition import read_tuning
from clients.tune.spsa import Schedule, Trial
from tests.tune.tunings import ROOT, engine_text, stones_text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.toml"


def error_of(path: Path, text: str) -> str:
    path.write_text(text)
    with pytest.raises(MatchError) as caught:
        read_tuning(path)
    return str(caught.value)


def test_what_a_file_declares(path: Path) -> None:
    path.write_text(engine_text(seed=7, wander=0.5))
    tuning = read_tuning(path)
    assert tuning.schedule == Schedule(iterations=2, games=2, seed=7, wander=0.5)
    assert [each.name for each in tuning.parameters] == ["rave_equivalent", "value_scale"]
    assert [each.whole for each in tuning.parameters] == [True, False]
    assert (tuning.pairing.size, tuning.pairing.komi) == (5, 7.5)
    assert tuning.match.results == path.parent / "t.results"
    assert tuning.match.title == "t"


@pytest.mark.parametrize("file", ["docs/examples/tune.toml", "experiments/tuning/search_9x9.toml"])
def test_our_own_files_are_right(file: str) -> None:
    tuning = read_tuning(ROOT / file)
    assert len(tuning.parameters) > 1


def test_our_engine_is_told_while_it_runs_and_in_a_match_from_its_start(path: Path) -> None:
    path.write_text(engine_text())
    tuning = read_tuning(path)
    values = {"rave_equivalent": 2600.4, "value_scale": 0.0512345678}
    pairing = tuning.pairing_of(3, Trial(values, values))
    plus = pairing.players[0]
    assert plus.setup == ["goengine-param rave_equivalent 2600",
                          "goengine-param value_scale 0.0512346"]  # fmt: skip
    assert plus.parameters == {"policy": "rave"}
    assert pairing.key.startswith("iteration-3-")
    player = sides.told_from_the_start(tuning.player, tuning.parameters, values)
    assert player.parameters == {
        "policy": "rave", "rave_equivalent": 2600, "value_scale": 0.0512346
    }  # fmt: skip
    assert player.setup == []


def test_a_command_has_values_where_their_names_stand(path: Path) -> None:
    path.write_text(stones_text())
    parameters = read_tuning(path).parameters
    player = Player(command="run --x={x} '{z}'", setup=["set y {y}"], environment={"X": "{x}{y}"})
    told = sides.told_by_setup(player, parameters, {"x": 0.5, "y": 3.0})
    assert told.command == "run --x=0.5 '{z}'"
    assert told.setup == ["set y 3"]
    assert told.environment == {"X": "0.53"}
    assert told == sides.told_from_the_start(player, parameters, {"x": 0.5, "y": 3.0})


def test_what_makes_another_tuning(path: Path) -> None:
    def key(**given: Any) -> str:
        path.write_text(stones_text(**given))
        return read_tuning(path).key

    first = key()
    assert key(iterations=99) == first, "a tuning can be made longer"
    assert key(title="'other'", games_at_once=1, verify_games=10) == first
    assert len({first, key(seed=2), key(games=6), key(wander=2), key(game="rules = 'aga'")}) == 5
    path.write_text(stones_text().replace("start = 4", "start = 5"))
    assert read_tuning(path).key != first


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("iterations = 3", "", "missing required field `iterations`"),
        ("iterations = 3", "iteration = 3", "there is no key 'iteration'; there are player, "),
        ("games = 4", "games = 5", "multiple of 2"),
        ("komi = 0.5", "games = 10", "t.toml:10: tuning has no games in [game]; games = 8 at the"),
        ("komi = 0.5", "colors = 'alternate'", "tuning has no colors in [game]; every opening"),
        ("komi = 0.5", "rules = 'mine'", "mine"),
        ("step = 1\nwhole", "stop = 1\nwhole", "there is no key 'stop' in parameter; there are n"),
        ('name = "y"', 'name = "y y"', "in parameter name"),
        ('name = "y"', 'name = "x"', "parameter x: it is there twice; keep one"),
        ("start = 4", "start = 40", "parameter y: start = 40 is not from -10 to 10"),
        ("start = 4", "start = 4.5", "parameter y: start = 4.5 is no whole number"),
        ("start = 4", "start = nan", "in parameter start"),
        ("start = 4\nminimum = -10", "start = 4\nminimum = 10", "minimum = 10 has to be less"),
        ("step = 1\nwhole", "step = 11\nwhole", "step = 11 is more than half of"),
        ("step = 1\nwhole", "step = 0.3\nwhole", "step = 0.3 of a whole number is at least 0.5"),
        ("step = 1\nwhole", "step = 0\nwhole", "in parameter step"),
        ('"set y {y}"', '"set y 3"', "parameter y: nothing tells it to the engine; write {y} into"),
        ("setup", "playouts = 5\nsetup", "a command has no playouts"),
        ("command", "engine = 'mcts'\ncommand", "player needs either a command or an engine"),
    ],
)
def test_mistakes(path: Path, old: str, new: str, words: str) -> None:
    text = stones_text()
    assert old in text
    error = error_of(path, text.replace(old, new, 1))
    assert error.startswith(str(path))
    assert words in error


def test_mistakes_with_our_engine(path: Path) -> None:
    text = engine_text()
    error = error_of(path, text.replace('policy = "rave"', "value_scale = 0.1"))
    assert "parameter value_scale: [player] sets it too" in error
    error = error_of(path, text.replace('"value_scale"', '"playouts"'))
    assert "parameter playouts: it is no parameter of the search" in error


def test_no_file(path: Path) -> None:
    with pytest.raises(MatchError, match="cannot be read: No such file"):
        read_tuning(path)
