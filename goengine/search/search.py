"""A search as its owner sees it: a game goes in, a reading comes out.

The owner is the only one who sets the position and collects. Whoever runs the
simulations, here or in other processes, is parked meanwhile.

What was searched earlier stays while memory lasts: the tree has a root for each position
that no other tree led to, and the owner knows which. Simulations begin at START.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from goengine.rules.game import Game
from goengine.search.memory import ROUND, SEED, SIZE, SearchMemory
from goengine.search.orders import Purpose
from goengine.search.parameters import new_parameters
from goengine.search.position import Restriction, set_position
from goengine.search.reading import SearchReading, child_for, read_search
from goengine.search.situation import begin_search, forget_situation, has_extra_komi
from goengine.search.spots import Spot, is_same_game, moves_between, spot_of
from goengine.search.workspace import N_SIMULATIONS, TALLY_GENERATION
from goengine.tree.collector import Collection, collect
from goengine.tree.columns import BUDGET, FULL, GENERATION, ROOT, clear_tree
from goengine.tree.deltas import new_deltas, pay_all
from goengine.tree.gate import ENDED
from goengine.tree.packing import MAX_VISITS, visits_of
from goengine.tree.starts import leave_start, plant_root, start_at, visits_from

KEPT_SHARE = 2  # the collector keeps one row in so many when rows have run out
MAX_ROOTS = 1000  # so that nobody waits for a position to be found


class Search:
    """Owns a search in `memory`.

    label   whose it is, in the words of whoever has it
    """

    def __init__(self, memory: SearchMemory, seed: int = 0) -> None:
        self.memory = memory
        self._spot: Spot | None = None  # of START; None: nothing in the tree counts any more
        self._roots: dict[int, Spot] = {}  # by row
        self._root = ROOT  # that leads to START
        self._last_move: Spot | None = None  # that was searched for; the situation is about it
        self._n_before = 0  # simulations between the last collection and the present position
        self.label = ""
        self.start_over(seed)

    def start_over(self, seed: int, n_rounds: int = 0, label: str = "") -> None:
        """Serve another game, for which so many positions were searched elsewhere before."""
        self.forget()
        self.memory.ratings.words[:] = 0
        forget_situation(self.memory.situation)
        self.label = label
        self.memory.meta[SEED] = np.uint64(seed)
        self.memory.meta[ROUND] = np.uint64(n_rounds)

    def set_parameters(self, size: int, changes: Mapping[str, float | str] | None = None) -> None:
        """The defaults for `size` with `changes`. May be done while workers search."""
        self.memory.parameters[:] = new_parameters(size, changes)

    def set_game(
        self,
        game: Game,
        color: int,
        restrictions: Sequence[Restriction] = (),
        purpose: Purpose = Purpose.MOVE,
    ) -> int:
        """Search for `color` in `game` from now on. Returns the visits that the tree has of it.

        Needs parameters, and nobody in the tree.
        """
        is_shifted = has_extra_komi(self.memory.parameters[0], purpose)
        spot = spot_of(game, color, restrictions, is_shifted)
        self._start_at(spot)
        if self._n_before + self.n_simulations > int(MAX_VISITS):
            self.forget_others()  # or words of the tree might spill
        if self.memory.meta[SIZE] != game.size:
            self.memory.ratings.words[:] = 0  # their keys are of points
        self.memory.meta[SIZE] = np.uint64(game.size)
        root = self.memory.root(game.size)
        set_position(root.position, root.boards, game, color, restrictions)
        is_same = self._last_move is not None and is_same_game(self._last_move, spot)
        begin_search(root, purpose, len(game.moves), game.n_handicap, is_same)
        if purpose is Purpose.MOVE:
            self._last_move = spot
        self.memory.meta[ROUND] += np.uint64(1)
        self._n_before += self.n_simulations
        self.memory.tree.words[GENERATION] += np.uint64(1)
        return read_visits(self.memory)

    def forget(self) -> None:
        """Keep nothing of the tree, and of the situation, at the next `set_game`."""
        self._forget_tree()
        self._last_move = None

    def _forget_tree(self) -> None:
        self._spot = None
        self._roots = {}

    def take_up(self, root: int, spot: Spot) -> Collection:
        """Go on with a tree that another search has left, its root at `spot`. Nobody in the tree.

        Does not check that the root leads to START.
        """
        tree = self.memory.tree
        if tree.start != root:
            leave_start(tree)
            start_at(tree, root)
        self._spot = spot
        return self.forget_others()

    def give_up(self) -> None:
        """Leave an empty tree, and workers without work, after a change that failed halfway."""
        self.forget()
        clear_tree(self.memory.tree)
        self.memory.tree.words[BUDGET] = ENDED

    def make_room(self) -> Collection:
        """Keep the tree of this position alone, and if half of the rows are not free then,
        drop its least-visited leaves. Nobody in the tree.
        """
        return self._collect(self.memory.tree.capacity // KEPT_SHARE)

    def forget_others(self) -> Collection:
        """Keep the tree of this position alone, all of it. Nobody in the tree."""
        return self._collect(None)

    def settle(self, worker: int) -> None:
        """Pay what a worker who was killed owed to the tree. Before the collector comes."""
        pay_all(self.memory.tree, new_deltas(self.memory.deltas[worker]))

    @property
    def origin(self) -> tuple[int, Spot] | None:
        """The root of the tree that simulations go on in; None if nothing counts any more."""
        return None if self._spot is None else (self._root, self._roots[self._root])

    @property
    def roots(self) -> list[int]:
        """Rows of the tree that have no parent."""
        return list(self._roots)

    @property
    def n_simulations(self) -> int:
        """Made for this position."""
        tallies = self.memory.tallies
        is_current = tallies[:, TALLY_GENERATION] == int(self.memory.tree.words[GENERATION])
        return int(tallies[is_current, N_SIMULATIONS].sum())

    @property
    def needs_room(self) -> bool:
        return bool(self.memory.tree.words[FULL])

    def read(self, n_variations: int = 1000) -> SearchReading:
        """What is known now; the best moves have their variations."""
        return read_search(self.memory, n_variations)

    def _start_at(self, spot: Spot) -> None:
        """Have simulations begin there: where it is known, or else at a new root."""
        tree = self.memory.tree
        found = {
            row: root
            for root, known in self._roots.items()
            if (moves := moves_between(known, spot)) is not None
            and (row := self._walk(root, moves)) is not None
        }
        # More than one tree may have it; where it is known best, it is worth most.
        row = max(found, key=lambda row: visits_from(tree, row)) if found else self._plant(spot)
        if row != tree.start:
            if tree.start not in self._roots:
                leave_start(tree)
            start_at(tree, row)
        self._spot, self._root = spot, found.get(row, row)

    def _walk(self, row: int, moves: Sequence[int]) -> int | None:
        """The row that the moves lead to from there."""
        for move in moves:
            child = child_for(self.memory.tree, row, move)
            if child is None:
                return None
            row = child
        return row

    def _plant(self, spot: Spot) -> int:
        """A new root for it. Returns its row."""
        tree = self.memory.tree
        if self._roots and (tree.n_used == tree.capacity or len(self._roots) >= MAX_ROOTS):
            self.make_room()
        if self._roots and tree.n_used < tree.capacity:
            row = plant_root(tree)
        else:
            self._forget_tree()
            clear_tree(tree)
            self._n_before = -self.n_simulations
            row = ROOT
        self._roots[row] = spot
        return row

    def _collect(self, max_nodes: int | None) -> Collection:
        spot = self._spot
        self._forget_tree()  # if it is cut short, nothing is there any more
        collection = collect(self.memory.tree, self.memory.tree.start, max_nodes)
        if spot is not None:
            self._spot, self._root = spot, ROOT
            self._roots = {ROOT: spot}
        self._n_before = -self.n_simulations
        return collection


def read_visits(memory: SearchMemory) -> int:
    """Visits of the position that is searched."""
    return int(visits_of(memory.tree.stats[memory.tree.start]))
