"""Features of moves, and the models that weigh them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import kernel
from goengine.playouts.patterns import symmetric_codes
from goengine.points import all_points, parse_vertex
from goengine.prediction import features
from goengine.prediction.features import N_FEATURES, N_SHAPES, note_features, rate_noted
from goengine.prediction.model import Model, fill_model, load_model, save_model
from goengine.prediction.shapes import Shapes, new_shapes
from goengine.prediction.training import Learner, find_frequent, main, read_games
from goengine.tactics.notes import N_FEATURE_WEIGHTS, blank_notes
from goengine.tactics.self_atari import is_bad_self_atari
from tests.diagrams import board_from

# position, mover, vertex, group's first number, expected number in the group
CASES = [
    ("line at the edge", ". . .\n. . .\n. . .", BLACK, "A2", features.LINE, 0),
    ("line in the middle", ". . .\n. . .\n. . .", BLACK, "B2", features.LINE, 1),
    ("takes one stone", ". X .\nX O .\n. X .", BLACK, "C2", features.CAPTURE, 1),
    ("takes two stones", "X X X .\nO O . .\nX X X .\n. . . .", BLACK, "C3", features.CAPTURE, 2),
    ("takes and saves", "X X .\nO O .\nX X .", BLACK, "C2", features.CAPTURE, 5),
    ("takes nothing", ". X .\nX O .\n. . .", BLACK, "C2", features.CAPTURE, 0),
    ("saves one stone", ". X . .\nX O . .\n. X . .\n. . . .", WHITE, "C3", features.ESCAPE, 1),
    ("in vain", ". X X .\nX O . X\n. X X .\n. . . .", WHITE, "C3", features.ESCAPE, 3),
    ("atari", ". . . .\nX O . .\n. X . .\n. . . .", BLACK, "C3", features.ATARI, 1),
    ("no way out", ". X X .\nX O . X\n. . X .\n. . . .", BLACK, "B2", features.ATARI, 4),
    ("self-atari", ". O O .\nO X . O\nO X O .\n. O . .", BLACK, "C3", features.SELF_ATARI, 1),
]


@kernel
def ask_is_bad(board, notes, point, color):
    return is_bad_self_atari(board, notes, point, color)


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("position", "color", "vertex", "group", "expected"),
    [c[1:] for c in CASES],
    ids=[c[0] for c in CASES],
)
def test_features(position: str, color: int, vertex: str, group: Any, expected: int) -> None:
    board = board_from(position)
    notes = blank_notes()[0]
    size = len(position.splitlines())
    point = np.uint64(parse_vertex(vertex, size))
    is_bad = ask_is_bad(board, notes, point, np.uint64(color))
    note_features(board, notes, point, np.uint64(color), np.uint64(0), np.uint64(0), is_bad)
    found = [int(each) for each in notes.features[: features.N_GROUPS]]
    assert int(group) + expected in found


@pytest.mark.uncompiled
def test_every_feature_has_a_weight_of_its_own() -> None:
    starts = [features.SHAPE, features.LINE, features.LAST, features.BEFORE, features.NEAR]
    starts += [features.CAPTURE, features.ESCAPE, features.ATARI, features.SELF_ATARI]
    starts += [features.LADDER, features.CONTACT]
    assert sorted(map(int, starts)) == list(map(int, starts))
    assert len(set(map(int, starts))) == features.N_GROUPS
    assert N_FEATURES <= N_FEATURE_WEIGHTS


@pytest.mark.parametrize("size", [9, 13, 19])
def test_models_that_come_with_the_engine(size: int) -> None:
    notes = blank_notes()
    fill_model(notes[0], size)
    weights = notes[0].feature_weights[:N_FEATURES]
    assert np.isfinite(weights).all()
    assert weights[int(features.CAPTURE) + 5] > weights[int(features.CAPTURE)]
    assert weights[int(features.SELF_ATARI) + 1] < weights[int(features.SELF_ATARI)]
    assert weights[int(features.LINE)] < weights[int(features.LINE) + 2]


def test_ratings_are_the_same_from_all_sides() -> None:
    notes = blank_notes()[0]
    fill_model(notes, 5)
    rows = [". . . . .", ". X O . .", ". . . O .", ". X . . .", ". . . . ."]
    turned = [" ".join(row) for row in zip(*[row.split() for row in rows[::-1]], strict=True)]
    found = []
    for diagram in (rows, rows[::-1], turned):
        board = board_from("\n".join(diagram))
        ratings = []
        for point in all_points(5):
            if board.color[point] == 0:
                arguments = map(np.uint64, (point, 1, 0, 0))
                note_features(board, notes, *arguments, False)
                ratings.append(round(float(rate_noted.py_func(notes)), 4))
        found.append(sorted(ratings))
    assert found[0] == found[1] == found[2]


def test_codes_of_a_shape_have_one_representative() -> None:
    firsts = symmetric_codes()
    assert (firsts[firsts] == firsts).all()
    for code in (0x0001, 0x0002, 0x0004, 0x0008):  # a stone on one side
        assert firsts[code] == 0x0001
    for code in (0x0100, 0x0200, 0x0400, 0x0800):  # at one corner
        assert firsts[code] == 0x0100
    sizes = np.unique(np.unique(firsts, return_counts=True)[1])
    assert set(sizes.tolist()) == {1, 2, 4, 8}


def test_a_model_comes_back(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    weights = random.normal(size=N_FEATURES).astype(np.float32)
    weights[:N_SHAPES] = weights[symmetric_codes()]
    numbers = random.choice(2**32 - 1, 1000, replace=False).astype(np.uint32) + np.uint32(1)
    shapes = new_shapes(numbers, random.normal(size=1000))
    save_model(tmp_path / "m.npz", Model(weights, shapes))
    found = load_model(tmp_path / "m.npz")
    assert np.allclose(found.weights, weights, atol=0.01)
    assert by_number(found.shapes) == pytest.approx(by_number(shapes), abs=0.01)


def by_number(shapes: Shapes) -> dict[int, float]:
    found = dict(zip(shapes.numbers.tolist(), shapes.weights.tolist(), strict=True))
    del found[0]
    return found


def records(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "games.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_what_is_always_played_is_learnt(tmp_path: Path) -> None:
    path = records(tmp_path, *["B+R 0 0 ? ?; cc dc cd dd ce de cb db"] * 40)
    games = read_games(path, 5)
    learner = Learner(5, find_frequent(games, 5, 10))
    assert learner.n_shapes > 8
    before, _, n = learner.run(games, 0.0)
    for _ in range(5):
        learner.run(games, 0.1)
    after, hits, _ = learner.run(games, 0.0)
    assert n == 320
    assert after < before / 2
    assert hits > 0.7


def test_the_command_writes_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = records(tmp_path, *["B+R 0 0 ? ?; cc dc cd  dd"] * 40)
    assert main([str(path), str(tmp_path / "m.npz"), "--size", "5", "--epochs", "2"]) == 0
    assert "epoch 2" in capsys.readouterr().out
    assert np.isfinite(load_model(tmp_path / "m.npz").weights).all()


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["no moves here"], "line 1 is not of the form"),
        (["B+R; cc dc", "B+R; cc zz"], "line 2: 'zz' is not on a 5x5 board"),
        (["B+R; cc dc"], "1 games are too few"),
    ],
)
def test_bad_records_are_named(
    lines: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = records(tmp_path, *lines)
    with pytest.raises(SystemExit):
        main([str(path), str(tmp_path / "m.npz"), "--size", "5"])
    assert complaint in " ".join(capsys.readouterr().err.split())
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none.txt"), str(tmp_path / "m.npz")])
    assert "none.txt" in capsys.readouterr().err
