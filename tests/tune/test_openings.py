"""Openings for tuning, and others for the match that verifies."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from clients.match.definition import MatchError, Pairing
from clients.tune import openings
from clients.tune.definition import read_tuning
from tests.tune.tunings import stones_text, tuning_of


def test_none(tmp_path: Path) -> None:
    tuning = tuning_of(tmp_path / "t.toml")
    assert asyncio.run(openings.divide_openings(tuning)) == ([], [])


def test_one_in_five_of_a_file_is_kept(tmp_path: Path) -> None:
    lines = [f"C{row} D{column}" for row in range(1, 6) for column in range(1, 3)]
    (tmp_path / "o.txt").write_text("\n".join([*lines, *lines]))
    path = tmp_path / "t.toml"
    path.write_text(stones_text(game='openings = { file = "o.txt" }'))
    tuning = read_tuning(path)
    used, fresh = asyncio.run(openings.divide_openings(tuning))
    assert [len(used), len(fresh)] == [8, 2]
    assert sorted(map(" ".join, used + fresh)) == sorted(lines)
    text = (tuning.folder / openings.VERIFY_OPENINGS).read_text()
    assert text == "C3 D1\nC5 D2\n"

    (tmp_path / "o.txt").write_text("\n".join(lines[:4]))
    with pytest.raises(MatchError, match="give at least 5 openings"):
        asyncio.run(openings.divide_openings(read_tuning(path)))


def test_random_ones_are_from_two_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {
        7: [["C3", "B2", "D4", "B4"], ["C3", "B3"]],
        8: [["C3", "C2"], ["D4", "B4", "C3", "B2"]],
    }

    async def find(pairing: Pairing, *_: Path) -> list[list[str]]:
        assert pairing.openings
        return made[pairing.openings.seed]

    monkeypatch.setattr(openings, "find_openings", find)
    game = "openings = { moves = 4, seed = 7 }"
    tuning = tuning_of(tmp_path / "t.toml", game=game)
    used, fresh = asyncio.run(openings.divide_openings(tuning))
    assert used == made[7]
    assert fresh == [["C3", "C2"]], "the other one is the same position"
    made[8] = made[7]
    with pytest.raises(MatchError, match="give openings more moves"):
        asyncio.run(openings.divide_openings(tuning))
