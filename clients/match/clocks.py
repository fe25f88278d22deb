"""The clock of a game: kept by the referee's watch, and told to engines."""

from __future__ import annotations

from collections.abc import Collection

from clients.match.game_record import Color
from clients.match.time_settings import Clock


class CannotTell(ValueError):
    """An engine has no command for the clock; the text says what it lacks."""


class GameClock:
    """Both players' time. Seconds are charged as they were measured, however short."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        start = (clock.main, 0) if clock.main else self._new_period()
        self._left: dict[Color, tuple[float, int]] = {"black": start, "white": start}

    def left(self, color: Color) -> tuple[float, int]:
        """As GTP tells it: seconds, and the moves to make in them, or the periods left.

        0 of these: main time.
        """
        return self._left[color]

    def most_seconds(self, color: Color) -> float:
        """After so long the player has lost, whatever he plays."""
        seconds, n_left = self._left[color]
        n_more = 0  # periods that are still to come
        if n_left == 0:
            n_more = self._clock.periods or 1
        elif self._clock.kind == "byoyomi":
            n_more = n_left - 1
        return seconds + n_more * self._clock.period

    def charge(self, color: Color, seconds: float) -> bool:
        """A move took so long. False if the time is up."""
        left, n_left = self._left[color]
        left -= seconds
        if left < 0 and n_left == 0 and self._clock.period:  # main time ended during this move
            n_left = self._new_period()[1]
            left += self._clock.period
        while left < 0 and n_left > 1 and self._clock.kind == "byoyomi":
            n_left -= 1
            left += self._clock.period
        if left < 0:
            return False
        self._left[color] = self._after_move(left, n_left)
        return True

    def _after_move(self, left: float, n_left: int) -> tuple[float, int]:
        clock = self._clock
        if clock.kind == "fischer":
            return left + (clock.increment or 0.0), 0
        if n_left == 0:
            return (left, 0) if left > 0 or not clock.period else self._new_period()
        if clock.kind == "byoyomi":
            return clock.period, n_left
        return (left, n_left - 1) if n_left > 1 else self._new_period()

    def _new_period(self) -> tuple[float, int]:
        return self._clock.period, self._clock.periods or self._clock.moves


def settings_command(clock: Clock, known: Collection[str]) -> str | None:
    """How an engine that knows these GTP commands is told of a clock. Raises CannotTell.

    In whole seconds, never more than there are, if it cannot be told fractions. None: it knows
    no command at all for a kind of time that every engine may be told, and just has to be fast.
    """
    kind, count = clock.kind, clock.periods or clock.moves
    values = {
        "absolute": (clock.main,),
        "canadian": (clock.main, clock.period, count),
        "byoyomi": (clock.main, clock.period, count),
        "fischer": (clock.main, clock.increment or 0.0),
    }[kind]
    exact = " ".join(f"{value:.12g}" for value in values)
    whole = " ".join(f"{int(value)}" for value in values)
    ways = {}
    if kind in ("absolute", "canadian"):
        ways["time_settings"] = whole if kind == "canadian" else f"{whole} 0 0"
    if kind != "fischer":
        ways["kgs-time_settings"] = f"{kind} {whole}"
    ways["kata-time_settings"] = f"{kind} {exact}"
    ways = {name: words for name, words in ways.items() if name in known}
    has_whole_part = all(int(value) for value in values if value)
    for name, words in ways.items():
        if exact == whole or name == "kata-time_settings":
            return f"{name} {words}"
    if has_whole_part and ways:
        return " ".join(next(iter(ways.items())))
    if ways:
        raise CannotTell(f"it can be told whole seconds alone, not {kind} {exact}")
    if kind in ("absolute", "canadian"):
        return None
    lacking = "kata-time_settings" if kind == "fischer" else "kgs- or kata-time_settings"
    raise CannotTell(f"it does not know {lacking}, the command for {kind} time")
