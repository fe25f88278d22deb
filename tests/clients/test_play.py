"""`goengine play`, through a pipe and through a terminal, against a game that is no engine."""

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
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from clients import play as client
from daemon.protocol import Close, Gtp, Open
from goengine.gtp_line import Request as GtpLine
from tests.clients.fake_daemon import Death, FakeDaemon
from tests.clients.fake_game import SIZE, FakeGame

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "clients.main", "play"]
QUICK = ["--engine", "random", "--size", str(SIZE)]


Play = Callable[..., "Played"]


class Played(NamedTuple):
    exit_code: int
    shown: str
    complaints: str


@pytest.fixture(autouse=True)
def game(fake: FakeDaemon, monkeypatch: pytest.MonkeyPatch) -> FakeGame:
    """What every client here finds."""
    monkeypatch.setenv("GOENGINE_CONNECT", fake.address.text)
    return FakeGame(fake)


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


def test_handicap(play: Play, fake: FakeDaemon) -> None:
    done = play([], "--handicap", "3")
    board = done.shown.partition("5x5")[0]
    assert (board.count("X"), board.count("O")) == (3, 1)
    assert "komi 0.5" in done.shown
    opening = fake.received[0]
    assert isinstance(opening, Open)
    assert opening.settings.komi == 0.5


def test_wrong_handicap_is_named(play: Play) -> None:
    done = play([], "--handicap", "4")
    assert done.exit_code == 2
    assert done.complaints == "goengine play: --handicap 4: invalid number of stones\n"


@pytest.mark.parametrize(("code", "exit_code"), [("settings", 2), ("no-room", 1)])
def test_a_refusal_is_one_line(play: Play, fake: FakeDaemon, code: str, exit_code: int) -> None:
    fake.fail_open = (code, "there is no engine 'alphago'")
    done = play([])
    assert done == (exit_code, "", "goengine play: there is no engine 'alphago'\n")


def test_no_daemon_where_one_should_be(play: Play) -> None:
    done = play([], "--connect", "ipc:///no/such/place")
    assert done.exit_code == 1
    assert done.complaints == (
        "goengine play: no daemon at ipc:///no/such/place; start one with goengined\n"
    )


def test_options_reach_the_daemon(play: Play, fake: FakeDaemon) -> None:
    play([], "--time", "1.5", "--workers", "2", "--seed", "3")
    opening = fake.received[0]
    assert isinstance(opening, Open)
    assert opening.game.startswith("play-")
    assert opening.settings.size == SIZE
    assert opening.settings.seconds == 1.5
    assert opening.settings.workers == 2
    assert opening.settings.seed == 3
    assert isinstance(fake.received[-1], Close)


def test_the_engine_tells_its_win_rate(play: Play) -> None:
    done = play(["c3", "hint"])
    assert "The engine's win rate: 42%" in done.shown
    assert "random would play B1, with a win rate of 42% for you." in done.shown


def test_territory_in_letters(play: Play) -> None:
    done = play(["territory", "c3", "territory", "undo", "territory"])
    assert "Territory is shown when the engine has thought." in done.shown
    assert "Territory is not shown any more." in done.shown
    boards = done.shown.split("A B C D E")[1::2]
    assert [board.count("x") for board in boards] == [0, 10, 0, 0]
    assert [board.count("o") for board in boards] == [0, 9, 0, 0]


def test_a_daemon_that_restarts_does_not_end_the_game(play: Play, fake: FakeDaemon) -> None:
    usual = fake.answer

    def restart() -> None:
        fake.kill()
        fake.start()

    def die_once(line: GtpLine, request: Gtp) -> str | None:
        if line.command == "genmove" and fake.n_starts == 1:
            threading.Thread(target=restart).start()
            raise Death
        return usual(line, request)

    fake.answer = die_once
    done = play(["c3"])
    assert done.exit_code == 0
    assert fake.n_starts == 2
    assert "Move 2: random A1" in done.shown


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
