"""A search that tells where its time goes."""

from __future__ import annotations

from typing import NamedTuple

from goengine.profiling.kernels import PHASES, run_profiled
from goengine.profiling.laps import (
    PhaseTime,
    calibrate,
    read_interruptions,
    read_laps,
    start_laps,
)
from goengine.search.local import LocalSearch
from goengine.search.seat import Seat
from goengine.tree.claims import new_worker_table


class Timing(NamedTuple):
    group: str
    phase: str
    time: PhaseTime


class _ProfiledSeat(Seat):
    _simulate = staticmethod(run_profiled)


class ProfiledSearch(LocalSearch):
    """Grows the same tree as a LocalSearch with that seed. One at a time in a process."""

    def __init__(self, n_nodes: int, seed: int = 0) -> None:
        super().__init__(n_nodes, seed)
        self._seat = _ProfiledSeat(self.memory, new_worker_table(1), worker=0)
        self._rate = calibrate()
        self.start_profile()

    def start_profile(self) -> None:
        """Forget what was measured."""
        start_laps(self._rate)

    def read_profile(self) -> list[Timing]:
        """What was measured since then: all phases that came about, in the order of PHASES."""
        found = zip(PHASES, read_laps(self._rate, len(PHASES)), strict=True)
        return [Timing(*names, time) for names, time in found if time.calls]

    @property
    def ns_per_lap(self) -> float:
        """Of the stopwatch, if it does nothing else."""
        return self._rate.ns_per_lap

    @property
    def interrupted_ns(self) -> float:
        """Others had the core so long since the start; no phase has that."""
        return read_interruptions(self._rate)
