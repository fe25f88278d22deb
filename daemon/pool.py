"""Workers and slots as they are: carries out what the supervisor decides.

Slots and the worker table are there before the zygote is forked, so that every worker has
them mapped. One thread uses a pool.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from functools import partial
from typing import Any, NamedTuple, Self

from daemon import events, supervisor
from daemon.budgets import Budgets
from daemon.estate import Estate
from daemon.pauses import Pauses
from daemon.slot_memory import SlotMemory
from daemon.worker import load_numba, run_worker
from daemon.zygote import WorkerDied, start_zygote
from goengine.points import capacity_for
from goengine.search.local import warm_search
from goengine.search.memory import SIZE
from goengine.search.search import Search
from goengine.tree.claims import (
    ASSIGNED,
    BEAT,
    INCARNATION,
    INSIDE,
    SIMULATIONS,
    WORKER_WORDS,
)
from goengine.tree.columns import GENERATION
from goengine.tree.gate import close_gate, is_anybody_inside, open_gate

MEGABYTE = 1 << 20
SLOT_BYTES = 256 * MEGABYTE
TICK = 0.1  # seconds

Job = Callable[[Search], object]
_log = logging.getLogger(__name__)


class WorkerReading(NamedTuple):
    pid: int | None
    slot: int | None
    simulations: int  # by all that were at this place
    deaths: int


class PoolFailed(RuntimeError):
    """The workers are gone for good; the message says why."""


class Pool:
    """Workers that search in slots. Use it as a context manager: it leaves nothing behind.

    searches    by slot; change one only in a job given to `change`, read it at any time
    pauses      by slot
    """

    def __init__(
        self,
        n_workers: int = 1,
        n_slots: int = 1,
        slot_bytes: int = SLOT_BYTES,
        sizes: tuple[int, ...] = (),
        seed: int = 0,
        executor: Executor | None = None,
        turn: float = supervisor.TURN,
        most_background: int = events.NO_LIMIT,
        estate: Estate | None = None,
    ) -> None:
        """Kernels for boards of `sizes` are ready in every worker. Raises NoRoom.

        Jobs run in the executor, or right here. A turn, in seconds, is what a worker stays
        in a slot when there are more slots than workers. Slots in the background have
        `most_background` workers at most, all together. What is left in the estate goes on.
        """
        self._warm: set[int] = set()
        for size in sizes:
            self._warm_up(size)
        self._ends = contextlib.ExitStack()
        self._memory = SlotMemory(n_workers, n_slots, slot_bytes, seed, estate or Estate())
        self._ends.callback(self._memory.close)
        self._table, self.searches = self._memory.table, self._memory.searches
        memories = [search.memory for search in self.searches]
        try:
            self.pauses = [Pauses() for _ in range(n_slots)]
            self._closed_at = [0.0] * n_slots
            self._budgets = Budgets(self.searches, self._table)
            self._jobs: list[list[Callable[[Search], Callable[[], None]]]]
            self._jobs = [[] for _ in range(n_slots)]
            self._executor = executor
            self._collecting: dict[int, Future[None]] = {}
            self._attention = self._eventfd()
            self._wake = [self._eventfd() for _ in range(n_workers)]
            self._state = supervisor.State(
                n_workers, n_slots, turn=turn, most_background=most_background
            )
            self._failure: str | None = None
            self._next_tick = 0.0
            self._zygote = start_zygote(
                lambda index: run_worker(
                    index,
                    self._table,
                    memories,
                    self._wake[index],
                    self._attention,
                    self._warm,
                ),
                on_orphaned=self._memory.orphan,
                prepare=load_numba,
            )
            self._ends.callback(self._zygote.close)
            self._obey(supervisor.start(self._state))
        except BaseException:
            self._ends.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers and free all memory. May be repeated."""
        wait(self._collecting.values())
        self._obey(supervisor.handle(events.ShutDown(), self._state))
        self._ends.close()

    # --- slots ----------------------------------------------------------------

    def change(self, slot: int, job: Job) -> None:
        """Run the job with nobody in the tree, and wait until it has run. Raises what it raises."""
        done = self.submit(slot, job)
        try:
            while not done.done():
                self.step(TICK)
        finally:
            done.cancel()  # if interrupted while it waited
        done.result()

    def submit(self, slot: int, job: Job) -> Future[Any]:
        """Have the job run as soon as nobody is in the tree; `step` sees to it.

        The future may be cancelled before the job begins.
        """
        done: Future[Any] = Future()

        def run(search: Search) -> Callable[[], None]:
            if not done.set_running_or_notify_cancel():
                return lambda: None
            try:
                return partial(done.set_result, job(search))
            except Exception as error:
                return partial(done.set_exception, error)

        self._jobs[slot].append(run)
        self._look_at_slots()
        return done

    def is_steady(self, slot: int) -> bool:
        """May the search be read? Not while a job or the collector is at work."""
        return slot not in self._collecting

    def begin(
        self,
        slot: int,
        n_simulations: int | None = None,
        weight: float = 1.0,
        most: int = events.NO_LIMIT,
        is_background: bool = False,
    ) -> None:
        """Let workers in, for so many simulations or until `end`; `most` at once.

        In the background, those that no other slot can have. Raises ValueError.
        """
        memory = self.searches[slot].memory
        words = memory.tree.words
        if not words[GENERATION]:
            raise ValueError(f"slot {slot} has no game to search")
        self._warm_up(int(memory.meta[SIZE]))
        self._budgets.begin(slot, n_simulations)
        self._handle(events.SlotWanted(slot, weight, most, is_background))
        self._wake_all()

    def end(self, slot: int) -> None:
        """Let workers stop after their batch; does not wait."""
        self._budgets.end(slot)
        self._handle(events.SlotReleased(slot))

    def is_done(self, slot: int) -> bool:
        """Is the budget made, or the search ended, and has every worker told its results?"""
        return self._budgets.is_done(slot)

    def run(
        self, slot: int, n_simulations: int | None = None, seconds: float | None = None
    ) -> None:
        """Search until either is used up, and everybody has left."""
        ends = float("inf") if seconds is None else time.monotonic() + seconds
        self.begin(slot, n_simulations)
        while not self.is_done(slot) and (left := ends - time.monotonic()) > 0:
            self.step(min(left, TICK))
        self.end(slot)
        while not self.is_done(slot):
            self.step(TICK)

    # --- the outside world ----------------------------------------------------

    def step(self, timeout: float) -> None:
        """Wait for something to happen, at most so many seconds, and deal with it.

        Raises PoolFailed.
        """
        poll = select.poll()
        for descriptor in self.descriptors:
            poll.register(descriptor, select.POLLIN)
        poll.poll(timeout * 1000)
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._attention)
        for event in self._zygote.receive():
            if isinstance(event, WorkerDied):
                _log.warning("worker %d, pid %d, ended: %d", event.index, event.pid, event.status)
                self._tick()  # what it beat before it died still counts
            self._handle(event)
        if time.monotonic() >= self._next_tick:
            self._tick()
        self._look_at_slots()
        if self._budgets.make_up_for_the_dead(self._collecting):
            self._wake_all()

    @property
    def descriptors(self) -> tuple[int, int]:
        """Readable when there is something for `step` to do; it also wants a call every TICK."""
        return self._zygote.fileno(), self._attention

    def workers(self) -> list[WorkerReading]:
        counts = self._table[SIMULATIONS::WORKER_WORDS]
        return [
            WorkerReading(place.pid, place.slot, int(n), place.n_deaths)
            for n, place in zip(counts, self._state.places, strict=True)
        ]

    def beats(self) -> list[float | None]:
        """When a worker last beat, by place, on the monotonic clock; None until the first does."""
        return [place.last_beat or None for place in self._state.places]

    def configure(self, turn: float, most_background: int) -> None:
        """Change what was given when the pool was made."""
        self._state.turn = turn
        self._state.most_background = most_background

    @property
    def n_bytes(self) -> int:
        """Of shared memory."""
        return self._memory.n_bytes

    @property
    def pids(self) -> list[int]:
        """Of the workers that live."""
        return [place.pid for place in self._state.places if place.pid is not None]

    @property
    def zygote_pid(self) -> int:
        return self._zygote.pid

    def _tick(self) -> None:
        self._next_tick = time.monotonic() + TICK
        beats = self._table[BEAT::WORKER_WORDS] / 1e9
        self._handle(events.Tick(time.monotonic(), [float(beat) for beat in beats]))
        self._memory.touch()

    def _look_at_slots(self) -> None:
        for slot, collection in list(self._collecting.items()):
            if collection.done():
                del self._collecting[slot]
                try:
                    collection.result()
                finally:
                    self._obey(supervisor.handle(events.Collected(slot), self._state))
        for slot, search in enumerate(self.searches):
            if slot in self._collecting:
                continue
            if search.needs_room or self._jobs[slot]:
                self._handle(events.CollectionWanted(slot))
            if self._is_leaving(slot) and not is_anybody_inside(self._table, slot):
                self._handle(events.SlotLeft(slot))

    def _is_leaving(self, slot: int) -> bool:
        return self._state.slots[slot].phase is supervisor.Phase.LEAVING

    def _handle(self, event: events.Event) -> None:
        self._obey(supervisor.handle(event, self._state))
        if self._failure:
            raise PoolFailed(self._failure)

    def _obey(self, instructions: list[events.Instruction]) -> None:
        for instruction in instructions:
            match instruction:
                case events.Retire(index, incarnation):
                    if incarnation > 1:  # there was one before
                        for search in self.searches:
                            search.settle(index)
                    row = self._row(index)
                    row[INCARNATION] = incarnation
                    row[ASSIGNED] = row[INSIDE] = row[BEAT] = 0
                case events.Spawn(index, _):
                    self._zygote.spawn(index)
                case events.Kill(_, pid):
                    self._zygote.kill(pid)
                case events.Assign(index, slot):
                    self._row(index)[ASSIGNED] = 0 if slot is None else slot + 1
                    os.eventfd_write(self._wake[index], 1)
                case events.CloseGate(slot):
                    self._closed_at[slot] = time.monotonic()
                    close_gate(self.searches[slot].memory.tree.words)
                case events.Collect(slot):
                    self._start_collection(slot)
                case events.OpenGate(slot):
                    open_gate(self.searches[slot].memory.tree.words)
                    self.pauses[slot].add(time.monotonic() - self._closed_at[slot])
                    self._wake_all()
                case events.Exit(reason):
                    if reason != "shut down":
                        self._failure = reason

    def _start_collection(self, slot: int) -> None:
        if self._executor is None:
            try:
                self._collect(slot)
            finally:
                self._obey(supervisor.handle(events.Collected(slot), self._state))
        else:
            self._collecting[slot] = self._executor.submit(self._collect, slot)
            self._collecting[slot].add_done_callback(lambda _: os.eventfd_write(self._attention, 1))

    def _collect(self, slot: int) -> None:
        """Nobody is in the tree: do what has to wait for that."""
        search = self.searches[slot]
        results: list[Callable[[], None]] = []  # told when all is well, also for a successor
        try:
            with self._memory.changing(slot):
                try:
                    while self._jobs[slot]:
                        results.append(self._jobs[slot].pop(0)(search))
                    if search.needs_room:
                        search.make_room()
                except BaseException:
                    search.give_up()
                    raise
        finally:
            for tell in results:
                tell()

    def _warm_up(self, size: int) -> None:
        """A worker that compiles does not beat, and would be killed: compile here before."""
        if capacity_for(size) not in self._warm:
            warm_search(size)
            self.note_compiled(size)

    def note_compiled(self, size: int) -> None:
        """Kernels for the size are in the cache, from where workers take them."""
        self._warm.add(capacity_for(size))

    def _row(self, index: int) -> Any:
        """Of the table: what is known of one worker."""
        return self._table[index * WORKER_WORDS : (index + 1) * WORKER_WORDS]

    def _wake_all(self) -> None:
        for wake in self._wake:
            os.eventfd_write(wake, 1)

    def _eventfd(self) -> int:
        descriptor = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._ends.callback(os.close, descriptor)
        return descriptor
