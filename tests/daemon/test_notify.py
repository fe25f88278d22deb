"""What is said to systemd, and taken from it."""

from __future__ import annotations

import os
import socket
import tempfile

import pytest

from daemon.notify import notify, store_descriptor, take_descriptors, watchdog_seconds


@pytest.fixture(params=["path", "abstract"])
def listener(request, tmp_path, monkeypatch):
    name = str(tmp_path / "notify") if request.param == "path" else f"@goengine-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as taker:
        taker.bind("\0" + name[1:] if name.startswith("@") else name)
        taker.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        yield taker


def test_lines_arrive_together(listener):
    assert notify("READY=1", "STATUS=2 workers")
    assert listener.recv(1000) == b"READY=1\nSTATUS=2 workers"


def test_a_descriptor_is_handed_over_with_its_name(listener):
    with tempfile.TemporaryFile() as file:
        file.write(b"a tree")
        file.flush()
        assert store_descriptor("slot0", file.fileno())
    message, descriptors, *_ = socket.recv_fds(listener, 1000, 4)
    assert message == b"FDSTORE=1\nFDNAME=slot0"
    assert os.pread(descriptors[0], 100, 0) == b"a tree"
    os.close(descriptors[0])


def test_nobody_listens(monkeypatch, tmp_path):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert not notify("READY=1")


def test_descriptors_are_taken_once_and_by_their_owner_alone(monkeypatch):
    monkeypatch.setattr(os, "set_inheritable", lambda *_: None)
    environment = {
        "LISTEN_PID": str(os.getpid()),
        "LISTEN_FDS": "3",
        "LISTEN_FDNAMES": "requests:slot0:slot0",
    }
    assert take_descriptors(dict(environment) | {"LISTEN_PID": "1"}) == {}
    assert take_descriptors(environment) == {"requests": [3], "slot0": [4, 5]}
    assert environment == {}
    assert take_descriptors(environment) == {}


def test_the_watchdog_is_for_the_process_that_it_names():
    assert watchdog_seconds({}) is None
    assert watchdog_seconds({"WATCHDOG_USEC": "0"}) is None
    assert watchdog_seconds({"WATCHDOG_USEC": "20000000"}) == 20.0
    assert watchdog_seconds({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}) is None
