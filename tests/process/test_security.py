"""Keys, users and files: who is not let in, and what those who are cannot reach."""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zmq

from daemon.addresses import ClientKeys
from tests.process.daemons import ROOT, Client, running_daemon, show_keys, wait_until
from tests.process.keyed import KeyedDaemon, events_of, free_ports, keyed_daemon

NOBODY = 65534


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeyedDaemon]:
    with keyed_daemon(tmp_path_factory.mktemp("d")) as keyed:
        yield keyed


@pytest.fixture(scope="module")
def lisa(keyed: KeyedDaemon) -> ClientKeys:
    return keyed.allow(keyed.make("lisa"))


@pytest.fixture(scope="module")
def max(keyed: KeyedDaemon) -> ClientKeys:
    return keyed.allow(keyed.make("max"))


def goengine(*arguments: str, home: Path, said: str = "") -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GOENGINE_")}
    return subprocess.run(
        [sys.executable, "-m", "clients.main", *arguments],
        cwd=ROOT,
        input=said,
        capture_output=True,
        text=True,
        timeout=120,
        env=kept | {"XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home)},
    )


def is_refused(keyed: KeyedDaemon, keys: ClientKeys | None) -> bool:
    """By all three sockets."""
    for name in ("requests", "control"):
        with keyed.client(keys, socket=name) as client:
            events = events_of(client)
            client.send(**({"do": "status"} if name == "control" else {"do": "open"}))
            if not events.poll(10_000) or client.socket.poll(0):
                return False
            client.socket.disable_monitor()
    with zmq.Context() as context, context.socket(zmq.SUB) as subscriber:
        if keys:
            show_keys(subscriber, keys)
        monitor = subscriber.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
        subscriber.linger = 0
        subscriber.subscribe(b"")
        subscriber.connect(keyed.address.analysis)
        is_in = monitor.poll(200)
        subscriber.disable_monitor()
        return not is_in


def test_without_a_key_or_with_a_wrong_one(keyed: KeyedDaemon, lisa: ClientKeys) -> None:
    stranger = keyed.make("stranger")
    assert is_refused(keyed, None)
    assert is_refused(keyed, stranger)
    assert is_refused(keyed, lisa._replace(server=stranger.public))
    assert is_refused(keyed, lisa._replace(secret=stranger.secret))
    with keyed.client(lisa) as client:
        assert client.open(size=9)["kind"] == "end"
        assert client.gtp("play b E5") == "=\n\n"
        client.ask(do="close")


def test_a_key_that_is_revoked_and_allowed_again(keyed: KeyedDaemon, max: ClientKeys) -> None:
    guest = keyed.allow(keyed.make("guest"))
    with (
        keyed.client(guest) as client,
        keyed.client(max) as other,
        zmq.Context() as context,
        context.socket(zmq.SUB) as subscriber,
    ):
        show_keys(subscriber, guest)
        subscriber.linger = 0
        monitor = subscriber.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        subscriber.subscribe(b"analysis.key:guest/")
        subscriber.connect(keyed.address.analysis)
        other.open(size=9)
        client.open(size=9, keep=True)
        client.gtp("play b E5")
        keyed.revoke("guest")
        events = events_of(client)
        client.begin("play w D4")  # the same connection, which was let in
        assert events.poll(10_000)
        assert not client.socket.poll(0)
        assert monitor.poll(10_000), "those who only listen are cut off too"
        subscriber.disable_monitor()
        client.socket.disable_monitor()
        assert is_refused(keyed, guest)
        assert other.gtp("play b E5") == "=\n\n"
        keyed.allow(guest)
        with keyed.client(guest, client.game) as again:
            assert again.open()["kind"] == "end"
            assert len(again.gtp("list_stones b").split()) == 2
            assert again.gtp("list_stones w").split() == ["="]
            again.ask(do="close")
        other.ask(do="close")


def test_a_grant_that_is_withdrawn(keyed: KeyedDaemon, lisa: ClientKeys) -> None:
    tv = keyed.allow(keyed.make("tv"), "watch")
    with keyed.client(lisa) as player:
        player.open(size=9)
        with keyed.client(tv, player.game) as watcher:
            assert watcher.open(watch=True)["kind"] == "end"
            keyed.allow(tv)
            assert watcher.ask(do="gtp", line="showboard")[-1]["code"] == "forbidden"
        player.ask(do="close")


def test_another_users_game(keyed: KeyedDaemon, lisa: ClientKeys, max: ClientKeys) -> None:
    tv = keyed.allow(keyed.make("tv-2"), "watch")
    boss = keyed.allow(keyed.make("boss"), "admin")
    with keyed.client(lisa, "hers") as owner, keyed.client(max, "hers") as other:
        assert owner.open(size=9)["kind"] == "end"
        for request in (
            {"do": "open"},
            {"do": "open", "watch": True},
            {"do": "gtp", "line": "showboard"},
            {"do": "gtp", "line": "play b A1"},
            {"do": "close"},
        ):
            assert other.ask(**request)[-1]["code"] == "forbidden"
        other.name = owner.name
        assert other.ask(do="gtp", line="showboard")[-1]["code"] == "forbidden"
        for request in ({"do": "stop", "game": "hers"}, {"do": "drop", "game": "hers"}):
            assert keyed.ask_control(max, **request)["code"] == "forbidden"
        for request in ({"do": "drain"}, {"do": "shutdown"}):
            assert keyed.ask_control(tv, **request)["code"] == "forbidden"

        def games_seen_by(keys: ClientKeys) -> list[str]:
            status = keyed.ask_control(keys, do="status")["data"]
            return [game["name"] for game in status["games"]]

        assert games_seen_by(lisa) == games_seen_by(tv) == games_seen_by(boss) == ["hers"]
        assert games_seen_by(max) == []
        with keyed.client(tv, "hers") as watcher:
            assert watcher.open(watch=True)["kind"] == "end"
            assert watcher.gtp("showboard").startswith("=")
            assert watcher.gtp("play b A1").startswith("? read-only")
            assert watcher.open()["code"] == "forbidden"
        assert owner.gtp("list_stones b") == "=\n\n"
        assert keyed.ask_control(lisa, do="status")["data"]["user"] == "key:lisa"
        assert keyed.ask_control(boss, do="drop", game="hers")["kind"] == "end"
        itself = ClientKeys("", keyed.server.public, keyed.server.secret, keyed.server.public)
        status = keyed.ask_control(itself, do="status")["data"]
        assert (status["user"], status["grants"]) == (f"uid:{os.getuid()}", ["admin"])


def test_another_users_analysis(keyed: KeyedDaemon, lisa: ClientKeys, max: ClientKeys) -> None:
    def hear(keys: ClientKeys, context: Any, *topics: bytes) -> Any:
        subscriber = context.socket(zmq.SUB)
        show_keys(subscriber, keys)
        for topic in topics:
            subscriber.subscribe(topic)
        subscriber.connect(keyed.address.analysis)
        return subscriber

    with zmq.Context() as context, keyed.client(lisa, "hers") as owner:
        context.linger = 0
        own = hear(lisa, context, b"analysis.key:lisa/")
        topics = (b"", b"analysis.", b"analysis.hers", b"analysis.key:lisa/hers", b"analysis.key:")
        other = hear(max, context, *topics)
        owner.open(size=9, playouts=100)
        wait_until(lambda: owner.gtp("genmove b").startswith("=") and own.poll(0), seconds=60)
        assert own.recv_multipart()[0] == b"analysis.key:lisa/hers"
        assert not other.poll(200)
        owner.ask(do="close")
        context.destroy(linger=0)


def test_the_clients_say_why(keyed: KeyedDaemon, tmp_path: Path) -> None:
    """From nothing to a game, as docs/security.md has it, with every mistake on the way."""
    address = keyed.address.text

    def ask() -> str:
        return goengine("ctl", "status", "--connect", address, home=tmp_path).stderr

    def play(expected: int) -> str:
        ended = goengine(
            *["gtp", "--size", "9", "--connect", address], home=tmp_path, said="name\nquit\n"
        )
        assert ended.returncode == expected, ended.stderr
        return ended.stdout + ended.stderr

    assert "it wants a key. Make one (goengine keys new NAME)" in ask()
    assert "it wants a key" in play(1)
    wrong = goengine("keys", "trust", address, "a" * 64, home=tmp_path)
    assert wrong.returncode == 0
    assert "no key in" in ask()
    made = goengine("keys", "new", "eve", home=tmp_path)
    assert made.returncode == 0, made.stderr
    assert f"its key is not {'a' * 64}" in ask()
    assert f"its key is not {'a' * 64}" in play(1)
    server = goengine("keys", "--directory", str(keyed.keys), "server", home=tmp_path)
    trust = server.stdout.replace("HOST:7460", address.removeprefix("tcp://")).split()[1:]
    assert goengine(*trust, home=tmp_path).returncode == 0
    assert "it does not know our key eve" in ask()
    refusal = play(1)
    assert made.stdout.strip() in refusal, "what is to be typed there"
    allow = ["keys", "--directory", str(keyed.keys), *made.stdout.split()[2:]]
    assert goengine(*allow, home=tmp_path).returncode == 0
    assert play(0).startswith("= goengine\n\n=\n\n")
    shut_down = goengine("ctl", "shutdown", "--connect", address, home=tmp_path)
    assert "to end the daemon takes the grant admin" in shut_down.stderr
    assert goengine(*allow, "--grant", "admin", home=tmp_path).returncode == 0
    assert goengine("ctl", "stop", "x", "--connect", address, home=tmp_path).stderr == (
        "goengine ctl: there is no game x\n"
    )
    shown = goengine("keys", "--directory", str(keyed.keys), "list", home=tmp_path).stdout
    assert ["eve", allow[-1], "admin"] in map(str.split, shown.splitlines())
    revoke = goengine("keys", "--directory", str(keyed.keys), "revoke", "eve", home=tmp_path)
    assert revoke.returncode == 0
    assert "it does not know our key eve, or no more" in play(1)
    assert "others can read" in _with_open_key(tmp_path, ask)


def _with_open_key(home: Path, ask: Callable[[], str]) -> str:
    (home / "goengine" / "keys" / "eve.key").chmod(0o644)
    return ask()


def test_no_start_without_keys(tmp_path: Path) -> None:
    for options in (["--listen", "tcp://*:7460"], ["--listen-tcp", "tcp://192.0.2.1:7460"]):
        ended = subprocess.run(
            [sys.executable, "-m", "daemon.main", "--private", str(tmp_path), *options],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert ended.returncode == os.EX_CONFIG
        assert f"Run `goengine keys --directory {tmp_path}/keys server` here" in ended.stderr
        assert "allow NAME PUBLIC-KEY" in ended.stderr


def test_plain_tcp_on_loopback(tmp_path: Path) -> None:
    with (
        running_daemon(tmp_path, listen=f"tcp://127.0.0.1:{free_ports()}") as daemon,
        Client(daemon) as client,
    ):
        assert client.open(size=9)["kind"] == "end"
        assert client.gtp("play b E5") == "=\n\n"
        status = daemon.status()
        assert status["user"] == "loopback"
        assert [game["name"] for game in status["games"]] == [client.game]
        with Client(daemon, socket="control") as control:
            assert control.ask(do="shutdown")[-1]["code"] == "forbidden"


def as_nobody(job: Callable[[], Any]) -> Any:
    """What the job returns when another user of this machine does it."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe()

    def run() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        try:
            theirs.send(job())
        except BaseException as error:
            theirs.send(repr(error))

    process = fork.Process(target=run)
    process.start()
    assert ours.poll(60), "no answer"
    answer = ours.recv()
    process.join()
    return answer


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_users_of_one_machine() -> None:
    """A group may use the sockets; its members are told apart by their uids."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="goengine-test-") as name:
        directory = Path(name)
        directory.chmod(0o711)
        (directory / "state").mkdir()
        options = {"socket_mode": "0660", "group": "nogroup", "listen": f"ipc://{directory}/s"}
        with running_daemon(directory / "state", **options) as daemon:
            assert stat.S_IMODE((directory / "s").stat().st_mode) == 0o750

            def job() -> list[Any]:
                with Client(daemon, "ours") as client, Client(daemon, socket="control") as control:
                    return [
                        client.open()["code"],
                        client.ask(do="gtp", line="showboard", game="theirs")[-1]["code"],
                        client.ask(do="open", game="theirs")[-1]["kind"],
                        control.ask(do="status")[-1]["data"],
                        control.ask(do="shutdown")[-1]["code"],
                    ]

            with Client(daemon, "ours") as client:
                client.open(size=9)
                forbidden, missing, opened, status, shut_down = as_nobody(job)
                assert (forbidden, missing, opened) == ("forbidden", "no-game", "end")
                assert shut_down == "forbidden"
                assert status["user"] == f"uid:{NOBODY}"
                assert [game["name"] for game in status["games"]] == ["theirs"]
                assert len(daemon.status()["games"]) == 2, "root sees all"

            def read(path: str) -> str:
                return Path(path).read_text(errors="replace")

            (segment,) = _segments(daemon.process.pid)[:1]
            for path in (f"{directory}/state/games.sqlite", segment):
                assert "Permission denied" in as_nobody(functools.partial(read, path))


def _segments(pid: int) -> list[str]:
    """Of shared memory that a process has mapped."""
    maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return sorted({line.split()[5] for line in maps if "/dev/shm/goengine" in line})


def test_nothing_can_be_read_by_others(keyed: KeyedDaemon, lisa: ClientKeys) -> None:
    directory = keyed.daemon.directory
    with keyed.client(lisa) as client:
        client.open(size=9, keep=True)
        client.gtp("play b E5")
    files = [path for path in directory.rglob("*") if path.name != "log"]
    names = {path.name for path in files}
    assert {"games.sqlite", "games.sqlite-wal", "requests", "control", "server.key"} <= names
    segments = [Path(name) for name in _segments(keyed.daemon.process.pid)]
    assert segments
    for path in (*files, *segments, directory):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_no_file_is_read_or_written_for_a_client(
    keyed: KeyedDaemon, lisa: ClientKeys, tmp_path: Path
) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;SZ[9];B[ee])")
    with keyed.client(lisa) as client:
        client.open(size=9)
        assert client.gtp(f"loadsgf {record}").endswith("came without its text\n\n")
        reply = client.gtp(f"printsgf {tmp_path / 'new.sgf'}")
        assert reply.startswith("? cannot save file: the client saves")
        assert [path.name for path in tmp_path.iterdir()] == ["game.sgf"]
        assert client.gtp(f"loadsgf {record}", file="(;SZ[9];B[aa])") == "=\n\n"
        assert client.gtp("list_stones b") == "= A9\n\n"
        client.ask(do="close")


def test_the_journal_knows_whose_games_they_are(tmp_path: Path) -> None:
    with keyed_daemon(tmp_path) as keyed:
        lisa, max = (keyed.allow(keyed.make(name)) for name in ("lisa", "max"))
        with keyed.client(lisa, "hers") as client:
            client.open(size=9, keep=True)
            client.gtp("play b E5")
        keyed.daemon.kill()
        keyed.daemon.start()
        keyed.daemon.wait()
        with keyed.client(max, "hers") as other, keyed.client(lisa, "hers") as client:
            assert other.open()["code"] == "forbidden"
            assert client.open()["kind"] == "end", "another client of the same user"
            assert client.gtp("list_stones b") == "= E5\n\n"
            assert json.dumps(keyed.ask_control(max, do="status")["data"]).count("hers") == 0
