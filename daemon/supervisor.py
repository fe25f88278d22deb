"""The supervisor's decisions: events in, instructions out.

No sockets, processes, clock or shared memory: who calls it reports what happened and
does what it is told, in the given order.
"""

from __future__ import annotations

import math
import signal
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import chain, repeat

from daemon.events import (
    NO_LIMIT,
    Assign,
    CloseGate,
    Collect,
    Collected,
    CollectionWanted,
    Event,
    Exit,
    Instruction,
    Kill,
    OpenGate,
    Retire,
    ShutDown,
    SlotLeft,
    SlotReleased,
    SlotWanted,
    Spawn,
    Tick,
)
from daemon.zygote import WorkerDied, WorkerStarted, ZygoteDied

FIRST_DELAY = 0.05  # seconds until a worker that did not start is tried again; doubles
LAST_DELAY = 5.0
MAX_BOOT_FAILURES = 10
NO_WORKERS = "workers do not start"
TURN = 0.2
_KILLED = (-signal.SIGKILL, -signal.SIGTERM)


Counts = Counter[int | None]  # of workers, by slot


@dataclass
class Place:
    """Where one worker runs, and after its death the next."""

    incarnation: int = 0  # of the worker that is there or comes next
    pid: int | None = None  # None: nobody lives there
    respawn_at: float | None = None  # None without a pid: a worker is being spawned
    n_boot_failures: int = 0  # since a worker last beat here
    n_deaths: int = 0  # of workers that were here
    last_beat: float = 0.0
    has_beaten: bool = False  # the worker that is there
    frozen_at: float | None = None  # when to kill it if it beats no more; None until a Tick
    slot: int | None = None  # as assigned


class Phase(Enum):
    """How far a slot's collection is. The gate is open in RUNNING alone."""

    RUNNING = auto()
    LEAVING = auto()
    COLLECTING = auto()


@dataclass
class Slot:
    weight: float = 0.0  # 0: not wanted
    most: int = NO_LIMIT  # workers
    is_background: bool = False
    phase: Phase = Phase.RUNNING
    credit: float = 0.0  # turns of a worker that are owed to it, while slots take turns


@dataclass
class State:
    """What is known of the world.

    After a restart over old trees, `places` must know the incarnations that they have seen.
    """

    n_workers: int
    n_slots: int
    frozen_after: float = 2.0  # seconds without a beat
    turn: float = TURN  # seconds, when there are fewer workers than slots wanted
    most_background: int = NO_LIMIT  # workers of all slots in the background together
    now: float = 0.0  # of the last Tick
    places: list[Place] = field(init=False)
    slots: list[Slot] = field(init=False)
    n_boot_failures: int = field(init=False, default=0)  # since any worker last beat
    turn_ends: float = field(init=False, default=0.0)
    is_over: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.places = [Place() for _ in range(self.n_workers)]
        self.slots = [Slot() for _ in range(self.n_slots)]


def start(state: State) -> list[Instruction]:
    """What is to be done before any event: all workers are spawned."""
    instructions: list[Instruction] = []
    for index in range(state.n_workers):
        instructions += [_retire(index, state), _spawn(index, state)]
    return instructions


def handle(event: Event, state: State) -> list[Instruction]:
    """Change the state by what happened; returns what is to be done about it, in order."""
    if state.is_over:
        return []
    match event:
        case Tick():
            return _tick(event, state)
        case WorkerStarted():
            return _worker_started(event, state)
        case WorkerDied():
            return _worker_died(event, state)
        case SlotWanted(_, weight, most):
            if not 0.0 < weight < math.inf or most < 1:
                raise ValueError(f"a slot is wanted with a weight above 0, not {weight}, {most}")
            return _weigh(event, state)
        case SlotReleased(slot):
            return _weigh(SlotWanted(slot, 0.0), state)
        case CollectionWanted(slot):
            return _enter(slot, Phase.LEAVING, CloseGate(slot), state)
        case SlotLeft(slot):
            return _enter(slot, Phase.COLLECTING, Collect(slot), state)
        case Collected(slot):
            return _enter(slot, Phase.RUNNING, OpenGate(slot), state)
        case ZygoteDied():
            return _exit("the zygote died", state)
        case ShutDown():
            for each in state.slots:
                each.weight = 0.0
            return _share_workers(state) + _exit("shut down", state)


def _tick(tick: Tick, state: State) -> list[Instruction]:
    instructions: list[Instruction] = []
    # After a long gap we were asleep ourselves, perhaps with the whole machine: judge later.
    has_overslept = tick.now - state.now > state.frozen_after
    state.now = tick.now
    for index, place in enumerate(state.places):
        if place.pid is not None:
            _note_beat(place, tick.beats[index], state)
            if place.frozen_at is None or has_overslept:
                place.frozen_at = state.now + state.frozen_after
            if state.now > place.frozen_at:
                place.frozen_at = state.now + state.frozen_after
                instructions.append(Kill(index, place.pid))
        elif place.respawn_at is not None and state.now >= place.respawn_at:
            instructions.append(_spawn(index, state))
    if state.now >= state.turn_ends and _is_anybody_waiting(state):
        instructions += _share_workers(state)
    return instructions


def _note_beat(place: Place, beat: float, state: State) -> None:
    if beat > place.last_beat:
        place.last_beat = beat
        place.has_beaten = True
        place.frozen_at = beat + state.frozen_after
        place.n_boot_failures = 0
        state.n_boot_failures = 0


def _worker_started(event: WorkerStarted, state: State) -> list[Instruction]:
    place = state.places[event.index]
    if place.pid is not None or place.respawn_at is not None:
        return [Kill(event.index, event.pid)]  # nobody asked for it
    place.pid = event.pid
    return _share_workers(state)


def _worker_died(event: WorkerDied, state: State) -> list[Instruction]:
    place = state.places[event.index]
    could_not_fork = event.pid == 0 and place.pid is None and place.respawn_at is None
    if event.pid != place.pid and not could_not_fork:
        return []
    place.n_deaths += 1
    is_boot_failure = not place.has_beaten
    has_crashed = event.status not in _KILLED  # by itself: it would only crash again
    instructions: list[Instruction] = [_retire(event.index, state)]
    if is_boot_failure:
        place.n_boot_failures += 1
        state.n_boot_failures += 1
        if state.n_boot_failures >= MAX_BOOT_FAILURES:
            return [*instructions, *_exit(NO_WORKERS, state)]
    if is_boot_failure or has_crashed:
        delay = min(FIRST_DELAY * 2.0 ** max(0, place.n_boot_failures - 1), LAST_DELAY)
        place.respawn_at = state.now + delay
    else:
        instructions.append(_spawn(event.index, state))
    return instructions + _share_workers(state)


def _retire(index: int, state: State) -> Instruction:
    place = state.places[index]
    place.incarnation += 1
    place.pid = None
    place.has_beaten = False
    place.frozen_at = None
    place.slot = None
    return Retire(index, place.incarnation)


def _spawn(index: int, state: State) -> Instruction:
    place = state.places[index]
    place.respawn_at = None
    return Spawn(index, place.incarnation)


def _weigh(wish: SlotWanted, state: State) -> list[Instruction]:
    found = state.slots[wish.slot]
    before = found.weight, found.most, found.is_background
    if before == (wish.weight, wish.most, wish.is_background):
        return []  # and the turns go on
    found.weight, found.most, found.is_background = wish.weight, wish.most, wish.is_background
    if wish.weight == 0.0:
        found.credit = 0.0
    return _share_workers(state)


def _enter(slot: int, phase: Phase, instruction: Instruction, state: State) -> list[Instruction]:
    """Go on to the phase if the slot is in the one before; anything else is an old story."""
    order = [Phase.RUNNING, Phase.LEAVING, Phase.COLLECTING]
    if state.slots[slot].phase != order[order.index(phase) - 1]:
        return []
    state.slots[slot].phase = phase
    return [instruction]


def _exit(reason: str, state: State) -> list[Instruction]:
    state.is_over = True
    return [Exit(reason)]


def _living(state: State) -> list[int]:
    return [index for index, place in enumerate(state.places) if place.pid is not None]


def _wanted(state: State, is_background: bool) -> list[int]:
    return [
        number
        for number, slot in enumerate(state.slots)
        if slot.weight > 0.0 and slot.is_background == is_background
    ]


def _is_anybody_waiting(state: State) -> bool:
    """Is there a slot without a worker, and are there workers?"""
    living = _living(state)
    served = {state.places[index].slot for index in living}
    wanted = _wanted(state, is_background=False) + _wanted(state, is_background=True)
    return bool(living) and not served.issuperset(wanted)


def _share_workers(state: State) -> list[Instruction]:
    """Divide the living workers among the slots wanted; as few as possible change places."""
    living = _living(state)
    n_now: Counts = Counter(state.places[index].slot for index in living)
    n_of_slot = _shares(len(living), _wanted(state, is_background=False), n_now, state)
    n_left = min(len(living) - n_of_slot.total(), state.most_background)
    n_of_slot += _shares(n_left, _wanted(state, is_background=True), n_now, state)
    movers = []
    for index in living:
        slot_now = state.places[index].slot
        if n_of_slot[slot_now] > 0:
            n_of_slot[slot_now] -= 1
        else:
            movers.append(index)
    instructions: list[Instruction] = []
    for index, goal in zip(movers, chain(n_of_slot.elements(), repeat(None)), strict=False):
        if state.places[index].slot != goal:
            state.places[index].slot = goal
            instructions.append(Assign(index, goal))
    return instructions


def _shares(n_workers: int, wanted: list[int], n_now: Counts, state: State) -> Counts:
    if n_workers < len(wanted):
        return _take_turns(n_workers, wanted, n_now, state)
    return _divide(n_workers, wanted, n_now, state)


def _divide(n_workers: int, wanted: list[int], n_now: Counts, state: State) -> Counts:
    """In proportion to weight by the largest remainder, but one for each at least.

    There are enough workers for that. In a tie a slot keeps the workers that it has. What a
    slot may not have goes to the others; what none may have stays idle.
    """
    n_of_slot: Counts = Counter()
    rest = wanted
    exact: dict[int, float] = {}
    while rest:
        total = sum(state.slots[slot].weight for slot in rest)
        exact = {slot: n_workers * state.slots[slot].weight / total for slot in rest}
        # Those below one worker get more than their share, those above their limit less.
        settled = [slot for slot in rest if exact[slot] < 1.0]
        settled = settled or [slot for slot in rest if exact[slot] >= state.slots[slot].most]
        if not settled:
            break
        for slot in settled:
            n_of_slot[slot] = max(1, min(math.floor(exact[slot]), state.slots[slot].most))
        n_workers -= sum(n_of_slot[slot] for slot in settled)
        rest = [slot for slot in rest if slot not in settled]
    for slot in rest:
        n_of_slot[slot] = math.floor(exact[slot])
    n_left = n_workers - sum(n_of_slot[slot] for slot in rest)
    by_remainder = sorted(
        rest, key=lambda slot: (n_of_slot[slot] - exact[slot], -n_now[slot], slot)
    )
    n_of_slot.update(by_remainder[:n_left])
    return n_of_slot


def _take_turns(n_workers: int, wanted: list[int], n_now: Counts, state: State) -> Counts:
    """Begin a turn: each worker goes where most is owed.

    The credits sum to 0, and only the one who is owed most spends any: none waits forever.
    """
    state.turn_ends = state.now + state.turn
    n_of_slot: Counts = Counter()
    total = sum(state.slots[slot].weight for slot in wanted)
    surplus = sum(state.slots[slot].credit for slot in wanted) / len(wanted)
    for slot in wanted:
        state.slots[slot].credit += n_workers * state.slots[slot].weight / total - surplus
    for _ in range(n_workers):
        may_have = [slot for slot in wanted if n_of_slot[slot] < state.slots[slot].most]
        slot_owed = max(may_have, key=lambda slot: (state.slots[slot].credit, n_now[slot], -slot))
        state.slots[slot_owed].credit -= 1.0
        n_of_slot[slot_owed] += 1
    return n_of_slot
