"""What a search has found so far, as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from goengine.board import BLACK
from goengine.points import all_points
from goengine.search.memory import SIZE, SearchMemory
from goengine.search.workspace import (
    DEPTH_SUM,
    MARGIN_SQUARES,
    MARGIN_SUM,
    MAX_DEPTH_SEEN,
    N_SIMULATIONS,
    REAL_WINS,
    TALLY_GENERATION,
    WINS_LESS_LOSSES,
)
from goengine.tree.blocks import block_of
from goengine.tree.columns import GENERATION, Tree
from goengine.tree.packing import (
    PRIOR_MASK,
    PRIOR_ONE,
    VALUE_BITS,
    VALUE_MASK,
    WON,
)

MAX_VARIATION = 32  # moves

# As Python's own numbers, which are faster one by one.
_VALUE_SHIFT, _VALUE_ONES, _WON = int(VALUE_BITS), int(VALUE_MASK), int(WON)
_PRIOR_SHIFT = 16


class MoveReading(NamedTuple):
    """A move of the start. Win rates are those of the player to move, 0 to 1, or None."""

    move: int  # a point or PASS
    visits: int
    win_rate: float | None
    amaf_visits: int
    amaf_win_rate: float | None
    prior_visits: float
    prior_win_rate: float | None
    variation: tuple[int, ...]  # the move and what is expected after it
    variation_visits: tuple[int, ...]  # of each move of the variation


@dataclass(frozen=True)
class SearchReading:
    size: int
    to_play: int
    simulations: int  # made for this position
    visits: int  # of the start, kept ones included
    win_rate: float | None  # of the player to move
    score: float | None  # average points for black after komi
    score_stdev: float | None  # of a single playout
    ownership: dict[int, float]  # by point, 1 black to -1 white
    depth: float  # average of the tree's part of a simulation
    max_depth: int
    nodes: int
    capacity: int  # in nodes
    moves: tuple[MoveReading, ...]  # most visited first
    extra_komi: float = 0.0  # points for white on top of komi, in all win rates but the next
    real_win_rate: float | None = None  # in the game as it is; None: that is what `win_rate` tells
    # By point, how much more often the winner has it than by chance.
    criticality: dict[int, float] = field(default_factory=dict)

    @property
    def kept(self) -> int:
        """Visits of the root that were there before."""
        return max(0, self.visits - self.simulations)

    def real_win_rate_of(self, move: MoveReading) -> float | None:
        """In the game as it is; where it is known for the position alone, that of the position."""
        if move.win_rate is None or self.real_win_rate is None:
            return move.win_rate
        return self.real_win_rate


def read_search(memory: SearchMemory, n_variations: int = 1000) -> SearchReading:
    """Read while workers write; not while the collector moves rows.

    Only the first `n_variations` moves have more than themselves in their variation.
    """
    tree = memory.tree
    size = int(memory.meta[SIZE])
    root = memory.root(size)
    is_current = memory.tallies[:, TALLY_GENERATION] == int(tree.words[GENERATION])
    tallies = memory.tallies[is_current]
    n = int(tallies[:, N_SIMULATIONS].sum())
    visits, value = _count_and_mean(int(tree.stats[tree.start]))
    ownership, criticality = _read_points(memory.ownerships[is_current], tallies, size)
    komi = float(root.position[0].komi)
    margin = float(tallies[:, MARGIN_SUM].sum()) / n if n else 0.0
    square = float(tallies[:, MARGIN_SQUARES].sum()) / n if n else 0.0
    return SearchReading(
        size=size,
        to_play=int(root.boards[0].to_play),
        simulations=n,
        visits=visits,
        win_rate=None if value is None else 1.0 - value,
        score=margin - komi if n else None,
        score_stdev=max(0.0, square - margin * margin) ** 0.5 if n else None,
        ownership=ownership,
        criticality=criticality,
        depth=float(tallies[:, DEPTH_SUM].sum()) / n if n else 0.0,
        max_depth=int(tallies[:, MAX_DEPTH_SEEN].max(initial=0)),
        nodes=tree.n_used - 1,
        capacity=tree.capacity,
        moves=tuple(_read_moves(tree, n_variations)),
        extra_komi=float(memory.situation.record[0].extra_komi),
        real_win_rate=read_real_win_rate(memory),
    )


def read_real_win_rate(memory: SearchMemory) -> float | None:
    """Of the player to move without extra komi; None where that is not counted, or not yet."""
    if not memory.situation.record[0].is_counted:
        return None
    is_current = memory.tallies[:, TALLY_GENERATION] == int(memory.tree.words[GENERATION])
    n = int(memory.tallies[is_current, N_SIMULATIONS].sum())
    if n == 0:
        return None
    by_black = float(memory.tallies[is_current, REAL_WINS].sum()) / (2 * n)
    is_black = int(memory.root(int(memory.meta[SIZE])).boards[0].to_play) == BLACK
    return by_black if is_black else 1.0 - by_black


def _read_points(
    ownerships: Any, tallies: Any, size: int
) -> tuple[dict[int, float], dict[int, float]]:
    """Ownership and criticality by point.

    Coulom's form (search/criticality.py): where a point is 1 for black, -1 for white and 0 for
    nobody, and so is a result, both colours' covariances add up to half of that of the two.
    """
    points = all_points(size)
    n = max(int(tallies[:, N_SIMULATIONS].sum()), 1)
    owners, winners_share = ownerships.sum(axis=0)[:, points] / n
    result = float(tallies[:, WINS_LESS_LOSSES].sum()) / n
    critical = 0.5 * (winners_share - result * owners)
    return (
        dict(zip(points, owners.tolist(), strict=True)),
        dict(zip(points, critical.tolist(), strict=True)),
    )


def children_by_visits(tree: Tree, node: int) -> list[int]:
    """The rows of the children, most visited first, better ones first among equals."""
    block = block_of(tree, node)
    stats, amaf = tree.stats[block].copy(), tree.amaf[block]
    order = np.lexsort((amaf & VALUE_MASK, stats & VALUE_MASK, stats >> VALUE_BITS))
    found: list[int] = (block.start + order[::-1]).tolist()
    return found


def child_for(tree: Tree, node: int, move: int) -> int | None:
    """The row of the child that `move` leads to."""
    for child in children_by_visits(tree, node):
        if int(tree.move[child]) == move:
            return child
    return None


def _read_moves(tree: Tree, n_variations: int) -> Iterator[MoveReading]:
    rows = children_by_visits(tree, tree.start)
    # Whole columns at once: a reading must not hold up whoever waits for it.
    columns = [tree.move[rows], tree.stats[rows], tree.amaf[rows], tree.prior[rows]]
    values = zip(rows, *(column.tolist() for column in columns), strict=True)
    for order, (row, move, stats, amaf, prior) in enumerate(values):
        visits, win_rate = _count_and_mean(stats)
        amaf_visits, amaf_win_rate = _count_and_mean(amaf)
        prior_visits = prior >> _PRIOR_SHIFT
        nodes = _variation(tree, row) if order < n_variations else [row]
        yield MoveReading(
            move,
            visits,
            win_rate,
            amaf_visits,
            amaf_win_rate,
            prior_visits / int(PRIOR_ONE),
            (prior & int(PRIOR_MASK)) / prior_visits if prior_visits else None,
            tuple(tree.move[nodes].tolist()) if len(nodes) > 1 else (move,),
            tuple((tree.stats[nodes] >> VALUE_BITS).tolist()) if len(nodes) > 1 else (visits,),
        )


def _variation(tree: Tree, node: int) -> list[int]:
    """`node` and on through the most visited children, while they have visits."""
    nodes = [node]
    while len(nodes) < MAX_VARIATION:
        block = block_of(tree, node)
        if block.start == block.stop:
            break
        node = block.start + int(np.argmax(tree.stats[block]))
        if int(tree.stats[node]) >> int(VALUE_BITS) == 0:
            break
        nodes.append(node)
    return nodes


def _count_and_mean(word: int) -> tuple[int, float | None]:
    count, value = word >> _VALUE_SHIFT, word & _VALUE_ONES
    return count, value / (count * _WON) if count else None
