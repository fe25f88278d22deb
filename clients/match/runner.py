"""Runs a match: several games at a time, until all are played or nobody wants to go on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from clients.match.definition import Match, MatchError, Pairing, read_match
from clients.match.game_record import GameRecord
from clients.match.openings import Opening, find_openings, opening_for
from clients.match.results_folder import HEARTBEAT, Claim, ResultsFolder
from clients.match.schedule import hopeless, next_number, next_pairing
from clients.match.standings import Standing, standing_of
from clients.match.table import CannotStart, Table

_LOOK = 1.0  # seconds between two looks for new games and pairings
_STAY = 30.0  # seconds that engines stay for further games before another pairing has its turn


class InPlay(NamedTuple):
    claim: Claim
    pairing: Pairing
    since: float


class Runner:
    """One process's part of a match; others may work on the same results.

    stopped     pairings that cannot go on, by key, and why
    warning     what is wrong with the file as it is now; the match goes on as it was
    """

    def __init__(self, match: Match, on_game: Callable[[Pairing, GameRecord], None]) -> None:
        self.match = match
        self.folder = ResultsFolder(match.results)
        self.stopped: dict[str, str] = {}
        self.warning = ""
        self.in_play: list[InPlay] = []
        self._on_game = on_game
        self._played_here: defaultdict[str, list[GameRecord]] = defaultdict(list)
        self._openings: dict[str, list[Opening]] = {}
        self._opening_lock = asyncio.Lock()
        self._stamp = _stamp(match)
        self.standings: list[Standing] = []
        self.look()

    async def run(
        self, shared_daemon: str | None, tend_daemon: Callable[[], None] = lambda: None
    ) -> None:
        """Until no game is left to play, here or elsewhere. `tend_daemon` is called on and on."""
        self._tend_daemon = tend_daemon
        tables = [Table(cores, shared_daemon) for cores in core_shares(self.match)]
        play: asyncio.Future[Any] = asyncio.gather(*(self._serve(table) for table in tables))
        keep: asyncio.Future[Any] = asyncio.create_task(self._keep())
        try:
            done, _ = await asyncio.wait([play, keep], return_when=asyncio.FIRST_COMPLETED)
            for either in done:
                either.result()
        finally:
            play.cancel()
            keep.cancel()
            await asyncio.gather(play, keep, return_exceptions=True)
            await asyncio.gather(*(table.close() for table in tables))
            for game in self.in_play:
                self.folder.release(game.claim)

    def look(self) -> None:
        """See what is new in the file and in the results."""
        if _stamp(self.match) != self._stamp:
            self._stamp = _stamp(self.match)
            try:
                self.match = read_match(self.match.path)
                self.warning = ""
                self.stopped.clear()  # somebody may have seen to it
                self._played_here.clear()
            except MatchError as error:
                self.warning = str(error)
        known = {standing.pairing.name: standing for standing in self.standings}
        self.standings = [
            self._standing(pairing, known.get(pairing.name)) for pairing in self.match.pairings
        ]
        for standing in self.standings:
            key, most = standing.pairing.key, self.match.forfeits_in_a_row
            reason = hopeless(standing.pairing, self._played_here[key], most)
            if reason := reason or self._lost(standing):
                self.stopped.setdefault(key, reason)

    def _lost(self, standing: Standing) -> str:
        """Why unreadable games keep it from its end. Empty if they do not, or there are none.

        The SPRT looks at games in their order, so it needs every one.
        """
        pairing = standing.pairing
        numbers = self.folder.unreadable_numbers(pairing.key)
        n_lost = sum(1 <= number <= pairing.games for number in numbers)
        is_all = len(standing.records) + n_lost == pairing.games
        return (
            f"{n_lost} of its games cannot be read" if n_lost and (is_all or pairing.sprt) else ""
        )

    def _standing(self, pairing: Pairing, known: Standing | None) -> Standing:
        records = self.folder.records(pairing)
        n_counted = sum(number <= pairing.games for number in records)
        if known and known.pairing == pairing and len(known.records) == n_counted:
            return known
        return standing_of(pairing, records.values())

    async def _keep(self) -> None:
        """Keep claims alive, and the standings up to date."""
        last_beat = 0.0
        while True:
            await asyncio.sleep(_LOOK)
            self._tend_daemon()
            self.look()
            if time.monotonic() - last_beat >= HEARTBEAT:
                last_beat = time.monotonic()
                for game in self.in_play:
                    self.folder.refresh(game.claim)

    async def _serve(self, table: Table) -> None:
        since = time.monotonic()
        while not self._is_over():
            stay_with = table.key if time.monotonic() - since < _STAY else ""
            game = self._take(stay_with)
            if game is None:
                await asyncio.sleep(_LOOK)
                continue
            if game.pairing.key != table.key:
                since = time.monotonic()
            try:
                await self._play(table, game)
            except (CannotStart, MatchError) as error:
                self.stopped[game.pairing.key] = str(error)
            finally:
                self.in_play.remove(game)
                self.folder.release(game.claim)

    async def _play(self, table: Table, game: InPlay) -> None:
        pairing, number = game.pairing, game.claim.number
        async with self._opening_lock:
            if pairing.key not in self._openings:
                base = self.match.path.parent
                self._openings[pairing.key] = await find_openings(pairing, base, self.folder.path)
        opening = opening_for(pairing, number, self._openings[pairing.key])
        record, transcript = await table.play(pairing, number, opening)
        if self.folder.add(pairing.key, record, transcript):
            self._played_here[pairing.key].append(record)
            self.look()
            self._on_game(pairing, record)

    def _take(self, stay_with: str) -> InPlay | None:
        """Claim the game that is next."""
        in_play = Counter(game.claim.key for game in self.in_play)
        passed_over = set(self.stopped)
        while True:
            candidates = [each for each in self.standings if each.pairing.key == stay_with]
            standing = next_pairing(candidates, in_play, passed_over)
            standing = standing or next_pairing(self.standings, in_play, passed_over)
            if standing is None:
                return None
            pairing = standing.pairing
            number = next_number(standing, partial(self._is_taken, pairing.key))
            claim = self.folder.claim(pairing.key, number) if number else None
            if claim:
                game = InPlay(claim, pairing, time.monotonic())
                self.in_play.append(game)
                return game
            passed_over.add(pairing.key)  # others play all that is left of it

    def _is_taken(self, key: str, number: int) -> bool:
        is_lost = number in self.folder.unreadable_numbers(key)
        return is_lost or self.folder.is_claimed(key, number)

    def _is_over(self) -> bool:
        return all(
            standing.is_finished or standing.pairing.key in self.stopped
            for standing in self.standings
        )


def core_shares(match: Match) -> list[Sequence[int]]:
    """The cores of each table; none where engines are not kept to cores. Raises MatchError."""
    usable = sorted(os.sched_getaffinity(0))
    cores = [core for core in match.cores or usable if core in usable]
    if not cores:
        raise MatchError(f"{match.path}: of cores {match.cores} we may use none, only {usable}")
    n_tables = match.games_at_once or len(cores)
    if not match.pin and match.cores is None:
        return [()] * n_tables
    if not match.pin:
        return [cores] * n_tables
    if n_tables >= len(cores):
        return [[cores[table % len(cores)]] for table in range(n_tables)]
    return [cores[table::n_tables] for table in range(n_tables)]


def _stamp(match: Match) -> tuple[int, int]:
    with contextlib.suppress(OSError):
        status = match.path.stat()
        return status.st_mtime_ns, status.st_size
    return 0, 0
