"""Runs a tuning: one iteration after the other, its games several at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import takewhile

from clients.match.definition import Pairing
from clients.match.game_record import GameRecord
from clients.match.openings import Opening, opening_for
from clients.match.results_folder import ResultsFolder
from clients.match.runner import core_shares
from clients.match.standings import standing_of
from clients.match.table import CannotStart, Table
from clients.tune import spsa
from clients.tune.definition import Tuning
from clients.tune.history import IterationRecord, add_iteration, read_history, values_now
from clients.tune.openings import divide_openings
from clients.tune.rehearsal import rehearse

_TEND = 1.0  # seconds between two looks at the shared daemon


class Stopped(Exception):
    """Games cannot go on; the text says why and what to do."""


class Tuner:
    """A tuning as it stands, and what is going on in it.

    doing       what is done besides games, in words
    n_played    games of the iteration that is being played
    since       when that began, by time.monotonic(); None: none is being played
    """

    def __init__(self, tuning: Tuning, on_iteration: Callable[[IterationRecord], None]) -> None:
        """Raises HistoryError."""
        self.tuning = tuning
        self.records = read_history(tuning)
        self.doing = ""
        self.n_played = 0
        self.since: float | None = None
        self._on_iteration = on_iteration
        self._last_games: list[GameRecord] = []  # of this run, as they ended
        self._openings: list[Opening] = []

    @property
    def is_finished(self) -> bool:
        return len(self.records) >= self.tuning.schedule.iterations

    async def run(
        self, shared_daemon: str | None, tend_daemon: Callable[[], None] = lambda: None
    ) -> None:
        """To the last iteration. Raises Stopped, Unusable, MatchError and HistoryError."""
        if self.is_finished:
            return
        shares = core_shares(self.tuning.match)
        tend = asyncio.create_task(_tend(tend_daemon))
        iterate = asyncio.create_task(self._iterate(shares, shared_daemon))
        try:
            done, _ = await asyncio.wait([iterate, tend], return_when=asyncio.FIRST_COMPLETED)
            for either in done:
                either.result()
        finally:
            await _cancelled(iterate, tend)

    async def _iterate(self, shares: Sequence[Sequence[int]], shared_daemon: str | None) -> None:
        self.doing = "asking the engine whether it takes the bounds"
        await rehearse(self.tuning, shared_daemon)
        self.doing = "choosing openings" if self.tuning.pairing.openings else ""
        self._openings = (await divide_openings(self.tuning)).tuning
        self.doing = ""
        tables = [Table(cores, shared_daemon, keeps_engines=True) for cores in shares]
        try:
            while not self.is_finished:
                record = await self._iteration(tables, len(self.records) + 1)
                add_iteration(self.tuning, record)
                self.records.append(record)
                self.n_played, self.since = 0, None
                self._on_iteration(record)
        finally:
            await asyncio.gather(*(table.close() for table in tables))

    async def _iteration(self, tables: Sequence[Table], number: int) -> IterationRecord:
        schedule, parameters = self.tuning.schedule, self.tuning.parameters
        before = values_now(self.tuning, self.records)
        tried = spsa.trial(schedule, parameters, before, number)
        self.since = time.monotonic()
        pairing = self.tuning.pairing_of(number, tried)
        games = await self._games(tables, pairing, number)
        tally = standing_of(pairing, games).tally
        score = (tally.wins - tally.losses) / tally.games
        engines = dict.fromkeys(label for game in games for label in game.engines)
        return IterationRecord(
            number=number,
            before=before,
            plus=tried.plus,
            minus=tried.minus,
            wins=tally.wins,
            losses=tally.losses,
            draws=tally.draws,
            after=spsa.moved(schedule, parameters, before, tried, score, number),
            gain=spsa.gain(schedule, number),
            perturbation=spsa.perturbation(schedule, number),
            engine=", ".join(engines),
            finished=datetime.now(UTC).isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - self.since, 3),
        )

    async def _games(
        self, tables: Sequence[Table], pairing: Pairing, number: int
    ) -> list[GameRecord]:
        """All games of the iteration; those that are on disk are not played again."""
        folder = ResultsFolder(self.tuning.folder)
        played = folder.records(pairing)
        for path, why in folder.unreadable.items():
            raise Stopped(f"{path} cannot be read: {why}; remove it, and it is played again")
        waiting = [each for each in range(1, pairing.games + 1) if each not in played]
        self.n_played = len(played)

        async def serve(table: Table) -> None:
            while waiting:
                game = waiting.pop(0)
                # Openings go on from one iteration to the next.
                turn = (number - 1) * pairing.games + game
                opening = opening_for(pairing, turn, self._openings)
                record, transcript = await table.play(pairing, game, opening)
                folder.add(pairing.key, record, transcript)
                self.n_played += 1
                self._check_forfeits(record, folder)

        tasks = [asyncio.create_task(serve(table)) for table in tables]
        try:
            await asyncio.gather(*tasks)
        except CannotStart as error:
            raise Stopped(f"{error}; see to it, and start the same command again") from None
        finally:
            await _cancelled(*tasks)
        folder.complete([pairing])
        return list(folder.records(pairing).values())

    def _check_forfeits(self, record: GameRecord, folder: ResultsFolder) -> None:
        """Two sides of one engine: who forfeits again and again says nothing about values."""
        most = self.tuning.match.forfeits_in_a_row
        self._last_games = [record, *self._last_games[: max(most - 1, 0)]]
        n_forfeits = len(list(takewhile(lambda game: game.ending == "forfeit", self._last_games)))
        if most and n_forfeits >= most:
            raise Stopped(
                f"{most} games in a row ended by forfeit; the last one: {record.detail}. What "
                f"engines said is in {folder.path}/games/*/*.transcript.txt; see to it, remove "
                "the last folder of games, and start the same command again"
            )


async def _tend(tend_daemon: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(_TEND)
        tend_daemon()


async def _cancelled(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
