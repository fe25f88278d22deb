"""`goengine tune` as people run it, with an engine that is quick, and killed meanwhile."""

from __future__ import annotations

import math
import signal
from pathlib import Path

import pytest

from clients.match.definition import read_match
from clients.match.game_record import decode_record
from clients.tune.definition import read_tuning
from clients.tune.openings import VERIFY_OPENINGS
from clients.tune.spsa import moved, trial
from tests.match.matches import engine_words, new_mark, processes_with, wait_until
from tests.tune.tunings import engine_text, games_of, log_of, records_of, run, start, stones_text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.toml"


def check_course(path: Path) -> None:
    """Every iteration follows from the one before it and from its games."""
    tuning = read_tuning(path)
    values = {each.name: each.start for each in tuning.parameters}
    for record in records_of(path):
        assert record.before == values
        tried = trial(tuning.schedule, tuning.parameters, values, record.number)
        assert (record.plus, record.minus) == tried
        assert record.tally.games == tuning.schedule.games
        score = (record.wins - record.losses) / record.tally.games
        values = moved(tuning.schedule, tuning.parameters, values, tried, score, record.number)
        assert record.after == values


def test_a_whole_tuning(path: Path) -> None:
    path.write_text(stones_text(iterations=25, games=2))
    status, output = run(path)
    assert status == 0, output
    check_course(path)
    records = records_of(path)
    assert len(records) == 25
    assert len(games_of(path)) == 50
    away = math.dist((records[-1].after["x"], records[-1].after["y"]), (3, -2))
    assert away < math.dist((0, 4), (3, -2)) / 2
    assert "iteration 25 of 25: plus " in output
    assert "\nparameters = { x = " in output
    verify = path.parent / "t.results" / "verify.toml"
    assert f"goengine match {verify}" in output
    assert verify.exists()
    assert (path.parent / "t.results" / "index.html").exists()

    status, shown = run(path, "--show")
    assert status == 0
    assert "25 of 25 iterations, 50 games" in shown
    assert "iteration 25 of 25: plus " not in shown
    path.write_text(path.read_text().replace("iterations = 25", "iterations = 26"))
    assert run(path)[0] == 0
    assert records_of(path)[:25] == records, "made longer, it goes on"
    assert len(records_of(path)) == 26


def test_killed_again_and_again(path: Path) -> None:
    mark = new_mark()
    path.write_text(stones_text(iterations=5, games=6, mark=mark, games_at_once=2))
    seen: dict[Path, bytes] = {}
    for number in range(2):
        process = start(path)
        try:
            wait_until(lambda n=number: len(games_of(path)) >= 11 * n + 2)  # type: ignore[misc]
            assert process.poll() is None, log_of(path)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        now = games_of(path)
        assert {file: now[file] for file in seen} == seen, "no game is played again"
        seen = now
    status, output = run(path)
    assert status == 0, output
    now = games_of(path)
    assert {file: now[file] for file in seen} == seen
    assert len(now) == 30, "every game was played once"
    check_course(path)
    assert len(records_of(path)) == 5
    wait_until(lambda: processes_with(mark) == [])


def test_interrupted_and_held(path: Path) -> None:
    mark = new_mark()
    path.write_text(stones_text(iterations=1000, mark=mark))
    process = start(path)
    try:
        wait_until(lambda: len(games_of(path)) >= 5)
        other = path.with_name("other.toml")
        other.write_text(path.read_text())
        status, output = run(other, "--results", str(path.with_suffix(".results")))
        assert (status, "another goengine tune works in" in output) == (1, True)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
    finally:
        process.kill()
        process.wait()
    assert "interrupted; the same command goes on with it" in log_of(path)
    assert "Traceback" not in log_of(path)
    assert processes_with(mark) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "maximum = 10\n",
            "maximum = 200\n",
            "'set x 200' is refused: x is not 200; change",
        ),
        ("x=3", "z=3", "the engine does not take a value: 'set x -10' is refused"),
        ("stones_engine.py", "no_engine.py", "the engine does not start: "),
    ],
)
def test_an_engine_that_does_not_take_it_is_told_at_once(
    path: Path, old: str, new: str, words: str
) -> None:
    path.write_text(stones_text().replace(old, new, 1))
    status, output = run(path)
    assert status == 1
    text = " ".join(output.split())
    assert f"goengine tune: {path}: " in text
    assert words in text
    assert "Traceback" not in output
    assert games_of(path) == {}


def test_forfeit_after_forfeit_ends_it(path: Path) -> None:
    command = " ".join(engine_words("exit_3", "-"))
    text = stones_text(forfeits_in_a_row=3, games_at_once=1)
    lines = [f"command = {command!r}\nenvironment = {{ X = '{{x}}{{y}}' }}"
             if line.startswith("command") else line
             for line in text.splitlines() if not line.startswith("setup")]  # fmt: skip
    path.write_text("\n".join(lines))
    status, output = run(path)
    assert status == 1
    assert "3 games in a row ended by forfeit; the last one: " in output
    assert "remove the last folder of games" in output
    assert records_of(path) == []


def test_show_before_the_first_iteration_and_mistakes(path: Path) -> None:
    path.write_text(stones_text())
    status, output = run(path, "--show")
    assert (status, "no iteration is finished yet" in output) == (0, True)
    path.write_text("players = 3\n")
    status, output = run(path)
    assert status == 2
    assert output.startswith(f"goengine tune: {path}: ")
    assert output.count("\n") == 1


def test_our_engine_killed_and_resumed(path: Path) -> None:
    """Two iterations on 5x5, from the file to the match that verifies."""
    (path.parent / "o.txt").write_text("C3 B3\nC3 B2\nC3 C2\nC3 C4\nB3 D3\n")
    path.write_text(engine_text(openings='file = "o.txt"', daemon="shared"))
    process = start(path)
    try:
        wait_until(lambda: len(games_of(path)) >= 1, seconds=60)
        assert process.poll() is None, log_of(path)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    seen = games_of(path)
    status, output = run(path)
    assert status == 0, output
    now = games_of(path)
    assert {file: now[file] for file in seen} == seen
    assert len(now) == 4
    check_course(path)
    folder = read_tuning(path).folder
    games = [decode_record(game) for game in now.values()]
    assert [game.opening[1] for game in games] == ["B3", "B3", "B2", "B2"]
    assert (folder / VERIFY_OPENINGS).read_text() == "B3 D3\n"
    assert all(game.ending != "forfeit" for game in games)
    match = read_match(path.parent / "t.results" / "verify.toml")
    scale = records_of(path)[-1].after["value_scale"]
    assert match.players["tuned"].parameters["value_scale"] == pytest.approx(scale, rel=1e-5)
    assert match.players["start"].parameters["value_scale"] == 0.04
