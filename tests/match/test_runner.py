"""`goengine match` as people run it, on files that they change meanwhile."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest

from clients.match.definition import read_match
from clients.match.game_record import GameRecord
from tests.match.matches import (
    files_of,
    log_of,
    match_text,
    new_mark,
    processes_with,
    records_of,
    run,
    start,
    wait_until,
)

SLOW = "late=0.015"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.toml"


def n_played(path: Path) -> int:
    return sum(len(games) for games in records_of(path).values())


def check_whole(path: Path, games: dict[int, GameRecord], n_games: int) -> None:
    """All games are there once, with all of their files, by alternating colours."""
    assert list(games) == list(range(1, n_games + 1))
    for number, record in games.items():
        assert record.ending == "score"
        names = (record.black, record.white)
        assert names == (("good", SLOW) if number % 2 else (SLOW, "good"))
    match = read_match(path)
    assert len(files_of(match, "sgf")) == len(files_of(match, "json")) == n_games
    assert files_of(match, "claim") == files_of(match, "transcript.txt") == []


def test_a_whole_match(path: Path) -> None:
    mark = new_mark()
    path.write_text(match_text(mark, f"good {SLOW}", games=5, top='title = "Five games"'))
    status, output = run(path)
    assert status == 0, output
    games = records_of(path)[f"good vs {SLOW}"]
    check_whole(path, games, 5)
    assert all(record.engines[0].startswith("bad engine ") for record in games.values())
    for number in games:
        assert f"good vs {SLOW}, game {number}: " in output
    assert "Five games" in output
    assert (path.parent / "m.results" / "index.html").exists()
    assert processes_with(mark) == []

    path.write_text(path.read_text().replace("games = 5", "games = 7"))
    status, output = run(path)
    assert status == 0
    assert sorted(re.findall(r", game (\d+):", output)) == ["6", "7"], "only those that are new"
    again = records_of(path)[f"good vs {SLOW}"]
    check_whole(path, again, 7)
    assert {number: again[number] for number in games} == games


def test_results_elsewhere_and_openings(path: Path) -> None:
    (path.parent / "o.txt").write_text("C3 C2\nB2 D2\n")
    path.write_text(match_text("-", "good pass", games=3) + 'openings = { file = "o.txt" }\n')
    elsewhere = path.parent / "elsewhere"
    assert run(path, "--results", str(elsewhere))[0] == 0
    assert not (path.parent / "m.results").exists()
    path.write_text(f'results = "elsewhere"\n{path.read_text()}')
    openings = [record.opening for record in records_of(path)["good vs pass"].values()]
    assert openings == [["C3", "C2"], ["C3", "C2"], ["B2", "D2"]]


def test_status_plays_nothing(path: Path) -> None:
    path.write_text(match_text("-", f"good {SLOW}", games=5))
    status, output = run(path, "--status")
    assert status == 0
    assert "0/5" in output
    assert files_of(read_match(path), "*") == []
    assert (path.parent / "m.results" / "index.html").exists()


def test_a_file_that_is_no_match(path: Path) -> None:
    path.write_text("players = 3\n")
    status, output = run(path)
    assert status == 2
    assert output.startswith(f"goengine match: {path}: ")
    assert output.count("\n") == 1
    path.write_text(match_text("-", "good good", top="cores = [1000]"))
    status, output = run(path)
    assert (status, "of cores [1000] we may use none" in output) == (2, True)


def test_a_pairing_that_is_added_while_it_runs_is_played(path: Path) -> None:
    text = match_text("-", f"good {SLOW}", games=10)
    path.write_text(text)
    process = start(path, "--games-at-once", "1")
    try:
        wait_until(lambda: n_played(path) >= 2)
        path.write_text(match_text("-", f"good {SLOW}", "pass good added", games=10))
        assert process.wait(timeout=60) == 0, log_of(path)
    finally:
        process.kill()
        process.wait()
    records = records_of(path)
    assert len(records["added"]) == len(records[f"good vs {SLOW}"]) == 10


def test_a_broken_edit_is_told_and_the_match_goes_on(path: Path) -> None:
    text = match_text("-", f"good {SLOW}", games=8)
    path.write_text(text)
    process = start(path, "--games-at-once", "1")
    try:
        wait_until(lambda: n_played(path) >= 2)
        path.write_text(f"{text}\nsise = 9\n")
        assert process.wait(timeout=60) == 1
    finally:
        process.kill()
        process.wait()
    output = " ".join(log_of(path).split())
    assert "the match goes on as it was:" in output
    assert "there is no key 'sise'" in output
    path.write_text(text)
    check_whole(path, records_of(path)[f"good vs {SLOW}"], 8)


def test_two_processes_share_the_games(path: Path) -> None:
    mark = new_mark()
    path.write_text(match_text(mark, f"good {SLOW}", games=16))
    both = [start(path, "--games-at-once", "2") for _ in range(2)]
    try:
        assert [process.wait(timeout=60) for process in both] == [0, 0], log_of(path)
    finally:
        for process in both:
            process.kill()
            process.wait()
    check_whole(path, records_of(path)[f"good vs {SLOW}"], 16)
    told = re.findall(r", game (\d+):", log_of(path))
    assert sorted(map(int, told)) == list(range(1, 17)), "each game was played by one of them"
    assert processes_with(mark) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(path: Path, number: signal.Signals) -> None:
    mark = new_mark()
    path.write_text(match_text(mark, f"good {SLOW}", games=100))
    process = start(path, "--games-at-once", "2")
    try:
        wait_until(lambda: n_played(path) >= 3)
        process.send_signal(number)
        assert process.wait(timeout=10) == 130
    finally:
        process.kill()
        process.wait()
    assert processes_with(mark) == []
    match = read_match(path)
    assert files_of(match, "claim") == []
    assert len(files_of(match, "sgf")) == len(files_of(match, "json")) >= 3
    output = log_of(path)
    assert "interrupted; the same command goes on with it" in output
    assert "Traceback" not in output


def test_interrupted_while_an_engine_hangs(path: Path) -> None:
    mark = new_mark()
    path.write_text(match_text(mark, "hang@list_commands good", "hang@genmove good"))
    process = start(path, "--games-at-once", "2")
    try:
        wait_until(lambda: len(processes_with(mark)) == 3)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
    finally:
        process.kill()
        process.wait()
    assert processes_with(mark) == []
    assert files_of(read_match(path), "claim") == []
    assert "Traceback" not in log_of(path)


def test_an_unreadable_game_does_not_keep_a_match_from_its_end(path: Path) -> None:
    path.write_text(match_text("-", "pass good", "pass pass", games=3))
    key = read_match(path).pairings[0].key
    folder = path.parent / "m.results" / "games" / key
    folder.mkdir(parents=True)
    (folder / "00002.json").write_text("garbage")
    status, output = run(path, seconds=30)
    assert status == 1
    text = " ".join(output.split())
    assert "00002.json is not counted" in text
    assert "pass vs good is stopped: 1 of its games cannot be read" in text
    records = records_of(path)
    assert list(records["pass vs good"]) == [1, 3]
    assert list(records["pass vs pass"]) == [1, 2, 3]
