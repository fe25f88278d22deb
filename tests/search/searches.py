"""Searches for tests: small, in private memory, one worker that can be asked for one simulation."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from goengine.points import parse_vertex
from goengine.rules.game import Game
from goengine.search.memory import SIZE, memory_for, memory_over
from goengine.search.parameters import PARAMETERS
from goengine.search.reading import child_for, children_by_visits
from goengine.search.search import Search
from goengine.search.seat import Seat
from goengine.search.workspace import Workspace
from goengine.tree.checking import check_tree
from goengine.tree.claims import new_worker_table
from goengine.tree.columns import ROOT, Tree

CLAIM_MARK = 1 << 31
CERTAIN = 60_000 << 16 | 60_000  # a prior that no result outweighs
PRIORS = tuple(each.name for each in PARAMETERS if each.name.endswith("_prior"))
# Parameters of a search that knows nothing beforehand: as little as possible steers it.
PLAIN: dict[str, Any] = {"playout": "light", **dict.fromkeys(PRIORS, 0)}


class OneWorker(Search):
    """A search and the seat of its only worker. Never collects by itself."""

    def __init__(self, game: Game, color: int | None = None, n_nodes: int = 20_000, **changes: Any):
        super().__init__(memory_over(bytearray(memory_for(n_nodes, 1)), 1), changes.pop("seed", 1))
        self.workers = new_worker_table(1)
        self.seat = Seat(self.memory, self.workers, 0)
        self.set_parameters(game.size, changes)
        self.set_game(game, game.to_play if color is None else color)
        self.seat.load()

    def simulate(self, n: int) -> int:
        """Returns how many were made."""
        self.seat.load()
        return self.seat.run(n)

    @property
    def tree(self) -> Tree:
        return self.memory.tree

    @property
    def moves(self) -> set[int]:
        """That have a node at the start."""
        return moves_at(self.tree, self.tree.start)

    def check(self) -> int:
        """Raises BrokenTree. Returns the nodes of all trees."""
        return check_tree(self.tree, roots=self.roots)

    @property
    def space(self) -> Workspace:
        return self.seat._space

    @property
    def tally(self) -> Any:
        return self.memory.tallies[0]


def searched(game: Game, n: int, **changes: Any) -> OneWorker:
    """After so many simulations of a search that knows nothing and expands at once."""
    search = OneWorker(game, **{"expand_visits": 1, **PLAIN, **changes})
    search.simulate(n)
    return search


def best_of(search: OneWorker) -> int:
    """The row of the most visited move at the start."""
    return children_by_visits(search.tree, search.tree.start)[0]


def children_of(tree: Tree, node: int) -> list[int]:
    first = int(tree.first_child[node])
    if first == 0 or first >= CLAIM_MARK:
        return []
    return list(range(first, first + int(tree.n_children[node])))


def visits_at(tree: Tree, node: int) -> int:
    return int(tree.stats[node]) >> 36


def moves_at(tree: Tree, node: int) -> set[int]:
    return {int(tree.move[child]) for child in children_of(tree, node)}


def all_nodes(tree: Tree) -> list[int]:
    nodes = [ROOT]
    for node in nodes:  # grows meanwhile
        nodes += children_of(tree, node)
    return nodes


def walk_to(search: OneWorker, *vertices: str) -> int:
    """Make the search go through these moves, and return their node, expanded."""
    size = int(search.memory.meta[SIZE])
    node = ROOT
    search.simulate(1)
    for vertex in vertices:
        child = child_for(search.tree, node, parse_vertex(vertex, size))
        assert child is not None, f"{vertex} is no child"
        search.tree.prior[child] = CERTAIN
        node = child
        while not children_of(search.tree, node):
            n_before = visits_at(search.tree, node)
            search.simulate(1)
            assert visits_at(search.tree, node) > n_before, f"{vertex} was not visited"
            if n_before > 50:
                break
    return node


def digest_of(search: Search) -> str:
    """A hash of all that a tree says."""
    tree = search.memory.tree
    digest = hashlib.sha256()
    for column in (tree.stats, tree.amaf, tree.owned, tree.first_child, tree.prior, tree.move):
        digest.update(np.ascontiguousarray(column[ROOT : tree.n_used]).tobytes())
    return digest.hexdigest()[:16]
