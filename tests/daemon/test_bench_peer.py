"""`goengine bench search --peer`: our playouts beside those of an engine that burns time."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from daemon.bench import main
from daemon.bench.peer import Peer, PeerFailed, one_core, run_peer

# Makes a tenth more than it was asked for, and says so; a playout takes some microseconds.
ENGINE = """
import sys

n_playouts = int(sys.argv[1]) * 11 // 10
for line in sys.stdin:
    if line.startswith("genmove"):
        for _ in range(n_playouts):
            sum(range(500))
        print(f"[{n_playouts}] made", file=sys.stderr)
    print("= E5\\n", flush=True)
    if line.startswith("quit"):
        break
"""


@pytest.fixture
def command(tmp_path: Path) -> str:
    script = tmp_path / "engine.py"
    script.write_text(ENGINE)
    return f"LEVEL=1 '{sys.executable}' -S '{script}' {{playouts}}"


def test_as_json(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--runs", "2", "--peer-playouts", "20000", "--peer-count", r"\[(\d+)\] made"]
    cores = os.sched_getaffinity(0)
    assert main(["search", "--json", "--sizes", "9", "--peer", command, *options]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["size"] == 9
    assert row["playouts"] == 20_000
    assert 1_000 < row["peer_per_cpu_s"] < 10_000_000
    assert row["lowest"] <= row["times_peer"] <= row["highest"]
    ratio = row["ours_per_cpu_s"] / row["peer_per_cpu_s"]
    assert row["lowest"] * 0.9 < ratio < row["highest"] * 1.1
    assert 0 <= row["peer_start_s"] < 5
    assert os.sched_getaffinity(0) == cores


def test_time_is_that_of_the_peer_alone(command: str) -> None:
    few, many = (run_peer(Peer(command, 0, None), 9, n) for n in (100, 40_000))
    assert (few.n_playouts, many.n_playouts) == (100, 40_000)
    assert 0 < few.cpu_seconds < many.cpu_seconds


def test_what_it_says_that_it_made_counts(command: str) -> None:
    assert run_peer(Peer(command, 0, re.compile(r"\[(\d+)\]")), 9, 100).n_playouts == 110
    with pytest.raises(PeerFailed, match="did not say"):
        run_peer(Peer(command, 0, re.compile(r"(\d+) games")), 9, 100)


def test_one_core() -> None:
    cores = os.sched_getaffinity(0)
    with one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == cores


@pytest.mark.parametrize(
    ("peer", "complaint"),
    [
        ("echo no such file >&2; exit 1 # {playouts}", "ended at `boardsize 9`; it said: no such"),
        (r"printf '= \n\n? no\n\n= \n\n= \n\n' # {playouts}", "answered '? no' to `clear_board`"),
        (r"printf '= \n\n= \n\n= \n\n= E5\n\n' # {playouts}", "does it use a book?"),
        ("pachi", "{playouts} must stand where"),
    ],
)
def test_a_peer_that_does_not_play_is_told(
    peer: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["search", "--sizes", "9", "--peer", peer, "--peer-playouts", "100"])
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["playouts", "--peer", "x {playouts}"], "--peer is for `goengine bench search`"),
        (["search", "--peer-count", "games"], "needs one group"),
        (["search", "--peer-count", "(games"], "unterminated"),
        (["search", "--peer-playouts", "many"], "is not a number"),
    ],
)
def test_bad_options_are_named(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]
