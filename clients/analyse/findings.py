"""What an analysis says of each move. All outputs are made of this, and of nothing else.

Whose win rate it is, everywhere: `win_rate_...` that of the player who made the move,
`black_...` Black's. Scores are Black's points after komi: negative where White is ahead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import msgspec

from clients.analyse.reading import Reading
from clients.analyse.record import Color, RecordedMove

Grade = Literal["good", "doubtful", "mistake", "blunder"]

DIGITS = 4  # of win rates; a search does not know more


class Thresholds(NamedTuple):
    """From which loss on, in win rate, a move is called what."""

    doubtful: float = 0.05
    mistake: float = 0.10
    blunder: float = 0.20

    def grade(self, loss: float) -> Grade:
        if loss >= self.blunder:
            return "blunder"
        if loss >= self.mistake:
            return "mistake"
        return "doubtful" if loss >= self.doubtful else "good"


class Best(msgspec.Struct, frozen=True):
    """What the engine would have played.

    win_rate    of the player who moves, after this move: found as `win_rate_after` is, by a
                search of the position that it leads to
    variation   the move itself and what is expected after it
    """

    move: str
    win_rate: float
    variation: list[str]


class Finding(msgspec.Struct, frozen=True):
    """One move.

    win_rate_before     of the player who moves
    win_rate_after      of the same player, after the move that was played
    loss                how much less that is than after the engine's choice; never negative
    score_before        Black's points, as are those after; None if the engine does not say
    rank                1 if the engine would have played it too; None if it did not know of it
    prior               how likely the move seemed before the search, 0 to 1
    visits, playouts    simulations that tried this move, and all that were there
    """

    number: int
    color: Color
    move: str
    win_rate_before: float
    win_rate_after: float
    black_win_rate_before: float
    black_win_rate_after: float
    loss: float
    grade: Grade
    score_before: float | None
    score_after: float | None
    rank: int | None
    prior: float
    visits: int
    playouts: int
    best: Best

    @property
    def agrees(self) -> bool:
        return self.rank == 1

    @property
    def is_error(self) -> bool:
        return self.grade != "good"


def find(
    move: RecordedMove,
    before: Reading,
    after: Reading,
    after_best: Reading,
    thresholds: Thresholds,
) -> Finding:
    """`before` is a reading of the player who moves, `after` and `after_best` of the opponent.

    The latter are the same if the engine would have played the move too.
    """
    win_rate_before, win_rate_after = before.win_rate, 1.0 - after.win_rate
    loss = _rate(max(0.0, after.win_rate - after_best.win_rate))
    is_black = move.color == "black"
    played = before.candidate(move.vertex)
    return Finding(
        number=move.number,
        color=move.color,
        move=move.vertex,
        win_rate_before=_rate(win_rate_before),
        win_rate_after=_rate(win_rate_after),
        black_win_rate_before=_rate(win_rate_before if is_black else 1.0 - win_rate_before),
        black_win_rate_after=_rate(win_rate_after if is_black else 1.0 - win_rate_after),
        loss=loss,
        grade=thresholds.grade(loss),
        score_before=_black_score(before, is_black),
        score_after=_black_score(after, not is_black),
        rank=before.rank(move.vertex),
        prior=_rate(played.prior if played else 0.0),
        visits=played.visits if played else 0,
        playouts=before.visits,
        best=Best(
            before.best.vertex,
            _rate(1.0 - after_best.win_rate),
            [before.best.vertex, *after_best.best.variation],
        ),
    )


def largest_losses(findings: Iterable[Finding], color: Color, at_most: int) -> list[Finding]:
    """The errors of one player, the worst first."""
    errors = [each for each in findings if each.color == color and each.is_error]
    return sorted(errors, key=lambda each: (-each.loss, each.number))[:at_most]


def _rate(value: float) -> float:
    return round(value, DIGITS)


def _black_score(reading: Reading, is_black: bool) -> float | None:
    if reading.score is None:
        return None
    return round(reading.score if is_black else -reading.score, 2)
