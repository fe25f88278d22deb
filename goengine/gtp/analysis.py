"""What a search has found, in the three dialects that GUIs read.

lz       info move D4 visits 40 winrate 5120 prior 210 lcb 4630 order 0 pv D4 E5 info move ...
kata     the same with numbers from 0 to 1, and with utility and score
sabaki   as kata, every number with a decimal point: Sabaki takes others for those of lz

All values are for the player to move. The search knows scores for the position as a whole only,
so every move has the root's scoreMean, scoreLead, scoreSelfplay and scoreStdev; they are left
out while there are none. Each position has one node: edge visits and weight are the visits.

A search for a move with dynamic komi tells in rootInfo what win rates and utilities are with:
extraKomi, points for white; realWinrate is without. Scores are those of the game as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from goengine.board import BLACK
from goengine.points import format_vertex, point_at
from goengine.search.reading import MoveReading, SearchReading

Dialect = Literal["lz", "kata", "sabaki"]

# What a client may ask for beside the moves. movesOwnership adds nothing: no move has its own.
FLAGS = (
    "rootInfo",
    "ownership",
    "ownershipStdev",
    "movesOwnership",
    "pvVisits",
    "pvEdgeVisits",
)

_MINUS_ZERO = ("-0", "-0.000000")
_CONFIDENCE = 1.96  # standard deviations: the true rate is above the bound 39 times in 40


@dataclass(frozen=True)
class AnalysisOptions:
    """What a client wants to read."""

    dialect: Dialect
    min_moves: int = 0  # also without visits, if there are not enough others
    max_moves: int | None = None
    flags: frozenset[str] = frozenset()  # of FLAGS


def format_analysis(reading: SearchReading, options: AnalysisOptions) -> str:
    """One line, or "" as long as no move has a visit."""
    n_visited = sum(move.visits > 0 for move in reading.moves)
    if n_visited == 0:
        return ""
    listed = reading.moves[: max(n_visited, options.min_moves)][: options.max_moves]
    n_priors = sum(_prior_wins(move) for move in reading.moves)
    writer = _Writer(reading, options, n_priors)
    parts = [writer.move(order, move) for order, move in enumerate(listed)]
    if "rootInfo" in options.flags:
        parts.append(writer.root())
    if "ownership" in options.flags:
        parts.append(writer.by_point("ownership", lambda mean: mean))
    if "ownershipStdev" in options.flags:
        parts.append(writer.by_point("ownershipStdev", _owner_stdev))
    return " ".join(parts)


def lower_bound(win_rate: float, visits: int) -> float:
    """The lower end of Wilson's interval (1927); 0 without visits."""
    if visits == 0:
        return 0.0
    z2 = _CONFIDENCE**2 / visits
    spread = math.sqrt(max(0.0, win_rate * (1.0 - win_rate)) * z2 + z2 * z2 / 4.0)
    return max(0.0, (win_rate + z2 / 2.0 - spread) / (1.0 + z2))


class _Writer:
    """Writes many moves, many times a second: what they share is written once."""

    def __init__(
        self, reading: SearchReading, options: AnalysisOptions, n_prior_wins: float
    ) -> None:
        """n_prior_wins: of all moves together."""
        self._reading = reading
        self._options = options
        self._win_rate = 0.5 if reading.win_rate is None else reading.win_rate
        self._prior_scale = 1.0 / n_prior_wins if n_prior_wins else 0.0
        self._score = self._scores()

    def move(self, order: int, move: MoveReading) -> str:
        """Ends with the variation, or with the visits in it."""
        win_rate = self._win_rate if move.win_rate is None else move.win_rate
        low = lower_bound(win_rate, move.visits)
        if self._prior_scale:
            prior = _prior_wins(move) * self._prior_scale
        else:
            prior = 1.0 / len(self._reading.moves)
        head = f"info move {format_vertex(move.move, self._reading.size)} visits {move.visits}"
        if self._options.dialect == "lz":
            values = (round(10_000 * value) for value in (win_rate, prior, low))
            fields = "winrate {} prior {} lcb {}".format(*values)
        else:
            number = self._number
            fields = (
                f"edgeVisits {move.visits} utility {number(2.0 * win_rate - 1.0)} "
                f"winrate {number(win_rate)} {self._score}prior {number(prior)} "
                f"lcb {number(low)} utilityLcb {number(2.0 * low - 1.0)} "
                f"weight {number(move.visits)}"
            )
        return f"{head} {fields} order {order} {self._variation(move)}"

    def root(self) -> str:
        visits, number = self._reading.visits, self._number
        return (
            f"rootInfo visits {visits} utility {number(2.0 * self._win_rate - 1.0)} "
            f"winrate {number(self._win_rate)} {self._score}weight {number(visits)}"
            f"{self._real()}"
        )

    def _real(self) -> str:
        """With a space before, if there is anything to tell."""
        reading = self._reading
        if reading.real_win_rate is None:
            return ""
        komi, rate = self._number(reading.extra_komi), self._number(reading.real_win_rate)
        return f" extraKomi {komi} realWinrate {rate}"

    def by_point(self, name: str, value_of: Callable[[float], float]) -> str:
        """A value made of the owner of each point, 1 for the player to move, from the top left."""
        side, ownership = _side(self._reading), self._reading.ownership
        owners = (side * ownership[point] for point in rows_from_top(self._reading.size))
        return " ".join([name, *(self._number(value_of(owner)) for owner in owners)])

    def _variation(self, move: MoveReading) -> str:
        words = ["pv", *(format_vertex(each, self._reading.size) for each in move.variation)]
        for flag in ("pvVisits", "pvEdgeVisits"):
            if flag in self._options.flags:
                words += [flag, *map(str, move.variation_visits)]
        return " ".join(words)

    def _scores(self) -> str:
        """With a space behind them, if there are any."""
        if self._reading.score is None:
            return ""
        score = self._number(self._reading.score * _side(self._reading))
        stdev = self._reading.score_stdev
        spread = "" if stdev is None else f"scoreStdev {self._number(stdev)} "
        return f"scoreMean {score} {spread}scoreLead {score} scoreSelfplay {score} "

    def _number(self, value: float) -> str:
        text = f"{value:.6f}"
        if self._options.dialect == "kata":
            text = text.rstrip("0").rstrip(".")
        return text[1:] if text in _MINUS_ZERO else text


def rows_from_top(size: int) -> list[int]:
    """Every point as one reads a page: from the top left, row by row."""
    return [point_at(row, column, size) for row in reversed(range(size)) for column in range(size)]


def _side(reading: SearchReading) -> int:
    return 1 if reading.to_play == BLACK else -1


def _owner_stdev(mean: float) -> float:
    """Of an owner that is 1 or -1 in each playout."""
    return math.sqrt(max(0.0, 1.0 - mean * mean))


def _prior_wins(move: MoveReading) -> float:
    """A search has no policy; a move's share of all wins known in advance stands for one."""
    return move.prior_visits * (move.prior_win_rate or 0.0)
