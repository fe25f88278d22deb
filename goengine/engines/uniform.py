"""The engine `random`: any legal move that does not fill an own eye, all equally likely."""

from __future__ import annotations

import numpy as np

from goengine.endgame.candidates import candidate_points
from goengine.engines.engine import Engine
from goengine.points import PASS
from goengine.rules.game import Game


class RandomEngine(Engine):
    def __init__(self, seed: int, playouts: int) -> None:
        super().__init__(seed, playouts)
        self._random = np.random.default_rng(seed)

    def choose(self, game: Game, color: int) -> int:
        points = candidate_points(game, color)
        return int(self._random.choice(points)) if len(points) else PASS
