"""Connections, subscriptions and limits: decisions without a socket."""

from __future__ import annotations

import os
import socket

import pytest

from daemon.admission import reason_against_caller
from daemon.config import Config
from daemon.connections import Connections, hang_up
from daemon.doors import Caller
from daemon.rights import User
from daemon.subscriptions import MOST, Subscriptions
from daemon.zap import answer

pytestmark = pytest.mark.uncompiled

LISA, MAX = User("key:lisa", key="aa"), User("key:max", key="bb")
ADMIN = User("uid:7", frozenset({"admin"}))


def test_room_for_so_many() -> None:
    connections = Connections(2, 10, 100)
    assert [connections.open(descriptor) for descriptor in (5, 6, 7)] == [True, True, False]
    assert 6 in connections
    assert 7 not in connections
    connections.close(5)
    connections.close(5)
    assert connections.open(7)
    assert connections.open(7), "its end was not told"
    assert len(connections) == 2


def test_so_many_of_one_user() -> None:
    connections = Connections(10, 2, 100)

    def is_surplus(descriptor: int, user: User) -> bool:
        connections.open(descriptor)
        connections.note(descriptor, user, str(descriptor).encode())
        connection = connections.find(descriptor)
        return connection is not None and connection.is_surplus

    assert [is_surplus(number, LISA) for number in (1, 2, 3)] == [False, False, True]
    assert not is_surplus(4, MAX)
    assert connections.at_route(b"2") == 2
    connections.close(2)
    assert connections.at_route(b"2") is None
    assert is_surplus(5, LISA), "the third is still there"
    connections.close(3)
    connections.close(5)
    assert not is_surplus(6, LISA)
    assert connections.outdated(lambda user: user == LISA) == [4]


def test_a_connection_ends_and_its_descriptor_does_not() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        hang_up(ours.fileno())
        assert theirs.recv(1) == b""
        os.fstat(ours.fileno())
    hang_up(10**6)
    with open(os.devnull) as file:  # noqa: PTH123
        hang_up(file.fileno())


@pytest.mark.parametrize(
    ("user", "topic", "is_served"),
    [
        (ADMIN, b"analysis.", True),
        (ADMIN, b"analysis.key:lisa/g", True),
        (User("key:tv", frozenset({"watch"})), b"analysis.g", True),
        (LISA, b"analysis.key:lisa/", True),
        (LISA, b"analysis.key:lisa/g", True),
        (LISA, b"analysis.", False),
        (LISA, b"analysis.key:lisa", False),  # and so it begins for lisa2
        (LISA, b"analysis.key:lisa2/g", False),
        (LISA, b"analysis.g", False),
        (ADMIN, b"", False),
        (ADMIN, b"analysis", False),
        (ADMIN, b"analysis.x y", False),
        (ADMIN, b"analysis." + 200 * b"x", False),
    ],
)
def test_who_hears_what(user: User, topic: bytes, is_served: bool) -> None:
    assert Subscriptions("uid:7").add(user, topic) == is_served


def test_topics_are_those_of_games() -> None:
    topics = Subscriptions("uid:7")
    assert topics.topic("uid:7", "g") == b"analysis.g"
    assert topics.topic("key:lisa", "g") == b"analysis.key:lisa/g"
    assert not topics.is_watched("key:lisa", "g")
    topics.add(LISA, b"analysis.key:lisa/")
    assert topics.is_watched("key:lisa", "g")
    assert not topics.is_watched("key:lisa2", "g")
    assert not topics.is_watched("uid:7", "g")
    assert not topics.add(MAX, b"analysis.key:lisa/")
    assert topics.remove(b"analysis.key:lisa/")
    assert topics.is_watched("key:lisa", "g"), "one of two has left, and we are not told which"
    assert topics.remove(b"analysis.key:lisa/")
    assert not topics.remove(b"analysis.key:lisa/")
    assert not topics.is_watched("key:lisa", "g")


def test_topics_of_one_connection() -> None:
    topics = Subscriptions("uid:7")
    assert [topics.count(5, 1) for _ in range(MOST + 1)] == MOST * [True] + [False]
    topics.forget(5)
    assert topics.count(5, 1)


@pytest.mark.parametrize(
    ("listen", "listen_tcp", "tcp_keys", "needed"),
    [
        ("ipc:///x", "", "always", [False]),
        ("tcp://127.0.0.1:1", "", "auto", [False]),
        ("tcp://localhost:1", "", "always", [True]),
        ("tcp://10.0.0.1:1", "", "auto", [True]),
        ("ipc:///x", "tcp://*:7460", "auto", [False, True]),
        ("ipc:///x", "tcp://[::1]:7460", "auto", [False, False]),
        ("ipc:///x", "tcp://[::]:7460", "auto", [False, True]),
        ("tcp://127.0.0.1:1", "tcp://go.example.org:7460", "auto", [False, True]),
    ],
)
def test_where_keys_are_needed(
    listen: str, listen_tcp: str, tcp_keys: str, needed: list[bool]
) -> None:
    config = Config(listen=listen, listen_tcp=listen_tcp, tcp_keys=tcp_keys)
    assert [config.needs_key(address) for address in config.addresses] == needed


def test_limits_are_named() -> None:
    config = Config(user_connections=3, requests_per_second=50, max_message_bytes=2000)

    def refusal(n_bytes: int = 10, **fields: bool) -> tuple[str, str] | None:
        return reason_against_caller(config, Caller(LISA, **fields), n_bytes)  # type: ignore[arg-type]

    assert refusal(2000) is None
    assert refusal(2001) == (
        "too-large",
        "a message of 2001 bytes; 2000 are allowed (max_message_bytes)",
    )
    assert refusal(is_hasty=True) == (
        "busy",
        "more than 50 requests a second (requests_per_second): wait a little",
    )
    assert refusal(is_surplus=True) == ("no-room", "key:lisa has 3 connections (user_connections)")


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([b"1.0", b"7", b"goengine", b"::1", b"", b"CURVE", b"\xaa"], b"200"),
        ([b"1.0", b"7", b"goengine", b"::1", b"", b"CURVE", b"\xbb"], b"400"),
        ([b"1.0", b"7", b"other", b"::1", b"", b"CURVE", b"\xaa"], b"400"),
        ([b"2.0", b"7", b"goengine", b"::1", b"", b"CURVE", b"\xaa"], b"400"),
        ([b"1.0", b"7", b"goengine", b"::1", b"", b"PLAIN", b"\xaa", b"x"], b"400"),
        ([b"1.0", b"7", b"goengine", b"::1", b"", b"NULL"], b"400"),
        ([], b"400"),
    ],
)
def test_only_allowed_keys_get_a_connection(frames: list[bytes], code: bytes) -> None:
    reply = answer(frames, lambda key: key == "aa")
    assert reply[2] == code
    assert reply[4] == (b"aa" if code == b"200" else b"")
    assert len(reply) == 6
