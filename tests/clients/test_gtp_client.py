"""`goengine gtp` on pipes, as a GUI starts it."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients import gtp as client

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "clients.main", "gtp", "--engine", "random", "--seed", "1"]


class Echo:
    """A session that answers with the line that it got; a blank line gets no answer."""

    ended = False

    def run_line(self, line: str) -> str | None:
        self.ended = line.startswith("quit")
        return f"= {line.strip()}\n\n" if line.strip() else None


def served(requests: bytes) -> bytes:
    replies = io.BytesIO()
    client.serve(Echo(), io.BytesIO(requests), replies)
    return replies.getvalue()


@pytest.mark.parametrize(
    ("requests", "replies"),
    [
        (b"", b""),
        (b"name\n", b"= name\n\n"),
        (b"name", b"= name\n\n"),
        (b"\n\r\nname\r\n", b"= name\n\n"),
        (b"a\nquit\nb\n", b"= a\n\n= quit\n\n"),
        (b"\xff\xfe\n", "= \ufffd\ufffd\n\n".encode()),
        ("é\n".encode(), "= é\n\n".encode()),
    ],
)
def test_serve(requests: bytes, replies: bytes) -> None:
    assert served(requests) == replies


def run(requests: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *options], input=requests, cwd=ROOT, capture_output=True, timeout=120
    )


def test_a_game_over_pipes() -> None:
    requests = (
        b"1 boardsize 5\n2 play b C3\n3 genmove w\n4 list_stones black\n\xff\xfe\x00\n5 quit\n"
    )
    done = run(requests)
    assert done.returncode == 0
    replies = done.stdout.decode().split("\n\n")
    assert replies[0] == "=1"
    assert replies[1] == "=2"
    assert replies[2].startswith("=3 ")
    assert replies[3] == "=4 C3"
    assert replies[4] == "? unknown command"
    assert replies[5:] == ["=5", ""]


def test_ends_with_the_input() -> None:
    done = run(b"protocol_version\n")
    assert (done.returncode, done.stdout) == (0, b"= 2\n\n")


def test_options_reach_the_session() -> None:
    done = run(
        b"name\nversion\nget_komi\nplay b S19\nkata-get-rules\n",
        *["--name", "Other", "--engine-version", "1.20"],
        *["--size", "18", "--komi", "-3.5", "--rules", "japanese"],
    )
    name, version, komi, off_board, rules, end = done.stdout.decode().split("\n\n")
    assert (name, version, komi, end) == ("= Other", "= 1.20", "= -3.5", "")
    assert off_board.startswith("? ")
    assert "TERRITORY" in rules


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--engine", "alphago"], "alphago"),
        (["--rules", "poker"], "poker"),
        (["--size", "26"], "26"),
        (["--size", "x"], "x"),
        (["--playouts", "0"], "0"),
        (["--seed", "-1"], "-1"),
        (["--komi", "nan"], "nan"),
    ],
)
def test_wrong_option_is_named(
    options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        sys.exit(client.main(options))
    assert ending.value.code == 2
    out, err = capsys.readouterr()
    message = err.splitlines()[-1]
    assert out == ""
    assert message.startswith("goengine gtp: ")
    assert complaint in message


@pytest.fixture
def engine() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        yield process
        process.kill()


def test_each_reply_comes_before_the_next_request(engine: subprocess.Popen[bytes]) -> None:
    assert engine.stdin is not None
    assert engine.stdout is not None
    for request, reply in [(b"1 protocol_version", b"=1 2\n"), (b"2 boardsize 9", b"=2\n")]:
        engine.stdin.write(request + b"\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == reply
        assert engine.stdout.readline() == b"\n"


def test_closed_pipe_ends_quietly(engine: subprocess.Popen[bytes]) -> None:
    assert engine.stdin is not None
    assert engine.stdout is not None
    assert engine.stderr is not None
    engine.stdout.close()
    engine.stdin.write(b"name\n")
    engine.stdin.flush()
    assert engine.wait(timeout=60) == 141
    assert b"Traceback" not in engine.stderr.read()
