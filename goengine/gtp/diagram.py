"""A position in plain text, for people who read GTP.

  A B C D E
5 . . . . .  5
4 . . X . .  4
3 . .(O). .  3      ( ) marks the last move
2 . . . . .  2      + marks an empty star point
1 . . . . .  1
  A B C D E
"""

from __future__ import annotations

from goengine.board import BLACK, EMPTY, WHITE
from goengine.points import COLUMN_LETTERS, PASS, format_vertex, point_at, star_points
from goengine.rules.game import Game

_SYMBOLS = {EMPTY: ".", BLACK: "X", WHITE: "O"}
_COLOR_NAMES = {BLACK: "black", WHITE: "white"}


def format_board(game: Game) -> str:
    """Return the diagram and, below it, what else there is to know. No empty lines."""
    letters = "   " + " ".join(COLUMN_LETTERS[: game.size])
    rows = [_format_row(game, row) for row in reversed(range(game.size))]
    return "\n".join([letters, *rows, letters, *_captions(game)])


def _format_row(game: Game, row: int) -> str:
    last = game.moves[-1].point if game.moves else PASS
    stars = star_points(game.size)
    cells = ""
    for column in range(game.size):
        point = point_at(row, column, game.size)
        color = int(game.board.color[point])
        symbol = "+" if color == EMPTY and point in stars else _SYMBOLS[color]
        if point == last:
            cells += f"({symbol})"
        else:
            cells += symbol if cells.endswith(")") else " " + symbol
    return f"{row + 1:2}{cells:<{2 * game.size + 1}}{row + 1:2}"


def _captions(game: Game) -> list[str]:
    to_play = _COLOR_NAMES[game.to_play]
    move_line = f"Move {len(game.moves) + 1}: {to_play} to play"
    if game.moves:
        color, point = game.moves[-1]
        move_line += f" (last: {_COLOR_NAMES[color]} {format_vertex(point, game.size)})"
    handicap = f", handicap {game.n_handicap}" if game.n_handicap else ""
    return [
        f"Black X has captured {game.captures(BLACK)}, white O has captured {game.captures(WHITE)}",
        f"Rules {game.rules.name}, komi {game.komi}" + handicap,
        move_line,
    ]
