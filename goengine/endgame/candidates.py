"""Moves that may make sense at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goengine.playouts.batches import list_candidates
from goengine.rules.game import Game

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes long to import


def candidate_points(game: Game, color: int) -> NDArray[np.uint64]:
    """The legal points that are no own eye of `color`, in a fixed order."""
    points = np.zeros(game.size * game.size, np.uint64)
    n_found = list_candidates(game.board, np.uint64(color), points)
    found = np.sort(points[:n_found])
    if game.rules.ko == "simple":
        return found
    return found[[game.is_legal(color, int(point)) for point in found]]
