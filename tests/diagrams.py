"""Positions as pictures.

. X O .      X black, O white, . empty, the top row first
x . . o      x and o: stones that the test calls dead
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from goengine.board import BLACK, EMPTY, WHITE
from goengine.points import parse_vertex, point_at
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules

_STONES = {"X": BLACK, "x": BLACK, "O": WHITE, "o": WHITE}
_LETTERS = {EMPTY: ".", BLACK: "X", WHITE: "O"}

COLORS = {"b": BLACK, "w": WHITE}

KO = """
    . . . . .
    . X O . .
    X O . O .
    . X O . .
    . . . . .
"""
# White sends two at A1, black takes them at C1, white takes one back at B1: the same position.
SEND_TWO = """
    . . . .
    X X O O
    X X O .
    . O . O
"""


@dataclass
class Diagram:
    size: int = 0
    black: list[int] = field(default_factory=list)
    white: list[int] = field(default_factory=list)
    dead: list[int] = field(default_factory=list)


def parse_diagram(text: str) -> Diagram:
    rows = [line.split() for line in text.strip().splitlines()]
    diagram = Diagram(size=len(rows))
    for row, letters in enumerate(reversed(rows)):
        assert len(letters) == diagram.size, f"row {row + 1} is not {diagram.size} points long"
        for column, letter in enumerate(letters):
            point = point_at(row, column, diagram.size)
            if letter in _STONES:
                (diagram.black if _STONES[letter] == BLACK else diagram.white).append(point)
                if letter.islower():
                    diagram.dead.append(point)
    return diagram


def game_on(
    text: str, to_play: int = BLACK, rules: str = "chinese", komi: float | None = None
) -> Game:
    """A game that begins with the position of a diagram."""
    diagram = parse_diagram(text)
    game = Game(diagram.size, find_rules(rules), komi)
    game.set_up(diagram.black, diagram.white, to_play)
    return game


def play_all(game: Game, moves: str) -> None:
    """Play "b D4 w pass ..."."""
    words = moves.split()
    for color, vertex in zip(words[::2], words[1::2], strict=True):
        game.play(COLORS[color], parse_vertex(vertex, game.size))


def board_from(text: str) -> Any:
    """A board record with the position of a diagram, black to play."""
    return game_on(text).board


def draw(game: Game) -> str:
    """The position as a diagram, all stones alive."""
    return draw_board(game.board)


def draw_board(board: Any) -> str:
    size = int(board.rows)
    return "\n".join(
        " ".join(_LETTERS[int(board.color[point_at(row, column, size)])] for column in range(size))
        for row in reversed(range(size))
    )


def plain(text: str) -> str:
    """A diagram as `draw` writes it."""
    kept = {letter: letter.upper() if letter in _STONES else "." for letter in "XOxo"}
    return "\n".join(
        " ".join(kept.get(letter, ".") for letter in line.split())
        for line in text.strip().splitlines()
    )


def assert_position(game: Game, expected: str) -> None:
    """Fails with both pictures."""
    found, wanted = draw(game), plain(expected)
    assert found == wanted, f"\nfound\n{found}\n\nexpected\n{wanted}"
