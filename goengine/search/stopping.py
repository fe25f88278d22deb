"""Does a search for a move under a clock go on? Decisions alone (Baudiš 2011, 3.3.3).

It should take `limits.seconds`. It may take up to `limits.most_seconds` while it is unclear
which move is best, and ends early where more playouts would not change the move, or where it
is won anyway: later moves get the time. What costs nothing, `limits.free_seconds`, is used.
"""

from __future__ import annotations

from goengine.search.orders import Limits
from goengine.search.standing import Standing

# Where a name stands in the comment, the value is that of Pachi 12.90 (uct/uct.c, uct/search.c).
CLEAR_RATIO = 2.5  # best2_ratio: visits of the best move to those of the next
CLEAR_DIFFERENCE = 0.02  # bestr_ratio: win rate of the best move, and after its best reply
CLEARLY_BETTER = 0.005  # win rate of another move above that of the most visited; less is noise
SURE_WIN = 0.95  # sure_win_threshold
SURE_VISITS = 5000  # PLAYOUT_EARLY_BREAK_MIN, of the best move
LEAST_PLAYOUTS = 500  # before any early end; Pachi waits for 5000, a second of ours
RATE_MARGIN = 1.25  # workers may become more, or faster

LOOKS = 30  # at the standing while a move takes what it should ...
LEAST_INTERVAL = (
    0.04  # ... but this many seconds apart: under 1 % of the time (docs/measurements.md)
)


def seconds_to_next_look(limits: Limits, elapsed: float) -> float:
    """There is one when it should end; infinite where nothing is decided on the way."""
    if limits.seconds is None or limits.most_seconds is None:
        return float("inf")
    interval = max(LEAST_INTERVAL, limits.seconds / LOOKS)
    rest = limits.seconds - elapsed
    return min(interval, rest) if rest > 0 else interval


def goes_on(
    limits: Limits, elapsed: float, standing: Standing, n_playouts: int, rate: float
) -> bool:
    """After `elapsed` seconds and so many playouts, `rate` of them a second."""
    if limits.seconds is None or limits.most_seconds is None:
        return True
    if elapsed >= limits.most_seconds:
        return False
    if elapsed < limits.free_seconds:
        return True
    ends = limits.seconds
    if is_unclear(standing):
        ends = _stretched(limits.seconds, limits.most_seconds, standing.chances)
    if elapsed >= ends:
        return False
    if n_playouts < LEAST_PLAYOUTS:
        return True
    lead = standing.visits - standing.second_visits
    can_change = lead <= RATE_MARGIN * rate * (ends - elapsed)
    is_won = standing.chances >= SURE_WIN and standing.visits >= SURE_VISITS
    return can_change and not is_won


def is_unclear(standing: Standing) -> bool:
    """May more playouts well change the move?"""
    return (
        standing.visits < CLEAR_RATIO * standing.second_visits
        or standing.best_win_rate > standing.win_rate + CLEARLY_BETTER
        or abs(standing.win_rate - standing.reply_win_rate) > CLEAR_DIFFERENCE
    )


def _stretched(desired: float, most: float, win_rate: float) -> float:
    """When an unclear search ends: the surer the win, the sooner (Pachi: `good_enough`)."""
    sureness = max(0.0, 2.0 * win_rate - 1.0)
    return most - (most - desired) * sureness
