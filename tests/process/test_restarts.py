"""Daemons that are killed or restarted under running games: trees are there again, or rebuilt."""

from __future__ import annotations

import contextlib
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.process.daemons import ROOT, Client, Daemon, running_daemon, wait_until
from tests.process.service_manager import service_manager

PLAYOUTS = 20_000


def grow(client: Client) -> tuple[int, int]:
    """Have the empty board searched. Returns playouts, and visits that were there already."""
    assert client.gtp("genmove b").startswith("= ")
    words = client.gtp("pachi-result").split()
    assert client.gtp("undo") == "=\n\n"
    return int(words[3]), int(words[6])


def restart(daemon: Daemon) -> str:
    """Start it again. Returns what it logs until it is ready."""
    n_before = len(daemon.log.read_text())
    daemon.start()
    wait_until(lambda: "ready at" in daemon.log.read_text()[n_before:], seconds=60)
    return daemon.log.read_text()[n_before:]


def test_a_tree_survives_kill_minus_nine(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=2) as daemon, Client(daemon, "survivor") as client:
        client.open(size=9, playouts=PLAYOUTS)
        for _ in range(2):  # and again, what the second one has taken over
            before = sum(grow(client))
            daemon.kill_group()
            log = restart(daemon)
            assert "slot 0: tree of game survivor re-attached" in log
            (nodes,) = re.findall(r"re-attached, (\d+) nodes", log)
            assert daemon.status()["slots"][0]["nodes"] == int(nodes) > 1000
            client.open(size=9, playouts=PLAYOUTS)
            assert grow(client) == (PLAYOUTS, before), "every visit, and none twice"
        client.ask(do="close")
        daemon.kill_group()
        assert "re-attached" not in restart(daemon), "there is no such game"


def test_a_search_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    """Workers die in the middle of simulations; the supervisor alone is killed, too."""
    with running_daemon(tmp_path, slots=1) as daemon, Client(daemon, "cut") as client:
        for kill in (daemon.kill_group, daemon.kill):
            client.open(size=9, playouts=PLAYOUTS)
            client.begin("lz-analyze 5")
            wait_until(lambda: is_searching(daemon), seconds=60)
            n_least = daemon.status()["games"][0]["simulations"]
            kill()
            assert "re-attached" in restart(daemon)
            client.open(size=9, playouts=PLAYOUTS)
            made, kept = grow(client)
            assert made == PLAYOUTS
            assert kept >= n_least - 2 * 65  # by each worker that was killed


DAMAGE = {"layout": 8, "state": 12, "fingerprint": 16, "note": 200}  # where in the header


def test_what_does_not_fit_is_searched_anew(tmp_path: Path) -> None:
    games = [*DAMAGE, "fits"]
    with running_daemon(tmp_path, slots=len(games)) as daemon:
        clients = {game: Client(daemon, game) for game in games}
        for client in clients.values():
            client.open(size=9, playouts=1000)
            grow(client)
        slot_of = {slot["game"]: slot["slot"] for slot in daemon.status()["slots"]}
        daemon.kill_group()
        for game, slot in slot_of.items():
            (path,) = [each for each in daemon.segments() if f".slot{slot}." in each.name]
            if game in DAMAGE:
                damage(path, DAMAGE[game])
        log = restart(daemon)
        for game, why in {
            "layout": "has layout",
            "state": "in the middle of a change",
            "fingerprint": "of other kernels",
            "note": "its note is damaged",
        }.items():
            assert re.search(f"slot{slot_of[game]}: its tree is not usable: .*{why}", log), log
        assert log.count("re-attached") == 1
        assert "tree of game fits re-attached" in log
        for game, client in clients.items():
            client.open(size=9, playouts=1000)
            assert grow(client) == (1000, 1000 if game == "fits" else 0)
            client.close()


def damage(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        (byte,) = file.read(1)
        file.seek(at)
        file.write(bytes([byte ^ 3]))


def test_other_settings_free_what_they_cannot_use(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=2) as daemon, Client(daemon) as client:
        client.open(size=9, playouts=1000)
        grow(client)
        daemon.kill_group()
        left = daemon.segments()
        assert len(left) == 3
    assert not any(path.exists() for path in left)
    with running_daemon(tmp_path, slots=1, workers=1) as other:
        assert "re-attached" not in other.log.read_text()


def test_a_restart_by_systemd_keeps_trees_and_clients(tmp_path: Path) -> None:
    """Asked for, or after a kill; a search for a move is under way, and is answered once."""
    with (
        service_manager(tmp_path) as manager,
        running_daemon(tmp_path, manager, slots=1) as daemon,
    ):
        bridge = subprocess.Popen(
            [
                *[sys.executable, "-m", "clients.main", "gtp", "--connect", daemon.address],
                *["--size", "9", "--playouts", str(PLAYOUTS), "--game", "g"],
            ],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert bridge.stdin
        assert bridge.stdout
        for n_moves, number in enumerate((signal.SIGTERM, signal.SIGKILL), 1):
            bridge.stdin.write("genmove b\n")
            bridge.stdin.flush()
            wait_until(lambda: is_searching(daemon), seconds=60)
            if number == signal.SIGTERM:
                assert daemon.end() == 0
                assert daemon.segments() == [], "only systemd has them"
            else:
                daemon.kill_group()
            assert "tree of game g re-attached" in restart(daemon)
            assert bridge.stdout.readline().startswith("= ")
            assert bridge.stdout.readline() == "\n"
            assert daemon.status()["games"][0]["moves"] == n_moves
        bridge.stdin.write("pachi-result\nquit\n")
        bridge.stdin.flush()
        assert int(bridge.stdout.readline().split()[6]) > 0, "visits were kept"
        bridge.communicate(timeout=20)
        assert len(manager.kept) == 1
        assert daemon.end() == 0
        assert moves_in_replies(daemon) == 2, "each is answered once"


def is_searching(daemon: Daemon) -> bool:
    return any(game["simulations"] > 1000 for game in daemon.status()["games"])


def moves_in_replies(daemon: Daemon) -> int:
    """That the journal has as answers."""
    with contextlib.closing(sqlite3.connect(daemon.directory / "games.sqlite")) as journal:
        rows = journal.execute("SELECT text FROM replies").fetchall()
    return sum(bool(re.fullmatch(r"= ([A-J][1-9]|pass)\n\n", text)) for (text,) in rows)
