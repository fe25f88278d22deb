"""All that a search has been told, as plain objects: trees by the moves that lead to them.

The twin plays every simulation again on its own nodes. It knows neither rows nor words, only
how often a node was passed, and which nodes have children.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from goengine.rules.game import Move
from goengine.search.workspace import DEPTH_SUM
from tests.search.searches import OneWorker, children_of, visits_at

Line = tuple[int, ...]  # moves
Counts = dict[Line, int]  # visits of the node that a line leads to, if it has any


@dataclass
class Plant:
    """A node; of its children those that were passed, or had been."""

    visits: int = 0
    is_expanded: bool = False
    children: dict[int, Plant] = field(default_factory=dict)

    @property
    def below(self) -> int:
        return sum(child.visits for child in self.children.values())

    def child(self, move: int) -> Plant:
        return self.children.setdefault(move, Plant())

    def counts(self) -> Counts:
        """Of the node and all below it."""
        waiting: list[tuple[Line, Plant]] = [((), self)]
        for line, plant in waiting:  # grows meanwhile
            waiting += [((*line, move), child) for move, child in plant.children.items()]
        return {line: plant.visits for line, plant in waiting if plant.visits}


@dataclass
class Planted:
    """A root: its conditions, the moves before it, who is to play there."""

    conditions: object
    is_restricted: bool
    moves: list[Move]
    to_play: int
    plant: Plant

    def find(self, moves: Sequence[Move], to_play: int) -> Plant | None:
        n_before = len(self.moves)
        if list(moves[:n_before]) != self.moves:
            return None
        rest = moves[n_before:]
        if rest and self.is_restricted:
            return None
        plant, color = self.plant, self.to_play
        for move in rest:
            if move.color != color or not plant.is_expanded:
                return None
            plant, color = plant.child(move.point), 3 - color
        return plant if color == to_play else None


class NaiveForest:
    """Follows a search in every step."""

    def __init__(self, search: OneWorker) -> None:
        self.search = search
        self.roots: list[Planted] = []
        self.start = Plant()
        self._was = 0  # visits of the start when it became so
        self._present: tuple[object, bool, list[Move], int] | None = None

    def set_game(
        self, conditions: object, is_restricted: bool, moves: Sequence[Move], to_play: int
    ) -> int:
        """The visits that must be found."""
        known = [root for root in self.roots if root.conditions == conditions]
        found = [plant for root in known if (plant := root.find(moves, to_play)) is not None]
        best = max(found, key=lambda plant: max(plant.visits, plant.below), default=None)
        if best is None:
            best = Plant()
            self.roots.append(Planted(conditions, is_restricted, list(moves), to_play, best))
        if best is not self.start:
            if not self._is_root(self.start):
                self.start.visits = self._was
            self._was = best.visits
            best.visits = max(best.visits, best.below)
            self.start = best
        self._present = conditions, is_restricted, list(moves), to_play
        return best.visits

    def simulate(self) -> None:
        """Have the search make one simulation, and follow it."""
        self.search.seat.load()
        depth = -int(self.search.tally[DEPTH_SUM])
        assert self.search.simulate(1) == 1
        depth += int(self.search.tally[DEPTH_SUM])
        plant = self.start
        plant.visits += 1
        for move in self.search.space.moves[:depth].tolist():
            plant.is_expanded = True
            plant = plant.child(move)
            plant.visits += 1

    def make_room(self, min_visits: int) -> None:
        """Only the start and what lies below it is left; of that, what has enough visits."""
        assert self._present is not None
        _prune(list(self.start.children.values()), min_visits)
        self.roots = [Planted(*self._present, self.start)]

    def compare(self) -> None:
        """Every tree, node by node."""
        tree = self.search.tree
        assert visits_at(tree, tree.start) == self.start.visits
        found = [_counts(self.search, row) for row in self.search.roots]
        assert found == [root.plant.counts() for root in self.roots]

    def _is_root(self, plant: Plant) -> bool:
        return any(root.plant is plant for root in self.roots)


def _prune(plants: list[Plant], min_visits: int) -> None:
    for plant in plants:  # grows meanwhile
        if plant.visits < min_visits:
            plant.is_expanded, plant.children = False, {}
        plants += plant.children.values()


def _counts(search: OneWorker, row: int) -> Counts:
    tree = search.tree
    waiting: list[tuple[Line, int]] = [((), row)]
    for line, node in waiting:  # grows meanwhile
        waiting += [((*line, int(tree.move[child])), child) for child in children_of(tree, node)]
    return {line: visits for line, node in waiting if (visits := visits_at(tree, node))}
