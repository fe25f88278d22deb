"""The plot of win rates and extra komi: well formed, and each number where it belongs."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from clients.match.game_record import MoveRecord, encode_record
from clients.match.komi_plot import courses_of, main, plot_komi
from tests.match.example_games import HOSTILE, example_game, example_pairing

pytestmark = pytest.mark.uncompiled

MOVES = [
    MoveRecord("D4", 1.0, 0.9, 100),
    MoveRecord("D5", 1.0),
    MoveRecord("C5", 1.0, 0.5, 100, None, None, 20.0),
    MoveRecord("E5", 1.0),
    MoveRecord("F6", 1.0, 0.4, 100, None, None, -10.0),
]
GAME = msgspec.structs.replace(example_game(example_pairing()), opening=[], moves=MOVES)


def test_who_tells_nothing_has_no_curve() -> None:
    (course,) = courses_of(GAME)
    assert course.label == "new as black"
    assert course.win_rates == [(1, 0.9), (3, 0.5), (5, 0.4)]
    assert course.extra_komi == [(1, 0.0), (3, 20.0), (5, -10.0)]


def test_curves() -> None:
    svg = plot_komi([GAME], HOSTILE)
    parts = list(ElementTree.fromstring(svg).iter())
    assert sum("stone" in part.attrib.get("class", "") for part in parts) == len(MOVES)
    lines = [part for part in parts if part.tag.endswith("polyline")]
    above, below = ([tuple(map(float, p.split(","))) for p in line.attrib["points"].split()]
                    for line in lines)  # fmt: skip
    assert [x for x, _ in above] == [x for x, _ in below] == [216.8, 538.4, 860.0]
    assert [y for _, y in above] == [103.0, 195.0, 218.0]
    assert below[1][1] < below[0][1] < below[2][1], "more is higher"


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "00001.json"
    path.write_bytes(encode_record(GAME))
    assert main([str(path), str(path)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("<polyline") == 4
    assert "9x9" in shown
    assert shown.count(f"move {len(MOVES)}") == 2, "a board each"
    path.write_bytes(encode_record(msgspec.structs.replace(GAME, moves=[MOVES[1]])))
    assert main([str(path)]) == 1
    assert main([]) == 2
