"""Who may do what: decisions alone.

A user is whoever a message comes from: a uid on ipc, a key on tcp, and on tcp without keys all
of this machine together. Every game is one user's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from daemon.protocol import Code, Control, Drop, Open, Request, Status, Stop

GRANTS = {
    "watch": "look at all games",
    "admin": "do everything: play and drop all games, end the daemon",
}

Refusal = tuple[Code, str]


class User(NamedTuple):
    name: str  # uid:1000, key:lisa or loopback: no two kinds can be taken for each other
    grants: frozenset[str] = frozenset()
    key: str = ""  # that it came by, if it did

    @property
    def is_admin(self) -> bool:
        return "admin" in self.grants

    def may_play(self, games_user: str) -> bool:
        """In a game of the user of that name."""
        return self.name == games_user or self.is_admin

    def may_watch(self, games_user: str) -> bool:
        return self.may_play(games_user) or "watch" in self.grants


LOOPBACK = User("loopback")
_CREDENTIALS = re.compile(r"localhost:(\d+):\d+:\d+")  # uid, gid and pid, of a Unix socket


def uid_name(uid: int) -> str:
    return f"uid:{uid}"


def local_user(uid: int) -> User:
    """The daemon's own, or root."""
    return User(uid_name(uid), frozenset({"admin"}))


def identify(
    key: str,
    peer: str,
    find_key: Callable[[str], User | None],
    own_uid: int,
    has_plain_tcp: bool,
) -> User | None:
    """The user at the other end; None: nobody that we know.

    key     that the connection was made with; "" if it was made without
    peer    address of the other side, as libzmq has it
    """
    if key:
        return find_key(key)
    if credentials := _CREDENTIALS.fullmatch(peer):
        uid = int(credentials[1])
        return local_user(uid) if uid in (0, own_uid) else User(uid_name(uid))
    return LOOPBACK if peer and has_plain_tcp else None


def reason_against(
    user: User, request: Request, games_user: str, games_client: str
) -> Refusal | None:
    """Why the user may not ask this in a game: `games_client` plays it, for `games_user`."""
    plays = request.client == games_client or (isinstance(request, Open) and not request.watch)
    if user.may_play(games_user) or (not plays and user.may_watch(games_user)):
        return None
    if user.may_watch(games_user):
        return "forbidden", f"game {request.game} is another user's; you may watch it (--watch)"
    return "forbidden", f"game {request.game} is another user's; choose another name"


def reason_against_control(
    user: User, request: Control, games_user: str | None = None
) -> Refusal | None:
    """The same for the daemon itself; `games_user` has the game that the request is about."""
    if isinstance(request, Status) or user.is_admin:
        return None
    if isinstance(request, Stop | Drop):
        if games_user is None or user.may_play(games_user):
            return None
        what = f"game {request.game} is another user's; to {type(request).__name__.lower()} it"
    else:
        what = "to end the daemon"
    return "forbidden", (
        f"{what} takes the grant admin: the daemon's own user and root have it on ipc, and keys "
        "that it was given to (goengine keys allow NAME KEY --grant admin)"
    )
