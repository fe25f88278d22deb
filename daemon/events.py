"""What the supervisor is told, and what it has done: the words of daemon/supervisor.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from daemon.zygote import WorkerDied, WorkerStarted, ZygoteDied

NO_LIMIT = 1 << 30  # workers


@dataclass(frozen=True)
class Tick:
    """The time, several times a second, and before each death that is reported.

    beats: when the worker at each place last beat, by the same clock; 0 if it has not yet.
    """

    now: float
    beats: Sequence[float]


@dataclass(frozen=True)
class SlotWanted:
    """Or wanted with another weight, or by another number of workers at most.

    is_background: it has only workers that no other slot can have.
    """

    slot: int
    weight: float
    most: int = NO_LIMIT
    is_background: bool = False


@dataclass(frozen=True)
class SlotReleased:
    slot: int


@dataclass(frozen=True)
class CollectionWanted:
    """A worker found the tree full, or a move was played. Nothing new while one is under way."""

    slot: int


@dataclass(frozen=True)
class SlotLeft:
    """The gate is closed, and no worker is inside any more."""

    slot: int


@dataclass(frozen=True)
class Collected:
    slot: int


@dataclass(frozen=True)
class ShutDown:
    pass


@dataclass(frozen=True)
class Retire:
    """Write the place's new incarnation, and clear all else that its worker left in the table.

    A place is retired once before each worker: claims that the one before left in a tree
    are known by their old incarnation.
    """

    index: int
    incarnation: int


@dataclass(frozen=True)
class Spawn:
    index: int
    incarnation: int


@dataclass(frozen=True)
class Kill:
    index: int
    pid: int


@dataclass(frozen=True)
class Assign:
    """Where a worker shall work; at a closed gate it waits. A new worker has no slot."""

    index: int
    slot: int | None


@dataclass(frozen=True)
class CloseGate:
    slot: int


@dataclass(frozen=True)
class Collect:
    slot: int


@dataclass(frozen=True)
class OpenGate:
    slot: int


@dataclass(frozen=True)
class Exit:
    reason: str


SlotEvent = SlotWanted | SlotReleased | CollectionWanted | SlotLeft | Collected
Event = WorkerStarted | WorkerDied | ZygoteDied | Tick | SlotEvent | ShutDown
Instruction = Retire | Spawn | Kill | Assign | CloseGate | Collect | OpenGate | Exit
