"""`goengine bench`: what it prints, for people and for programs."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from daemon.bench import main

pytestmark = pytest.mark.alone

QUICK = ["--runs", "1", "--seconds", "0.02"]


def test_playouts_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playouts", "--json", "--sizes", "5", "9", *QUICK]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["size"] for row in rows] == [5, 9]
    for row in rows:
        assert row["policy"] == "light"
        assert row["playouts_per_s"] > 1000
        assert row["moves_per_s"] == pytest.approx(
            row["playouts_per_s"] * row["moves_per_playout"], rel=0.01
        )
        assert 0 <= row["black_win_rate"] <= 1
    assert rows[1]["moves_per_playout"] == pytest.approx(110.6, rel=0.05)


def test_search_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "--json", "--sizes", "9", "--runs", "1", "--seconds", "0.2"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["size"], row["workers"], row["policy"]) for row in rows] == [
        (9, 1, "rave"),
        (9, 2, "rave"),
    ]
    for row in rows:
        assert row["simulations_per_s"] > 1000
        assert row["bytes_per_node"] <= 56
        assert row["cold_atomics"] > row["hot_atomics"] >= 0
    assert rows[0]["times_one_worker"] == 1
    assert rows[1]["times_one_worker"] > 0


def test_segments_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daemon.bench.memory.SIZE", 9)
    monkeypatch.setattr("daemon.bench.memory.SMALL", 2)
    monkeypatch.setattr("daemon.bench.memory.LARGE", 64)
    monkeypatch.setattr("daemon.bench.memory.MIN_SHARE", 0.01)
    assert main(["segments", "--json", "--seconds", "1"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["segment_mb"] for row in rows] == [2, 64]
    assert rows[0]["pauses"] > 1  # the first is for the position
    monkeypatch.setattr("daemon.bench.memory.MIN_SHARE", 100)
    assert main(["segments", "--json", "--seconds", "0.1"]) == 1


def test_json_goes_to_stdout_while_a_terminal_shows_progress() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "clients.main", "bench", "playouts", "--json"]
    measured = subprocess.run(
        [*command, "--sizes", "9", *QUICK], stdout=subprocess.PIPE, stderr=theirs, check=True
    )
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert json.loads(measured.stdout)["size"] == 9
    assert "light playouts" in shown
    assert "playouts_per_s" not in shown


def test_playouts_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playouts", "--sizes", "9", *QUICK]) == 0
    shown = capsys.readouterr().out
    assert "light playouts from the empty board" in shown
    assert "times" in shown
    assert shown.endswith("\n")


def test_a_wrong_count_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {1: 1, 2: 57, 3: 12_675, 4: 24_318_165}
    monkeypatch.setattr("daemon.bench.positions.count_legal_positions", counts.get)
    assert main(["positions", "--json"]) == 0
    counts[3] += 1
    assert main(["positions", "--json"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["playouts", "--sizes", "0"],
        ["playouts", "--sizes", "26"],
        ["playouts", "--runs", "0"],
        ["playouts", "--seconds", "0"],
        ["playouts", "--seconds", "nan"],
        ["playouts", "--seconds", "long"],
    ],
)
def test_bad_options_are_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    complaint = capsys.readouterr().err.splitlines()[-1]
    assert complaint.startswith("goengine bench: error: ")
