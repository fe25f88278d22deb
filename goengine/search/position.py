"""Where a search starts: the position with what the rules remember of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from goengine.board import BLACK, WHITE, play_pass
from goengine.board.records import n_points
from goengine.jit import inlined_kernel, kernel
from goengine.points import CAPACITIES, PASS
from goengine.record_types import as_record
from goengine.rules.game import Game, opponent
from goengine.words import U0, U1, U63

# Positions that superko remembers, the latest ones. A game is rarely longer than 400 moves.
MAX_HISTORY = 2048

# Board and record go together: where the rest of a game's state is told, komi includes
# every point that white starts with, and by territory all that stones have cost so far.
POSITION_DTYPE = as_record(
    np.dtype(
        [
            ("komi", np.float64),
            ("n_passes", np.uint64),  # in a row before this position: 0 or 1
            ("counts_as_is", np.uint64),  # 1: after two passes every stone is alive
            ("by_territory", np.uint64),  # 1: a stone costs its owner a point, and dame are none
            ("superko", np.uint64),  # 1: no position in `history` may return
            (
                "side_key",
                np.uint64,
            ),  # into the hash when white is to play; 0 where that is no matter
            ("n_history", np.uint64),
            ("history", np.uint64, (MAX_HISTORY,)),
            ("is_restricted", np.uint64),  # 1: `forbidden_until` says something
            # By colour and move (0 is a pass): it gets no node at a depth below this.
            ("forbidden_until", np.uint16, (WHITE + 1, n_points(CAPACITIES[-1]))),
        ]
    )
)
_SITUATIONAL_KEY = 0x5851F42D4C957F2D

_FOR_EVER = np.iinfo(np.uint16).max  # deeper than any simulation goes

# A filter before the history is searched: one bit for each of 4,096 sets of hashes.
FILTER_WORDS = 64


class Restriction(NamedTuple):
    """Moves that `color` does not think of in the first `depth` moves."""

    color: int
    moves: frozenset[int]  # points, PASS
    depth: int


def new_position() -> Any:
    """An array of one record."""
    return np.zeros(1, POSITION_DTYPE).view(np.recarray)


def set_position(
    position: Any, boards: Any, game: Game, color: int, restrictions: Iterable[Restriction] = ()
) -> None:
    """Write the game, `color` to move, to the first of `boards` and of `position`."""
    boards[0] = game.board
    if boards[0].to_play != color:
        play_pass(boards[0], opponent(color))
    record = position[0]
    by_territory = game.rules.scoring == "territory"
    record.by_territory = int(by_territory)
    record.komi = game.white_bonus + (_stones_ahead(game) if by_territory else 0)
    last = game.moves[-1] if game.moves else None
    record.n_passes = int(last == (opponent(color), PASS))
    record.counts_as_is = int(game.rules.scoring == "area" and not game.rules.friendly_pass)
    record.superko = int(game.rules.ko != "simple")
    record.side_key = _SITUATIONAL_KEY if game.rules.ko == "situational" else 0
    keys = [
        position_hash ^ (int(record.side_key) if to_play == WHITE else 0)
        for position_hash, to_play in game.positions()
    ][-MAX_HISTORY:]
    record.n_history = len(keys)
    record.history[: len(keys)] = np.array(keys, np.uint64)
    record.forbidden_until[:] = 0
    for restriction in restrictions:
        depths = record.forbidden_until[restriction.color]
        for move in restriction.moves:
            depths[move] = max(int(depths[move]), min(restriction.depth, _FOR_EVER))
    record.is_restricted = int(record.forbidden_until.any())


def _stones_ahead(game: Game) -> int:
    """How many more stones black has put on the board than white, those taken since included.

    Whatever becomes of them, black's area less white's is so much more than his territory and
    prisoners less white's: each stone is a point of area, or the enemy's prisoner.
    """
    n_put = Counter(color for color, _ in game.stones())
    return n_put[BLACK] + game.captures(WHITE) - n_put[WHITE] - game.captures(BLACK)


@kernel
def fill_filter(position, seen_filter):
    """Make `seen_filter` that of the history."""
    seen_filter[:] = U0
    for index in range(position.n_history):
        key = position.history[index]
        seen_filter[key >> np.uint64(58)] |= U1 << (key & U63)


@inlined_kernel
def stood_before(position, seen_filter, key):
    """Is `key` in the history of the game?"""
    if seen_filter[key >> np.uint64(58)] & (U1 << (key & U63)) == U0:
        return False
    for index in range(position.n_history):
        if position.history[index] == key:
            return True
    return False
