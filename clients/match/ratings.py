"""Elo of all players at once, from who beat whom: the Bradley-Terry model.

A player of strength s scores 1 / (1 + exp(t - s)) against one of strength t. The strengths make
the likelihood times Jeffreys' prior greatest (Firth 1993): that adds to each pair as many draws
as its games count in the estimate, in all one fewer than there are players. Between two players
it is one draw. It keeps those finite who won everything, and takes out most of the bias.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clients.match.intervals import LOGITS_TO_ELO, Z95, Tally

_MAX_STEPS = 500
_PRECISION = 1e-9  # of strengths

Matrix = NDArray[np.float64]


class Rating(NamedTuple):
    """Elo with its 95 % interval; games are all that the player took part in."""

    name: str
    elo: float
    low: float
    high: float
    games: int


def ratings(
    results: Mapping[tuple[str, str], Tally], anchor: str | None = None
) -> list[list[Rating]]:
    """Everybody who played another one, best first, in groups that did not meet each other.

    Of two players in different groups nobody knows who is stronger. The largest group comes
    first. In each the mean is 0; in the anchor's group the anchor has 0 and the intervals are
    of the difference to it. A player against itself says nothing, and is left out.
    """
    names = list(dict.fromkeys(name for pair in results for name in pair))
    index = {name: number for number, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for (first, second), tally in results.items():
        if first != second:
            points[index[first], index[second]] += tally.points
            points[index[second], index[first]] += tally.turned.points
    groups = [group for group in _groups(points + points.T > 0) if len(group) > 1]
    groups.sort(key=len, reverse=True)
    return [
        _rated([names[number] for number in group], points[np.ix_(group, group)], anchor)
        for group in groups
    ]


def _groups(met: NDArray[np.bool_]) -> list[list[int]]:
    """Players who met, directly or through others."""
    left = list(range(len(met)))
    groups = []
    while left:
        group = [left.pop(0)]
        for player in group:
            group += [other for other in left if met[player, other]]
            left = [other for other in left if not met[player, other]]
        groups.append(group)
    return groups


def _rated(names: list[str], points: Matrix, anchor: str | None) -> list[Rating]:
    strengths, covariance = _strengths(points)
    variances = np.diag(covariance)
    if anchor in names:
        fixed = names.index(anchor)
        strengths = strengths - strengths[fixed]
        variances = variances + variances[fixed] - 2 * covariance[fixed]
    errors = Z95 * np.sqrt(np.maximum(variances, 0))
    columns = (strengths, strengths - errors, strengths + errors)
    elo, low, high = (LOGITS_TO_ELO * column for column in columns)
    games = (points + points.T).sum(axis=1)
    found = [
        Rating(name, float(elo[i]), float(low[i]), float(high[i]), round(float(games[i])))
        for i, name in enumerate(names)
    ]
    return sorted(found, key=lambda rating: -rating.elo)


def _strengths(points: Matrix) -> tuple[Matrix, Matrix]:
    """Strengths with mean 0, and their covariances."""
    games = points + points.T
    strengths = np.zeros(len(points))
    for _ in range(_MAX_STEPS):
        expected = 1 / (1 + np.exp(strengths - strengths[:, None]))
        spread = expected * (1 - expected)
        # How much each pair's games count: the variance of its difference times its information.
        draws = games * spread * _variances_of_differences(_covariance(games * spread))
        everything = games + draws
        score = (points + draws / 2 - everything * expected).sum(axis=1)
        covariance = _covariance(everything * spread)
        step = covariance @ score
        # Newton's step, shortened so that it cannot lead away however far it reaches.
        length = float(np.ptp(step))
        if length < _PRECISION:
            break
        strengths = strengths + step * (np.log1p(length) / length)
    return strengths, covariance


def _covariance(information: Matrix) -> Matrix:
    """The inverse, with the mean held at 0, of what the pairs tell about differences."""
    mean = np.full(information.shape, 1 / len(information))
    laplacian = np.diag(information.sum(axis=1)) - information
    # Any weight of the mean gives the same inverse; the information's own keeps it accurate.
    weight = float(np.trace(laplacian))
    return np.asarray(np.linalg.inv(laplacian + weight * mean) - mean / weight)


def _variances_of_differences(covariance: Matrix) -> Matrix:
    variances = np.diag(covariance)
    return np.asarray(variances + variances[:, None] - 2 * covariance)
