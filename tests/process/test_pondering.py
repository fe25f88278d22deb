"""Pondering with real daemons: it is there, it is worth something, and nobody waits for it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clients import ctl
from tests.process.daemons import ROOT, Client, Daemon, running_daemon, wait_until

SIZE = 7
SECONDS = 0.1  # for a move


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("d")) as daemon:
        yield daemon


@pytest.fixture
def client(daemon: Daemon) -> Iterator[Client]:
    """Black is the engine, and has moved."""
    with Client(daemon) as client:
        begin_game(client)
        yield client
        client.ask(do="close")


def begin_game(client: Client, **settings: Any) -> None:
    client.open(size=SIZE, **(settings or {"seconds": SECONDS}))
    assert client.gtp("genmove b").startswith("= ")


def status_of(daemon: Daemon, game: str) -> dict[str, Any]:
    (status,) = (each for each in daemon.status()["games"] if each["name"] == game)
    assert isinstance(status, dict)
    return status


def n_pondered(daemon: Daemon, game: str) -> int:
    """Playouts of the present spell; 0 if there is none."""
    status = status_of(daemon, game)
    is_pondered = status["purpose"] == "pondering" and status["state"] == "searching"
    return int(status["simulations"]) if is_pondered else 0


def wait_for_pondering(daemon: Daemon, game: str, playouts: int = 300) -> None:
    wait_until(lambda: n_pondered(daemon, game) >= playouts)


def wait_for_rest(daemon: Daemon, game: str) -> float:
    """Returns how long it took; and it stays so."""
    seconds = wait_until(lambda: status_of(daemon, game)["state"] == "idle")
    time.sleep(0.1)
    assert status_of(daemon, game)["state"] == "idle"
    return seconds


def workers_by_game(daemon: Daemon) -> Counter[str | None]:
    status = daemon.status()
    games = {slot["slot"]: slot["game"] for slot in status["slots"]} | {None: None}
    return Counter(games[worker["slot"]] for worker in status["workers"])


def test_the_reply_has_what_was_pondered(daemon: Daemon, client: Client) -> None:
    wait_for_pondering(daemon, client.game, 2000)
    client.gtp("stop")
    client.gtp("goengine-param playouts 1")  # which asks for the most visited move
    reply = client.gtp("reg_genmove w")[2:].strip()
    client.gtp("goengine-param playouts none")
    client.gtp(f"play w {reply}")
    client.gtp("goengine-report json")
    answers = client.ask(do="gtp", line="genmove b")
    reports = "".join(each["text"] for each in answers if each.get("stream") == "report")
    move = client.gtp("pachi-result").split()
    kept, used, made = map(int, move[6:9])
    assert move[9] == "expected"
    assert made >= 2000
    assert 0 < used <= made
    assert used <= kept
    assert f'"kept": {kept}, "pondered": {{"made": {made}, "used": {used}, ' in reports
    assert f" and {kept:,} kept, {used:,} of them pondered" in daemon.log.read_text()


def test_a_move_takes_its_time_and_no_more(daemon: Daemon, client: Client) -> None:
    taken = []
    for vertex in ("A1", "A2", "A3", "A4"):
        wait_for_pondering(daemon, client.game)
        started = time.monotonic()
        client.begin(f"play w {vertex}")
        assert client.gtp("genmove b").startswith("= ")
        taken.append(time.monotonic() - started)
    assert SECONDS <= min(taken) < SECONDS + 0.1, "the machine may be busy now and then"


@pytest.mark.parametrize(
    "line",
    ["play w A1", "undo", "clear_board", "boardsize 5", "stop", "# interrupt",
     "goengine-param pondering off", "goengine-param playouts 100",
     "lz-setoption name Pondering value false"],
)  # fmt: skip
def test_what_ends_it(daemon: Daemon, client: Client, line: str) -> None:
    wait_for_pondering(daemon, client.game)
    started = time.monotonic()
    client.gtp(line)
    wait_for_rest(daemon, client.game)
    assert time.monotonic() - started < 1.0
    assert client.gtp("showboard").startswith("=")
    assert status_of(daemon, client.game)["state"] == "idle"


def test_who_only_looks_does_not_disturb_it(daemon: Daemon, client: Client) -> None:
    wait_for_pondering(daemon, client.game)
    before = status_of(daemon, client.game)
    for line in ("showboard", "name", "", "time_left w 10 0", "pachi-result", "play w Z99"):
        client.gtp(line)
    after = status_of(daemon, client.game)
    assert after["seconds"] >= before["seconds"]
    assert after["simulations"] >= before["simulations"]
    assert after["purpose"] == "pondering"


@pytest.mark.parametrize(
    "line", ["reg_genmove w", "lz-analyze 10 playouts 200", "komi 5.5", "clear_cache",
             "goengine-param rave_equivalent 100", "gg-undo 2"]
)  # fmt: skip
def test_it_begins_again(daemon: Daemon, client: Client, line: str) -> None:
    client.gtp("play w A1")
    client.gtp("genmove b")
    wait_for_pondering(daemon, client.game)
    assert client.gtp(line).startswith("=")
    wait_for_pondering(daemon, client.game)


def test_an_interrupt_is_for_the_move(daemon: Daemon, client: Client) -> None:
    """Also if it comes while pondering is being ended for that move."""
    client.gtp("goengine-param seconds 20")
    wait_for_pondering(daemon, client.game)
    started = time.monotonic()
    client.begin("play w A1")
    id = client.begin("genmove b")
    client.begin("# interrupt")
    assert client.answers(id)[-1]["text"].startswith("= ")
    assert time.monotonic() - started < 2.0


def test_fixed_playouts_are_not_pondered_unless_somebody_wants_it(daemon: Daemon) -> None:
    with Client(daemon) as client:
        begin_game(client, playouts=200)
        wait_for_rest(daemon, client.game)
        client.gtp("kata-set-param ponderingEnabled true")
        wait_for_pondering(daemon, client.game)
        client.ask(do="close")
        assert daemon.status()["games"] == []


def test_an_engine_without_a_tree_does_not_ponder(daemon: Daemon) -> None:
    with Client(daemon) as client:
        begin_game(client, engine="random", pondering="on")
        wait_for_rest(daemon, client.game)
        client.ask(do="close")


def test_ctl_shows_it_and_stops_it(
    daemon: Daemon,
    client: Client,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "140")  # room for all columns, however many playouts there are
    wait_for_pondering(daemon, client.game)
    wait_until(lambda: status_of(daemon, client.game)["rate"] > 0)
    assert workers_by_game(daemon) == {client.game: 2}
    ctl.main(["status", "--connect", daemon.address])
    assert re.search(rf"{client.game} .* pondering \d+ s  ", capsys.readouterr().out)
    ctl.main(["stop", client.game, "--connect", daemon.address])
    assert capsys.readouterr().out == f"stopped {client.game}\n"
    wait_for_rest(daemon, client.game)


def test_moves_of_others_come_first(daemon: Daemon, client: Client) -> None:
    with Client(daemon) as other:
        other.open(size=SIZE, seconds=20, pondering="off")
        wait_for_pondering(daemon, client.game)
        id = other.begin("genmove b")
        wait_until(lambda: workers_by_game(daemon) == {other.game: 2}, seconds=2)
        other.begin("# interrupt")
        other.answers(id)
        wait_until(lambda: workers_by_game(daemon) == {client.game: 2})
        other.ask(do="close")


def leave_by_quit(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.write(b"quit\n")
    process.stdin.flush()


def leave_by_kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)


@pytest.mark.parametrize("leave", [leave_by_quit, leave_by_kill])
def test_nobody_is_pondered_for_who_is_gone(
    daemon: Daemon, leave: Callable[[subprocess.Popen[bytes]], None]
) -> None:
    game = f"kept-{leave.__name__}"
    words = ["--game", game, "--size", str(SIZE), "--time", str(SECONDS)]
    process = subprocess.Popen(
        [sys.executable, "-m", "clients.main", "gtp", "--connect", daemon.address, *words],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with process:
        assert process.stdin
        process.stdin.write(b"genmove b\n")
        process.stdin.flush()
        wait_until(lambda: any(each["name"] == game for each in daemon.status()["games"]))
        wait_for_pondering(daemon, game)
        leave(process)
        assert wait_for_rest(daemon, game) < 2.5
    with Client(daemon, game) as heir:
        heir.open()
        if leave is leave_by_kill:  # who quits has it rest until the game goes on
            wait_for_pondering(daemon, game)
        heir.ask(do="close")


def test_idle_limit_and_share(tmp_path: Path) -> None:
    limit = 0.6
    with (
        running_daemon(tmp_path, slots=1, pondering_seconds=limit, pondering_share=0.5) as daemon,
        Client(daemon) as client,
        Client(daemon) as other,
    ):
        begin_game(client)
        started = time.monotonic()
        wait_for_pondering(daemon, client.game)
        assert workers_by_game(daemon) == {client.game: 1, None: 1}
        wait_until(lambda: status_of(daemon, client.game)["state"] == "idle")
        assert limit - 0.05 < time.monotonic() - started < limit + 1.0
        assert workers_by_game(daemon) == {None: 2}
        client.gtp("showboard")
        started = time.monotonic()
        wait_for_pondering(daemon, client.game)
        time.sleep(limit / 2)
        client.gtp("showboard")
        wait_until(lambda: status_of(daemon, client.game)["state"] == "idle")
        assert time.monotonic() - started > 1.5 * limit - 0.05, "any command begins it anew"
        other.open(size=SIZE, seconds=20)
        id = other.begin("genmove b")
        wait_until(lambda: workers_by_game(daemon) == {other.game: 2})
        client.gtp("showboard")
        wait_until(lambda: status_of(daemon, client.game)["state"] == "waiting")
        wait_until(lambda: status_of(daemon, client.game)["state"] == "idle", seconds=limit + 1.0)
        other.begin("# interrupt")
        other.answers(id)


def test_a_slot_is_given_up_for_a_move_and_taken_again(tmp_path: Path) -> None:
    with (
        running_daemon(tmp_path, slots=1) as daemon,
        Client(daemon) as client,
        Client(daemon) as other,
    ):
        other.open(size=SIZE, playouts=1000)
        begin_game(client)
        wait_for_pondering(daemon, client.game)
        started = time.monotonic()
        assert other.gtp("genmove b").startswith("= ")
        assert time.monotonic() - started < 2.0
        wait_for_pondering(daemon, client.game)
        client.gtp("play w A1")
        client.gtp("genmove b")
        kept, used, made = map(int, client.gtp("pachi-result").split()[6:9])
        assert kept == used <= made, "its tree was another one meanwhile"


@pytest.mark.parametrize("end", ["drain", "SIGTERM"])
def test_a_daemon_that_ends_does_not_ponder(tmp_path: Path, end: str) -> None:
    with running_daemon(tmp_path) as daemon, Client(daemon) as client:
        begin_game(client)
        wait_for_pondering(daemon, client.game)
        started = time.monotonic()
        if end == "drain":
            with Client(daemon, socket="control") as control:
                control.ask(do="drain")
            wait_for_rest(daemon, client.game)
            client.gtp("play w A1")
            assert client.gtp("genmove b").startswith("= ")
            wait_for_rest(daemon, client.game)
        else:
            assert daemon.end() == 0
        assert time.monotonic() - started < 2.0
        assert "Traceback" not in daemon.log.read_text()
