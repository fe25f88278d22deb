"""`goengine gtp` as Sabaki drives it: a session through Sabaki's own library."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goengine.points import parse_vertex
from tests.process.daemons import ROOT, running_daemon
from tests.process.npm_packages import node_directory, run_node

SESSION = Path(__file__).parent / "sabaki_session.mjs"
SABAKI_GTP = "3.0.0"

_VERTEX = r"(?:pass|[A-HJ-Z]\d{1,2})"
_INFO = re.compile(rf"(?P<pairs>(?:\w+ [^ ]+ )+)pv (?P<pv>{_VERTEX}(?: {_VERTEX})*)")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return node_directory(tmp_path, "@sabaki/gtp", SABAKI_GTP, SESSION)


@pytest.fixture(params=["attached", "embedded"])
def options(
    request: pytest.FixtureRequest, directory: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[str]]:
    """Which daemon is used. After `directory`, where the test may be skipped."""
    if request.param == "embedded":
        yield ["--embedded"]
        return
    with running_daemon(tmp_path_factory.mktemp("d")) as daemon:
        daemon.status()  # it listens
        yield ["--connect", daemon.address]
        assert daemon.status()["games"] == [], "a game that nobody named ends with its client"


def test_a_session(directory: Path, options: list[str]) -> None:
    command = [sys.executable, "-m", "clients.main", "gtp", *options, "--playouts", "500"]
    report = json.loads(run_node(directory, SESSION.name, str(ROOT), *command, timeout=300))

    received = report["received"]
    assert [each for each in received if each["error"]] == []
    assert [each["command"] for each in received] == report["sent"], "all, and in order"
    by_command = {each["command"]: each["content"] for each in received}
    assert by_command["name"] == "goengine"
    assert re.fullmatch(r"\d+\.\d+", by_command["version"])
    assert by_command["protocol_version"] == "2"
    numbered = [each for each in received if each["id"] is not None]
    assert [each["id"] for each in numbered] == list(range(100, 140))
    assert {each["content"] for each in numbered} == {"true"}
    assert all(line.startswith("goengine gtp: ") for line in report["stderr"]), report["stderr"]

    first, second = report["analyses"]
    assert first["name"] == second["name"] == "analyze"
    check_analysis(first["lines"], at_least=5)  # of ten in a second
    check_analysis(second["lines"], at_least=1)  # of three
    check_moves(report["history"], by_command)
    assert report["quit"]["code"] == 0
    assert report["quit"]["milliseconds"] < 3000, "Sabaki kills what takes longer"


def check_analysis(lines: list[str], at_least: int) -> None:
    """A reply that begins, has lines of information alone, and ends."""
    assert lines[0].strip() == "="
    assert lines[-1] == ""
    assert len(lines) - 2 >= at_least, lines
    n_visits = [sum(info["visits"] for info in parse_infos(line)) for line in lines[1:-1]]
    assert n_visits == sorted(n_visits), "a search that goes on"


def parse_infos(line: str) -> list[dict[str, Any]]:
    """As strictly as Sabaki's reader needs it, and a little more."""
    blank, *infos = re.split(r"(?:^| )info ", line)
    assert blank == ""
    assert infos
    return [parse_info(info, order) for order, info in enumerate(infos)]


def parse_info(text: str, order: int) -> dict[str, Any]:
    match = _INFO.fullmatch(text)
    assert match, f"not an info that ends with its pv: {text!r}"
    words = match["pairs"].split()
    values = dict(zip(words[::2], words[1::2], strict=True))
    variation = match["pv"].split()
    for vertex in variation:
        parse_vertex(vertex, 9)
    assert values["move"] == variation[0]
    assert int(values["order"]) == order
    assert "." in values["winrate"], "what has no point is of 10000 for Sabaki"
    assert 0.0 <= float(values["winrate"]) <= 1.0
    return {"move": values["move"], "visits": int(values["visits"])}


def check_moves(history: list[str], by_command: dict[str, str]) -> None:
    """What Sabaki believes to be on the board after undo and a second genmove."""
    assert history[:3] == ["play B E5", "play W C3", "play B G3"]
    assert history[3:] == [f"play W {by_command['genmove W']}"]
    for command in ("genmove B", "genmove W"):
        parse_vertex(by_command[command], 9)
