"""A search as its owner sees it: a game goes in, a reading comes out.

The owner is the only one who sets the position and collects. Whoever runs the
simulations, here or in other processes, is parked meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from goengine.rules.game import Game, Move, opponent
from goengine.search.memory import ROUND, SEED, SIZE, SearchMemory
from goengine.search.parameters import new_parameters
from goengine.search.position import Restriction, set_position
from goengine.search.reading import SearchReading, child_for, read_search
from goengine.search.workspace import N_SIMULATIONS, TALLY_GENERATION
from goengine.tree.collector import Collection, collect
from goengine.tree.columns import BUDGET, FULL, GENERATION, ROOT, clear_tree
from goengine.tree.deltas import new_deltas, pay_all
from goengine.tree.gate import ENDED
from goengine.tree.packing import visits_of

KEPT_SHARE = 2  # the collector keeps one row in so many when rows have run out


class _Context(NamedTuple):
    """What must be the same for results to go on counting."""

    size: int
    rules: Any
    bonus: float
    setup: tuple[Any, ...]
    restrictions: tuple[Restriction, ...]


class Search:
    """Owns a search in `memory`."""

    def __init__(self, memory: SearchMemory, seed: int = 0) -> None:
        self.memory = memory
        self._context: _Context | None = None
        self._moves: list[Move] = []
        self._to_play = 0
        self.start_over(seed)

    def start_over(self, seed: int, n_rounds: int = 0) -> None:
        """Serve another game, for which so many positions were searched elsewhere before."""
        self.forget()
        self.memory.meta[SEED] = np.uint64(seed)
        self.memory.meta[ROUND] = np.uint64(n_rounds)

    def set_parameters(self, size: int, changes: Mapping[str, float | str] | None = None) -> None:
        """The defaults for `size` with `changes`. May be done while workers search."""
        self.memory.parameters[:] = new_parameters(size, changes)

    def set_game(self, game: Game, color: int, restrictions: Sequence[Restriction] = ()) -> int:
        """Search for `color` in `game` from now on. Returns the visits that the tree kept.

        Needs parameters, and nobody in the tree. What was searched before is kept if the
        game went on from there.
        """
        tree = self.memory.tree
        context = _Context(
            game.size,
            game.rules,
            game.white_bonus,
            (tuple(game.setup_black), tuple(game.setup_white), game.first_to_play),
            tuple(restrictions),
        )
        node = self._find_node(context, game, color)
        self._context = None  # until all of it is done
        if node is None:
            clear_tree(tree)
        elif node != ROOT:
            collect(tree, node)
        self.memory.meta[SIZE] = np.uint64(game.size)
        root = self.memory.root(game.size)
        set_position(root.position, root.boards, game, color, restrictions)
        self.memory.meta[ROUND] += np.uint64(1)
        tree.words[GENERATION] += np.uint64(1)
        self._context, self._moves, self._to_play = context, list(game.moves), color
        return read_visits(self.memory)

    def forget(self) -> None:
        """Keep nothing of the tree at the next `set_game`."""
        self._context = None

    def give_up(self) -> None:
        """Leave an empty tree, and workers without work, after a change that failed halfway."""
        self.forget()
        clear_tree(self.memory.tree)
        self.memory.tree.words[BUDGET] = ENDED

    def make_room(self) -> Collection:
        """Drop the least-visited leaves until half of the rows are free. Nobody in the tree."""
        tree = self.memory.tree
        return collect(tree, max_nodes=tree.capacity // KEPT_SHARE)

    def settle(self, worker: int) -> None:
        """Pay what a worker who was killed owed to the tree. Before the collector comes."""
        pay_all(self.memory.tree, new_deltas(self.memory.deltas[worker]))

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

    def _find_node(self, context: _Context, game: Game, color: int) -> int | None:
        """The node of the position, if the game went on from the root as the tree has it."""
        n_before = len(self._moves)
        if context != self._context or game.moves[:n_before] != self._moves:
            return None
        if context.restrictions and len(game.moves) > n_before:
            return None  # they count from the root
        if len(game.moves) == n_before and not self._has_the_same_ko(game, color):
            return None
        node: int | None = ROOT
        to_play = self._to_play
        for move in game.moves[n_before:]:
            if node is None or move.color != to_play:
                return None
            node = child_for(self.memory.tree, node, move.point)
            to_play = opponent(to_play)
        return node if to_play == color else None

    def _has_the_same_ko(self, game: Game, color: int) -> bool:
        """A turn that is handed over and back lifts a ko without a move."""
        ko = game.board.ko if game.to_play == color else 0
        return bool(self.memory.root(game.size).boards[0].ko == ko)


def read_visits(memory: SearchMemory) -> int:
    """Visits of the root."""
    return int(visits_of(memory.tree.stats[ROOT]))
