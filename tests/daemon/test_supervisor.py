"""The supervisor's decisions: histories of events with what must be done about each."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from daemon.events import (
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
from daemon.supervisor import MAX_BOOT_FAILURES, State, handle, start
from daemon.zygote import WorkerDied, WorkerStarted, ZygoteDied

pytestmark = pytest.mark.uncompiled


def started(n_workers: int, n_slots: int, *weights: float) -> State:
    """All workers live, with pids from 100 on, and have beaten; slots from 0 on are wanted."""
    state = State(n_workers, n_slots)
    start(state)
    for index in range(n_workers):
        handle(WorkerStarted(index, 100 + index), state)
    handle(Tick(1.0, [1.0] * n_workers), state)
    for slot, weight in enumerate(weights):
        handle(SlotWanted(slot, weight), state)
    return state


def test_all_workers_are_spawned_at_the_start() -> None:
    assert start(State(2, 1)) == [Retire(0, 1), Spawn(0, 1), Retire(1, 1), Spawn(1, 1)]


HISTORIES: dict[str, tuple[State, list[tuple[Event, list[Instruction]]]]] = {
    "a dead worker has a successor at once": (
        started(2, 1, 1.0),
        [
            (WorkerDied(1, 101, -9), [Retire(1, 2), Spawn(1, 2)]),
            (WorkerStarted(1, 200), [Assign(1, 0)]),
            (WorkerDied(1, 101, -9), []),  # an old story
            (WorkerStarted(1, 300), [Kill(1, 300)]),  # nobody asked for it
        ],
    ),
    "a worker that did not start is tried later and later": (
        started(2, 1),
        [
            (WorkerDied(1, 101, -9), [Retire(1, 2), Spawn(1, 2)]),
            (WorkerStarted(1, 200), []),
            (WorkerDied(1, 200, 1), [Retire(1, 3)]),
            (Tick(1.04, [1.0, 0.0]), []),
            (Tick(1.05, [1.0, 0.0]), [Spawn(1, 3)]),
            (Tick(1.30, [1.3, 0.0]), []),
            (WorkerDied(1, 0, 1), [Retire(1, 4)]),  # not even forked
            (Tick(1.39, [1.3, 0.0]), []),
            (Tick(1.41, [1.3, 0.0]), [Spawn(1, 4)]),
            (WorkerStarted(1, 201), []),
            (Tick(1.50, [1.3, 1.5]), []),
            (WorkerDied(1, 201, -9), [Retire(1, 5), Spawn(1, 5)]),
            (WorkerStarted(1, 202), []),
            (WorkerDied(1, 202, 1), [Retire(1, 6)]),
            (Tick(1.56, [1.3, 0.0]), [Spawn(1, 6)]),
        ],
    ),
    "a worker that crashes is not respawned in a frenzy": (
        started(1, 1),
        [
            (WorkerDied(0, 100, -11), [Retire(0, 2)]),
            (Tick(1.04, [0.0]), []),
            (Tick(1.05, [0.0]), [Spawn(0, 2)]),
        ],
    ),
    "a frozen worker is killed, again and again": (
        started(2, 1, 1.0),
        [
            (Tick(2.9, [2.9, 1.0]), []),
            (Tick(3.1, [3.1, 1.0]), [Kill(1, 101)]),
            (Tick(5.0, [5.0, 1.0]), []),
            (Tick(5.2, [5.2, 1.0]), [Kill(1, 101)]),
            (WorkerDied(1, 101, -9), [Retire(1, 2), Spawn(1, 2)]),
        ],
    ),
    "who never beats is frozen too": (
        started(1, 1),
        [
            (WorkerDied(0, 100, -9), [Retire(0, 2), Spawn(0, 2)]),
            (Tick(2.9, [0.0]), []),
            (WorkerStarted(0, 200), []),
            (Tick(4.0, [0.0]), []),
            (Tick(6.0, [0.0]), []),
            (Tick(6.1, [0.0]), [Kill(0, 200)]),
            (WorkerDied(0, 200, -9), [Retire(0, 3)]),
        ],
    ),
    "after a long sleep nobody is judged": (
        started(2, 1),
        [
            (Tick(500.0, [1.0, 1.0]), []),
            (Tick(501.5, [1.0, 501.4]), []),
            (Tick(502.1, [1.0, 502.0]), [Kill(0, 100)]),
        ],
    ),
    "a collection closes the gate, waits, collects and opens": (
        started(1, 2, 1.0),
        [
            (SlotLeft(0), []),
            (Collected(0), []),
            (CollectionWanted(0), [CloseGate(0)]),
            (CollectionWanted(0), []),
            (Collected(0), []),
            (SlotLeft(0), [Collect(0)]),
            (SlotLeft(0), []),
            (CollectionWanted(0), []),
            (Collected(0), [OpenGate(0)]),
            (CollectionWanted(1), [CloseGate(1)]),  # wanted or not
        ],
    ),
    "neither death nor release stops a collection": (
        started(1, 1, 1.0),
        [
            (CollectionWanted(0), [CloseGate(0)]),
            (Tick(3.0, [1.0]), []),
            (Tick(3.1, [1.0]), [Kill(0, 100)]),
            (WorkerDied(0, 100, -9), [Retire(0, 2), Spawn(0, 2)]),
            (SlotLeft(0), [Collect(0)]),
            (WorkerStarted(0, 200), [Assign(0, 0)]),
            (SlotReleased(0), [Assign(0, None)]),
            (Collected(0), [OpenGate(0)]),
        ],
    ),
    "few workers move when wishes change": (
        started(5, 3),
        [
            (SlotWanted(2, 1.0), [Assign(index, 2) for index in range(5)]),
            (SlotWanted(0, 1.0), [Assign(3, 0), Assign(4, 0)]),
            (SlotWanted(2, 4.0), [Assign(4, 2)]),
            (SlotWanted(1, 0.001), [Assign(4, 1)]),
            (SlotReleased(0), [Assign(3, 2)]),
            (SlotReleased(2), [Assign(index, 1) for index in range(4)]),
            (SlotReleased(1), [Assign(index, None) for index in range(5)]),
        ],
    ),
    "a slot is not left alone when its worker dies": (
        started(3, 2, 2.0, 1.0),
        [
            (WorkerDied(2, 102, -9), [Retire(2, 2), Spawn(2, 2), Assign(1, 1)]),
            (WorkerStarted(2, 200), [Assign(2, 0)]),
        ],
    ),
    "one worker takes turns": (
        started(1, 3),
        [
            (SlotWanted(1, 1.0), [Assign(0, 1)]),
            (SlotWanted(0, 1.0), []),
            (SlotWanted(0, 1.0), []),
            (Tick(1.1, [1.1]), []),
            (Tick(1.2, [1.2]), [Assign(0, 0)]),
            (Tick(1.4, [1.4]), []),  # nothing is owed to either, and nobody moves without need
            (Tick(1.6, [1.6]), [Assign(0, 1)]),
            (SlotWanted(2, 1.0), []),
            (Tick(1.8, [1.8]), [Assign(0, 0)]),
            (Tick(2.0, [2.0]), [Assign(0, 2)]),
            (SlotReleased(2), [Assign(0, 0)]),
        ],
    ),
    "after the shutdown nothing happens": (
        started(2, 1, 1.0),
        [
            (ShutDown(), [Assign(0, None), Assign(1, None), Exit("shut down")]),
            (WorkerDied(0, 100, -9), []),
            (Tick(9.0, [1.0, 1.0]), []),
        ],
    ),
    "without the zygote there is no going on": (
        started(1, 1),
        [(ZygoteDied(), [Exit("the zygote died")]), (ZygoteDied(), [])],
    ),
}


@pytest.mark.parametrize("title", HISTORIES)
def test_history(title: str) -> None:
    state, history = HISTORIES[title]
    for number, (event, expected) in enumerate(history):
        assert handle(event, state) == expected, f"step {number}: {event}"


@pytest.mark.parametrize("n_workers", [1, 2, 20])
def test_workers_that_never_start_are_given_up(n_workers: int) -> None:
    state = State(n_workers, 1)
    instructions = start(state)
    now, n_failures = 0.0, 0
    while instructions[-1:] != [Exit("workers do not start")]:
        now += 0.01
        spawned = [each.index for each in instructions if isinstance(each, Spawn)]
        instructions = handle(Tick(now, [0.0] * n_workers), state)
        for index in spawned[: MAX_BOOT_FAILURES - n_failures]:
            n_failures += 1
            handle(WorkerStarted(index, 100), state)
            instructions = handle(WorkerDied(index, 100, 1), state)
        assert now < 20.0
    assert n_failures == MAX_BOOT_FAILURES


@pytest.mark.parametrize(
    ("n_workers", "weights", "shares"),
    [
        (4, [1.0], [4]),
        (4, [1.0, 1.0], [2, 2]),
        (8, [3.0, 1.0], [6, 2]),
        (7, [3.0, 2.0, 1.0], [4, 2, 1]),
        (6, [100.0, 1.0, 1.0, 1.0, 1.0], [2, 1, 1, 1, 1]),
        (8, [50.0, 10.0, 1.0], [6, 1, 1]),
        (3, [0.1, 0.1, 0.1], [1, 1, 1]),
    ],
)
def test_shares(n_workers: int, weights: list[float], shares: list[int]) -> None:
    state = started(n_workers, len(weights), *weights)
    n_of_slot = Counter(place.slot for place in state.places)
    assert [n_of_slot[slot] for slot in range(len(weights))] == shares


@pytest.mark.parametrize(
    ("n_workers", "wishes", "shares"),
    [
        (4, [(1.0, 1)], [1]),
        (4, [(1.0, 1), (1.0, 9)], [1, 3]),
        (8, [(3.0, 2), (1.0, 1), (1.0, 3)], [2, 1, 3]),
        (3, [(100.0, 1), (1.0, 9), (1.0, 9)], [1, 1, 1]),
        (2, [(5.0, 1), (1.0, 1), (1.0, 1)], [1, 1, 0]),
    ],
)
def test_shares_with_limits(
    n_workers: int, wishes: list[tuple[float, int]], shares: list[int]
) -> None:
    """What one may not have the others get; what nobody may have is idle."""
    state = started(n_workers, len(wishes))
    for slot, (weight, most) in enumerate(wishes):
        handle(SlotWanted(slot, weight, most), state)
    counts = Counter(place.slot for place in state.places)
    found = [counts[slot] for slot in range(len(wishes))]
    assert found == shares or (len(wishes) > n_workers and max(found) == 1 == found[0])
    assert counts[None] == n_workers - sum(found)


@pytest.mark.parametrize(
    ("n_workers", "most_background", "wishes", "shares"),
    [
        (4, 9, ["back"], [4]),
        (4, 2, ["back"], [2]),
        (4, 9, ["back", "front"], [0, 4]),
        (4, 9, ["back", "front of 1"], [3, 1]),
        (4, 2, ["front of 1", "back"], [1, 2]),
        (5, 9, ["back", "front of 1", "front of 2"], [2, 1, 2]),
        (5, 9, ["back", "back", "front of 1"], [2, 2, 1]),
        (5, 2, ["back", "back", "front of 1"], [1, 1, 1]),
        (1, 1, ["back", "front"], [0, 1]),
    ],
)
def test_the_background_has_what_nobody_else_can_have(
    n_workers: int, most_background: int, wishes: list[str], shares: list[int]
) -> None:
    state = started(n_workers, len(wishes))
    state.most_background = most_background
    for slot, wish in enumerate(wishes):
        most = int(wish.partition(" of ")[2] or 9)
        handle(SlotWanted(slot, 1.0, most, is_background=wish == "back"), state)
    counts = Counter(place.slot for place in state.places)
    assert [counts[slot] for slot in range(len(wishes))] == shares
    handle(Tick(2.0, [2.0] * n_workers), state)
    counts = Counter(place.slot for place in state.places)
    assert [counts[slot] for slot in range(len(wishes))] == shares, "and nobody takes turns"


def test_the_background_takes_turns_among_itself() -> None:
    state = started(4, 3)
    state.most_background = 1
    for slot, is_background in enumerate([True, True, False]):
        handle(SlotWanted(slot, 1.0, 3, is_background), state)
    served: Counter[int | None] = Counter()
    for n_turns in range(1, 101):
        handle(Tick(1.0 + n_turns, [1.0 + n_turns] * 4), state)
        served.update(place.slot for place in state.places)
    assert served[2] == 300
    assert 45 <= served[0] <= 55
    assert served[0] + served[1] == 100


@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf")])
def test_a_weight_is_above_zero(weight: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        handle(SlotWanted(0, weight), started(1, 1))


@pytest.mark.parametrize("seed", range(20))
def test_turns_are_by_weight_and_nobody_waits_forever(seed: int) -> None:
    rng = random.Random(seed)
    n_slots = rng.randint(2, 12)
    n_workers = rng.randint(1, n_slots - 1)
    weights = [rng.choice([1.0, 2.0, 10.0, rng.uniform(0.5, 5.0)]) for _ in range(n_slots)]
    state = started(n_workers, n_slots, *weights)
    for each in state.slots:
        each.credit = 0.0  # forget the turns while slots were still being wanted
    n_served: Counter[int | None] = Counter()
    n_waits = [0] * n_slots
    for n_turns in range(1, 400):
        handle(Tick(1.0 + n_turns, [1.0 + n_turns] * n_workers), state)
        served = [place.slot for place in state.places]
        n_served.update(served)
        for slot, weight in enumerate(weights):
            n_fair = n_turns * n_workers * weight / sum(weights)
            assert n_fair - n_slots < n_served[slot] < n_fair + 1.001
            n_waits[slot] = 0 if slot in served else n_waits[slot] + 1
            assert n_waits[slot] <= n_slots * sum(weights) / (n_workers * weight) + 1
