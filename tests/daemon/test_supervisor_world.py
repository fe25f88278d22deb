"""The supervisor in a world of paper: random histories, and what must hold after each event."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

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
    SlotLeft,
    SlotReleased,
    SlotWanted,
    Spawn,
    Tick,
)
from daemon.supervisor import State, handle, start
from daemon.zygote import WorkerDied, WorkerStarted

pytestmark = pytest.mark.uncompiled


pytestmark = pytest.mark.uncompiled


@dataclass
class World:
    """Processes, gates and trees on paper. Checks each instruction as it obeys."""

    state: State
    rng: random.Random
    spawning: list[int] = field(default_factory=list)
    dying: list[int] = field(default_factory=list)  # killed, not yet reported
    pids: dict[int, int] = field(default_factory=dict)  # of the living, by place
    frozen: set[int] = field(default_factory=set)
    inside: dict[int, int] = field(default_factory=dict)  # place: slot
    assigned: dict[int, int | None] = field(default_factory=dict)
    weights: dict[int, float] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    collecting: set[int] = field(default_factory=set)
    n_unserved: Counter[int] = field(default_factory=Counter)  # turns in a row

    def __post_init__(self) -> None:
        self.beats = [0.0] * self.state.n_workers
        self.incarnations = [0] * self.state.n_workers
        self.obey(start(self.state))

    def obey(self, instructions: list[Instruction]) -> None:
        for instruction in instructions:
            match instruction:
                case Retire(index, incarnation):
                    assert index not in self.pids
                    assert incarnation > self.incarnations[index]
                    self.incarnations[index] = incarnation
                    self.beats[index] = 0.0
                    self.assigned[index] = None
                    self.inside.pop(index, None)
                case Spawn(index, incarnation):
                    assert incarnation == self.incarnations[index]
                    assert index not in {*self.pids, *self.spawning}
                    self.spawning.append(index)
                case Kill(index, pid):
                    assert self.pids[index] == pid
                    assert index in self.frozen
                    if self.rng.random() < 0.8:
                        self.dying.append(index)
                case Assign(index, slot):
                    assert index in self.pids
                    assert slot is None or slot in self.weights
                    assert self.assigned[index] != slot
                    self.assigned[index] = slot
                case CloseGate(slot):
                    assert slot not in self.closed
                    self.closed.add(slot)
                case Collect(slot):
                    assert slot in self.closed - self.collecting
                    assert slot not in self.inside.values()
                    self.collecting.add(slot)
                case OpenGate(slot):
                    assert slot in self.closed - self.collecting
                    self.closed.remove(slot)
                case Exit(reason):
                    raise AssertionError(reason)

    def tell(self, event: Event) -> None:
        self.obey(handle(event, self.state))
        self.check()

    def die(self, index: int) -> None:
        self.frozen.discard(index)
        self.dying = [other for other in self.dying if other != index]
        self.tell(WorkerDied(index, self.pids.pop(index), -9))

    def step(self) -> None:
        slot = self.rng.randrange(self.state.n_slots)
        index = self.rng.randrange(self.state.n_workers)
        match self.rng.choices(range(8), [6, 20, 1, 1, 3, 2, 3, 6])[0]:
            case 0 if self.spawning:
                index = self.spawning.pop(0)
                self.pids[index] = 100 + self.incarnations[index]
                self.tell(WorkerStarted(index, self.pids[index]))
            case 1:
                self.tick()
            case 2 if index in self.pids:
                self.die(index)
            case 3 if index in self.pids:
                self.frozen.add(index)
            case 4:
                self.weights[slot] = self.rng.choice([1.0, 1.0, 2.0, 5.0])
                self.tell(SlotWanted(slot, self.weights[slot]))
            case 5:
                self.weights.pop(slot, None)
                self.tell(SlotReleased(slot))
            case 6:
                self.tell(CollectionWanted(slot))
            case 7 if self.dying:
                self.die(self.dying.pop())

    def tick(self) -> None:
        now = self.state.now + self.rng.choice([0.05, 0.25, 0.6])
        for index in self.pids.keys() - self.frozen:
            self.beats[index] = now
            self.inside.pop(index, None)
            goal = self.assigned[index]
            if goal is not None and goal not in self.closed:
                self.inside[index] = goal
        self.tell(Tick(now, list(self.beats)))
        for slot in sorted(self.collecting):
            self.collecting.remove(slot)
            self.tell(Collected(slot))
        for slot in sorted(self.closed - set(self.inside.values())):
            self.tell(SlotLeft(slot))
        for slot in range(self.state.n_slots):
            is_served = slot in self.assigned.values() or slot not in self.weights
            self.n_unserved[slot] = 0 if is_served or not self.pids else self.n_unserved[slot] + 1

    def check(self) -> None:
        for index, place in enumerate(self.state.places):
            assert place.pid == self.pids.get(index)
        n_of_slot = Counter(self.assigned[index] for index in self.pids)
        assert (None in n_of_slot) == (not self.weights and bool(self.pids))
        assert max(self.n_unserved.values(), default=0) < 50
        slots = enumerate(self.state.slots)
        assert all(each.credit == 0.0 for slot, each in slots if slot not in self.weights)
        if len(self.pids) < len(self.weights):
            assert abs(sum(each.credit for each in self.state.slots)) < 1e-6
        else:
            total = sum(self.weights.values())
            exact = {slot: len(self.pids) * w / total for slot, w in self.weights.items()}
            for slot, share in exact.items():
                assert 1 <= n_of_slot[slot] < share + 1
                assert n_of_slot[slot] > share - 1 or min(exact.values()) < 1


@pytest.mark.parametrize(
    ("seed", "n_workers", "n_slots"),
    [(1, 1, 1), (2, 1, 4), (3, 2, 3), (4, 4, 4), (5, 8, 3), (6, 3, 10), (7, 16, 8)],
)
def test_random_histories(seed: int, n_workers: int, n_slots: int) -> None:
    world = World(State(n_workers, n_slots), random.Random(seed))
    for _ in range(4000):
        world.step()
