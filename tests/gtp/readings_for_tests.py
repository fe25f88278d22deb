"""What a search might have found, the same every time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from goengine.board import BLACK
from goengine.engines.engine import Engine
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.rules.scoring import score_game
from goengine.search.orders import Found, Order
from goengine.search.reading import MoveReading, SearchReading


def move_reading(
    vertex: str,
    visits: int,
    win_rate: float | None,
    variation: str = "",
    variation_visits: tuple[int, ...] = (),
    prior_win_rate: float = 0.5,
) -> MoveReading:
    """A move on a board of up to 9 lines."""
    move = parse_vertex(vertex, 9)
    return MoveReading(
        move=move,
        visits=visits,
        win_rate=win_rate,
        amaf_visits=2 * visits,
        amaf_win_rate=win_rate,
        prior_visits=10.0,
        prior_win_rate=prior_win_rate,
        variation=(move, *(parse_vertex(each, 9) for each in variation.split())),
        variation_visits=(visits, *variation_visits),
    )


def fixed_reading(size: int = 3, to_play: int = BLACK) -> SearchReading:
    """Two moves with visits and two without; black owns all of the top row, half of A1."""
    top = {parse_vertex(f"{'ABCDEFGHJ'[column]}{size}", 9): 1.0 for column in range(size)}
    return SearchReading(
        size=size,
        to_play=to_play,
        simulations=90,
        visits=100,
        win_rate=0.53,
        score=2.5,
        score_stdev=12.25,
        ownership=dict.fromkeys(all_points(size), 0.0) | top | {parse_vertex("A1", 9): 0.6},
        depth=2.0,
        max_depth=5,
        nodes=80,
        capacity=1000,
        moves=(
            move_reading("C3", 60, 0.55, "B2 pass", (20, 5)),
            move_reading("A2", 40, 0.5, "C1", (30,)),
            move_reading("B1", 0, None, prior_win_rate=0.4),
            move_reading("pass", 0, None, prior_win_rate=0.1),
        ),
    )


def reading_as_it_stands(game: Game, to_play: int) -> SearchReading:
    """Of a search that finds every stone alive."""
    owners = score_game(game).ownership
    ownership = {point: float(owners[point]) for point in all_points(game.size)}
    return replace(fixed_reading(game.size, to_play), simulations=2000, ownership=ownership)


def quick_reading(size: int, to_play: int) -> SearchReading:
    """On a board of any size: the first two points and a pass, one of them without visits."""
    first, second = all_points(size)[:2]
    best = move_reading("pass", 8, 0.75)._replace(
        move=first,
        variation=(first, second),
        variation_visits=(8, 1),
    )
    other = move_reading("pass", 0, None)._replace(move=second, variation=(second,))
    return replace(
        fixed_reading(to_play=to_play),
        size=size,
        ownership=dict.fromkeys(all_points(size), -0.25),
        moves=(best, move_reading("pass", 3, 0.25), other),
    )


def without_visits(reading: SearchReading) -> SearchReading:
    """The same at its very beginning."""
    moves = tuple(
        move._replace(
            visits=0,
            win_rate=None,
            variation=move.variation[:1],
            variation_visits=(0,),
        )
        for move in reading.moves
    )
    return replace(
        reading,
        simulations=0,
        visits=0,
        win_rate=None,
        score=None,
        score_stdev=None,
        ownership=dict.fromkeys(reading.ownership, 0.0),
        moves=moves,
    )


class ReadingEngine(Engine):
    """Finds `fixed_reading` in any game of up to 9 lines, and plays `moves` one after the other.

    orders      what it was asked for
    """

    def __init__(self, *moves: int) -> None:
        super().__init__(seed=0, playouts=400)
        self.moves = iter(moves)
        self.orders: list[Order] = []

    def choose(self, game: Game, color: int) -> int:
        return next(self.moves, PASS)

    def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
        self.orders.append(order)
        reading = fixed_reading(game.size, order.color)
        return Found(self.choose(game, order.color), reading)
