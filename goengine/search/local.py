"""A search in this process alone: one worker, private memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from goengine.board import BLACK, clear_board, play_move
from goengine.playouts.pachi import play_pachi
from goengine.playouts.rates import load_rates
from goengine.points import PASS, all_points, point_at
from goengine.ratings import blank_ratings
from goengine.rules.game import Game
from goengine.search.memory import memory_for, memory_over
from goengine.search.parameters import new_parameters
from goengine.search.search import Search
from goengine.search.seat import Seat
from goengine.search.situation import begin_komi
from goengine.search.workspace import new_workspace
from goengine.tactics.ladders import is_caught_after
from goengine.tree.claims import new_worker_table
from goengine.tree.collector import collect, halve_counts
from goengine.tree.columns import ROOT, private_memory
from goengine.tree.deltas import new_deltas
from goengine.tree.gate import (
    close_gate,
    enter,
    leave,
    open_gate,
    return_to_budget,
    take_from_budget,
)
from goengine.tree.soundness import check_soundness
from goengine.words import U0, U1


class LocalSearch(Search):
    """The same seed, games and numbers of simulations give the same tree, bit for bit."""

    def __init__(self, n_nodes: int, seed: int = 0) -> None:
        super().__init__(memory_over(private_memory(memory_for(n_nodes, 1)), 1), seed)
        self._seat = Seat(self.memory, new_worker_table(1), worker=0)
        self.n_collections = 0

    def run(self, n_simulations: int, on_batch: Callable[[int], None] | None = None) -> None:
        """Simulate; tell `on_batch` every few milliseconds how many are done."""
        self._seat.load()
        n_done = 0
        while n_done < n_simulations:
            n_done += self._seat.run(min(self._seat.batch, n_simulations - n_done))
            if self.needs_room:
                self.make_room()
                self.n_collections += 1
            if on_batch:
                on_batch(n_done)


def warm_playouts(size: int) -> None:
    """Have the playouts on a board of `size` compiled, the larger half of a search."""
    tally, ownerships = np.zeros(1), np.zeros((2, 1))
    space = new_workspace(size, 1, new_deltas(), tally, ownerships, blank_ratings())
    clear_board(space.boards[0], size)
    load_rates(space.notes[0], new_parameters(size)[0])
    play_pachi(space.boards[0], space.notes[0], space.ratings[0], space.moves, U0)


def warm_reading(size: int) -> None:
    """Have the reading of ladders ready."""
    space = new_workspace(size, 1, new_deltas(), np.zeros(1), np.zeros((2, 1)), blank_ratings())
    board = space.boards[0]
    clear_board(board, size)
    corner = np.uint64(point_at(0, 0, size))
    play_move(board, corner, BLACK)
    is_caught_after(board, space.reading, corner, corner + U1)


def warm_search(size: int) -> None:
    """Have every kernel of a search on a board of `size` ready in this process."""
    search = LocalSearch(n_nodes=2 * size * size + 2)
    search.set_parameters(size)
    game = Game(size)
    search.set_game(game, game.to_play)
    search.run(1)
    begin_komi(search.memory.root(size), False, True)
    collect(search.memory.tree, max_nodes=1)
    halve_counts(search.memory.tree)
    search.settle(0)
    check_soundness(search.memory.tree, ROOT, [PASS, *all_points(size)])
    words, workers = search.memory.tree.words, new_worker_table(1)
    enter(words, workers, U0, U0)
    leave(workers, U0)
    close_gate(words)
    open_gate(words)
    return_to_budget(words, U1)
    take_from_budget(words, U1)
