"""Keys on disk: nobody else reads them, nothing is lost, and bad files say what is wrong."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest
import zmq
from zmq.utils import z85

from daemon.keyring import (
    AllowedKey,
    AllowList,
    KeyringError,
    change_allowed,
    load_allowed,
    load_servers,
    make_key,
    parse_allowed,
    read_key,
    trust_server,
)
from daemon.rights import User

pytestmark = pytest.mark.uncompiled

A, B = "a" * 64, "b" * 64


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def allow(directory: Path, *keys: AllowedKey) -> None:
    change_allowed(directory, lambda known: known.update({key.name: key for key in keys}))


def test_a_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        key = make_key(tmp_path / "keys" / "lisa.key")
        allow(tmp_path / "keys", AllowedKey("lisa", key.text))
        trust_server(tmp_path / "keys", "tcp://h:1", key.text)
    finally:
        os.umask(previous)
    assert mode(tmp_path / "keys") == 0o700
    files = list((tmp_path / "keys").iterdir())
    assert {path.name: mode(path) for path in files} == dict.fromkeys(
        ("lisa.key", "allowed", "servers"), 0o600
    )
    assert read_key(tmp_path / "keys" / "lisa.key") == key
    assert zmq.curve_public(z85.encode(key.secret)) == z85.encode(key.public)


def test_no_key_is_overwritten(tmp_path: Path) -> None:
    key = make_key(tmp_path / "x.key")
    with pytest.raises(KeyringError, match="is there already"):
        make_key(tmp_path / "x.key")
    assert read_key(tmp_path / "x.key") == key
    (tmp_path / "link.key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(KeyringError):
        make_key(tmp_path / "link.key")
    assert not (tmp_path / "elsewhere").exists()


def test_keys_that_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "x.key"
    with pytest.raises(KeyringError, match="No such file"):
        read_key(path)
    make_key(path)
    path.chmod(0o640)
    with pytest.raises(KeyringError, match=f"others can read {path}: chmod 600"):
        read_key(path)
    path.chmod(0o600)
    for content in (b"", b"short", b"\xff" * 70, A.encode() + b"0"):
        path.write_bytes(content)
        with pytest.raises(KeyringError, match="has no key in it"):
            read_key(path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("lisa", "is not NAME PUBLIC-KEY"),
        ("li/sa " + A, "'li/sa' is no name"),
        ("lisa abc", "'abc' is no public key: that is 64 digits"),
        (f"lisa {A} root", "there is no grant 'root'; there are watch, admin"),
    ],
)
def test_lines_that_are_wrong(line: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(KeyringError, match=reason):
        parse_allowed(line)
    (tmp_path / "allowed").write_text(f"# who\n{line}\nmax {B} watch\n")
    with pytest.raises(KeyringError, match=f"allowed:2: .*{reason}"):
        load_allowed(tmp_path)
    keys = AllowList(tmp_path)
    assert keys.find(A) is None
    assert keys.find(B) == User("key:max", frozenset({"watch"}), B), "the others stay"


def test_the_list_is_always_as_the_file_is(tmp_path: Path) -> None:
    keys = AllowList(tmp_path)
    assert len(keys) == 0
    allow(tmp_path, AllowedKey("lisa", A))
    assert keys.find(A) == User("key:lisa", key=A)
    allow(tmp_path, AllowedKey("lisa", A, frozenset({"admin"})))
    found = keys.find(A)
    assert found is not None
    assert found.is_admin
    change_allowed(tmp_path, lambda known: known.clear())
    assert keys.find(A) is None
    allow(tmp_path, AllowedKey("lisa", B))
    assert keys.find(B) is not None
    (tmp_path / "allowed").unlink()
    assert keys.find(B) is None


def test_changes_at_the_same_time(tmp_path: Path) -> None:
    keys = [AllowedKey(f"k{number}", f"{number:064x}") for number in range(40)]
    threads = [threading.Thread(target=allow, args=(tmp_path, key)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(load_allowed(tmp_path).values()) == sorted(keys)
    assert [path.name for path in tmp_path.iterdir()] == ["allowed"]


def test_a_change_that_fails_changes_nothing(tmp_path: Path) -> None:
    allow(tmp_path, AllowedKey("lisa", A))

    def change(keys: dict[str, AllowedKey]) -> None:
        keys.clear()
        raise KeyringError("no")

    with pytest.raises(KeyringError, match="no"):
        change_allowed(tmp_path, change)
    assert list(load_allowed(tmp_path)) == ["lisa"]


def test_daemons_that_are_trusted(tmp_path: Path) -> None:
    trust_server(tmp_path, "tcp://h:1", A.upper())
    trust_server(tmp_path, "tcp://h:2", B)
    trust_server(tmp_path, "tcp://h:1", B)
    assert load_servers(tmp_path) == {"tcp://h:1": B, "tcp://h:2": B}
    with pytest.raises(KeyringError, match="no public key"):
        trust_server(tmp_path, "tcp://h:1", "x")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_makes_is_the_daemons(tmp_path: Path) -> None:
    os.chown(tmp_path, 4242, 4242)
    make_key(tmp_path / "keys" / "server.key")
    allow(tmp_path / "keys", AllowedKey("lisa", A))
    for path in (tmp_path / "keys", *(tmp_path / "keys").iterdir()):
        assert (path.stat().st_uid, path.stat().st_gid) == (4242, 4242)
