"""Daemons that are killed or restarted under running games: trees are there again, or rebuilt."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import subprocess
from pathlib import Path

import pytest

from goengine.tree.checking import check_tree
from goengine.tree.packing import visits_of
from tests.process.daemons import ROOT, Client, Daemon, Listening, running_daemon, wait_until
from tests.process.fake_systemd import FakeSystemd
from tests.process.killing import GTP
from tests.process.trees import tree_in

PLAYOUTS = 20_000


def grow(client: Client) -> tuple[int, int]:
    """Have the empty board searched. Returns playouts, and visits that were there already."""
    assert client.gtp("genmove b").startswith("= ")
    words = client.gtp("pachi-result").split()
    assert client.gtp("undo") == "=\n\n"
    return int(words[3]), int(words[6])


def slot_file(daemon: Daemon, slot: int) -> Path:
    (path,) = [each for each in daemon.segments() if f".slot{slot}." in each.name]
    return path


def restart(daemon: Daemon) -> str:
    """Start it again. Returns what it logs until it is ready."""
    n_before = len(daemon.log.read_text())
    daemon.start()
    wait_until(lambda: "ready at" in daemon.log.read_text()[n_before:], seconds=60)
    return daemon.log.read_text()[n_before:]


def test_a_tree_survives_kill_minus_nine(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=2) as daemon, Client(daemon, "survivor") as client:
        client.open(size=9, playouts=PLAYOUTS)
        before = sum(grow(client))
        for _ in range(2):  # and again, what the second one has taken over
            daemon.kill_group()
            tree = tree_in(slot_file(daemon, 0), n_workers=2)
            n_nodes = check_tree(tree)
            assert int(visits_of(tree.stats[tree.start])) == before
            log = restart(daemon)
            assert f"slot 0: tree of game survivor re-attached, {n_nodes} nodes" in log
            assert daemon.status()["slots"][0]["nodes"] == n_nodes
            client.open(size=9, playouts=PLAYOUTS)
            assert grow(client) == (PLAYOUTS, before), "every visit, and none twice"
            before += PLAYOUTS
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
            if game in DAMAGE:
                damage(slot_file(daemon, slot), DAMAGE[game])
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
        left = [path for path in daemon.segments() if path.suffix == ".kept"]
        assert len(left) == 2
        daemon.options["workers"] = 1
        assert "laid out for another number of workers" in restart(daemon)
        assert not any(path.exists() for path in left)


@pytest.mark.parametrize("is_killed", [False, True])
def test_a_restart_by_systemd_keeps_trees_and_clients(tmp_path: Path, is_killed: bool) -> None:
    """Asked for, or after a kill; a search for a move is under way, and is answered once."""
    with FakeSystemd(tmp_path, has_socket_unit=True, slots=1) as systemd:
        systemd.start(watchdog=60)
        systemd.wait_for("READY=1")
        bridge = subprocess.Popen(
            [
                *[*GTP, "--connect", systemd.address, "--game", "g"],
                *["--size", "9", "--playouts", str(PLAYOUTS)],
            ],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert bridge.stdin
        bridge.stdin.write("genmove b\n")
        bridge.stdin.flush()
        wait_until(lambda: is_searching(systemd), seconds=60)
        if is_killed:
            systemd.kill_group()
        else:
            assert systemd.stop() == 0
            assert systemd.segments() == [], "they have no names any more"
        systemd.forget()
        systemd.start(watchdog=60)
        systemd.wait_for("READY=1")
        assert "tree of game g re-attached" in systemd.log.read_text()
        bridge.stdin.write("pachi-result\nlist_stones b\nquit\n")
        bridge.stdin.flush()

        def is_over() -> bool:
            systemd.forget()  # a daemon that nobody listens to waits
            return bridge.poll() is not None

        wait_until(is_over, seconds=60)
        move, result, stones, bye, _ = bridge.communicate()[0].split("\n\n")
        assert move == stones == f"= {result.split()[2]}", "one move, once"
        assert int(result.split()[6]) > 0, "of visits that were there"
        assert bye == "="
        assert len(systemd.kept) == 1
        assert systemd.stop() == 0
        assert moves_in_replies(tmp_path / "state") == 1


def is_searching(daemon: Listening) -> bool:
    with Client(daemon, socket="control") as control:
        games = control.ask(do="status")[-1]["data"]["games"]
    return any(game["simulations"] > 1000 for game in games)


def moves_in_replies(state_directory: Path) -> int:
    """That the journal has as answers."""
    with contextlib.closing(sqlite3.connect(state_directory / "games.sqlite")) as journal:
        rows = journal.execute("SELECT text FROM replies").fetchall()
    return sum(bool(re.fullmatch(r"= ([A-J][1-9]|pass)\n\n", text)) for (text,) in rows)
