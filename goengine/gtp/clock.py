"""What a client says about time, and how much of it a move may take. All times are seconds.

kind            main    period          stones
none            -       -               -
absolute        all     -               -
canadian        first   then for each   moves to play in a period
byoyomi         first   then for each   periods
fischer         first   added a move    -           also with limits (fischer-capped)
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from goengine.board import BLACK

Kind = Literal["none", "absolute", "canadian", "byoyomi", "fischer"]

LAG = 0.5  # that a move may need beside its thinking
USUAL_LAG = 0.2  # that every move needs
LEAST = 0.005  # for a move, whatever the clock says

_MAIN_KEPT = 0.05  # part of the main time that moves get little of: for games without end
_GAME_LENGTH = 0.8  # moves a point of the board, both players' together
_MOVES_TO_COME = 0.3  # the same, however long the game has been


class TimeLeft(msgspec.Struct, frozen=True):
    """`stones`: 0 in main time; else moves to play in this period, or periods left (byoyomi)."""

    seconds: float
    stones: int


class Clock(msgspec.Struct, frozen=True):
    """Settings for both players, and what each has left. A value: methods give another one.

    Without word from the client, what is left is the settings minus what was spent.
    """

    kind: Kind = "none"
    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    main_limit: float | None = None  # main time does not grow past it
    move_limit: float | None = None  # no move may take longer
    black: TimeLeft | None = None  # None: nothing is used
    white: TimeLeft | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Clock:
        """Raises msgspec.ValidationError."""
        return msgspec.convert(data, cls)

    def restarted(self) -> Clock:
        """For a new game: the same settings, nothing used."""
        return msgspec.structs.replace(self, black=None, white=None)

    def with_settings(
        self,
        kind: Kind,
        main: float = 0.0,
        period: float = 0.0,
        stones: int = 0,
        main_limit: float | None = None,
        move_limit: float | None = None,
    ) -> Clock:
        """Other settings, nothing used."""
        return Clock(kind, main, period, stones, main_limit, move_limit)

    def with_left(self, color: int, seconds: float, stones: int) -> Clock:
        """What the client says is left."""
        left = TimeLeft(seconds, stones)
        if color == BLACK:
            return msgspec.structs.replace(self, black=left)
        return msgspec.structs.replace(self, white=left)

    def with_spent(self, color: int, seconds: float) -> Clock:
        """After a move that took so long; a client that tells what is left tells it later."""
        if self.kind == "none":
            return self
        left = self._after_move(self.left(color), seconds)
        return self.with_left(color, left.seconds, left.stones)

    def _after_move(self, left: TimeLeft, seconds: float) -> TimeLeft:
        rest = left.seconds - seconds
        if self.kind == "fischer":
            rest += self.period
            return TimeLeft(rest if self.main_limit is None else min(rest, self.main_limit), 0)
        if self.kind == "absolute" or (left.stones == 0 and rest > 0):
            return TimeLeft(rest, 0)
        n_left = left.stones
        if n_left == 0:  # the first period began during the move
            n_left, rest = self.stones, rest + self.period
        if self.kind == "canadian":
            return TimeLeft(rest, n_left - 1) if n_left > 1 else self._new_period(self.stones)
        while rest <= 0 and n_left > 1:
            n_left, rest = n_left - 1, rest + self.period
        return self._new_period(n_left)

    def _new_period(self, stones: int) -> TimeLeft:
        return TimeLeft(self.period, stones)

    def left(self, color: int) -> TimeLeft:
        """What this player has left, as far as is known."""
        left = self.black if color == BLACK else self.white
        if left is not None:
            return left
        if self.main <= 0 and self.kind in ("canadian", "byoyomi"):
            return self._new_period(self.stones)
        return TimeLeft(self.main, 0)

    def seconds_for_move(self, color: int, n_moves_played: int, size: int) -> float | None:
        """How long the next move may take: always within what is left, never 0. None: no limit."""
        if self.kind == "none":
            return None
        left = self.left(color)
        usable = _without_lag(left.seconds)
        if left.stones and self.kind == "canadian":
            seconds = _share(usable, left.stones)
        elif left.stones and self.kind == "byoyomi":
            seconds = usable
        else:
            seconds = self._seconds_of_main(left.seconds, _moves_to_come(n_moves_played, size))
        if self.move_limit is not None:
            seconds = min(seconds, _without_lag(self.move_limit))
        return max(LEAST, seconds)

    def _seconds_of_main(self, left: float, n_moves: float) -> float:
        kept = max(LAG, _MAIN_KEPT * self.main)
        share = _share(max(left / 10, left - kept), n_moves)
        match self.kind:
            case "fischer":
                seconds = share + _without_lag(self.period)
                if self.main_limit is not None:  # what would be added past it is lost
                    seconds = max(seconds, left + self.period - self.main_limit)
                return min(seconds, _without_lag(left))
            case "canadian":
                in_period = _share(_without_lag(self.period), max(1, self.stones))
            case "byoyomi":
                in_period = _without_lag(self.period)
            case _:
                return min(share, _without_lag(left))
        # A move may begin in main time and end in the first period.
        return min(max(share, in_period), max(left, 0.0) + in_period)


def _without_lag(seconds: float) -> float:
    """Minus what must stay for lag: half a second, or a quarter where there is little."""
    return seconds - min(LAG, seconds / 4)


def _share(seconds: float, n_moves: float) -> float:
    """What one of so many moves may think; each has its lag, too."""
    share = seconds / n_moves
    return share - min(USUAL_LAG, share / 2)


def _moves_to_come(n_moves_played: int, size: int) -> float:
    """How many moves of this player to expect."""
    n_points = size * size
    expected = _GAME_LENGTH * n_points - n_moves_played
    return max(1.0, expected / 2, _MOVES_TO_COME * n_points / 2)
