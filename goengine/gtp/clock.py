"""What a client says about its clock, as values. All times are seconds."""

from __future__ import annotations

from typing import NamedTuple


class TimeSettings(NamedTuple):
    """`stones` must be played in each period of `byo_yomi`.

    Without stones: no limit at all if there is a period (0 1 0), absolute time if not (600 0 0).
    """

    main: float
    byo_yomi: float
    stones: int


class TimeLeft(NamedTuple):
    """`stones` are still to play in this period; 0 in main time."""

    seconds: float
    stones: int
