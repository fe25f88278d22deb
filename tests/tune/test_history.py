"""Iterations on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from clients.tune.history import HistoryError, add_iteration, held, read_history, values_now
from tests.tune.tunings import a_record, tuning_of


def test_iterations_come_back_as_they_were(tmp_path: Path) -> None:
    tuning = tuning_of(tmp_path / "t.toml")
    assert read_history(tuning) == []
    assert values_now(tuning, []) == {"x": 0.0, "y": 4.0}
    records = [a_record(number, after={"x": number / 3, "y": 0.1}) for number in range(1, 13)]
    for record in records:
        add_iteration(tuning, record)
    assert read_history(tuning) == records
    assert values_now(tuning, records) == {"x": 4.0, "y": 0.1}
    with pytest.raises(HistoryError, match=r"00003\.json is there already"):
        add_iteration(tuning, records[2])


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda path: path.write_text("{"), "cannot be read: "),
        (lambda path: path.unlink(), "stands where iteration 2 should be"),
        (lambda path: path.write_text(path.read_text().replace('"format": 1', '"format": 9')),
         "has format 9, and this version reads 1"),
    ],
)  # fmt: skip
def test_damage_is_told_with_its_cure(tmp_path: Path, damage, words: str) -> None:
    tuning = tuning_of(tmp_path / "t.toml")
    for number in (1, 2, 3):
        add_iteration(tuning, a_record(number))
    damage(tuning.folder / "iterations" / "00002.json")
    with pytest.raises(HistoryError) as caught:
        read_history(tuning)
    assert words in str(caught.value)
    assert "remove it and those after it" in str(caught.value)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    tuning = tuning_of(tmp_path / "t.toml")
    with (
        held(tuning),
        pytest.raises(HistoryError, match="another goengine tune works"),
        held(tuning),
    ):
        pass
    with held(tuning):
        pass
