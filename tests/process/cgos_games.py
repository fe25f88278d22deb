"""Games in the manner of CGOS that others' controllers play, and what must hold for them.

9x9, komi 7, so many seconds a side and no more. Before each move the engine is told its whole
seconds; the game ends with two passes and is counted as it stands. The controllers are scripts
of a few lines around a library of others. They get a job as JSON and report as JSON:

    job     directory, players (two, by name: command lines), games, size, komi, seconds
    report  commands: how many were sent; complaints: what no controller should see;
            games: black (a name), moves, seconds (of each move), end ("passes" or why not)
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from clients.match.counting import margin_of
from clients.match.referee import Referee
from goengine.rules.rulesets import find_rules
from tests.process.daemons import ROOT
from tests.process.npm_packages import node_directory, run_node
from tests.process.python2_packages import python2_directory, run_python2

SABAKI_GTP = "3.0.0"
GOMILL = "0.8.3"
SIZE = 9
KOMI = 7.0
RULES = "cgos"

_HERE = Path(__file__).parent
_PATIENCE = 60.0  # seconds beyond the clocks, for engines that start and end
# As in the example of CGOS's client, which asks for dead stones to be taken.
_GNUGO = (
    "gnugo --mode gtp --score aftermath --capture-all-dead --chinese-rules --positional-superko"
)

Run = Callable[[str, float], str]  # a job and its seconds in; the report out


class Game(msgspec.Struct):
    black: str
    moves: list[str]
    seconds: list[float]
    end: str


class Report(msgspec.Struct):
    complaints: list[str]
    commands: int
    games: list[Game]


class Outcome(NamedTuple):
    """One game: black's points less white's, counted as it stands; the seconds of each side."""

    margin: float
    black_seconds: float
    white_seconds: float


def our_command(*options: str) -> list[str]:
    return [sys.executable, "-m", "clients.main", "gtp", "--rules", RULES, *options]


def gnugo_command() -> list[str]:
    """Skips the test where GNU Go is missing."""
    command, *options = _GNUGO.split()
    path = shutil.which(command, path="/usr/games:/usr/local/bin:/usr/bin")
    if path is None:
        pytest.skip("gnugo is not installed")
    return [path, *options]


def through_sabaki(directory: Path) -> Run:
    """Sabaki's library. Skips the test where node or the library is not to be had."""
    script = _HERE / "sabaki_games.mjs"
    node_directory(directory, "@sabaki/gtp", SABAKI_GTP, script)
    return lambda job, seconds: run_node(directory, script.name, job, timeout=seconds)


def through_gomill(directory: Path) -> Run:
    """gomill's. Skips the test where Python 2.7 or gomill is not to be had."""
    script = _HERE / "gomill_games.py"
    python2_directory(directory, "gomill", GOMILL, script)
    return lambda job, seconds: run_python2(directory, script.name, job, timeout=seconds)


CONTROLLERS = {"sabaki": through_sabaki, "gomill": through_gomill}


def play_games(
    run: Run, players: dict[str, list[str]], n_games: int, seconds: int
) -> tuple[Report, list[Outcome]]:
    """Let a controller play, colours by turns, and check all that it saw."""
    job = {
        "directory": str(ROOT),
        "players": players,
        "games": n_games,
        "size": SIZE,
        "komi": KOMI,
        "seconds": seconds,
    }
    most = _PATIENCE + 2 * n_games * (seconds + 1)
    report = msgspec.json.decode(run(json.dumps(job), most), type=Report)
    assert report.complaints == []
    assert [game.black for game in report.games] == [
        list(players)[number % 2] for number in range(n_games)
    ]
    return report, [check_game(game, seconds) for game in report.games]


def check_game(game: Game, seconds: int) -> Outcome:
    """Every move is legal, nobody ran out of time, and the count is what it seems to be."""
    assert game.end == "passes", game
    referee = Referee(SIZE, find_rules(RULES))
    for vertex in game.moves:
        assert not referee.is_over, game
        referee.play(vertex)
    assert referee.is_over, game
    black, white = sum(game.seconds[::2]), sum(game.seconds[1::2])
    assert max(black, white) < seconds, game
    return Outcome(margin_of(referee, (), KOMI), black, white)


def gnugo_margin(moves: Sequence[str]) -> float:
    """What GNU Go says of the last position, dead stones taken off."""
    lines = [f"boardsize {SIZE}", "clear_board", f"komi {KOMI}"]
    lines += [f"play {'bw'[number % 2]} {vertex}" for number, vertex in enumerate(moves)]
    outcome = subprocess.run(
        gnugo_command(),
        input="\n".join([*lines, "final_score", "quit", ""]),
        capture_output=True,
        text=True,
        timeout=120,
    )
    replies = outcome.stdout.split("\n\n")
    assert [reply for reply in replies if reply.startswith("?")] == []
    score = replies[len(lines)].removeprefix("=").strip()
    return 0.0 if score == "0" else {"B": 1, "W": -1}[score[0]] * float(score[2:])
