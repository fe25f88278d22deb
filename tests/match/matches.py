"""Small matches for tests: files, pairings, and processes that can be told apart."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clients.match.definition import Match, Pairing, Player, read_match
from clients.match.game_record import GameRecord
from clients.match.results_folder import ResultsFolder
from tests.match.example_games import example_pairing

ROOT = Path(__file__).parent.parent.parent
ENGINE = Path(__file__).with_name("bad_engine.py")
_numbers = itertools.count(1)


def new_mark() -> str:
    """A word for command lines that no other process has."""
    return f"mark-{os.getpid()}-{next(_numbers)}-end"


def engine_words(mode: str, mark: str) -> list[str]:
    return [sys.executable, "-I", "-S", str(ENGINE), mode, mark]


def player(mode: str, mark: str = "") -> Player:
    return Player(command=" ".join(engine_words(mode, mark or new_mark())))


def make(first: Player, second: Player, **given: Any) -> Pairing:
    usual: dict[str, Any] = {
        "size": 5,
        "komi": 0.5,
        "patience": 20.0,
        "most_moves": 75,
        "games": 4,
        "players": (first, second),
    }
    return example_pairing("bad", "good", **{**usual, **given})


def a_record(number: int = 1, **given: Any) -> GameRecord:
    usual: dict[str, Any] = {
        "pairing": "bad vs good",
        "black": "bad",
        "white": "good",
        "engines": ("bad engine 1", "bad engine 2"),
        "size": 5,
        "komi": 0.5,
        "rules": "chinese",
        "moves": [],
        "winner": "white",
        "ending": "score",
        "margin": 0.5,
        "scored_by": "agreement",
        "host": "here",
        "started": "2026-01-01T00:00:00+00:00",
        "seconds": 1.0,
    }
    return GameRecord(number=number, **{**usual, **given})


def match_text(mark: str, *pairings: str, games: int = 4, top: str = "") -> str:
    """A file with a player for each mode that a pairing names: "MODE MODE [name]"."""
    modes = {mode for pairing in pairings for mode in pairing.split()[:2]}
    parts = [top, f"[game]\nsize = 5\nkomi = 0.5\npatience = 1\ngames = {games}\n"]
    for mode in sorted(modes):
        command = " ".join(engine_words(mode, mark))
        parts.append(f"[players.'{_name(mode)}']\ncommand = {command!r}\n")
    for pairing in pairings:
        first, second, *name = pairing.split()
        given = f'name = "{name[0]}"\n' if name else ""
        parts.append(f'[[pairings]]\nplayers = ["{_name(first)}", "{_name(second)}"]\n{given}')
    return "\n".join(parts)


def start(path: Path, *options: str, command: str = "match") -> subprocess.Popen[str]:
    """`goengine match`, or another command, with its output in FILE.log."""
    log = path.with_suffix(".log")
    with log.open("a", encoding="utf-8") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "clients.main", command, str(path), *options],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            text=True,
        )


def run(
    path: Path, *options: str, seconds: float = 60.0, command: str = "match"
) -> tuple[int, str]:
    """Exit code and output, after it has come to its end."""
    path.with_suffix(".log").unlink(missing_ok=True)
    process = start(path, *options, command=command)
    try:
        status = process.wait(timeout=seconds)
    finally:
        process.kill()
        process.wait()
    return status, log_of(path)


def log_of(path: Path) -> str:
    return path.with_suffix(".log").read_text(encoding="utf-8")


def records_of(path: Path) -> dict[str, dict[int, GameRecord]]:
    """All games in the results of the match, by the name of their pairing and number."""
    match = read_match(path)
    folder = ResultsFolder(match.results)
    return {pairing.name: folder.records(pairing) for pairing in match.pairings}


def files_of(match: Match, ending: str) -> list[Path]:
    return sorted(match.results.glob(f"games/*/*.{ending}"))


def processes_with(mark: str) -> list[int]:
    """Running processes with this word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(int(path.parent.name))
    return sorted(found)


def wait_until(is_so: Callable[[], Any], seconds: float = 20.0) -> None:
    latest = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < latest, "waited in vain"
        time.sleep(0.01)


def _name(mode: str) -> str:
    return mode.replace("@", "-").replace("#", "-")
