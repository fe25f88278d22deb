"""Small tunings for tests: files, and processes that can be killed."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

from clients.tune.definition import Tuning, read_tuning
from clients.tune.history import IterationRecord, read_history
from tests.match import matches

ROOT = Path(__file__).parent.parent.parent
ENGINE = Path(__file__).with_name("stones_engine.py")


def stones_text(*, top: str = "", game: str = "", mark: str = "-", **given: Any) -> str:
    """The optimum of x is 3; of y, a whole number, it is -2."""
    words = [sys.executable, "-I", "-S", str(ENGINE), mark, "x=3", "y=-2"]
    settings = {"iterations": 3, "games": 4, **given}
    lines = [top, *(f"{key} = {value}" for key, value in settings.items())]
    return (
        "\n".join(lines)
        + f"""
[player]
command = {" ".join(words)!r}
setup = ["set x {{x}}", "set y {{y}}"]

[game]
size = 5
komi = 0.5
{game}

[[parameter]]
name = "x"
start = 0
minimum = -10
maximum = 10
step = 1

[[parameter]]
name = "y"
start = 4
minimum = -10
maximum = 10
step = 1
whole = true
"""
    )


def engine_text(*, openings: str = "moves = 2", daemon: str = "own", **given: Any) -> str:
    """Our own engine, where games are short."""
    settings = {"iterations": 2, "games": 2, "verify_games": 2, "games_at_once": 1, **given}
    return (
        "\n".join(f"{key} = {value}" for key, value in settings.items())
        + f"""
[player]
engine = "mcts"
playouts = 20
workers = 1
daemon = "{daemon}"
parameters = {{ policy = "rave" }}

[game]
size = 5
openings = {{ {openings} }}

[[parameter]]
name = "rave_equivalent"
start = 2500
minimum = 10
maximum = 9000
step = 500
whole = true

[[parameter]]
name = "value_scale"
start = 0.04
minimum = 0
maximum = 0.5
step = 0.02
"""
    )


def tuning_of(path: Path, **given: Any) -> Tuning:
    path.write_text(stones_text(**given))
    return read_tuning(path)


def a_record(number: int = 1, **given: Any) -> IterationRecord:
    usual: dict[str, Any] = {
        "before": {"x": 0.0, "y": 4.0},
        "plus": {"x": 1.0, "y": 3},
        "minus": {"x": -1.0, "y": 5},
        "wins": 3,
        "losses": 1,
        "draws": 0,
        "after": {"x": 0.5, "y": 3.25},
        "gain": 0.5,
        "perturbation": 1.0,
        "engine": "stones 1",
        "finished": "2026-01-01T00:00:00+00:00",
        "seconds": 2.0,
    }
    return IterationRecord(number=number, **{**usual, **given})


start = functools.partial(matches.start, command="tune")
run = functools.partial(matches.run, command="tune")
log_of = matches.log_of


def records_of(path: Path) -> list[IterationRecord]:
    return read_history(read_tuning(path))


def games_of(path: Path) -> dict[Path, bytes]:
    folder = read_tuning(path).folder
    return {file: file.read_bytes() for file in sorted(folder.glob("games/*/*.json"))}
