"""How long a move may take, so that the time lasts for the whole game (Baudiš 2011, 3.3.3).

Every move to come has a weight, by the phase of the game that it will fall into, and main time
is dealt out by weight, anew before each move. So what one move leaves over, all later ones get.
In sudden death nothing is saved for them once they matter less than the move at hand.
Where periods follow, moves that would get less than a period gives are left to the periods.
"""

from __future__ import annotations

import itertools

from goengine.gtp.clock import Clock, TimeLeft
from goengine.search.orders import Limits

LEAST = 0.005  # seconds for a move, whatever the clock says
HANDOVER = 0.04  # seconds from the end of a search to the answer (docs/measurements.md)

# What is never planned: for a busy machine, worse lag than usual, seconds that are rounded up.
SAFETY = 0.3  # seconds, and twice the usual lag, and of the main time or the period ...
SAFETY_OF_MAIN, SAFETY_OF_PERIOD = 0.04, 0.1
MOST_SAFETY = 1.0  # ... so many seconds at most; in all no more than
SAFETY_SHARE = 0.25  # of what is left

# Baudiš 2011, 3.3.3: how much longer than desired a move may take ...
_STRETCH = 2.0  # of main time
_STRETCH_BEFORE_PERIODS = 3.0  # the same, where periods follow
_STRETCH_IN_PERIOD = 1.1  # and so much less is desired: Pachi, `time_stop_conditions`

# Phases are moves, both players' together, by the points of the board.
_PHASES = (  # when, weight of a move; between them by line. Pachi: fuseki_end, yose_start
    (0.0, 0.6),
    (0.2, 1.0),
    (0.4, 1.0),
    (0.75, 0.12),  # Baudiš: a quarter of the points stays empty
)
_MIDDLE_GAME_ENDS = _PHASES[2][0]
# Where games end (docs/measurements.md, lengths of games):
_END_OF_ALL = 1.3  # when every stone on the board is alive
_END_BY_AGREEMENT = 0.95  # when nobody gains anything any more
_MOVES_TO_COME = 1 / 12  # of this player, at least: Baudiš' 30 on 19x19 ...
_LEAST_MOVES_TO_COME = 8  # ... and on small boards
_KEPT = 0.03  # part of main time that only games without end get at


def limits_under(
    clock: Clock, color: int, n_moves_played: int, size: int, *, plays_to_the_end: bool = True
) -> Limits | None:
    """For the next move: always within what is left, never 0. None: no clock runs.

    plays_to_the_end    are dead stones taken before the game ends?
    """
    if clock.kind == "none":
        return None
    phase = n_moves_played / size**2
    end = _END_OF_ALL if plays_to_the_end else _END_BY_AGREEMENT
    plan = _Plan(clock, color, phase, size**2, end)
    limits = plan.limits(clock.left(color))
    if clock.move_limit is not None:
        limits = limits.within(plan.of_period(clock.move_limit, clock.move_limit))
    return Limits(
        None,
        max(LEAST, limits.seconds or 0.0),
        max(LEAST, limits.most_seconds or 0.0),
        limits.free_seconds,
    )


class _Plan:
    def __init__(self, clock: Clock, color: int, phase: float, n_points: int, end: float) -> None:
        self._clock = clock
        self._lag = clock.lag(color).usual
        self._is_told = clock.lag(color).is_told
        self._safety = SAFETY + 2.0 * self._lag + HANDOVER
        self._main_safety = self._safety + min(SAFETY_OF_MAIN * clock.main, MOST_SAFETY)
        self._weights = [
            _weight(phase + 2 * turn / n_points) for turn in range(_n_moves(phase, n_points, end))
        ]  # of the next move and of those that are expected after it
        self._most_moves = _n_moves(phase, n_points, _END_OF_ALL)
        self._is_late = phase >= _MIDDLE_GAME_ENDS  # weights only fall from here on

    def limits(self, left: TimeLeft) -> Limits:
        clock = self._clock
        match clock.kind:
            case "fischer":
                return self._fischer(left.seconds)
            case "canadian" | "byoyomi":
                in_period = self._in_period()
                if left.stones == 0 and left.seconds > in_period:
                    return self._before_periods(left.seconds, in_period)
                if left.stones == 0:
                    left = TimeLeft(max(left.seconds, 0.0) + clock.period, clock.stones)
                return self._canadian(left) if clock.kind == "canadian" else self._byoyomi(left)
            case _:
                return self._absolute(left.seconds)

    def _of_main(self, left: float) -> float:
        """What may be planned of the rest of the main time."""
        return left - min(self._main_safety, SAFETY_SHARE * left)

    def of_period(self, left: float, period: float) -> float:
        """What may be planned of the rest of a period."""
        safety = self._safety + min(SAFETY_OF_PERIOD * period, MOST_SAFETY)
        return left - min(safety, SAFETY_SHARE * left)

    def _absolute(self, left: float) -> Limits:
        """Games without end live on a twentieth of the rest."""
        cost_of_moves = self._most_moves * (self._lag + HANDOVER)
        kept = max(self._main_safety, cost_of_moves, _KEPT * self._clock.main)
        desired = self._share(max(left / 20, left - kept))
        limits = self._of_main_time(desired, left, kept)
        return limits._replace(free_seconds=desired) if self._is_late else limits

    def _fischer(self, left: float) -> Limits:
        clock = self._clock
        spare = left - clock.period - self._main_safety
        more = self._share(spare) if spare > 0 else spare
        desired = max(self._a_move(clock.period) + more, SAFETY_SHARE * clock.period)
        wasted = 0.0 if clock.main_limit is None else left + clock.period - clock.main_limit
        limits = self._of_main_time(max(desired, wasted), left, self._main_safety)
        return limits._replace(free_seconds=max(0.0, wasted))

    def _of_main_time(self, desired: float, left: float, kept: float) -> Limits:
        """A move is not stretched into what is kept."""
        usable = max(desired, left - kept)
        return self._stretched(desired, _STRETCH, min(usable, self._of_main(left)))

    def _before_periods(self, left: float, in_period: float) -> Limits:
        clock = self._clock
        main = left
        if clock.kind == "byoyomi":  # all periods but the last are as good as main time
            main += (clock.stones - 1) * clock.period
        desired = max(self._a_move(self._share(main, in_period)), in_period)
        # A move may begin in main time and end in the first period.
        return self._stretched(desired, _STRETCH_BEFORE_PERIODS, left + in_period)

    def _canadian(self, left: TimeLeft) -> Limits:
        usable = self.of_period(left.seconds, self._clock.period)
        if left.stones <= 1:
            # Without word we may be wrong about when the first period began.
            usable = usable if self._is_told else min(usable, self._in_period())
            return Limits(None, usable, usable, usable)
        share = self._a_move(usable / left.stones)
        return Limits(None, (2.0 - _STRETCH_IN_PERIOD) * share, _STRETCH_IN_PERIOD * share)

    def _byoyomi(self, left: TimeLeft) -> Limits:
        """What is not used of a period is lost; a move may also take one period more."""
        usable = self.of_period(left.seconds, self._clock.period)
        if left.stones <= 1:
            return Limits(None, usable, usable, usable)
        spare = left.seconds + (left.stones - 2) * self._clock.period
        desired = max(self._a_move(self._share(spare)), usable)
        most = left.seconds + self._in_period()
        return self._stretched(desired, _STRETCH_BEFORE_PERIODS, most)._replace(free_seconds=usable)

    def _in_period(self) -> float:
        """What each move of a period has."""
        usable = self.of_period(self._clock.period, self._clock.period)
        if self._clock.kind == "canadian" and self._clock.stones > 1:
            return self._a_move(usable / self._clock.stones)
        return usable

    def _share(self, seconds: float, in_period: float = 0.0) -> float:
        """What the next move gets if all moves get more than a period gives, or none of it."""
        sums = list(itertools.accumulate(self._weights))
        n_moves = len(sums)
        while n_moves > 1 and seconds * self._weights[n_moves - 1] < in_period * sums[n_moves - 1]:
            n_moves -= 1
        return seconds * self._weights[0] / sums[n_moves - 1]

    def _a_move(self, seconds: float) -> float:
        """What is left to think in."""
        return max(seconds - self._lag - HANDOVER, seconds / 2)

    def _stretched(self, desired: float, ratio: float, usable: float) -> Limits:
        return Limits(None, min(desired, usable), min(ratio * desired, usable))


def _n_moves(phase: float, n_points: int, end: float) -> int:
    """That this player is expected to make until the end, the next one included."""
    n_least = max(_LEAST_MOVES_TO_COME, round(_MOVES_TO_COME * n_points))
    return max(n_least, round((end - phase) * n_points / 2))


def _weight(phase: float) -> float:
    for (begin, low), (end, high) in itertools.pairwise(_PHASES):
        if phase < end:
            return low + (high - low) * (phase - begin) / (end - begin)
    return _PHASES[-1][1]
