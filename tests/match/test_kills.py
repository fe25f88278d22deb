"""A match whose process is killed again and again: every game counts once, none is lost."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

from clients.match.definition import Match, read_match
from clients.match.standings import standing_of
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

N_GAMES = 60
N_KILLS = 10


def wait_for_games(match: Match, n_games: int) -> None:
    wait_until(lambda: len(files_of(match, "json")) >= n_games)


def test_a_match_that_is_killed_again_and_again(tmp_path: Path) -> None:
    mark = new_mark()
    path = tmp_path / "m.toml"
    path.write_text(match_text(mark, "good late=0.004 killed", games=N_GAMES))
    match = read_match(path)
    rng = random.Random(1)
    seen: dict[Path, bytes] = {}
    for number in range(N_KILLS):
        process = start(path, "--games-at-once", "2")
        try:
            wait_for_games(match, number * N_GAMES // (N_KILLS + 2) + 1)
            time.sleep(rng.uniform(0.0, 0.06))
            assert process.poll() is None, f"it ended by itself: {log_of(path)}"
        finally:
            process.kill()
            process.wait()
        for file, data in seen.items():
            assert file.read_bytes() == data, "what was played before has not changed"
        seen = {file: file.read_bytes() for file in files_of(match, "json")}
    assert len(seen) < N_GAMES
    status, output = run(path)
    assert status == 0, output

    games = records_of(path)["killed"]
    assert list(games) == list(range(1, N_GAMES + 1))
    assert [file.stem for file in files_of(match, "json")] == [f"{n:05d}" for n in games]
    assert [file.stem for file in files_of(match, "sgf")] == [f"{n:05d}" for n in games]
    assert files_of(match, "claim") == []
    assert all(file.read_bytes() == data for file, data in seen.items())
    assert processes_with(mark) == []

    n_won = sum(
        record.winner == ("black" if record.black == "good" else "white")
        for record in games.values()
    )
    n_lost = sum(
        record.winner == ("white" if record.black == "good" else "black")
        for record in games.values()
    )
    tally = standing_of(match.pairings[0], games.values()).tally
    assert (tally.wins, tally.losses, tally.games) == (n_won, n_lost, N_GAMES)
    assert f"{N_GAMES}/{N_GAMES}" in output
    assert re.search(rf"\b{n_won}-{n_lost}\b", output)
    page = (match.results / "index.html").read_text(encoding="utf-8")
    assert re.search(rf">{n_won}–{n_lost}–0</td><td[^>]*>{N_GAMES}</td>", page)
    for number in games:
        assert f"{number:05d}.html" in page
