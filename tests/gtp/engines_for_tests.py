"""Engines so simple that a test knows what they will play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from goengine.engines.engine import Engine
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.search.orders import Found, Order
from tests.gtp.readings_for_tests import quick_reading


class FirstLegalEngine(Engine):
    """Plays the first legal point from A1 on, row by row; passes when there is none."""

    def __init__(self) -> None:
        super().__init__(seed=0, playouts=1)

    def choose(self, game: Game, color: int) -> int:
        legal = (point for point in all_points(game.size) if game.is_legal(color, point))
        return next(legal, PASS)


class CarelessEngine(Engine):
    """Tries some random points and passes if none is legal: quick on any board.

    What it says it has found is made up.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed, playouts=1)
        self.random = Random(seed)

    def choose(self, game: Game, color: int) -> int:
        for point in self.random.choices(all_points(game.size), k=4):
            if game.is_legal(color, point):
                return point
        return PASS

    def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
        return Found(self.choose(game, order.color), quick_reading(game.size, order.color))


class ScriptedEngine(Engine):
    """Plays the moves it is given, one after the other, legal or not."""

    def __init__(self, moves: Iterable[int]) -> None:
        super().__init__(seed=0, playouts=1)
        self.moves = iter(moves)

    def choose(self, game: Game, color: int) -> int:
        return next(self.moves)


class BrokenEngine(Engine):
    """Fails, with a message that GTP could not send as it is."""

    def __init__(self) -> None:
        super().__init__(seed=0, playouts=1)

    def choose(self, game: Game, color: int) -> int:
        raise ZeroDivisionError("no\n\nmove")


def vertices(text: str, size: int) -> list[int]:
    return [parse_vertex(vertex, size) for vertex in text.split()]
