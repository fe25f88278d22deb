"""`goengine gtp` and `goengine play` as people run them, with real daemons."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.process.daemons import ROOT, Client, running_daemon, segments_of, wait_until
from tests.process.killing import play_while_daemons_die

GOENGINE = [sys.executable, "-m", "clients.main"]

CONVERSATION = """\
1 protocol_version
2 name
3 list_commands
boardsize 9
4 komi 6.5
fixed_handicap 2
5 play w E5
genmove b
reg_genmove w
# a comment

showboard\r
play w E5
6 genmove w
undo
time_settings 60 5 1
time_left b 30 0
time_settings 0 1 0
kata-get-rules
goengine-param
kata-search b
final_score
printsgf
foo
7 list_stones b
boardsize 5
genmove b
8 quit
"""


def run(*arguments: str, said: str = "", environment: dict[str, str] | None = None):
    return subprocess.run(
        [*GOENGINE, *arguments],
        cwd=ROOT,
        input=said.encode(),
        capture_output=True,
        timeout=120,
        env=os.environ | (environment or {}),
    )


def test_embedded_and_attached_give_the_same_bytes(tmp_path: Path) -> None:
    options = ("--seed", "7", "--playouts", "300", "--workers", "1", "--size", "9")
    embedded = run("gtp", "--embedded", *options, said=CONVERSATION)
    with running_daemon(tmp_path, workers=1) as daemon:
        attached = run("gtp", "--connect", daemon.address, *options, said=CONVERSATION)
        assert daemon.status()["games"] == [], "a game without a name goes with its client"
    assert (embedded.returncode, attached.returncode) == (0, 0)
    assert embedded.stdout == attached.stdout
    assert embedded.stdout.count(b"\n\n") == CONVERSATION.count("\n") - 2
    assert embedded.stdout.endswith(b"=8\n\n")


def test_a_named_game_waits_for_its_client(tmp_path: Path) -> None:
    with running_daemon(tmp_path, workers=1) as daemon:
        options = ("gtp", "--connect", daemon.address, "--game", "tournament", "--size", "9")
        assert run(*options, said="play b E5\nquit\n").returncode == 0
        daemon.kill()
        daemon.start()
        daemon.wait()
        again = run(*options, said="list_stones b\n")
        assert again.stdout == b"= E5\n\n"
        watching = run(*options, "--watch", said="list_stones b\nplay w D4\n")
        assert watching.stdout == (
            b"= E5\n\n? read-only: you watch this game and cannot change it\n\n"
        )


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--rules", "chess", "--embedded"], "chess"),
        (["--engine", "katago", "--embedded"], "the engines are"),
        (["--set", "polcy=rave", "--embedded"], "did you mean policy?"),
        (["--connect", "ipc:///nowhere"], "no daemon at ipc:///nowhere; start one with goengined"),
        (["--connect", "tcp://127.0.0.1:1"], "no daemon at tcp://127.0.0.1:1"),
        (["--connect", "http://x"], "is no address such as"),
    ],
)
def test_errors_are_one_line(options: list[str], text: str) -> None:
    ended = run("gtp", *options, said="name\n")
    assert ended.returncode in (1, 2)
    assert text in ended.stderr.decode()
    assert b"Traceback" not in ended.stderr


def test_over_tcp(tmp_path: Path) -> None:
    port = 7460 + os.getpid() % 20_000
    with running_daemon(tmp_path, listen=f"tcp://127.0.0.1:{port}"):
        ended = run("gtp", "--connect", f"tcp://127.0.0.1:{port}", said="name\n")
        assert ended.stdout == b"= goengine\n\n"


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_goes_on_while_daemons_die(tmp_path: Path, seed: int) -> None:
    assert play_while_daemons_die(tmp_path, n_kills=4, seed=seed) >= 4


@pytest.mark.parametrize(
    ("engine", "has_win_rate"), [("mcts", True), ("montecarlo", True), ("random", False)]
)
def test_a_game_in_the_terminal(tmp_path: Path, engine: str, has_win_rate: bool) -> None:
    with running_daemon(tmp_path, workers=1) as daemon:
        options = ("--engine", engine, "--playouts", "500", "--connect", daemon.address)
        file = tmp_path / "game.sgf"
        ended = run("play", *options, said=f"E5\nhint\nsave {file}\nscore\nquit\n")
    assert ended.returncode == 0, ended.stderr.decode()
    shown = ended.stdout.decode()
    assert bool(re.search(r"win rate: \d+%", shown)) == has_win_rate
    assert f"{engine} would play" in shown
    assert ";B[ee]" in file.read_text()


def test_ctl(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        status = run("ctl", "status", "--connect", daemon.address)
        assert status.returncode == 0, status.stderr
        assert b"2" in status.stdout
        assert run("ctl", "drop", "nothing", "--connect", daemon.address).returncode == 1
        with Client(daemon, "idle") as client:
            client.open(size=9)
            stopped = run("ctl", "stop", "idle", "--connect", daemon.address)
            assert stopped.stdout == b"idle is not being searched\n"
            dropped = run("ctl", "drop", "idle", "--connect", daemon.address)
            assert dropped.stdout == b"dropped idle\n"
        assert run("ctl", "shutdown", "--connect", daemon.address).returncode == 0
        assert daemon.process.wait(timeout=10) == 0
        gone = run("ctl", "status", "--connect", daemon.address)
        assert b"start one with goengined" in gone.stderr
        assert not list(daemon.directory.glob("requests")), "it takes its sockets with it"


def processes_in(directory: Path) -> list[int]:
    """Those with the directory in their command lines."""
    found = []
    for pid in (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()):
        with suppress(OSError):  # gone meanwhile
            if str(directory).encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """By a client that ends, and by one that is killed."""
    environment = {"XDG_RUNTIME_DIR": str(tmp_path)}
    assert run("gtp", "--embedded", said="name\n", environment=environment).returncode == 0
    assert list(tmp_path.iterdir()) == []
    client = subprocess.Popen(
        [*GOENGINE, "gtp", "--embedded"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | environment,
    )
    assert client.stdin
    assert client.stdout
    client.stdin.write(b"name\n")
    client.stdin.flush()
    assert client.stdout.readline() == b"= goengine\n"
    daemons = processes_in(tmp_path)
    assert segments_of(daemons)
    client.kill()
    client.communicate()
    wait_until(lambda: not segments_of(daemons))  # the daemon goes with it
    assert run("gtp", "--embedded", said="name\n", environment=environment).returncode == 0
    assert list(tmp_path.iterdir()) == [], "and the next one swept the directory"
