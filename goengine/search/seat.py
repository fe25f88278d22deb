"""A worker's place at one search: it loads the position when that changed, and simulates."""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.points import MIN_SIZE, capacity_for
from goengine.search.memory import ROUND, SEED, SIZE, SearchMemory
from goengine.search.position import fill_filter
from goengine.search.simulation import run_simulations
from goengine.search.workspace import TALLY_GENERATION, Root, Workspace, new_workspace
from goengine.tree.claims import INCARNATION, WORKER_WORDS
from goengine.tree.columns import GENERATION
from goengine.tree.deltas import new_deltas

# Simulations a call of the kernel: 5 to 20 ms of them.
_BATCH_BY_CAPACITY = {9: 256, 13: 128, 19: 64, 25: 32}


class Seat:
    """Whoever sits here must be let in before `run`: docs/shared-tree.md, "The gate"."""

    _simulate = staticmethod(run_simulations)

    def __init__(self, memory: SearchMemory, workers: Any, worker: int) -> None:
        self.memory = memory
        self._workers = workers
        self._worker = worker
        self._generation = 0
        self._root: Root
        self._space: Workspace
        self.batch = 1

    @property
    def capacity(self) -> int:
        """Of the board that the search is about; some board before there is any."""
        return capacity_for(max(MIN_SIZE, int(self.memory.meta[SIZE])))

    def run(self, n_wanted: int) -> int:
        """Simulate until there are enough, the gate closes or rows run out. Returns how many.

        Call `load` first whenever the position may be another one.
        """
        n_done = self._simulate(
            self.memory.tree,
            self._root,
            self._space,
            self._workers,
            np.uint64(self._worker),
            np.uint64(n_wanted),
        )
        return int(n_done)

    def load(self) -> None:
        """Take the position and set `batch`, the simulations to ask for at once."""
        generation = int(self.memory.tree.words[GENERATION])
        if generation == self._generation:
            return
        size = int(self.memory.meta[SIZE])
        self._root = self.memory.root(size)
        tally = self.memory.tallies[self._worker]
        ownerships = self.memory.ownerships[self._worker]
        if tally[TALLY_GENERATION] != generation:  # else another incarnation of us began it
            tally[:] = 0
            ownerships[:] = 0
            tally[TALLY_GENERATION] = generation
        deltas = new_deltas(self.memory.deltas[self._worker])
        ratings = self.memory.ratings
        self._space = new_workspace(size, self._seed(), deltas, tally, ownerships, ratings)
        fill_filter(self._root.position[0], self._space.seen_filter)
        self.batch = _BATCH_BY_CAPACITY[capacity_for(size)]
        self._generation = generation

    def _seed(self) -> int:
        """Another one for every worker, incarnation and position; the same in the same case."""
        incarnation = int(self._workers[self._worker * WORKER_WORDS + INCARNATION])
        seed, turn = int(self.memory.meta[SEED]), int(self.memory.meta[ROUND])
        for part in (turn, self._worker, incarnation):
            seed = seed * 1_000_003 + part
        return seed
