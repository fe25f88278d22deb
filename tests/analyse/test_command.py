"""`goengine analyse`: its command line, a whole analysis with real daemons, and its early ends."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

from clients.analyse import command
from clients.analyse.record import read_record
from clients.link import NoAnswer
from clients.main import main
from tests.analyse.fake_engine import FakeEngine
from tests.analyse.records import BLUNDER, PLAIN
from tests.process.daemons import running_daemon

SEARCH = ["--playouts", "300", "--workers", "1", "--seed", "1"]


def analyse(*words: str | Path) -> int:
    return main(["analyse", *map(str, words)])


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_bytes(BLUNDER)
    return path


def test_a_blunder_is_the_largest_loss_in_all_outputs(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyse(game, "--embedded", *SEARCH) == 0
    table = capsys.readouterr().out
    assert analyse(game, "--embedded", *SEARCH, "--json", "--no-files") == 0
    report = json.loads(capsys.readouterr().out)
    moves = report["moves"]
    assert report["is_complete"]
    assert (report["size"], report["komi"], report["rules"]) == (9, 20, "chinese")
    assert [move["number"] for move in moves] == [1, 2, 3, 4, 5, 6]
    worst = max(moves, key=lambda move: move["loss"])
    assert (worst["number"], worst["color"], worst["move"]) == (3, "black", "A1")
    assert (worst["grade"], report["summary"]["turning_point"]) == ("blunder", 3)
    assert worst["loss"] > 0.5
    assert worst["score_before"] > 0 > worst["score_after"]
    check_record(game, moves)
    check_plot(game, worst)
    assert re.search(rf"3 +A1 .*{100 * worst['loss']:.1f} %", table)
    assert "Turning point: move 3, Black A1." in table


def check_record(game: Path, moves: list[dict[str, Any]]) -> None:
    """The same figures are in the record, from the same side."""
    record = sgf.Sgf_game.from_bytes(game.with_name("game.analysed.sgf").read_bytes())
    nodes = record.get_main_sequence()[1:]
    for move, node in zip(moves, nodes, strict=True):
        black = move["win_rate_after"] if move["color"] == "black" else 1 - move["win_rate_after"]
        assert float(node.get_raw("SBKV")) == pytest.approx(100 * black)
        assert float(node.get_raw("SBKS")) == move["score_after"]
        assert f"{100 * move['win_rate_before']:.1f} % -> {100 * move['win_rate_after']:.1f} %" in (
            node.get("C")
        )
    assert nodes[2].get_raw("BM") == b"2"
    assert record.get_root().get("PB") == "岡目"


def check_plot(game: Path, worst: dict[str, Any]) -> None:
    svg = game.with_name("game.analysed.svg").read_text(encoding="utf-8")
    assert f"3 A1 −{100 * worst['loss']:.1f} %" in svg
    assert "岡目 (black) – 八目 (white)" in svg


def test_a_running_daemon_is_used_and_left_without_the_game(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = tmp_path / "d"
    directory.mkdir()
    with running_daemon(directory) as daemon:
        address = ["--connect", daemon.address]
        output = tmp_path / "out" / "new.sgf"
        options = ["--moves", "3-4", "--color", "white", "--output", str(output)]
        assert analyse(game, *address, *options, *SEARCH) == 0
        assert output.exists()
        assert output.with_suffix(".svg").exists()
        assert "1 of 1 moves as goengine" in capsys.readouterr().out
        assert daemon.status()["games"] == []
        game.write_bytes(b"(;SZ[9];B[aa];W[bb];B[aa])")
        assert analyse(game, *address, *SEARCH) == 2
        assert capsys.readouterr().err == (
            "goengine analyse: game.sgf: B[aa] at move 3: illegal move: A9 is occupied; "
            "--moves 1-2 analyses what comes before\n"
        )
        assert analyse(game, *address, *SEARCH, "--moves", "-2", "--no-files") == 0


def run_with(engine: FakeEngine, path: Path, *words: str) -> int:
    """A command with an engine in place of a daemon's."""
    options = command._parser().parse_args([str(path), *words])
    options.output = command._output_path(options)
    record = read_record(path)
    return command._analyse(options, record, [1, 2, 3, 4], engine)  # type: ignore[arg-type]


@pytest.fixture
def heeds_sigint() -> Iterator[None]:
    """Who runs the tests in the background may have SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeds_sigint")
@pytest.mark.parametrize(
    ("interrupt", "code", "told"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGINT), 130, "interrupted after move 2"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), 130, "interrupted after move 2"),
        (None, 1, "stopped after move 2: nobody"),
    ],
)
def test_what_was_found_is_written_whatever_ends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], interrupt: Any, code: int, told: str
) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(PLAIN)
    engine = FakeEngine()

    def on_search(n_before: int) -> None:
        if n_before == 5:  # the third move
            if interrupt is None:
                raise NoAnswer("nobody")
            interrupt()

    engine.on_search = on_search
    assert run_with(engine, path, "--json") == code
    output, errors = capsys.readouterr()
    report = json.loads(output)
    assert not report["is_complete"]
    assert [move["number"] for move in report["moves"]] == [1, 2]
    assert told in errors
    nodes = sgf.Sgf_game.from_bytes((tmp_path / "game.analysed.sgf").read_bytes())
    has_value = [node.has_property("SBKV") for node in nodes.get_main_sequence()]
    assert has_value == [True, True, True, False, False]
    assert (tmp_path / "game.analysed.svg").exists()


@pytest.mark.usefixtures("heeds_sigint")
def test_interrupted_before_the_first_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(PLAIN)
    engine = FakeEngine()
    engine.on_search = lambda n_before: os.kill(os.getpid(), signal.SIGINT)
    assert run_with(engine, path) == 130
    assert list(tmp_path.iterdir()) == [path]


ERRORS = {
    ("--moves", "7"): "--moves: game.sgf has no move 7; its main line has 1 to 6",
    ("--moves", "2-9"): "--moves: game.sgf has no move 9; its main line has 1 to 6",
    ("--moves", "2-2", "--color", "black"): "game.sgf has no moves of Black from 2 to 2",
    ("--moves", "5-2"): "'5-2' is not a range of moves such as 20-60",
    ("--moves", "x"): "'x' is not a range of moves such as 20-60",
    ("--moves", "-"): "'-' is not a range of moves such as 20-60",
    ("--moves", "0-2"): "'0-2' is not a range of moves such as 20-60",
    ("--marks", "5,3,9"): "'5,3,9' is not three ascending numbers such as 5,10,20",
    ("--marks", "5"): "'5' is not three ascending numbers such as 5,10,20",
    ("--output", "plot.svg"): "'plot.svg' does not end in .sgf",
    ("--output", f"{__file__}/x.sgf"): "/x.sgf cannot be written; name another place",
    ("--rules", "mine"): "no rules are called 'mine'",
    ("--game-number", "2"): "game.sgf has no game 2: it has 1",
    ("--connect", "ipc:///tmp/nobody-is-here"): "no daemon at ipc:///tmp/nobody-is-here",
}


@pytest.mark.parametrize("words", ERRORS)
def test_command_lines_that_cannot_be(
    words: tuple[str, ...], game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = analyse(game, *words)
    except SystemExit as exit:
        code = int(exit.code or 0)
    assert code == (1 if "--connect" in words else 2)
    assert ERRORS[words] in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "expected"),
    [("20-60", (20, 60)), ("20-", (20, None)), ("-60", (1, 60)), ("7", (7, 7)), ("7-7", (7, 7))],
)
def test_ranges(text: str, expected: tuple[int, int | None]) -> None:
    assert command.move_range(text) == expected
