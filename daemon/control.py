"""The control socket: what runs, and how to end it. Never behind a search."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from typing import Any

import goengine
from daemon import protocol
from daemon.admission import reason_against_caller
from daemon.config import Config
from daemon.desk import Desk
from daemon.doors import Caller
from daemon.hosted_game import HostedGame
from daemon.journal import JournalError
from daemon.kernel_place import look_at_kernels
from daemon.kernels import Kernels
from daemon.pool import Pool
from daemon.protocol import Answer, BadMessage, Control, End, Failure, decode_control
from daemon.rights import User, reason_against_control
from daemon.searches import Searches
from goengine.jit import CACHE_DIRECTORY


class ControlDesk:
    def __init__(
        self,
        config: Config,
        desk: Desk,
        pool: Pool,
        searches: Searches,
        kernels: Kernels,
        shut_down: Callable[[], None],
    ) -> None:
        self.config = config
        self._desk = desk
        self._pool = pool
        self._searches = searches
        self._kernels = kernels
        self._shut_down = shut_down
        self._started = time.monotonic()
        self._counted_at = time.monotonic()
        self._counted = [worker.simulations for worker in pool.workers()]
        self._rates = [0.0] * len(self._counted)  # by worker

    def count(self) -> None:
        """To be called every second or so, to know the rates."""
        now, counted = time.monotonic(), [worker.simulations for worker in self._pool.workers()]
        seconds = max(now - self._counted_at, 1e-3)
        self._rates = [
            (n - n_before) / seconds for n, n_before in zip(counted, self._counted, strict=True)
        ]
        self._counted_at, self._counted = now, counted

    def answer(self, caller: Caller, frame: bytes | memoryview) -> Answer:
        """To one message, whatever it is."""
        try:
            request = decode_control(frame)
        except BadMessage as error:
            return Failure(id=error.id, code=error.code, text=str(error))
        refusal = reason_against_caller(self.config, caller, len(frame))
        if refusal:
            return Failure(id=request.id, code=refusal[0], text=refusal[1])
        try:
            return self._obey(caller.user, request)
        except JournalError as error:
            return Failure(id=request.id, code="no-room", text=f"the journal failed: {error}")

    def _obey(self, user: User, request: Control) -> Answer:
        game = self._desk.games.find(getattr(request, "game", ""))
        refusal = reason_against_control(user, request, game.user if game else None)
        if refusal:
            return Failure(id=request.id, code=refusal[0], text=refusal[1])
        if isinstance(request, protocol.Status):
            return End(id=request.id, data=self.status(user))
        if isinstance(request, protocol.Stop | protocol.Drop):
            if game is None:
                text = f"there is no game {request.game}"
                return Failure(id=request.id, code="no-game", text=text)
            if isinstance(request, protocol.Drop):
                self._desk.drop(game)
                return End(id=request.id, text=f"dropped {game.name}")
            was_searched = self._desk.stop(game)
            text = f"stopped {game.name}" if was_searched else f"{game.name} is not being searched"
            return End(id=request.id, text=text)
        if isinstance(request, protocol.Drain):
            self._desk.drain()
            n = len(self._desk.presence)
            return End(id=request.id, text=f"no new games; ends when all clients are gone: {n} now")
        self._shut_down()
        return End(id=request.id, text="shutting down")

    def summary(self) -> str:
        """In a line, for `systemctl status`."""
        searching, waiting = len(self._searches.running), len(self._searches.table.waiting)
        return (
            f"{sum(self._rates):,.0f} playouts a second by {len(self._pool.pids)} workers; "
            f"{len(self._desk.games)} games, {searching - waiting} searched, {waiting} waiting; "
            f"{len(self._desk.presence)} clients"
        )

    def status(self, user: User) -> dict[str, Any]:
        """What the user may know."""
        pool = self._pool
        games = [game for game in self._desk.games.all() if user.may_watch(game.user)]
        names = {game.key: game.name for game in games}
        slots = self._searches.table.slots
        slot_of = {slot.game: number for number, slot in enumerate(slots)}
        waiting = {wish.game for wish in self._searches.table.waiting}
        return {
            "version": goengine.__version__,
            "protocol": protocol.VERSION,
            "pid": os.getpid(),
            "user": user.name,
            "grants": sorted(user.grants),
            "uptime": round(time.monotonic() - self._started, 1),
            "draining": self._desk.is_draining,
            "compiling": self._kernels.compiling,
            "kernels": look_at_kernels(CACHE_DIRECTORY),
            "workers": [
                {"index": index, **worker._asdict(), "rate": round(rate, 1)}
                for index, (worker, rate) in enumerate(
                    zip(pool.workers(), self._rates, strict=True)
                )
            ],
            "rate": round(sum(self._rates), 1),
            "memory": {
                "slots_bytes": pool.n_bytes,
                "resident_bytes": _resident_bytes(),
            },
            "slots": [
                {
                    "slot": number,
                    "game": names.get(slots[number].game or ""),
                    "nodes": search.memory.tree.n_used - 1,
                    "capacity": search.memory.tree.capacity,
                }
                for number, search in enumerate(pool.searches)
            ],
            "games": [self._game_status(game, slot_of, waiting) for game in games],
            "clients": len(self._desk.presence),
            "queue": len(self._searches.table.waiting),
            "requests": sum(len(game.queue) for game in games),
        }

    def _game_status(
        self, game: HostedGame, slot_of: dict[str | None, int], waiting: set[str]
    ) -> dict[str, Any]:
        search = self._searches.running.get(game.key)
        n_simulations = 0
        if search:
            n_simulations = search.n_earlier
        if search and search.slot is not None:
            n_simulations += self._pool.searches[search.slot].n_simulations
        since = search.began or search.started if search else time.monotonic()
        seconds = time.monotonic() - since
        return {
            "name": game.name,
            "owner": game.owner[:8],
            "user": game.user,
            "connected": game.owner in self._desk.presence,
            "watchers": len(game.watchers),
            "size": game.size,
            "moves": game.n_moves,
            "state": ("waiting" if game.key in waiting else "searching") if search else "idle",
            "purpose": search.order.purpose.value if search else None,
            "simulations": n_simulations,
            "rate": round(n_simulations / seconds, 1) if n_simulations else 0.0,
            "seconds": round(seconds, 1),
            "slot": slot_of.get(game.key),
            "idle": 0.0 if search else round(time.monotonic() - game.last_used, 1),
        }


def _resident_bytes() -> int:
    """Of this process; shared memory that it has touched is counted."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  twice as fast
        return int(file.read().split()[1]) * resource.getpagesize()
