"""What a daemon leaves to the next one: slots with their trees, also when it is killed.

The next one is a daemon with the same state directory, since that has the games. It finds
segments that nobody uses any more in two places: those that systemd kept for it, which also
survive a restart that was asked for, and those whose names are still in the directory of
segments, because there was no time to take them away.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from daemon import notify, shm
from goengine.search.memory import memory_over
from goengine.search.resuming import CannotResume, resume
from goengine.search.search import Search

_log = logging.getLogger(__name__)

PATIENCE = 2.0  # seconds that workers have to end after the daemon that was killed


class Left(NamedTuple):
    """A slot as it was found, ready to go on."""

    segment: shm.Segment
    search: Search


class Estate:
    """With an empty heir there is none: nothing is taken, and nothing stays behind."""

    def __init__(
        self,
        heir: str = "",
        descriptors: Mapping[str, Sequence[int]] | None = None,
        directory: Path = shm.SHM_DIRECTORY,
    ) -> None:
        """descriptors: what systemd passed, by name; `take` closes those of segments."""
        self.heir = heir
        self._directory = directory
        passed = (descriptors or {}).items()
        self._passed = {name: list(found) for name, found in passed if shm.label_in(name)}

    def take(self, n_slots: int, kind: shm.Kind, n_workers: int) -> list[Left]:
        """The slots that can be used as they are, at most `n_slots`; all others are freed."""
        taken: list[Left] = []
        gives_up_at = time.monotonic() + PATIENCE
        for name, descriptor in self._find():
            path = self._directory / name
            try:
                patience = gives_up_at - time.monotonic()
                segment = shm.Segment.adopt(path, descriptor, kind, patience)
                search = _take_up(segment, n_workers, is_wanted=len(taken) < n_slots)
            except shm.InUse:
                continue
            except shm.BadSegment as error:
                _log.warning("%s: its tree is not usable: %s", shm.label_in(name), error)
                search = None
            finally:
                os.close(descriptor)
            if search is not None:
                taken.append(Left(segment, search))
                continue
            path.unlink(missing_ok=True)
            if name in self._passed:
                notify.forget_descriptor(name)
        return taken

    def keep(self, segment: shm.Segment) -> None:
        """Have systemd keep it for the next daemon, if it does not yet."""
        if self.heir and segment.name not in self._passed:
            with segment.reopened() as descriptor:
                notify.store_descriptor(segment.name, descriptor)

    def free_leftovers(self) -> None:
        """Segments that somebody still held when others were taken, and holds no more."""
        if self.heir:
            for name in shm.sweep(self._directory, heir=self.heir):
                notify.forget_descriptor(name)

    def _find(self) -> list[tuple[str, int]]:
        """Names and descriptors of all segments, each once, by the number of their slots."""
        found = shm.left_for(self.heir, self._directory) if self.heir else {}
        for name, descriptors in self._passed.items():
            for other in [*descriptors[1:], *([found[name]] if name in found else [])]:
                os.close(other)
            found[name] = descriptors[0]
        return sorted(found.items(), key=lambda each: (len(label := shm.label_in(each[0])), label))


def heir_of(state_directory: Path) -> str:
    """The daemon whose games are there."""
    return hashlib.sha256(os.fsencode(state_directory.resolve())).hexdigest()[:32]


def _take_up(segment: shm.Segment, n_workers: int, is_wanted: bool) -> Search | None:
    """Its search, or None if there is none; then the segment is closed. Raises BadSegment."""
    with contextlib.ExitStack() as stack:
        stack.callback(segment.close)
        note = segment.note
        if not note or not is_wanted:
            return None
        segment.state = shm.State.CHANGING
        try:
            search = resume(memory_over(segment.payload, n_workers), note)
        except CannotResume as error:
            raise shm.BadSegment(str(error)) from None
        segment.state = shm.State.WHOLE
        stack.pop_all()
        return search
