"""What every engine offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from goengine.rules.game import Game
from goengine.search.orders import Found, Order

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
