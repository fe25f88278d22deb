"""A machine boots with the service that install.sh made, and everything happens to it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.process.daemons import wait_until
from tests.process.killing import ask
from tests.systemd.machines import PREFIX, SOURCE, Machine, installed_machine

CONFIG = "/etc/goengine/goengined.toml"
pytestmark = pytest.mark.timeout(1200)  # the first time, kernels are compiled


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Stays the same from test to test: they are one story, in the order in which they stand."""
    with installed_machine(tmp_path_factory.mktemp("machine")) as machine:
        wait_until(lambda: machine.shown("ActiveState") == "active", seconds=60)
        yield machine


@contextmanager
def client_of(machine: Machine, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Of somebody who is in the group, and in a game that has a name."""
    words = [f"{PREFIX}/bin/goengine", "gtp", "--game", "lisa", "--size", "9", *options]
    client = subprocess.Popen(
        machine.command(*words, group="goengine"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield client
    finally:
        client.kill()
        client.communicate()


def begin(client: subprocess.Popen[str], line: str) -> None:
    assert client.stdin
    client.stdin.write(f"{line}\n")
    client.stdin.flush()


def stones(client: subprocess.Popen[str]) -> set[str]:
    return set(f"{ask(client, 'list_stones b')} {ask(client, 'list_stones w')}".split()) - {"="}


def wait_for_restart(machine: Machine, n_before: int) -> None:
    def is_back() -> bool:
        n_restarts = int(machine.shown("NRestarts"))
        return n_restarts > n_before and machine.shown("ActiveState") == "active"

    wait_until(is_back, seconds=60)


def test_the_unit_is_as_it_should_be(machine: Machine) -> None:
    assert machine.run("systemctl", "is-enabled", "goengined.service", "goengined.socket")
    outcome = machine.try_out("systemd-analyze", "verify", "goengined.service", "goengined.socket")
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")
    status = machine.shown("StatusText")
    assert re.match(r"[\d,]+ playouts a second by \d+ workers; 0 games", status)
    assert "complete-9" in machine.run("find", "/var/cache/goengine", "-name", "complete-*")
    assert f"ready at ipc:///run/goengine: {status.split()[5]} workers" in machine.log()


def test_who_is_in_the_group_may_connect_and_nobody_else(machine: Machine) -> None:
    words = [f"{PREFIX}/bin/goengine", "ctl", "--connect", "ipc:///run/goengine", "status"]
    assert "goengined" in machine.run(*words, group="goengine")
    assert machine.try_out(*words, group="nogroup").returncode != 0


def test_a_game_goes_on_after_kill_9_and_after_a_hang(machine: Machine) -> None:
    with client_of(machine, "--time", "2") as client:
        assert ask(client, "play b E5") == "="
        for signal, trace in (("KILL", "status=9/KILL"), ("STOP", "Watchdog timeout")):
            n_restarts = int(machine.shown("NRestarts"))
            before = stones(client)
            begin(client, "genmove w")
            machine.run("kill", "-s", signal, machine.shown("MainPID"))
            reply = ask(client, "")
            wait_for_restart(machine, n_restarts)
            assert stones(client) == before | {reply.removeprefix("= ")}
            assert len(stones(client)) == len(before) + 1
            assert trace in machine.log()
    assert "Fatal Python error: Aborted" in machine.log(), "and where it hung"


def test_a_restart_keeps_trees(machine: Machine) -> None:
    found = "tree of game lisa re-attached"
    with client_of(machine, "--playouts", "2000") as client:
        assert ask(client, "genmove b").startswith("= ")
        n_before = machine.log().count(found)
        machine.run("systemctl", "restart", "goengined.service")
        assert ask(client, "genmove w").startswith("= ")
        assert machine.log().count(found) == n_before + 1
        assert int(ask(client, "pachi-result").split()[6]) > 0, "of visits that were there"
        assert ask(client, "gg-undo 2") == "="


def test_reload(machine: Machine) -> None:
    before = machine.shown("MainPID")
    text = machine.run("cat", CONFIG)
    machine.write(CONFIG, text.replace("max_games = 10000", "max_games = 77"))
    machine.run("systemctl", "reload", "goengined")
    wait_until(lambda: "changed max_games: 10000 -> 77" in machine.log())
    machine.write(CONFIG, text)
    machine.run("systemctl", "reload", "goengined")
    assert machine.shown("MainPID") == before
    assert machine.shown("ActiveState") == "active"


def test_stop_is_clean_and_a_connection_starts_it_again(machine: Machine) -> None:
    machine.run("systemctl", "stop", "goengined.socket", "goengined.service")
    assert machine.shown("Result") == "success"
    assert (machine.shown("ExecMainCode"), machine.shown("ExecMainStatus")) == ("1", "0")
    assert machine.try_out("pgrep", "--uid", "goengine").stdout == ""
    assert machine.try_out("find", "/dev/shm", "-user", "goengine").stdout == ""
    assert not machine.has("/run/goengine/requests")
    machine.run("systemctl", "start", "goengined.socket")
    assert machine.shown("ActiveState") == "inactive"
    with client_of(machine) as client:
        assert len(stones(client)) == 3, "as it was left"
    wait_until(lambda: machine.shown("ActiveState") == "active", seconds=60)


def test_a_wrong_configuration_is_told_once(machine: Machine) -> None:
    text = machine.run("cat", CONFIG)
    machine.write(CONFIG, f"wokers = 3\n{text}")
    try:
        assert machine.try_out("systemctl", "restart", "goengined.service").returncode != 0
        assert machine.shown("ExecMainStatus") == "78"
        assert machine.shown("NRestarts") == "0"
        told = f"goengined: {CONFIG}:1: there is no key 'wokers'; did you mean workers?"
        assert machine.log().count(told) == 1
    finally:
        machine.write(CONFIG, text)
    machine.run("systemctl", "restart", "goengined.service")


def test_installing_again_changes_nothing(machine: Machine) -> None:
    before = machine.shown("MainPID")
    told = machine.run(f"{SOURCE}/systemd/install.sh", "--prefix", PREFIX, "--sizes", "9")
    assert "this version is there already" in told
    assert told.count("is up to date") == 4
    assert machine.shown("MainPID") == before


def test_uninstalling_leaves_games_and_then_nothing(machine: Machine) -> None:
    program = f"{SOURCE}/systemd/install.sh"
    machine.run(program, "--prefix", PREFIX, "--uninstall")
    assert machine.try_out("pgrep", "--uid", "goengine").stdout == ""
    for gone in (PREFIX, "/run/goengine", "/etc/systemd/system/goengined.service"):
        assert not machine.has(gone), gone
    assert machine.has("/var/lib/goengine/games.sqlite")
    machine.run(program, "--prefix", PREFIX, "--uninstall", "--purge")
    for gone in ("/var/lib/goengine", "/etc/goengine", "/var/cache/goengine"):
        assert not machine.has(gone), gone
    assert machine.try_out("id", "goengine").returncode != 0
