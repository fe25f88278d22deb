"""The simulations that a search was given: taken by workers, made, or lost with them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

import numpy as np

from goengine.search.search import Search
from goengine.tree.columns import BUDGET
from goengine.tree.gate import ENDED, NO_LIMIT, is_anybody_inside, return_to_budget


class Budgets:
    """Of the searches by slot, with the table of their workers."""

    def __init__(self, searches: Sequence[Search], table: Any) -> None:
        self._searches = searches
        self._table = table
        self._goals: dict[int, int] = {}  # by slot: simulations when all of it is made

    def begin(self, slot: int, n_simulations: int | None) -> None:
        """Give so many, or as many as can be made until the end."""
        self._words(slot)[BUDGET] = NO_LIMIT if n_simulations is None else n_simulations
        if n_simulations is not None:
            self._goals[slot] = self._searches[slot].n_simulations + n_simulations

    def end(self, slot: int) -> None:
        self._words(slot)[BUDGET] = ENDED
        self._goals.pop(slot, None)

    def is_done(self, slot: int) -> bool:
        """Is all of it made, or the search ended, and has every worker told its results?"""
        return self._is_used_up(slot) and not self._n_lost(slot)

    def make_up_for_the_dead(self, busy: Container[int]) -> bool:
        """Give once more what they had taken, in slots that are not busy. Returns if there was any.

        docs/shared-tree.md, "What a worker leaves when it is killed".
        """
        is_any = False
        for slot in self._goals:
            if slot not in busy and self._is_used_up(slot) and (n_lost := self._n_lost(slot)):
                return_to_budget(self._words(slot), np.uint64(n_lost))
                is_any = True
        return is_any

    def _is_used_up(self, slot: int) -> bool:
        """Has all of it been taken, and what was not made of it been returned?

        What a worker returns is there before it leaves.
        """
        words = self._words(slot)
        # Twice: somebody may have come in between the first look and the second.
        return all(
            int(words[BUDGET]) in (0, ENDED) and not is_anybody_inside(self._table, slot)
            for _ in range(2)
        )

    def _n_lost(self, slot: int) -> int:
        """Simulations that are missing once it is used up: the dead had taken them."""
        return max(0, self._goals.get(slot, 0) - self._searches[slot].n_simulations)

    def _words(self, slot: int) -> Any:
        return self._searches[slot].memory.tree.words
