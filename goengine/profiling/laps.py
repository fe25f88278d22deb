"""A stopwatch for kernels: every cycle goes to one phase, the one that is on.

Its record is found by a symbol instead of being handed down: kernels that know nothing of
it keep their arguments. So there is one in a process.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from goengine.jit import COMPILED, cycle_counter, inlined_kernel, kernel, record_by_symbol
from goengine.record_types import as_record
from goengine.words import U0, U1

MAX_PHASES = 64
LONGEST = 400_000  # ns; whoever was away for longer was interrupted

# since        the counter when the present phase was switched on
# phase        the one that is on; 0 while nothing is measured
# longest      cycles; a longer lap is added to interrupted, and to no phase
# cycles       by phase
# laps         by phase: how often it was left, for good or for another phase
# calls        by phase
LAPS_DTYPE = as_record(
    np.dtype(
        [
            ("since", np.uint64),
            ("phase", np.uint64),
            ("longest", np.uint64),
            ("interrupted", np.uint64),
            ("cycles", np.uint64, (MAX_PHASES,)),
            ("laps", np.uint64, (MAX_PHASES,)),
            ("calls", np.uint64, (MAX_PHASES,)),
        ]
    )
)
_LAPS = np.zeros(1, LAPS_DTYPE).view(np.recarray)
_stopwatch = record_by_symbol("goengine.profiling.laps", _LAPS)


@inlined_kernel
def start_with(phase):
    """Whatever was before is not measured."""
    stopwatch = _stopwatch()
    stopwatch.calls[phase] += U1
    stopwatch.phase = phase
    stopwatch.since = cycle_counter()


@inlined_kernel
def switch_on(phase):
    """Returns the phase that was on, to be switched back to."""
    stopwatch = _stopwatch()
    outer = stopwatch.phase
    stopwatch.calls[phase] += U1
    switch_to(phase)
    return outer


@inlined_kernel
def switch_to(phase):
    """Time goes to this phase from now on."""
    stopwatch = _stopwatch()
    now = cycle_counter()
    passed = now - stopwatch.since
    before = stopwatch.phase
    if passed > stopwatch.longest:
        stopwatch.interrupted += passed
    else:
        stopwatch.cycles[before] += passed
    stopwatch.laps[before] += U1
    stopwatch.phase = phase
    stopwatch.since = now


@kernel
def _spend_laps(n):
    """Switch so often, with nothing to measure. Returns the cycles."""
    started = cycle_counter()
    for _ in range(n):
        switch_to(U0)
    return cycle_counter() - started


@kernel
def _now():
    return cycle_counter()


class Rate(NamedTuple):
    """What the stopwatch's units are worth."""

    ns_per_cycle: float
    ns_per_lap: float  # what a lap itself takes, one after the other


class PhaseTime(NamedTuple):
    calls: int
    laps: int
    ns: float  # with those of the stopwatch: so many a lap


def calibrate(seconds: float = 0.05) -> Rate:
    """Compare the counter with a clock, and time laps that measure nothing."""
    n = np.uint64(10_000 if COMPILED else 10)
    start_laps(Rate(1.0, 0.0))
    _now()
    started, ns = int(_now()), time.perf_counter_ns()
    cheapest = int(_spend_laps(n))
    while time.perf_counter_ns() - ns < seconds * 1e9:
        cheapest = min(cheapest, int(_spend_laps(n)))
    ns_per_cycle = (time.perf_counter_ns() - ns) / (int(_now()) - started)
    return Rate(ns_per_cycle, cheapest * ns_per_cycle / int(n))


def start_laps(rate: Rate) -> None:
    """Forget what was measured."""
    _LAPS[0] = np.zeros(1, LAPS_DTYPE)[0]
    _LAPS[0].longest = np.uint64(LONGEST / rate.ns_per_cycle) if COMPILED else ~U0


def read_laps(rate: Rate, n_phases: int) -> list[PhaseTime]:
    """By phase, what was measured since `start_laps`."""
    laps: Any = _LAPS[0]
    ns = laps.cycles * rate.ns_per_cycle
    return [PhaseTime(int(laps.calls[n]), int(laps.laps[n]), float(ns[n])) for n in range(n_phases)]


def read_interruptions(rate: Rate) -> float:
    """Nanoseconds since `start_laps` in laps that were too long to be true."""
    return float(_LAPS[0].interrupted * rate.ns_per_cycle)
