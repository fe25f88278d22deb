"""The `goengine` and `goengined` commands, as a shell runs them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clients import main as client
from daemon import main as server
from goengine import __version__
from tests.clients.fake_daemon import FakeDaemon
from tests.clients.fake_game import FakeGame

ROOT = Path(__file__).parent.parent.parent
GOENGINE = [sys.executable, "-m", "clients.main"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*GOENGINE, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("word", ["--version", "-V", "version"])
def test_version(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert client.main([word]) == 0
    assert capsys.readouterr().out == f"goengine {__version__}\n"


def test_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; from clients.main import main; main(['--version']);"
        "print(sorted({'numpy', 'numba', 'rich', 'argparse'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines() == [f"goengine {__version__}", "[]"]


def test_version_answers_at_once() -> None:
    def seconds() -> float:
        started = time.perf_counter()
        assert run("--version").returncode == 0
        return time.perf_counter() - started

    assert min(seconds() for _ in range(5)) < 0.3


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_help_names_every_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert client.main(arguments) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in client.SUBCOMMANDS)
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("pley", "did you mean `goengine play`?"),
        ("GTP", "did you mean `goengine gtp`?"),
        ("--bench", "did you mean `goengine bench`?"),
        (
            "xyzzy",
            "the commands are play, gtp, ctl, keys, analyse, match, gauntlet, tune, learn, bench, "
            "signature, warm",
        ),
    ],
)
def test_wrong_command_names_the_nearest(
    word: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert client.main([word]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"goengine: there is no command '{word}'; {answer}\n"


@pytest.mark.parametrize("name", client.SUBCOMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    done = run(name, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: goengine {name}")


def test_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(client, "_dispatch", interrupted)
    assert client.main(["play"]) == 130


def test_closed_pipe_ends_quietly() -> None:
    process = subprocess.Popen(
        [*GOENGINE, "help"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141
    process.stderr.close()


def test_server_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert server.main(["--version"]) == 0
    assert capsys.readouterr().out == f"goengined {__version__}\n"
    assert server.main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: goengined")


def test_server_names_the_nearest_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert server.main(["--wokers", "3"]) == 64
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "goengined: there is no option --wokers; did you mean --workers?\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["gtp", "play --size 5"])
def test_closed_streams_are_no_error(fake: FakeDaemon, command: str, closed: str) -> None:
    FakeGame(fake)
    script = f"echo name | {sys.executable} -m clients.main {command} {closed}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"GOENGINE_CONNECT": fake.address.text},
    )
    assert done.returncode == 0
    assert done.stderr == ""
