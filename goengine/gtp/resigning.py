"""When the engine resigns: after several moves in a row that it knew to be lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from goengine.board import WHITE
from goengine.points import PASS
from goengine.rules.game import Game
from goengine.rules.scoring import is_won_as_it_stands
from goengine.search.orders import Found
from goengine.search.parameters import new_parameters

# White begins a handicap game behind, and lives on black's mistakes. The more stones, the more
# of them it takes; but when half of the points are filled, what was to be made up has been.
MOVES_FOR_A_STONE = 5  # of white
MOST_OF_THE_POINTS = 1 / 4  # white's half of the half


class Patience(NamedTuple):
    """When a game is given up: parameters of the same names."""

    resign_below: float
    resign_moves: int
    resign_visits: int

    @classmethod
    def of(cls, size: int, parameters: Mapping[str, str]) -> Patience:
        record = new_parameters(size, parameters)[0]
        return cls(float(record.resign_below), int(record.resign_moves), int(record.resign_visits))

    def is_lost(self, game: Game, color: int, found: Found) -> bool:
        """Does this move, before it is played, count as one of a lost game?"""
        reading = found.reading
        moves = reading.moves if reading else ()
        chosen = next((move for move in moves if move.move == found.move), None)
        return (
            reading is not None
            and chosen is not None
            and (win_rate := reading.real_win_rate_of(chosen)) is not None
            and win_rate < self.resign_below
            and chosen.visits >= self.resign_visits
            and not is_handicap_opening(game, color)
            and not wins_by_passing(game, color)
        )


def is_handicap_opening(game: Game, color: int) -> bool:
    """Is `color` white, and has had no time to make up for black's handicap stones?"""
    if color != WHITE:
        return False
    n_played = sum(move.color == WHITE and move.point != PASS for move in game.moves)
    most = MOST_OF_THE_POINTS * game.size * game.size
    return n_played < min(MOVES_FOR_A_STONE * game.n_handicap, most)


def wins_by_passing(game: Game, color: int) -> bool:
    """Has the opponent passed a game that is won for `color` by the rules as it stands?

    What the search says does not matter then: a pass ends the game. Earlier, the count of a
    board with dead stones on it says nothing, and the opponent would play on.
    """
    return game.is_over_after_pass_of(color) and is_won_as_it_stands(game, color)
