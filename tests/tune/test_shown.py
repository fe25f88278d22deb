"""What a tuning shows of itself: in a terminal, as a page, as a match file."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from clients.match.definition import read_match
from clients.tune.definition import Tuning, read_tuning
from clients.tune.history import IterationRecord, add_iteration
from clients.tune.live_view import format_iteration, seconds_left, sparkline, whole_view
from clients.tune.openings import VERIFY_OPENINGS
from clients.tune.page import write_page
from clients.tune.tuner import Tuner
from clients.tune.verification import toml_value, write_verification
from tests.tune.tunings import a_record, engine_text, stones_text, tuning_of


def tuner_of(tuning: Tuning, *records: IterationRecord) -> Tuner:
    for record in records:
        add_iteration(tuning, record)
    return Tuner(tuning, lambda record: None)


def text_of(tuner: Tuner, width: int, ascii_only: bool = False) -> str:
    console = Console(width=width, file=io.StringIO())
    console.print(whole_view(tuner, width, ascii_only))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_view(tmp_path: Path) -> None:
    tuning = tuning_of(tmp_path / "t.toml", title="'[b]title'", iterations=10)
    assert "0 of 10 iterations, 0 games" in text_of(tuner_of(tuning), 100)
    tuner = tuner_of(tuning, a_record(1), a_record(2, after={"x": 2.5, "y": 2.75}))
    wide, narrow = text_of(tuner, 100), text_of(tuner, 80)
    assert "[b]title" in wide
    assert "2 of 10 iterations, 8 games; about 16 s left" in wide
    assert "last 2 iterations: plus won 75.0% (41%-93%) of its games" in wide
    x_line = next(line for line in wide.splitlines() if line.startswith("x"))
    assert x_line.split() == ["x", "0", "2.5", "+2.5", "+2.5", "↑↑", "-10", "10", "▃▄█"]
    y_line = next(line for line in wide.splitlines() if line.startswith("y"))
    assert y_line.split()[:6] == ["y", "4", "3", "-1", "-1.2", "↓"]
    assert "▃" not in narrow
    assert all(len(line) <= 80 for line in narrow.splitlines())
    assert text_of(tuner, 100, ascii_only=True).isascii()
    line = format_iteration(tuner, tuner.records[1])
    assert line == "iteration 2 of 10: plus 3-1, 2.0 s: x 2.5, y 3"


def test_time_left_knows_what_is_gone_of_an_iteration(tmp_path: Path) -> None:
    tuner = tuner_of(tuning_of(tmp_path / "t.toml", iterations=10), a_record(1))
    tuner.since = 100.0
    assert seconds_left(tuner, 100.5) == pytest.approx(9 * 2 - 0.5)
    assert seconds_left(tuner, 500.0) == pytest.approx(8 * 2)


def test_an_engine_that_changed_meanwhile_is_doubted(tmp_path: Path) -> None:
    tuner = tuner_of(tuning_of(tmp_path / "t.toml"), a_record(1), a_record(2, engine="stones 2"))
    text = " ".join(text_of(tuner, 100).split())
    assert "the engine was another one meanwhile: stones 1; stones 2" in text


def test_sparklines() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7], 0, 7) == "▁▂▃▄▅▆▇█"
    assert sparkline([5], 0, 10) in "▄▅"
    many = sparkline([number / 999 for number in range(1000)], 0, 1)
    assert (len(many), many[-1]) == (24, "█")


def test_the_page(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(stones_text(title="'<script>'", iterations=1000))
    tuning = read_tuning(path)
    write_page(tuner_of(tuning))
    records = [a_record(number, after={"x": number / 200, "y": 4.0}) for number in range(1, 601)]
    tuner = tuner_of(tuning)
    tuner.records = records
    text = write_page(tuner).read_text()
    assert "<script>" not in text
    assert "600 iterations of 1,000, 2,400 games" in text
    assert text.count("<svg") == text.count("<polyline") == 2
    assert '<td>x</td><td class="n">0</td><td class="n">3</td>' in text


def test_the_match_that_verifies(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(engine_text(title="'\"quoted\" \\ ü'"))
    tuning = read_tuning(path)
    after = {"rave_equivalent": 3000.7, "value_scale": 0.05}
    record = a_record(1, before=after, plus=after, minus=after, after=after)
    tuner = tuner_of(tuning, record)
    (tuning.folder / VERIFY_OPENINGS).write_text("C3 B3\n")
    match = read_match(write_verification(tuning, tuner.records))
    assert match.title == '"quoted" \\ ü: tuned against start'
    assert match.players["start"].parameters == {
        "policy": "rave", "rave_equivalent": 2500, "value_scale": 0.04
    }  # fmt: skip
    assert match.players["tuned"].parameters == {
        "policy": "rave", "rave_equivalent": 3001, "value_scale": 0.05
    }  # fmt: skip
    (pairing,) = match.pairings
    assert (pairing.first, pairing.second, pairing.games) == ("tuned", "start", 2)
    same = msgspec.structs.replace(
        tuning.pairing,
        name=pairing.name,
        first="tuned",
        second="start",
        players=pairing.players,
        openings=pairing.openings,
        openings_digest=pairing.openings_digest,
    )
    assert pairing == same, "all other conditions are those of the tuning"


def test_the_match_that_verifies_a_command(tmp_path: Path) -> None:
    game = "clock = { main = 10, period = 2 }\nhandicap = 2\npatience = 3"
    path = tmp_path / "t.toml"
    path.write_text(
        stones_text(game=game, top="cores = [0]\npin = true").replace("size = 5", "size = 9")
    )
    tuning = read_tuning(path)
    match = read_match(write_verification(tuning, [a_record(1)]))
    assert match.players["tuned"].setup == ["set x 0.5", "set y 3"]
    assert match.players["start"].setup == ["set x 0", "set y 4"]
    (pairing,) = match.pairings
    assert pairing.clock == tuning.pairing.clock
    assert (pairing.handicap, pairing.patience, pairing.komi) == (2, 3, 0.5)
    assert (match.cores, match.pin) == ([0], True)


def test_toml() -> None:
    given = {"a": [1, 2.5, True, 'x\x7f"\n'], "b c": {"d.e": "ü"}}
    assert tomllib.loads(f"value = {toml_value(given)}")["value"] == given
