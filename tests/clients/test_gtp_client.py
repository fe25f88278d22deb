"""`goengine gtp` on pipes, as a GUI starts it, attached to a daemon without an engine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from clients import gtp as client
from daemon.protocol import Close, Open, Settings
from tests.clients.fake_daemon import FakeDaemon

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "clients.main", "gtp"]


def run(fake: FakeDaemon, requests: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, "--connect", fake.address.text, *options],
        input=requests,
        cwd=ROOT,
        capture_output=True,
        timeout=20,
    )


def opened(fake: FakeDaemon) -> Open:
    (request,) = (each for each in fake.received if isinstance(each, Open))
    return request


def test_a_conversation_over_pipes(fake: FakeDaemon) -> None:
    done = run(fake, b"1 boardsize 5\r\n\n2 bad\n3 report x\n4 quit\n5 name\n")
    assert done.returncode == 0
    assert done.stdout == b"=1 boardsize 5\n\n?2 unknown command\n\n=3 report x\n\n=4 quit\n\n"
    assert done.stderr == b'{"frame": {}}\ncompiling\n'


def test_a_game_without_a_name_is_closed(fake: FakeDaemon) -> None:
    assert run(fake, b"name\n").stdout == b"= name\n\n"
    opening = opened(fake)
    assert opening.game.startswith("gtp-")
    assert not opening.keep
    assert isinstance(fake.received[-1], Close)
    assert fake.received[-1].game == opening.game
    assert {request.client for request in fake.received} == {opening.client}


def test_a_game_with_a_name_is_kept(fake: FakeDaemon) -> None:
    run(fake, b"name\nquit\n", "--game", "club-1", "--watch")
    opening = opened(fake)
    assert (opening.game, opening.keep, opening.watch) == ("club-1", True, True)
    assert not any(isinstance(request, Close) for request in fake.received)


def test_options_reach_the_daemon(fake: FakeDaemon) -> None:
    run(
        fake,
        b"",
        *["--name", "Other", "--engine-version", "1.20", "--size", "18", "--komi", "-3.5"],
        *["--rules", "japanese", "--engine", "mcts", "--playouts", "7", "--time", "2.5"],
        *["--workers", "3", "--seed", "5", "--set", "a=1", "--set", "b=x=y", "--no-ponder"],
    )
    assert opened(fake).settings == Settings(
        size=18,
        rules="japanese",
        komi=-3.5,
        engine="mcts",
        playouts=7,
        seconds=2.5,
        pondering="off",
        workers=3,
        seed=5,
        name="Other",
        version="1.20",
        parameters={"a": "1", "b": "x=y"},
    )


def test_what_is_not_said_is_for_the_daemon_to_say(fake: FakeDaemon) -> None:
    run(fake, b"")
    assert opened(fake).settings == Settings()


@pytest.mark.parametrize(
    ("failure", "exit_code"),
    [
        (("settings", "there is no engine 'alphago'"), 2),
        (("bad-message", "not a message"), 2),
        (("taken", "the game is somebody else's"), 1),
        (("no-room", "too many games"), 1),
        (("leaving", "the daemon takes no new games"), 1),
        (("version", "this is protocol 3"), 1),
    ],
)
def test_a_refusal_is_one_line(
    fake: FakeDaemon,
    failure: tuple[str, str],
    exit_code: int,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake.fail_open = failure
    with Path("/dev/null").open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert client.main(["--connect", fake.address.text]) == exit_code
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("goengine gtp: ")
    assert err.endswith(f"{failure[1]}\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--size", "26"], "26"),
        (["--size", "x"], "x"),
        (["--playouts", "0"], "0"),
        (["--seed", "-1"], "-1"),
        (["--komi", "nan"], "nan"),
        (["--time", "0"], "0"),
        (["--workers", "0"], "0"),
        (["--set", "key"], "'key' is not of the form KEY=VALUE"),
        (["--game", "a/b"], "a/b"),
        (["--watch"], "--watch needs --game"),
        (["--connect", "nowhere"], "nowhere"),
        (["--connect", "ipc:///x", "--embedded"], "--embedded"),
        (["--name", 201 * "x"], "200"),
    ],
)
def test_wrong_option_is_named(
    options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        client.main(options)
    assert ending.value.code == 2
    out, err = capsys.readouterr()
    message = err.splitlines()[-1]
    assert out == ""
    assert message.startswith("goengine gtp: ")
    assert complaint in message


def test_nobody_listens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    complaint = "goengine gtp: no daemon at ipc:///no/such/place; start one with goengined\n"
    assert client.main(["--connect", "ipc:///no/such/place"]) == 1
    assert capsys.readouterr() == ("", complaint)
    monkeypatch.setenv("GOENGINE_CONNECT", "ipc:///no/such/place")
    assert client.main([]) == 1
    assert capsys.readouterr() == ("", complaint)
    monkeypatch.setenv("GOENGINE_CONNECT", "nonsense")
    assert client.main([]) == 1
    assert capsys.readouterr().err.startswith("goengine gtp: GOENGINE_CONNECT: 'nonsense'")


def test_nothing_heavy_is_imported(fake: FakeDaemon) -> None:
    code = (
        "import sys; from clients.main import main;"
        f"main(['gtp', '--connect', {fake.address.text!r}]);"
        "heavy = {'numba', 'numpy', 'rich', 'asyncio', 'llvmlite', 'sgfmill'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=b"", capture_output=True)
    assert (done.stdout, done.stderr) == (b"[]\n", b"")


@pytest.fixture
def engine(fake: FakeDaemon) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        COMMAND,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"GOENGINE_CONNECT": fake.address.text},
    )
    with process:
        yield process
        process.kill()


def test_each_reply_comes_before_the_next_request(engine: subprocess.Popen[bytes]) -> None:
    assert engine.stdin is not None
    assert engine.stdout is not None
    for request, reply in [(b"1 protocol_version", b"=1 protocol_version\n"), (b"2 a", b"=2 a\n")]:
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
    assert engine.wait(timeout=20) == 141
    assert b"Traceback" not in engine.stderr.read()


def test_a_daemon_that_comes_back_is_told(
    engine: subprocess.Popen[bytes], fake: FakeDaemon
) -> None:
    assert engine.stdin is not None
    assert engine.stdout is not None
    assert engine.stderr is not None
    engine.stdin.write(b"1 name\n")
    engine.stdin.flush()
    assert engine.stdout.readline() == b"=1 name\n"
    fake.kill()
    engine.stdin.write(b"2 name\n")
    engine.stdin.close()
    assert engine.stderr.readline() == (
        b"goengine gtp: the daemon does not answer; waiting for it\n"
    )
    fake.start()
    assert engine.stdout.read() == b"\n=2 name\n\n"
    assert engine.stderr.read() == b"goengine gtp: the daemon is back\n"
    engine.stdin = None
    assert engine.wait(timeout=20) == 0


def test_a_daemon_that_wants_a_key(tmp_path: Path) -> None:
    _, secret = zmq.curve_keypair()
    with zmq.Context() as context, context.socket(zmq.ROUTER) as daemon:
        daemon.curve_server = True
        daemon.curve_secretkey = secret
        daemon.bind(f"ipc://{tmp_path}/requests")
        ended = subprocess.run(
            [*COMMAND, "--connect", f"ipc://{tmp_path}"],
            cwd=ROOT,
            input=b"name\n",
            capture_output=True,
            timeout=30,
        )
    assert ended.returncode == 1
    assert ended.stdout == b""
    assert b"it wants a key" in ended.stderr
