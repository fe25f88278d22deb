"""Which game has which slot: decisions alone, no clock and no memory.

Games are many and slots are few. A game that is searched holds a slot and keeps it afterwards,
with its tree, until somebody else needs it. Who waits is served by purpose first (a clock,
then analysis, then pondering), then in the order of coming. A slot is taken from

    a game that is not searched, the one that was searched longest ago;
    a search of a lower purpose;
    an analysis that has had its time, when another waits.

A search for a move is never cut off: it ends by itself. Nor does pondering take turns: whoever
lost a slot would have lost the tree, which is all that pondering is for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from goengine.search.orders import Purpose

RANK = {Purpose.MOVE: 0, Purpose.VERDICT: 0, Purpose.ANALYSIS: 1, Purpose.PONDERING: 2}


class Give(NamedTuple):
    """The game may search in the slot; `is_new` if another one was there since it last did."""

    game: str
    slot: int
    is_new: bool


class Evict(NamedTuple):
    """End the game's search; it is to wait again, and to say when it has ended."""

    game: str


@dataclass
class _Slot:
    game: str | None = None  # who was there last
    purpose: Purpose | None = None  # None: nobody searches
    since: float = 0.0  # of the present search, or the end of the last one
    is_leaving: bool = False
    is_forgotten: bool = False  # its game is no more, but its search has not ended yet


class _Wish(NamedTuple):
    game: str
    purpose: Purpose
    since: float


class SlotTable:
    def __init__(self, n_slots: int, turn: float) -> None:
        """turn: seconds that an analysis keeps its slot when another waits for one."""
        self.slots = [_Slot() for _ in range(n_slots)]
        self.waiting: list[_Wish] = []
        self.turn = turn

    def restore(self, number: int, game: str) -> None:
        """The slot still has the tree of the game, from before this table."""
        self.slots[number].game = game

    def want(self, game: str, purpose: Purpose, now: float) -> list[Give | Evict]:
        """A game that neither waits nor searches is to be searched."""
        self.waiting.append(_Wish(game, purpose, now))
        self.waiting.sort(key=lambda wish: (RANK[wish.purpose], wish.since))
        return self.decide(now)

    def leave(self, game: str, now: float) -> list[Give | Evict]:
        """The game waits no more, or its search is over; it keeps its slot for now."""
        self.waiting = [wish for wish in self.waiting if wish.game != game]
        for slot in self.slots:
            if slot.game == game and slot.purpose is not None:
                slot.purpose, slot.since, slot.is_leaving = None, now, False
                if slot.is_forgotten:
                    slot.game, slot.since, slot.is_forgotten = None, 0.0, False
        return self.decide(now)

    def forget(self, game: str) -> None:
        """The game is no more. If it is being searched, its slot is free when it leaves."""
        for slot in self.slots:
            if slot.game == game and slot.purpose is None:
                slot.game, slot.since = None, 0.0
            elif slot.game == game:
                slot.is_forgotten = True

    def decide(self, now: float) -> list[Give | Evict]:
        """Also to be asked every now and then, since turns end by time."""
        decisions: list[Give | Evict] = []
        still_waiting = []
        n_coming = sum(slot.is_leaving for slot in self.slots)  # these will serve the first ones
        for wish in self.waiting:
            number = self._idle_slot(wish.game)
            if number is not None:
                slot = self.slots[number]
                is_new = slot.game != wish.game
                slot.game, slot.purpose, slot.since = wish.game, wish.purpose, now
                decisions.append(Give(wish.game, number, is_new))
                continue
            still_waiting.append(wish)
            if n_coming > 0:
                n_coming -= 1
                continue
            victim = self._victim(wish, now)
            if victim is not None and victim.game is not None:
                victim.is_leaving = True
                decisions.append(Evict(victim.game))
        self.waiting = still_waiting
        return decisions

    def slot_of(self, game: str) -> int | None:
        return next((n for n, slot in enumerate(self.slots) if slot.game == game), None)

    def _idle_slot(self, game: str) -> int | None:
        """Its own if it still has one, a free one, or the one not used for the longest time."""
        idle = [number for number, slot in enumerate(self.slots) if slot.purpose is None]
        return min(
            idle,
            default=None,
            key=lambda number: (
                self.slots[number].game != game,
                self.slots[number].game is not None,
                self.slots[number].since,
            ),
        )

    def _victim(self, wish: _Wish, now: float) -> _Slot | None:
        """Whose search is to make room: the lowest purpose, and of these the longest there."""
        found = [
            slot
            for slot in self.slots
            if slot.purpose is not None
            and not slot.is_leaving
            and (
                RANK[slot.purpose] > RANK[wish.purpose]
                or (
                    slot.purpose is wish.purpose is Purpose.ANALYSIS
                    and now - slot.since >= self.turn
                )
            )
        ]
        return min(
            found, default=None, key=lambda slot: (-RANK[slot.purpose or wish.purpose], slot.since)
        )
