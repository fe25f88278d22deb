"""What somebody wants searched, and what comes back.

A GTP session does not search: it hands out an order, and whoever runs the session (an engine
in this process, the daemon with its workers) comes back with what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from goengine.search.position import Restriction

if TYPE_CHECKING:
    from goengine.rules.game import Game
    from goengine.search.reading import SearchReading


class Purpose(Enum):
    MOVE = "move"  # somebody's clock may run
    VERDICT = "verdict"  # who is dead; somebody waits, and a clock may run
    ANALYSIS = "analysis"
    PONDERING = "pondering"


class Limits(NamedTuple):
    """A search ends at the first that is reached; without any, when somebody ends it.

    Under a clock, `seconds` is what the move should take, and it may take up to `most_seconds`,
    or less, as `search/stopping.py` decides. What is saved of `free_seconds` is lost.
    """

    playouts: int | None = None
    seconds: float | None = None
    most_seconds: float | None = None  # None: exactly `seconds`
    free_seconds: float = 0.0

    @property
    def deadline(self) -> float | None:
        """The second at which it ends in any case."""
        return self.seconds if self.most_seconds is None else self.most_seconds

    def within(self, seconds: float) -> Limits:
        """The same, and no longer than so many seconds."""
        return Limits(
            self.playouts,
            seconds if self.seconds is None else min(self.seconds, seconds),
            None if self.most_seconds is None else min(self.most_seconds, seconds),
            min(self.free_seconds, seconds),
        )


class Pondered(NamedTuple):
    """What pondering did for a search: playouts on all replies, and those on the one that came."""

    n_made: int
    n_used: int  # of the visits that the search found there
    is_expected: bool  # the reply was the one that pondering had visited most


class Found(NamedTuple):
    move: int  # a point or PASS; whoever plays it may resign instead
    reading: SearchReading | None  # None from engines that do not search
    is_cut_off: bool = False  # somebody ended the search before its limits
    pondered: Pondered | None = None  # None: nobody did


@dataclass(frozen=True)
class Order:
    """A search for `color` in a game.

    interval    seconds between two calls of `report`
    report      lines that the client gets while the search goes on; None: it waits in silence
    finish      the text of the reply, and what becomes of the game; or what has to be searched
                before there is one; may raise
    yields      does any new input end it?
    game        if it is not the client's own
    parameters  that this search has besides the client's
    """

    color: int
    purpose: Purpose
    limits: Limits
    finish: Callable[[Found], str | Order]
    restrictions: tuple[Restriction, ...] = ()
    interval: float = 1.0
    report: Callable[[SearchReading], str] | None = None
    yields: bool = False
    game: Game | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
