"""What is allowed: moves, repetition. A board of its own, independent of the engines'."""

from __future__ import annotations

from typing import Any

from sgfmill.boards import Board

from clients.match.game_record import Color
from clients.match.places import Place, place_of, vertex_at
from goengine.rules.rulesets import Rules

PASS = "pass"


class Illegal(ValueError):
    """The move is not allowed; the text says why."""


def other(color: Color) -> Color:
    return "white" if color == "black" else "black"


class Referee:
    """The game as the rules have it.

    captured    stones of each colour that were taken off the board
    """

    def __init__(self, size: int, rules: Rules) -> None:
        self.size = size
        self.rules = rules
        self.board = Board(size)
        self.to_move: Color = "black"
        self.n_passes = 0
        self.captured: dict[Color, int] = {"black": 0, "white": 0}
        self._ko: Place | None = None
        self._seen = {self._situation()}

    @property
    def is_over(self) -> bool:
        return self.n_passes >= 2

    def place_handicap(self, vertices: list[str]) -> None:
        """Raises Illegal."""
        places = [self.place_of(vertex) for vertex in vertices]
        if len(set(places)) != len(places):
            raise Illegal("a handicap stone is placed twice")
        self.board.apply_setup(places, [], [])
        self.to_move = "white"
        self._seen = {self._situation()}

    def play(self, vertex: str) -> None:
        """The player to move plays there or passes. Raises Illegal; then nothing has changed."""
        color = self.to_move
        if vertex.lower() == PASS:
            self.n_passes += 1
            self._ko = None
        else:
            self._put_stone(self.place_of(vertex), vertex, color)
            self.n_passes = 0
        self.to_move = other(color)
        if self.rules.ko == "situational":
            self._seen.add(self._situation())

    def place_of(self, vertex: str) -> Place:
        """Raises Illegal."""
        try:
            place = place_of(vertex, self.size)
        except ValueError as error:
            raise Illegal(str(error)) from None
        if place is None:
            raise Illegal("a pass is no point")
        return place

    def vertex_at(self, place: Place) -> str:
        return vertex_at(*place, self.size)

    def _put_stone(self, place: Place, vertex: str, color: Color) -> None:
        if self.board.get(*place) is not None:
            raise Illegal(f"{vertex} is occupied")
        if self.rules.ko == "simple" and place == self._ko:
            raise Illegal(f"{vertex} takes the ko back at once")
        before, n_before = self.board.copy(), self._count()
        ko = self.board.play(*place, color[0])
        n_after = self._count()
        n_lost = n_before[color] + 1 - n_after[color]
        try:
            if n_lost and (n_lost == 1 or not self.rules.suicide):
                raise Illegal(f"{vertex} is suicide")
            self._check_repetition(vertex, color)
        except Illegal:
            self.board = before
            raise
        self._ko = ko
        self.captured[color] += n_lost
        self.captured[other(color)] += n_before[other(color)] - n_after[other(color)]

    def _check_repetition(self, vertex: str, color: Color) -> None:
        if self.rules.ko == "simple":
            return
        self.to_move = other(color)
        situation = self._situation()
        self.to_move = color
        if situation in self._seen:
            raise Illegal(f"{vertex} repeats an earlier position")
        self._seen.add(situation)

    def _situation(self) -> tuple[Any, ...]:
        """What may not come back under superko."""
        stones = tuple(map(tuple, self.board.board))
        return (stones, self.to_move) if self.rules.ko == "situational" else stones

    def _count(self) -> dict[Color, int]:
        rows = self.board.board
        return {
            "black": sum(row.count("b") for row in rows),
            "white": sum(row.count("w") for row in rows),
        }
