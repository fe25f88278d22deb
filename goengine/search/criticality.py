"""Criticality: how much winning the game goes with owning a point (Baudiš 2011, ch. 5).

Three forms were published, all from shares of simulations. Where somebody owns the point after
each of them, Pellegrino's is the covariance of owning and winning, the same for both colours, and
Coulom's and Pachi's are twice that. The thesis calls all of them equivalent, and that holds but
for the factor. Where the point is nobody's after a share u of the simulations, Coulom's is the sum
of both colours' covariances, and Pachi's, which takes what is not black's for white's, is less
by u times white's share of wins.
"""

from __future__ import annotations

from goengine.jit import float_of_small, inlined_kernel
from goengine.tree.packing import WON, black_owned, value_of, visits_of, winner_owned

_VALUE_UNIT = 1.0 / float(WON)


def by_coulom(
    winner_owns: float, black_owns: float, white_owns: float, black_wins: float, white_wins: float
) -> float:
    """How much more often the winner has the point than it would by chance."""
    return winner_owns - (black_owns * black_wins + white_owns * white_wins)


def by_pellegrino(
    black_both: float, black_won: float, white_both: float, white_won: float
) -> float:
    """From four shares: that a colour won and has the point, and that it won and has it not."""
    return black_both * white_both - white_won * black_won


def by_pachi(winner_owns: float, black_owns: float, black_wins: float) -> float:
    """Coulom's, where white has what black has not."""
    return winner_owns - (2.0 * black_owns * black_wins - black_owns - black_wins + 1.0)


def within_reach(criticality: float, black_owns: float) -> float:
    """What is possible: if black owns a share b, at most 2 b (1 - b) either way.

    That changes nothing where all is counted exactly and the point is always somebody's. But a
    mean value, which value scaling changes, stands for black's wins; some points are nobody's,
    and a pass has none. So what always has the same owner, or none, is not critical.
    """
    most = max(0.0, 2.0 * black_owns * (1.0 - black_owns))
    return max(-most, min(most, criticality))


_by_pachi = inlined_kernel(by_pachi)
_within_reach = inlined_kernel(within_reach)
_black_owned = inlined_kernel(black_owned)
_winner_owned = inlined_kernel(winner_owned)


@inlined_kernel
def criticality_of(stats, owned, is_black):
    """Of a node that black, or white, moved into, by its words. Above 0 it pays to own the point,
    for either colour.
    """
    share = 1.0 / max(1.0, float_of_small(visits_of(stats)))
    mean = float_of_small(value_of(stats)) * _VALUE_UNIT * share
    black_wins = mean if is_black else 1.0 - mean
    black_owns = float_of_small(_black_owned(owned)) * share
    winner_owns = float_of_small(_winner_owned(owned)) * share
    return _within_reach(_by_pachi(winner_owns, black_owns, black_wins), black_owns)
