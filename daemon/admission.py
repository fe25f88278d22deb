"""Which requests are served: the limits of the configuration, and rights. Decisions alone.

Each refusal names the limit that was met, and the key of the configuration that it has.
"""

from __future__ import annotations

from daemon.config import Config
from daemon.connections import Connections
from daemon.doors import Caller
from daemon.games import Games
from daemon.presence import Presence
from daemon.protocol import Open, Request
from daemon.rights import Refusal, User, reason_against


def reason_against_caller(config: Config, caller: Caller, n_bytes: int) -> Refusal | None:
    """Whatever it is that it asks."""
    if caller.is_surplus:
        most = config.user_connections
        return "no-room", f"{caller.user.name} has {most} connections (user_connections)"
    if caller.is_hasty:
        most = config.requests_per_second
        return "busy", f"more than {most} requests a second (requests_per_second): wait a little"
    if n_bytes > config.max_message_bytes:
        most = config.max_message_bytes
        text = f"a message of {n_bytes} bytes; {most} are allowed (max_message_bytes)"
        return "too-large", text
    return None


class Admission:
    def __init__(
        self, config: Config, games: Games, presence: Presence, connections: Connections
    ) -> None:
        self.is_draining = False
        self.config = config
        self._games = games
        self._presence = presence
        self._connections = connections

    def reason_against(self, caller: Caller, request: Request, n_bytes: int) -> Refusal | None:
        refusal = reason_against_caller(self.config, caller, n_bytes)
        if refusal:
            return refusal
        if request.client not in self._presence:
            most = self.config.max_clients
            if len(self._presence) >= most:
                return "no-room", f"the daemon has {most} clients, as many as it may (max_clients)"
        elif self._is_somebody_else(caller.user, request.client):
            return "forbidden", "another user's client has this id; take a random one"
        game = self._games.find(request.game)
        if game is not None:
            return reason_against(caller.user, request, game.user, game.owner)
        if isinstance(request, Open):
            return self._reason_against_a_game(caller.user, request)
        return None

    def _is_somebody_else(self, user: User, client: str) -> bool:
        connection = self._connections.find(self._presence.descriptor_of(client))
        return bool(connection and connection.user and connection.user.name != user.name)

    def _reason_against_a_game(self, user: User, request: Open) -> Refusal | None:
        if request.watch:
            return "no-game", f"there is no game {request.game} to watch"
        if self.is_draining:
            return "leaving", "the daemon is about to end and takes no new games"
        n_games, most = len(self._games), self.config.max_games
        if n_games >= most:
            return "no-room", f"the daemon keeps {n_games} games, as many as it may (max_games)"
        if self._games.number_of(user.name) >= self.config.user_games:
            most = self.config.user_games
            return "no-room", f"{user.name} has {most} games, as many as one may (user_games)"
        return None
