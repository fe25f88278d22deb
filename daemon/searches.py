"""Runs searches in the pool's slots: many at once, each as one coroutine."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from daemon.events import NO_LIMIT
from daemon.hosted_game import HostedGame, name_of
from daemon.pool import Pool
from daemon.slots import Evict, Give, SlotTable
from goengine.endgame.passing import choose_move
from goengine.points import PASS
from goengine.rules.game import Game
from goengine.search.memory import SEED
from goengine.search.orders import Found, Order, Purpose
from goengine.search.reading import SearchReading
from goengine.search.search import Search
from goengine.search.standing import has_moves, read_standing
from goengine.search.stopping import goes_on, seconds_to_next_look

WEIGHTS = {
    Purpose.MOVE: 16.0,
    Purpose.VERDICT: 16.0,
    Purpose.ANALYSIS: 4.0,
    Purpose.PONDERING: 1.0,
}
N_VARIATIONS = 12  # moves that have theirs in a reading
PATIENCE = 30.0  # seconds that a search may take to find anything at all
SHORTLY = 0.01  # seconds until one looks again

_log = logging.getLogger(__name__)


class SearchFailed(RuntimeError):
    """There is nothing to answer with; the text says why."""


class _Signal(Enum):
    STOP = auto()
    EVICT = auto()
    DONE = auto()


@dataclass
class Listener:
    """Wants to hear what a search has found, every `interval` seconds."""

    interval: float
    hear: Callable[[SearchReading], None]
    is_there: Callable[[], bool] = lambda: True
    due: float = 0.0


@dataclass
class Assignment:
    """One search, from the wish to the result.

    key             of the game that it is for
    parameters      of the search, where they are not the defaults
    started         when the clock began to run
    seed, n_before  of the game's random numbers; positions that were searched for it before
    must_forget     nothing that was found earlier shall count
    most            workers
    slot            while it has one
    began           when simulations did; there may be no slot before, or kernels to load
    n_kept          visits that were there already
    before          of pondering: what was known when it began
    go_on           when it is done: sets it on something else, or returns that there is nothing
    n_earlier       simulations for what it was about before
    reading         the latest
    """

    key: str
    game: Game
    order: Order
    parameters: Mapping[str, str]
    started: float
    seed: int = 0
    n_before: int = 0
    must_forget: bool = False
    most: int = NO_LIMIT
    listeners: list[Listener] = field(default_factory=list)
    slot: int | None = None
    began: float = 0.0
    n_kept: int = 0
    before: SearchReading | None = None
    go_on: Callable[[], bool] = lambda: False
    n_earlier: int = 0
    reading: SearchReading | None = None
    is_stopped: bool = False
    signals: asyncio.Queue[_Signal] = field(default_factory=asyncio.Queue)

    def stop(self) -> None:
        """Have it end with what it has found."""
        self.is_stopped = True
        self.signals.put_nowait(_Signal.STOP)

    @property
    def is_pondering(self) -> bool:
        return self.order.purpose is Purpose.PONDERING

    @property
    def progress(self) -> float | None:
        """How much of its limits is used, 0 to 1; None if it has none."""
        playouts, seconds = self.order.limits.playouts, self.order.limits.seconds
        n_done = self.reading.simulations if self.reading else 0
        used = [n_done / playouts] if playouts else []
        if seconds:
            used.append((time.monotonic() - self.started) / seconds)
        return min(1.0, max(used)) if used else None

    @property
    def deadline(self) -> float:
        seconds = self.order.limits.deadline
        return self.started + seconds if seconds is not None else float("inf")


class Searches:
    """Call `step` whenever the pool has made a step."""

    def __init__(self, pool: Pool, slot_seconds: float) -> None:
        self.table = SlotTable(len(pool.searches), slot_seconds)
        self.running: dict[str, Assignment] = {}  # by game, those that wait for a slot included
        self.n_ended: Counter[Purpose] = Counter()
        self._pool = pool
        self._grants: dict[str, asyncio.Future[Give]] = {}

    def reattach(self, find: Callable[[str, int], HostedGame | None]) -> None:
        """Give games the slots in which an earlier daemon had them. Before any search.

        find: a game by its name and seed.
        """
        for slot, search in enumerate(self._pool.searches):
            if not search.label:
                continue
            game = find(search.label, int(search.memory.meta[SEED]))
            if game is None:
                _log.info("slot %d: tree dropped: game %s is no more", slot, search.label)
                continue
            self.table.restore(slot, game.key)
            n_nodes = search.memory.tree.n_used - 1
            _log.info("slot %d: tree of game %s re-attached, %d nodes", slot, game.name, n_nodes)

    async def run(self, assignment: Assignment) -> Found:
        """Search until a limit is reached or it is stopped. Raises SearchFailed.

        An analysis may lose its slot, and its tree, to others for a while.
        """
        why: _Signal | None = _Signal.EVICT
        while why is _Signal.EVICT:
            why = await self._search_in_a_slot(assignment)
        if why is None:
            return Found(PASS, None)
        reading = assignment.reading
        if reading is None or not reading.moves:
            raise SearchFailed("the search found nothing; see the daemon's log")
        best = choose_move(assignment.game, assignment.order.color, reading)
        return Found(best.move, reading, assignment.is_stopped)

    async def ponder(self, assignment: Assignment) -> None:
        """The same for nobody who waits; it ends also when others need its slot."""
        await self._search_in_a_slot(assignment)

    def step(self) -> None:
        self._obey(self.table.decide(time.monotonic()))
        for assignment in self.running.values():
            if assignment.slot is not None and self._pool.is_done(assignment.slot):
                assignment.signals.put_nowait(_Signal.DONE)

    def forget(self, key: str) -> None:
        """Nothing that was found for the game counts any more."""
        slot = self.table.slot_of(key)
        self.table.forget(key)
        self._forget_whose_it_was(slot)

    def _forget_whose_it_was(self, slot: int | None) -> None:
        """If it is nobody's any more: a later daemon shall find no tree in it."""
        if slot is not None and self.table.slots[slot].game is None:
            self._pool.submit(slot, Search.forget)

    async def _search_in_a_slot(self, assignment: Assignment) -> _Signal | None:
        """Returns why it ended; None if it was stopped before it had a slot."""
        key = assignment.key
        self.running[key] = assignment
        try:
            give = await self._obtain_slot(assignment)
            if give is None:
                return None
            why = await self._search(give, assignment)
            while why is _Signal.DONE and assignment.go_on():
                assignment.n_earlier += self._pool.searches[give.slot].n_simulations
                why = await self._search(give._replace(is_new=False), assignment)
            return why
        finally:
            del self.running[key]
            self.n_ended[assignment.order.purpose] += 1
            slot = self.table.slot_of(key)
            self._obey(self.table.leave(key, time.monotonic()))
            self._forget_whose_it_was(slot)

    async def _obtain_slot(self, assignment: Assignment) -> Give | None:
        """None if it was stopped before, and nobody waits for a move; or pondered long enough."""
        order = assignment.order
        grant: asyncio.Future[Give] = asyncio.get_running_loop().create_future()
        self._grants[assignment.key] = grant
        signal: asyncio.Future[Any] | None = None
        try:
            self._obey(self.table.want(assignment.key, order.purpose, time.monotonic()))
            while not grant.done():
                if order.purpose is not Purpose.MOVE and assignment.is_stopped:
                    return None
                seconds = (
                    assignment.deadline - time.monotonic() if assignment.is_pondering else None
                )
                if seconds is not None and seconds <= 0:
                    return None
                signal = asyncio.ensure_future(assignment.signals.get())
                waiting: list[asyncio.Future[Any]] = [grant, signal]
                await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
                signal.cancel()
            if signal is not None and signal.done() and not signal.cancelled():
                assignment.signals.put_nowait(signal.result())  # it is for the search
            return grant.result()
        finally:
            if signal is not None:
                signal.cancel()
            del self._grants[assignment.key]

    def _obey(self, decisions: list[Give | Evict]) -> None:
        for decision in decisions:
            if isinstance(decision, Give):
                grant = self._grants.get(decision.game)
                if grant is not None and not grant.done():
                    grant.set_result(decision)
            else:
                self.running[decision.game].signals.put_nowait(_Signal.EVICT)

    async def _search(self, give: Give, assignment: Assignment) -> _Signal:
        """Returns why it ended; the reading is then the last one."""
        slot, order = give.slot, assignment.order
        setting = self._pool.submit(slot, _job_for(give, assignment))
        try:
            assignment.n_kept = await asyncio.wrap_future(setting)
        finally:
            setting.cancel()
        if assignment.is_pondering and assignment.is_stopped:
            return _Signal.STOP
        self._pool.begin(
            slot,
            order.limits.playouts,
            WEIGHTS[order.purpose],
            assignment.most,
            assignment.is_pondering,
        )
        try:
            assignment.slot = slot
            if not assignment.n_earlier:
                assignment.began = time.monotonic()
            why = await self._listen(slot, assignment)
        finally:
            assignment.slot = None
            self._pool.end(slot)
            # A job needs an empty tree: for it, workers leave in the middle of a batch.
            last = self._pool.submit(slot, lambda search: search.read(N_VARIATIONS))
            assignment.reading = await asyncio.wrap_future(last)
        return why

    async def _listen(self, slot: int, assignment: Assignment) -> _Signal:
        """Tell the listeners until it is time to end. Returns why."""
        now = time.monotonic()
        looks_at = now + self._seconds_to_look(assignment, now)
        gives_up_at = now + PATIENCE
        for listener in assignment.listeners:
            listener.due = now + listener.interval
        why = _Signal.STOP if assignment.is_stopped else None
        while True:
            now = time.monotonic()
            if now >= looks_at:
                looks_at = now + self._seconds_to_look(assignment, now)
                why = why or self._look(slot, assignment, now)
            if now >= assignment.deadline:
                why = _Signal.STOP
            if why and (assignment.is_pondering or self._has_result(slot) or now >= gives_up_at):
                return why
            ends = now + SHORTLY if why else assignment.deadline
            due = min([ends, looks_at, *(listener.due for listener in assignment.listeners)])
            # Not wait_for: in Python 3.11 it can lose a cancellation.
            try:
                async with asyncio.timeout(min(due - now, 3600.0)):
                    why = await assignment.signals.get()
            except TimeoutError:
                self._tell(slot, assignment)
                if assignment.is_stopped:
                    why = _Signal.STOP

    def _seconds_to_look(self, assignment: Assignment, now: float) -> float:
        return seconds_to_next_look(assignment.order.limits, now - assignment.started)

    def _look(self, slot: int, assignment: Assignment, now: float) -> _Signal | None:
        """Is it time to end, by the clock and by what was found?"""
        if not self._pool.is_steady(slot):
            return None
        search = self._pool.searches[slot]
        standing = read_standing(search.memory)
        if standing is None:
            assignment.began = now
            return None
        n_playouts = search.n_simulations
        rate = n_playouts / max(now - assignment.began, SHORTLY)
        elapsed = now - assignment.started
        is_on = goes_on(assignment.order.limits, elapsed, standing, n_playouts, rate)
        return None if is_on else _Signal.STOP

    def _tell(self, slot: int, assignment: Assignment) -> None:
        now = time.monotonic()
        due = [listener for listener in assignment.listeners if listener.due <= now]
        is_steady = self._pool.is_steady(slot)
        for listener in due:
            listener.due = now + (listener.interval if is_steady else SHORTLY)
        hearing = [listener for listener in due if listener.is_there()]
        if hearing and is_steady:
            assignment.reading = self._pool.searches[slot].read(N_VARIATIONS)
            for listener in hearing:
                listener.hear(assignment.reading)

    def _has_result(self, slot: int) -> bool:
        return self._pool.is_steady(slot) and has_moves(self._pool.searches[slot].memory)


def _job_for(give: Give, assignment: Assignment) -> Callable[[Search], int]:
    """What makes the slot's search one of this game. Returns the visits that it keeps."""

    def job(search: Search) -> int:
        if give.is_new:
            search.start_over(assignment.seed, assignment.n_before, name_of(assignment.key))
        if assignment.must_forget:
            search.forget()
        search.set_parameters(assignment.game.size, assignment.parameters)
        order = assignment.order
        n_kept = search.set_game(assignment.game, order.color, order.restrictions, order.purpose)
        if assignment.is_pondering:
            assignment.before = search.read(0)
        return n_kept

    return job
