"""docs/protocol.md and its clients: they run, and the page leaves nothing out."""

from __future__ import annotations

import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from daemon import protocol
from goengine.board import BLACK, WHITE
from goengine.points import parse_vertex
from goengine.rules.game import Game
from tests.process.daemons import ROOT, Client, Daemon, running_daemon
from tests.process.npm_packages import node_directory, run_node

PAGE = ROOT / "docs" / "protocol.md"
EXAMPLES = ROOT / "docs" / "examples"
ZEROMQ = "6.8.0"
MESSAGES = [
    protocol.Settings,
    *typing.get_args(protocol.Request),
    *typing.get_args(protocol.Control),
    *typing.get_args(protocol.Answer),
]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("d")) as daemon:
        daemon.status()  # it is there, also for tests that are skipped at once
        yield daemon


def check_game(output: str) -> None:
    """Every move that a client tells of is legal, and the board that it shows has the stones."""
    told, _, board = output.partition("=\n")
    moves = [line.split() for line in told.splitlines()]
    assert [color for color, _ in moves] == 3 * ["black", "white"]
    game = Game(9)
    for color, vertex in moves:
        game.play({"black": BLACK, "white": WHITE}[color], parse_vertex(vertex, 9))
    assert "Move 7: black to play" in board
    rows = "".join(line[2:21] for line in board.splitlines()[1:10])
    assert rows.count("X") + rows.count("O") == len(game.stones()), board


def test_the_python_client(daemon: Daemon) -> None:
    outcome = subprocess.run(
        [sys.executable, EXAMPLES / "client.py", daemon.address],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (outcome.returncode, outcome.stderr) == (0, "")
    check_game(outcome.stdout)
    assert not any(game["name"].startswith("example-") for game in daemon.status()["games"])


def test_the_node_client(daemon: Daemon, tmp_path: Path) -> None:
    directory = node_directory(tmp_path, "zeromq", ZEROMQ, EXAMPLES / "client.mjs")
    check_game(run_node(directory, "client.mjs", daemon.address))
    assert not any(game["name"].startswith("example-") for game in daemon.status()["games"])


@pytest.mark.parametrize(("language", "name"), [("python", "client.py"), ("js", "client.mjs")])
def test_the_page_shows_the_clients(language: str, name: str) -> None:
    shown = f"```{language}\n{(EXAMPLES / name).read_text()}```\n"
    assert shown in PAGE.read_text(), f"docs/protocol.md does not show {name} as it is"


def section(title: str) -> str:
    """What stands under a heading of the page, up to the next one of any rank."""
    lines = PAGE.read_text().splitlines()
    assert title in lines, f"no heading {title!r}"
    start = lines.index(title) + 1
    ends = (n for n in range(start, len(lines)) if lines[n].startswith("#"))
    return "\n".join(lines[start : next(ends, len(lines))])


def first_cells(text: str) -> list[str]:
    """The first column of the tables in a text, where it has code."""
    return [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]


def told_about(name: str) -> tuple[str, list[str]]:
    """What the page says of a message: in its own section, or in one row. And its fields."""
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| {name} |")]
    if not rows:
        text = section(f"### {name}")
        return text, first_cells(text)
    assert len(rows) == 1, rows
    return rows[0], rows[0].split("|")[3].replace("`", "").replace(",", "").split()


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__name__)
def test_the_page_names_every_message_with_its_fields(message: type[msgspec.Struct]) -> None:
    info = msgspec.inspect.type_info(message)
    assert isinstance(info, msgspec.inspect.StructType)
    fields = {field.encode_name for field in info.fields}
    if info.tag_field:
        fields -= {"v", "id"}
    if "client" in fields:
        fields -= {"client", "game"}
    text, told = told_about(message.__name__)
    if info.tag_field:
        assert f'`"{info.tag_field}": "{info.tag}"`' in text
    assert sorted(told) == sorted(fields), f"docs/protocol.md on {message.__name__}"


def test_the_page_names_every_error_code_and_stream() -> None:
    assert first_cells(section("## Error codes")) == list(typing.get_args(protocol.Code))
    streams = [
        line.split("`")[1] for line in section("### Streams").splitlines() if line[:1] == "-"
    ]
    assert streams == list(typing.get_args(protocol.Stream))


def test_the_page_tells_the_version() -> None:
    assert PAGE.read_text().startswith(f"# The protocol, version {protocol.VERSION}\n")
    assert f"{protocol.MAX_BYTES:,} bytes" in PAGE.read_text()


def test_the_page_names_every_field_of_the_status(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open(size=9)
        status = daemon.status()
    text = section("### What a status says")
    parts = [status, status["memory"], *(status[key][0] for key in ("workers", "slots", "games"))]
    missing = [name for part in parts for name in part if f"`{name}`" not in text]
    assert not missing, f"docs/protocol.md: no word about {missing}"
