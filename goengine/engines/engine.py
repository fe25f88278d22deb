"""What every engine offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from goengine.board import BLACK, WHITE
from goengine.playouts.batches import list_candidates
from goengine.points import all_points
from goengine.rules.game import Game
from goengine.rules.scoring import score_game
from goengine.search.orders import Found, Order
from goengine.tactics.life import blank_life, find_unconditional_life

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes long to import


class Engine(ABC):
    """Chooses moves. The same seed and the same games give the same moves.

    After `choose`:
        report      one line about the search for people; "" if there was none
        win_rate    expected result for the colour that was asked, 0 to 1, or None
        ownership   by point, 1 black to -1 white, or None
    on_progress is called with the fraction done, 0 to 1, while it thinks.
    """

    def __init__(self, seed: int, playouts: int) -> None:
        self.seed = seed
        self.playouts = playouts  # a move
        self.report = ""
        self.win_rate: float | None = None
        self.ownership: NDArray[np.float64] | None = None
        self.on_progress: Callable[[float], None] | None = None

    @abstractmethod
    def choose(self, game: Game, color: int) -> int:
        """Return a point or PASS. Leaves the game as it is."""

    def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
        """Do what is ordered as well as this engine can; one that does not search just chooses."""
        return Found(self.choose(game, order.color), None)


def candidate_points(game: Game, color: int) -> NDArray[np.uint64]:
    """The legal points that are no own eye of `color`, in a fixed order."""
    points = np.zeros(game.size * game.size, np.uint64)
    n_found = list_candidates(game.board, np.uint64(color), points)
    found = np.sort(points[:n_found])
    if game.rules.ko == "simple":
        return found
    return found[[game.is_legal(color, int(point)) for point in found]]


def unconditional_points(game: Game) -> set[int]:
    """The points that nobody can take from their owner, even if he passes for ever."""
    life = blank_life()
    points = all_points(game.size)
    found: set[int] = set()
    for color in (BLACK, WHITE):
        find_unconditional_life(game.board, life[0], np.uint64(color), game.rules.suicide)
        found |= {point for point in points if life[0].status[point]}
    return found


def is_won_as_it_stands(game: Game, color: int) -> bool:
    """Does `color` win if the game ends now, with every stone on the board alive?"""
    margin = score_game(game).margin
    return margin > 0 if color == BLACK else margin < 0
