"""What is counted while requests are served: plain numbers, for whoever asks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from daemon.pauses import Pauses
from goengine.gtp.registry import COMMANDS
from goengine.gtp_line import parse_line
from goengine.search.orders import Purpose

# Seconds: lines that only look take a millisecond, moves as long as somebody allows.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
OTHER = "other"  # all that is no command
_ENOUGH = 200  # characters of a line, for its command


@dataclass
class Histogram:
    """counts: by the first of BOUNDS that is not exceeded; the last is of those beyond all."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


@dataclass
class Tally:
    """
    latencies   by GTP command: from when it was a line's turn in its game to its reply
    refused     requests by code
    """

    latencies: defaultdict[str, Histogram] = field(default_factory=lambda: defaultdict(Histogram))
    refused: Counter[str] = field(default_factory=Counter)

    def note_line(self, line: str, seconds: float) -> None:
        request = parse_line(line[:_ENOUGH])
        if request is not None:
            known = request.command in COMMANDS
            self.latencies[request.command if known else OTHER].add(seconds)


class Figures(NamedTuple):
    """All that can be told of a daemon.

    status      as the control socket gives it
    pauses      of each slot
    n_ended     searches that are over, by purpose
    n_reaped    playouts of pondering that searches for moves have used
    """

    status: Mapping[str, Any]
    tally: Tally
    pauses: Sequence[Pauses]
    n_ended: Mapping[Purpose, int]
    n_reaped: int
    n_journal_errors: int
