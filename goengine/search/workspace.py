"""What one worker holds while it searches: its own memory, and its tallies in the shared one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from goengine.board.records import blank_boards, n_points
from goengine.playouts.patterns import fill_patterns
from goengine.points import CAPACITIES, capacity_for
from goengine.prediction.model import fill_model
from goengine.prediction.shapes import N_WIDE
from goengine.randomness import random_state
from goengine.search.local_trees import blank_sequences
from goengine.search.parameters import MAX_DEPTH, MAX_LOCAL_MOVES
from goengine.search.position import FILTER_WORDS
from goengine.tactics.ladders import READING_DEPTH
from goengine.tactics.notes import blank_notes
from goengine.tree.deltas import Deltas

if TYPE_CHECKING:
    from goengine.search.situation import Situation

# Tallies of one worker for one position. Only that worker writes them.
N_SIMULATIONS = 0
DEPTH_SUM = 1
MAX_DEPTH_SEEN = 2
MARGIN_SUM = 3  # points for black, the position's komi not counted
N_MOVES = 4  # in playouts
HOT_ATOMICS = 5  # atomic operations on words that every worker writes to
COLD_ATOMICS = 6  # the others
TALLY_GENERATION = 7  # of the position that all this is about
MARGIN_SQUARES = 8
REAL_WINS = 9  # of black without extra komi, ties as half, doubled; where results are counted
WINS_LESS_LOSSES = 10  # of black, as simulations were told to the tree
N_TALLIES = 16  # two cache lines
MAX_POINTS = n_points(CAPACITIES[-1])


class Root(NamedTuple):
    """Arrays of one record each that workers read and none writes; and what they learn."""

    boards: Any
    position: Any
    parameters: Any
    situation: Situation


class Workspace(NamedTuple):
    boards: Any  # one: the simulation's, with the worker's random state
    reading: Any  # boards to read ladders on; with local trees, the first is the simulation's
    notes: Any  # two: for search and playouts, and with MoGo's patterns
    path: Any  # nodes from the root to the leaf
    owes: Any  # by depth: is the visit told only with the result?
    keys: Any  # by depth: hash of the position, for superko
    moves: Any  # of the simulation, from the root on
    sequences: Any  # one record, see local_trees.py
    first_by: Any  # by point: the colour that played there first, from some move on
    first_at: Any  # by point: the number of that move
    points: Any  # room for a list of points, or of places in a block
    owners: Any  # by point: whose it is, where two passes ended the game
    distances: Any  # by point: from the last move, see tactics/distance.py
    queue: Any
    ladders: Any  # by point: see find_ladders
    wide: Any  # the position, see prediction/shapes.py
    shapes: Any  # the model's, which all workers share
    seen_filter: Any
    deltas: Deltas
    tally: Any
    owners_now: Any  # by point, of this simulation: 1 if it is black's in the end, -1 white's
    ownership: Any  # sums of these by point
    winners_share: Any  # the same, where 1 is the winner and -1 the loser
    ratings: Any  # one table, which all workers share
    scale: Any  # one: of the margin in a value, for this batch


def new_workspace(
    size: int, seed: int, deltas: Deltas, tally: Any, ownerships: Any, ratings: Any
) -> Workspace:
    """Private memory, and what the worker writes to in the shared one."""
    boards = blank_boards(1, size)
    boards[0].random = random_state(seed)
    notes = blank_notes(2)
    fill_patterns(notes[0], "pachi")
    fill_patterns(notes[1], "mogo")
    shapes = fill_model(notes[0], size)
    n = n_points(capacity_for(size))
    return Workspace(
        boards=boards,
        reading=blank_boards(READING_DEPTH, size),
        notes=notes,
        path=np.zeros(MAX_DEPTH + 1, np.uint64),
        owes=np.zeros(MAX_DEPTH + 1, np.bool_),
        keys=np.zeros(MAX_DEPTH + 1, np.uint64),
        moves=np.zeros(MAX_DEPTH + MAX_LOCAL_MOVES + 3 * n + 2, np.uint16),
        sequences=blank_sequences(),
        first_by=np.zeros(n, np.uint8),
        first_at=np.zeros(n, np.uint16),
        points=np.zeros(n, np.uint16),
        owners=np.zeros(n, np.uint8),
        distances=np.zeros(n, np.uint8),
        queue=np.zeros(n, np.uint16),
        ladders=np.zeros(n, np.uint8),
        wide=np.zeros(N_WIDE, np.uint8),
        shapes=shapes,
        seen_filter=np.zeros(FILTER_WORDS, np.uint64),
        deltas=deltas,
        tally=tally,
        owners_now=np.zeros(n, np.int64),
        ownership=ownerships[0],
        winners_share=ownerships[1],
        ratings=ratings,
        scale=np.zeros(1),
    )
