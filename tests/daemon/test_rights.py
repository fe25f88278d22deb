"""Who may do what: every case of it."""

from __future__ import annotations

import pytest

from daemon.protocol import Close, Control, Drain, Drop, Gtp, Open, Request, ShutDown, Status, Stop
from daemon.rights import LOOPBACK, User, identify, reason_against, reason_against_control

pytestmark = pytest.mark.uncompiled

LISA = User("key:lisa")
WATCHER = User("key:tv", frozenset({"watch"}))
ADMIN = User("key:boss", frozenset({"admin"}))
KEYS = {"aa": LISA, "bb": ADMIN}


@pytest.mark.parametrize(
    ("key", "peer", "has_plain_tcp", "expected"),
    [
        ("aa", "192.0.2.7", False, LISA),
        ("bb", "127.0.0.1", True, ADMIN),
        ("cc", "127.0.0.1", True, None),  # no key is better than one that is not known
        ("", "localhost:1000:100:4242", False, User("uid:1000")),
        ("", "localhost:7:7:1", False, User("uid:7", frozenset({"admin"}))),
        ("", "localhost:0:0:1", False, User("uid:0", frozenset({"admin"}))),
        ("", "127.0.0.1", True, LOOPBACK),
        ("", "127.0.0.1", False, None),
        ("", "::1", False, None),
        ("", "2001:db8::7:7:1", False, None),
        ("", "2001:db8::7:7:1", True, LOOPBACK),  # never taken for a uid
        ("", "", True, None),
    ],
)
def test_whose_a_message_is(
    key: str, peer: str, has_plain_tcp: bool, expected: User | None
) -> None:
    assert identify(key, peer, KEYS.get, 7, has_plain_tcp) == expected


HEAD = {"v": 1, "id": "1", "game": "g"}
PLAY = Open(**HEAD, client="new")  # type: ignore[arg-type]
WATCH = Open(**HEAD, client="new", watch=True)  # type: ignore[arg-type]
LINE = Gtp(**HEAD, client="new", line="showboard")  # type: ignore[arg-type]
OWNERS_LINE = Gtp(**HEAD, client="owner", line="undo")  # type: ignore[arg-type]
CLOSE = Close(**HEAD, client="owner")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("user", "allowed"),
    [
        (LISA, [PLAY, WATCH, LINE, OWNERS_LINE, CLOSE]),
        (ADMIN, [PLAY, WATCH, LINE, OWNERS_LINE, CLOSE]),
        (WATCHER, [WATCH, LINE]),  # also with an id that it has learnt
        (User("key:max"), []),
        (LOOPBACK, []),
    ],
)
def test_games_are_their_users(user: User, allowed: list[Request]) -> None:
    for request in (PLAY, WATCH, LINE, OWNERS_LINE, CLOSE):
        refusal = reason_against(user, request, "key:lisa", "owner")
        assert (refusal is None) == (request in allowed)
        if refusal:
            assert refusal[0] == "forbidden"
            assert ("may watch it" in refusal[1]) == (user is WATCHER)
            assert "lisa" not in refusal[1]


@pytest.mark.parametrize(
    ("user", "games_user", "allowed"),
    [
        (ADMIN, "key:lisa", {"Status", "Stop", "Drop", "Drain", "ShutDown"}),
        (LISA, "key:lisa", {"Status", "Stop", "Drop"}),
        (LISA, None, {"Status", "Stop", "Drop"}),  # there is no such game: that is told then
        (WATCHER, "key:lisa", {"Status"}),
        (LOOPBACK, "uid:7", {"Status"}),
    ],
)
def test_control(user: User, games_user: str | None, allowed: set[str]) -> None:
    requests: list[Control] = [
        Status(v=1, id="1"),
        Stop(v=1, id="1", game="g"),
        Drop(v=1, id="1", game="g"),
        Drain(v=1, id="1"),
        ShutDown(v=1, id="1"),
    ]
    found = {
        type(request).__name__
        for request in requests
        if reason_against_control(user, request, games_user) is None
    }
    assert found == allowed
