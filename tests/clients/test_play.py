"""`goengine play`, driven through a pipe and through a terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from clients import play as client

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "clients.main", "play"]
QUICK = ["--engine", "random", "--seed", "1", "--size", "5"]


Play = Callable[..., "Played"]


class Played(NamedTuple):
    exit_code: int
    shown: str
    complaints: str


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Type lines into `goengine play`, inside this process."""

    def run(lines: list[str], *options: str) -> Played:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        exit_code = client.main([*QUICK, *options])
        return Played(exit_code, *capsys.readouterr())

    return run


def last_board(shown: str) -> str:
    return shown.rsplit("A B C D E", 2)[-2]


def test_a_game_through_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "my game.sgf"
    lines = ["c3", "score", f"save {file}", f"save {file}", "\udcff", "resign", "quit"]
    done = subprocess.run(
        [*COMMAND, *QUICK],
        input="\n".join(lines).encode(errors="surrogateescape"),
        cwd=ROOT,
        capture_output=True,
        timeout=120,
    )
    shown = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in shown
    assert (last_board(shown).count("X"), last_board(shown).count("O")) == (1, 1)
    assert "5x5, chinese rules, komi 7.5" in shown
    assert "If the game ended here: " in shown
    assert shown.count(f"Saved as {file}") == 2
    assert "White wins by resignation" in shown
    record = file.read_text()
    assert record.startswith("(;")
    assert ";B[cc]" in record


def test_ends_with_the_input(play: Play) -> None:
    assert play([]).exit_code == 0


def test_mistakes_are_explained(play: Play) -> None:
    taken = ROOT / "pyproject.toml"
    done = play(["z9", "E6", "foo", "undo", "save", f"save {taken}", "save /no/such/place", "help"])
    assert done.exit_code == 0
    for words in (
        "'z9' is not on a 5x5 board",
        "'E6' is not on a 5x5 board",
        "'foo' is not a vertex such as D4. Type help",
        "You have no move to take back yet.",
        "Save where? For example: save game.sgf",
        f"{taken} exists already. Choose another name.",
        "Cannot write /no/such/place: No such file or directory.",
        "take back your last move",
    ):
        assert words in done.shown


def test_illegal_move_is_explained(play: Play) -> None:
    done = play(["c3", "c3"])
    assert "illegal move: C3 is occupied" in done.shown


def test_undo_and_new_clear_the_board(play: Play) -> None:
    done = play(["c3", "undo", "new"])
    assert last_board(done.shown).count(".") == 25
    assert "Taken back." in done.shown
    assert "A new game." in done.shown


def test_white_waits_for_the_engine(play: Play) -> None:
    done = play([], "--color", "white")
    assert "Move 1: random " in done.shown
    assert done.shown.rstrip().endswith("white>")


def test_handicap(play: Play) -> None:
    done = play([], "--size", "9", "--handicap", "3", "--color", "white")
    board = done.shown.partition("9x9")[0]
    assert board.count("X") == 3
    assert "komi 0.5" in done.shown


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--handicap", "4"], "--handicap 4: invalid number of stones"),
        (["--engine", "alphago"], "alphago"),
        (["--rules", "poker"], "poker"),
    ],
)
def test_wrong_option_is_named(play: Play, options: list[str], complaint: str) -> None:
    done = play([], *options)
    assert done.exit_code == 2
    assert complaint in done.complaints
    assert "Traceback" not in done.complaints


def test_the_engine_tells_its_win_rate(play: Play) -> None:
    done = play(["c3", "hint"], "--engine", "montecarlo", "--playouts", "200")
    assert "The engine's win rate: " in done.shown
    assert "montecarlo would play " in done.shown


def test_words_after_a_command_are_refused(play: Play) -> None:
    shown = play(["pass the salt", "undo 7", "resign now", "score"]).shown
    assert shown.count("Nothing comes after") == 3
    assert "If the game ended here" in shown


def test_a_resigned_game_is_saved_with_its_result(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    play(["C3", "resign", f"save {file}"])
    assert file.read_text().startswith("(;RE[W+R]FF[4]")


def test_a_reader_that_goes_away_ends_the_game_quietly() -> None:
    game = subprocess.Popen(
        [*COMMAND, *QUICK], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=-1
    )
    assert game.stdin is not None
    assert game.stdout is not None
    game.stdout.readline()
    game.stdout.close()
    game.stdin.write(b"A1\n" * 20)
    with suppress(BrokenPipeError):
        game.stdin.close()
    assert game.wait(60) == 141
    assert game.stderr is not None
    assert game.stderr.read() == b""
    game.stderr.close()


class Terminal:
    """A program on a terminal of 80x40 characters."""

    def __init__(self, command: list[str], **variables: str) -> None:
        self.primary, secondary = pty.openpty()
        fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=secondary,
            stdout=secondary,
            stderr=secondary,
            start_new_session=True,
            # Who runs the tests in the background may have SIGINT ignored; a terminal has not.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            env=os.environ | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | variables,
        )
        os.close(secondary)

    def type(self, text: str) -> None:
        os.write(self.primary, text.encode())

    def read_until(self, words: str, seconds: float = 60) -> str:
        """Return all that came up to and with `words`; fails when they do not come."""
        shown = b""
        deadline = time.monotonic() + seconds
        while words.encode() not in shown:
            ready, _, _ = select.select([self.primary], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"no {words!r} within {seconds} s after {shown.decode()!r}"
            shown += os.read(self.primary, 4096)
        return shown.decode()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.primary)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal([*COMMAND, *QUICK])
    yield opened
    opened.close()


def test_a_game_on_a_terminal(terminal: Terminal) -> None:
    first = terminal.read_until("black>")
    assert "\x1b[38;5;94;48;5;179m" in first  # lines on wood
    terminal.type("c3\n")
    after = terminal.read_until("black>")
    assert "38;5;233;48;5;179m●" in after
    assert "\x1b[H" in after  # drawn in place
    terminal.type("quit\n")
    assert terminal.process.wait(timeout=30) == 0


def test_end_of_input_on_a_terminal(terminal: Terminal) -> None:
    terminal.read_until("black>")
    terminal.type("\x04")
    assert terminal.process.wait(timeout=30) == 0


def test_interrupt_on_a_terminal(terminal: Terminal) -> None:
    terminal.read_until("black>")
    for _ in range(5):  # readline misses a signal that comes just before it waits
        os.killpg(terminal.process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            assert terminal.process.wait(timeout=2) == 130
            return
    pytest.fail("the game goes on")


def test_terminal_without_colors() -> None:
    terminal = Terminal([*COMMAND, *QUICK], NO_COLOR="1")
    try:
        assert "A B C D E" in (shown := terminal.read_until("black>"))
        assert "●" not in shown
    finally:
        terminal.close()
