"""What a client says about time, and what each player has left of it. All times are seconds.

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

UNTOLD_LAG = 0.01  # a move, before anybody told: who never tells sits on this machine
MOST_LAG = 5.0  # a move: where more is missing, somebody has set the clock
_RUN = 64  # moves that lag is estimated from
_ROUNDING = 1.0  # servers tell whole seconds: some cut off, some round up


class TimeLeft(msgspec.Struct, frozen=True):
    """`stones`: 0 in main time; else moves to play in this period, or periods left (byoyomi)."""

    seconds: float
    stones: int


class Lag(msgspec.Struct, frozen=True):
    """What a server charges for a move beyond what it took by our watch.

    Whole seconds say little of one move, but after a run of moves, too, no more than a second
    is unsure. An estimate stands until it contradicts what was told of the run so far.

    usual       the estimate, a move
    is_told     has anybody ever told?
    rounds_up   more was told than can be left
    before      the estimate when the run began
    run         what would be left without lag; None: nothing is known yet
    n_moves     in the run
    is_exact    did the run begin with all of the main time or a period, not with what was told?
    """

    usual: float = UNTOLD_LAG
    is_told: bool = False
    rounds_up: bool = False
    before: float = UNTOLD_LAG
    run: TimeLeft | None = None
    n_moves: int = 0
    is_exact: bool = False

    def restarted(self, run: TimeLeft | None, is_exact: bool = False) -> Lag:
        """What is known, and another run."""
        return Lag(self.usual, self.is_told, self.rounds_up, self.usual, run, 0, is_exact)

    def with_move(self, after: TimeLeft) -> Lag:
        """After a move that left so much by our watch."""
        return msgspec.structs.replace(self, run=after, n_moves=self.n_moves + 1)

    def with_told(self, told: TimeLeft) -> Lag:
        """May be told any number of times after a move."""
        lag = msgspec.structs.replace(self, is_told=True)
        run, n_moves = self.run, self.n_moves
        if run is None or run.stones != told.stones:
            return lag.restarted(told)
        missing = run.seconds - told.seconds
        if not -_ROUNDING <= missing <= _ROUNDING + MOST_LAG * n_moves:
            return lag.restarted(told)
        if self.is_exact and missing < 0:
            lag = msgspec.structs.replace(lag, rounds_up=True)
        if n_moves == 0:
            return lag
        unsure = lag.rounding_of(told.seconds)
        usual = min(max(self.before, (missing - unsure) / n_moves), (missing + unsure) / n_moves)
        lag = msgspec.structs.replace(lag, usual=min(max(usual, 0.0), MOST_LAG))
        return lag if n_moves < _RUN else lag.restarted(told)

    def rounding_of(self, seconds: float) -> float:
        """How far from the truth what is told may be."""
        if seconds != int(seconds):
            return 0.0
        return _ROUNDING / 2 if self.rounds_up else _ROUNDING


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
    black_lag: Lag = Lag()
    white_lag: Lag = Lag()

    def to_json(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Clock:
        """Raises msgspec.ValidationError."""
        return msgspec.convert(data, cls)

    def restarted(self) -> Clock:
        """For a new game: the same settings and estimates of lag, nothing used."""
        return self.with_settings(
            self.kind, self.main, self.period, self.stones, self.main_limit, self.move_limit
        )

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
        lags = (lag.restarted(None) for lag in (self.black_lag, self.white_lag))
        return Clock(kind, main, period, stones, main_limit, move_limit, None, None, *lags)

    def with_left(self, color: int, seconds: float, stones: int) -> Clock:
        """What the client says is left; what we believe stands where whole seconds agree with it.

        Some tell before a move, some after it, some both times.
        """
        if self.kind == "none":
            return self
        if stones and self.kind in ("canadian", "byoyomi"):
            seconds = min(seconds, self.period)
        left, lag = self.left(color), self._lag_of_game(color).with_told(TimeLeft(seconds, stones))
        if stones == left.stones and seconds == int(seconds):
            seconds = self._agreed(left.seconds, seconds, lag.rounds_up)
        return self._with(color, TimeLeft(seconds, stones), lag)

    def with_spent(self, color: int, seconds: float) -> Clock:
        """After a move that took so long; a client that tells what is left tells it later."""
        if self.kind == "none":
            return self
        left, lag = self.left(color), self._lag_of_game(color)
        run = left if lag.run is None else lag.run
        by_watch = self._after_move(run, seconds)
        after = self._after_move(left, seconds + lag.usual)
        if after.stones and not by_watch.stones:
            after = TimeLeft(0.0, 0)  # a period is not begun on a guess
        if self._begins_anew(run, by_watch):
            return self._with(color, after, lag.restarted(by_watch, is_exact=True))
        return self._with(color, after, lag.with_move(by_watch))

    def _agreed(self, believed: float, told: float, rounds_up: bool) -> float:
        """What is left, where whole seconds were told.

        Only where nothing is added any more, what we believe may be more than was told: else an
        error would stay for ever.
        """
        fallback = told - _ROUNDING if rounds_up else told
        may_be_more = self.kind == "absolute" and not rounds_up
        if believed > (told + _ROUNDING if may_be_more else fallback):
            return fallback
        return max(believed, told - _ROUNDING)

    def _lag_of_game(self, color: int) -> Lag:
        """With a run from the first move on."""
        lag = self.lag(color)
        is_new = (self.black if color == BLACK else self.white) is None
        return lag.restarted(self.left(color), is_exact=True) if is_new else lag

    def left(self, color: int) -> TimeLeft:
        """What this player has left, as far as is known."""
        left = self.black if color == BLACK else self.white
        if left is not None:
            return left
        if self.main <= 0 and self.kind in ("canadian", "byoyomi"):
            return self._new_period(self.stones)
        return TimeLeft(self.main, 0)

    def lag(self, color: int) -> Lag:
        return self.black_lag if color == BLACK else self.white_lag

    def _with(self, color: int, left: TimeLeft, lag: Lag) -> Clock:
        if color == BLACK:
            return msgspec.structs.replace(self, black=left, black_lag=lag)
        return msgspec.structs.replace(self, white=left, white_lag=lag)

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

    def _begins_anew(self, before: TimeLeft, after: TimeLeft) -> bool:
        """Does what is left after a move hide how long it took?"""
        if self.kind == "fischer":
            return after.seconds == self.main_limit
        if self.kind == "canadian":
            return before.stones == 1
        return after.stones > 0
