"""Where games are played, one after the other: two engines that stay, and an arbiter."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from clients.match.arbiter import Arbiter
from clients.match.definition import Pairing, Player
from clients.match.engine_process import Misbehaved
from clients.match.game import Game, NotReady
from clients.match.game_record import Color, GameRecord
from clients.match.players import Seat, seat
from clients.match.referee import other

# Our workers load their kernels when they first search, a second at nobody's expense.
_FIRST_SEARCH = "kata-analyze b 1000000 playouts 2000"


class CannotStart(Exception):
    """A player's engine does not say its name, or refuses the conditions; the text says why."""


class Table:
    """cores: that the engines of this table are kept to; none: any.

    keeps_engines: a player of the next pairing that differs from the last one in nothing but
    its `setup` takes over the engine: for players whose setup says everything anew.
    """

    def __init__(
        self, cores: Sequence[int], shared_daemon: str | None, *, keeps_engines: bool = False
    ) -> None:
        self.key = ""  # of the pairing whose engines sit here
        self._cores = cores
        self._keeps_engines = keeps_engines
        self._players: list[Player | None] = [None, None]  # whose engines sit here
        self._shared_daemon = shared_daemon
        self._seats: list[Seat | None] = [None, None]
        self._arbiter = Arbiter(cores, shared_daemon)

    async def play(
        self, pairing: Pairing, number: int, opening: list[str]
    ) -> tuple[GameRecord, str]:
        """The game, and after a forfeit what both engines said. Raises CannotStart."""
        if pairing.key != self.key:
            await self._make_room(pairing)
            self.key = pairing.key
        await self._remove_misbehaved()  # one may have ended since the last game
        first, second = [await self._take_seat(pairing, side) for side in (0, 1)]
        black, white = (first, second) if pairing.first_is_black(number) else (second, first)
        seats: dict[Color, Seat] = {"black": black, "white": white}
        try:
            record = await Game(pairing, number, opening, seats).run(self._arbiter)
        except NotReady as refusal:
            raise CannotStart(str(refusal)) from None
        transcript = ""
        if record.ending in ("forfeit", "time"):
            transcript = "\n".join(
                f"{color}: {seats[color].label}\n{seats[color].engine.transcript}"
                for color in seats
            )
        if record.ending == "forfeit" and record.winner:
            await self._remove(seats[other(record.winner)])
        return record, transcript

    async def close(self) -> None:
        await asyncio.gather(self._empty(), self._arbiter.close())

    async def _take_seat(self, pairing: Pairing, side: int) -> Seat:
        present = self._seats[side]
        if present is not None:
            return present
        name = pairing.first if side == 0 else pairing.second
        try:
            player, daemon = pairing.players[side], self._shared_daemon
            made = await seat(player, pairing.patience, self._cores, daemon, pairing.size)
            if pairing.clock and player.engine == "mcts":
                await made.say(_FIRST_SEARCH)
        except Misbehaved as fault:
            raise CannotStart(f"{name} does not start: {fault.detail}") from None
        self._seats[side] = made
        self._players[side] = player
        return made

    async def _make_room(self, pairing: Pairing) -> None:
        """Let engines go that the pairing cannot use."""
        leaving = [
            present
            for present, player, next_player in zip(
                self._seats, self._players, pairing.players, strict=True
            )
            if present and not (self._keeps_engines and _same_process(player, next_player))
        ]
        await asyncio.gather(*(self._remove(present) for present in leaving))

    async def _remove_misbehaved(self) -> None:
        for present in filter(None, self._seats):
            try:
                present.engine.check()
            except Misbehaved:
                await self._remove(present)

    async def _remove(self, leaving: Seat) -> None:
        self._seats = [None if present is leaving else present for present in self._seats]
        await leaving.engine.close()

    async def _empty(self) -> None:
        leaving = [present for present in self._seats if present]
        self._seats = [None, None]
        await asyncio.gather(*(present.engine.close() for present in leaving))


def _same_process(player: Player | None, other: Player) -> bool:
    return player is not None and msgspec.structs.replace(player, setup=other.setup) == other
