"""Who hears which searches: the topics of the analysis socket.

A game of the daemon's own user is published as analysis.GAME, one of another user as
analysis.USER/GAME. Neither names of users nor of games have a slash, so what a user may hear is
what begins with analysis.USER/, and ZeroMQ's own matching of prefixes keeps all others out.
"""

from __future__ import annotations

import re
from collections import Counter

from daemon.rights import User

MOST = 100  # topics of one connection
_TOPIC = re.compile(rb"analysis\.([A-Za-z0-9._:-]{1,80}/)?[A-Za-z0-9._:-]{0,80}")


class Subscriptions:
    def __init__(self, own: str) -> None:
        """own: the name of the daemon's user"""
        self._own = own
        self._topics: Counter[bytes] = Counter()
        self._n_at: Counter[int] = Counter()  # by descriptor, also those that are not served

    def topic(self, games_user: str, game: str) -> bytes:
        place = "" if games_user == self._own else f"{games_user}/"
        return f"analysis.{place}{game}".encode()

    def is_watched(self, games_user: str, game: str) -> bool:
        topic = self.topic(games_user, game)
        return any(topic[:end] in self._topics for end in range(len(topic) + 1))

    def add(self, user: User, topic: bytes) -> bool:
        """Returns whether the user is to have it.

        Topics that the daemon never has are not remembered. Those that the user may not hear
        are: libzmq does not say whose it was when one of them ends.
        """
        if not _TOPIC.fullmatch(topic):
            return False
        self._topics[topic] += 1
        return user.may_watch("") or topic.startswith(f"analysis.{user.name}/".encode())

    def remove(self, topic: bytes) -> bool:
        """Returns whether anybody wanted it."""
        is_known = topic in self._topics
        if is_known:
            self._topics[topic] -= 1
            if not self._topics[topic]:
                del self._topics[topic]
        return is_known

    def count(self, descriptor: int, change: int) -> bool:
        """Returns whether a connection keeps to a number that it can need."""
        self._n_at[descriptor] += change
        return self._n_at[descriptor] <= MOST

    def forget(self, descriptor: int) -> None:
        """Its connection is closed; the topics come by `remove`."""
        self._n_at.pop(descriptor, None)
