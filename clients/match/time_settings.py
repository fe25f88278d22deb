"""What a match file says about time."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Kind = Literal["absolute", "canadian", "byoyomi", "fischer"]
_DAY = 86_400
Seconds = Annotated[float, Meta(gt=0, le=_DAY)]


class RandomClock(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A clock of any kind that gives a move from `least` to `most` seconds on average."""

    seed: Annotated[int, Meta(ge=0)] = 1
    least: Seconds = 0.2
    most: Seconds = 2.0


class Clock(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """`main` seconds for the game; after them `moves` moves in each `period` (Canadian), or

    periods     so many periods, each whole again after a move within it (byoyomi)
    increment   instead: seconds that a move adds (Fischer)
    random      instead of all that: another clock for each game

    These are left out where they are not given: clocks without them keep the key they had.
    """

    main: Annotated[float, Meta(ge=0, le=_DAY)] = 0.0
    period: Annotated[float, Meta(ge=0, le=_DAY)] = 0.0
    moves: Annotated[int, Meta(ge=1, le=1000)] = 1
    periods: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    increment: Seconds | UnsetType = UNSET
    random: RandomClock | UnsetType = UNSET

    @property
    def kind(self) -> Kind:
        """Of a clock that is not random."""
        if self.increment:
            return "fischer"
        if self.period:
            return "byoyomi" if self.periods else "canadian"
        return "absolute"


def wrong_with(clock: Clock) -> str:
    """Empty if nothing is."""
    if clock.random:
        if clock != Clock(random=clock.random):
            return "a random clock has nothing but random"
        is_wrong = clock.random.least > clock.random.most
        return "the least time of a random clock is more than the most" if is_wrong else ""
    if clock.increment:
        if clock.period or clock.periods or clock.moves != 1:
            return "a clock has an increment, or periods, not both"
        return "" if clock.main else "a clock with an increment needs a main time to start with"
    if not (clock.main or clock.period):
        return "a clock has a main time, or a period, or both"
    if clock.periods and not clock.period:
        return "a clock with periods has a period: how many seconds each of them has"
    if clock.periods and clock.moves != 1:
        return "a period is for some moves, or there are some periods of one move; not both"
    return ""
