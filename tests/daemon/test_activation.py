"""Sockets that systemd opens: told apart by where they are, refused where nobody looks."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from daemon.activation import ActivationError, take_sockets
from daemon.addresses import parse_address


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def unix(stack: ExitStack, *paths: Path) -> list[int]:
    made = []
    for path in paths:
        one = stack.enter_context(socket.socket(socket.AF_UNIX))
        one.bind(str(path))
        made.append(one.fileno())
    return made


def test_files_are_told_apart_in_any_order(tmp_path, stack):
    names = ["analysis", "requests", "control"]
    descriptors = unix(stack, *(tmp_path / name for name in names))
    inherited = {"sockets": descriptors, "slot0": [99]}
    found = take_sockets(inherited, parse_address(f"ipc://{tmp_path}"))
    assert found == dict(zip(names, descriptors, strict=True))
    assert inherited == {"slot0": [99]}, "the rest is for others"
    socket.socket(fileno=descriptors[0]).detach()  # raises if it was closed


def test_without_a_socket_unit_there_are_none(tmp_path):
    assert take_sockets({"slot0": [99]}, parse_address(f"ipc://{tmp_path}")) == {}


def test_ports(stack):
    while True:  # until three in a row are free
        first = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = first.getsockname()[1]
        try:
            rest = [stack.enter_context(socket.create_server(("", port + n))) for n in (1, 2)]
        except (OSError, OverflowError):
            continue
        break
    descriptors = [one.fileno() for one in (first, *rest)]
    found = take_sockets({"sockets": descriptors}, parse_address(f"tcp://localhost:{port}"))
    assert list(found.values()) == descriptors
    with pytest.raises(ActivationError, match=f"port {port}, .* has tcp://localhost:99"):
        take_sockets({"sockets": descriptors}, parse_address("tcp://localhost:99"))


@pytest.mark.parametrize(
    "names", [("requests", "control"), ("requests", "control", "other"), tuple("abcd")]
)
def test_sockets_elsewhere_are_refused(names, tmp_path, stack):
    inherited = {"sockets": unix(stack, *(tmp_path / name for name in names))}
    with pytest.raises(ActivationError, match="make ListenStream= there and `listen` here the"):
        take_sockets(inherited, parse_address(f"ipc://{tmp_path}"))
