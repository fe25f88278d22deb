"""Which plots a match gets, and the numbers in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from markupsafe import Markup

from clients.match import plots
from clients.match.intervals import Interval, Tally, wilson
from clients.match.replay import n_moves
from clients.match.sprt import sprt_state
from clients.match.standings import Standing, points_of

MOST_POINTS = 200  # of a line: more than can be told apart


def overview(standings: Sequence[Standing]) -> Markup:
    """The win rates of all pairings."""
    return plots.win_rates(
        [
            plots.RateRow(
                standing.pairing.name,
                standing.rate if standing.records else None,
                standing.pairing.published,
            )
            for standing in standings
        ]
    )


def pairing_figures(standing: Standing) -> list[Markup]:
    """None before the first game."""
    if not standing.records:
        return []
    pairing = standing.pairing
    figures = [plots.running_rate(running_rates(standing))]
    if pairing.sprt and standing.sprt:
        figures.append(plots.sprt_path(sprt_ratios(standing), pairing.sprt, standing.sprt))
    if margins := margins_of(standing):
        title = f"Counted games: points {pairing.first} is ahead"
        figures.append(plots.histogram(title, "points", margins))
    lengths = [n_moves(record) for record in standing.records]
    figures.append(plots.histogram("Length of the games", "moves", lengths))
    return figures


def running_rates(standing: Standing) -> list[tuple[int, Interval]]:
    """The first player's win rate after so many games."""
    games = (_one_game(points_of(standing.pairing, record)) for record in standing.records)
    tallies = list(accumulate(games, Tally.plus))
    return [(n, wilson(tallies[n - 1])) for n in counts(len(tallies))]


def sprt_ratios(standing: Standing) -> list[tuple[int, float]]:
    """The log-likelihood ratio after so many games, up to the decision."""
    sprt, state = standing.pairing.sprt, standing.sprt
    if not (sprt and state):
        return []
    points = [points_of(standing.pairing, record) for record in standing.records[: state.n_games]]
    return [(n, sprt_state(sprt, points[:n]).llr) for n in counts(len(points))]


def margins_of(standing: Standing) -> list[float]:
    """Points by which the first player won each game that was counted, below 0 where it lost."""
    return [
        (record.margin or 0.0) * (1 if points_of(standing.pairing, record) == 1 else -1)
        for record in standing.records
        if record.ending == "score"
    ]


def _one_game(points: float) -> Tally:
    return Tally(wins=int(points == 1), losses=int(points == 0), draws=int(points == 0.5))


def counts(n_games: int) -> list[int]:
    """Numbers of games up to all of them, evenly spread; every one if they are few."""
    n_points = min(n_games, MOST_POINTS)
    return [n_games * number // n_points for number in range(1, n_points + 1)]
