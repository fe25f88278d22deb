"""The shared memory of a pool: a search in every slot, and the table of workers."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from daemon import shm
from daemon.estate import Estate
from goengine.jit import CACHE_DIRECTORY
from goengine.search.memory import memory_over
from goengine.search.resuming import note_of
from goengine.search.search import Search
from goengine.tree.claims import WORKER_WORDS, new_worker_table
from goengine.tree.columns import clear_tree

TOUCH_EVERY = 10.0  # seconds


class SlotMemory:
    """
    searches    by slot; those that were left by another process have labels
    table       of workers
    """

    def __init__(
        self, n_workers: int, n_slots: int, slot_bytes: int, seed: int, estate: Estate
    ) -> None:
        """Raises NoRoom."""
        self._ends = contextlib.ExitStack()
        self._segments: list[shm.Segment] = []
        self._touch_at = 0.0
        self._estate = estate
        self.searches: list[Search] = []
        kind = shm.Kind(slot_bytes, CACHE_DIRECTORY.name, estate.heir)
        try:
            for segment, search in estate.take(n_slots, kind, n_workers):
                self._have(segment)
                self.searches.append(search)
            shm.sweep()
            for slot in range(len(self.searches), n_slots):
                memory = memory_over(self._create(f"slot{slot}", kind).payload, n_workers)
                clear_tree(memory.tree)
                self.searches.append(Search(memory, seed + slot))
            self._slots = self._segments.copy()
            for segment in self._slots:
                estate.keep(segment)
            table_kind = shm.Kind(n_workers * WORKER_WORDS * 8, kind.fingerprint)
            self.table = new_worker_table(n_workers, self._create("workers", table_kind).payload)
        except BaseException:
            self.close()
            raise

    @property
    def n_bytes(self) -> int:
        return sum(len(segment.payload) for segment in self._segments)

    @contextlib.contextmanager
    def changing(self, slot: int) -> Iterator[None]:
        """Somebody rewrites what is in the slot: if all die meanwhile, nobody takes it up."""
        segment = self._slots[slot]
        segment.state = shm.State.CHANGING
        try:
            yield
        finally:
            segment.note = note_of(self.searches[slot])
            segment.state = shm.State.WHOLE

    def touch(self) -> None:
        """To be called every now and then, as a sign of life; what others left late is freed."""
        if time.monotonic() >= self._touch_at:
            self._touch_at = time.monotonic() + TOUCH_EVERY
            self._estate.free_leftovers()
            for segment in self._slots:
                segment.touch()

    def close(self) -> None:
        """Leave nothing behind. May be repeated."""
        self._ends.close()

    def orphan(self) -> None:
        """In another process, when this one is no more: leave only what has an heir."""
        for segment in self._segments:
            if not segment.kind.heir:
                segment.unlink()

    def _create(self, label: str, kind: shm.Kind) -> shm.Segment:
        """Raises NoRoom."""
        try:
            segment = shm.Segment.create(label, kind)
        except shm.NoRoom:
            shm.sweep(heirs_time=0.0)  # what is needed now goes before what may be wanted
            segment = shm.Segment.create(label, kind)
        self._have(segment)
        return segment

    def _have(self, segment: shm.Segment) -> None:
        self._segments.append(segment)
        self._ends.callback(segment.close)
        self._ends.callback(segment.unlink)
