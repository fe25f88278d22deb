"""What pondering has added to a game's tree, and how much of it serves a later search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from goengine.rules.game import Move
from goengine.search.orders import Pondered
from goengine.search.reading import SearchReading


class Harvest:
    """Of one position, as long as the tree is not lost. There may be several spells of it."""

    def __init__(self, moves: Sequence[Move]) -> None:
        """moves: of the game, up to the position."""
        self.moves = tuple(moves)
        self._n_made = 0
        self._n_added: Counter[int] = Counter()  # by reply
        self._expected: int | None = None

    def add(self, before: SearchReading, after: SearchReading) -> None:
        """A spell of pondering that began and ended so."""
        n_before = {move.move: move.visits for move in before.moves}
        self._n_made += after.simulations
        for move in after.moves:
            # Not less: rows that the collector dropped begin again at 0.
            self._n_added[move.move] += max(0, move.visits - n_before.get(move.move, 0))
        if after.moves:
            self._expected = after.moves[0].move

    def add_after(self, reply: int, found: SearchReading) -> None:
        """A spell that was all about what comes after the reply, as the expected one."""
        self._n_made += found.simulations
        self._n_added[reply] += found.simulations
        self._expected = reply

    def used_by(self, moves: Sequence[Move], n_kept: int) -> Pondered | None:
        """By a search after `moves` that found so many visits there.

        None where the game has not gone on from the position, or by more than the reply.
        """
        if tuple(moves) == self.moves:
            return Pondered(self._n_made, min(self._n_made, n_kept), False)
        if tuple(moves[:-1]) != self.moves:
            return None
        reply = moves[-1].point
        return Pondered(self._n_made, min(self._n_added[reply], n_kept), reply == self._expected)
