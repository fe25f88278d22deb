"""A position drawn for a terminal: on wood and in colour, or in plain ASCII."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.style import Style
from rich.text import Text

from goengine.points import COLUMN_LETTERS, point_at, star_points

Place = tuple[int, int]  # row, column from the lower left corner


@dataclass(frozen=True)
class Position:
    size: int
    black: frozenset[Place]
    white: frozenset[Place]
    last_move: Place | None = None  # None also for a pass
    owners: Mapping[Place, float] = field(default_factory=dict)  # 1 is black's, -1 white's


Shades = tuple[tuple[float, str], ...]  # from which strength, which colour

_CLEAR_OWNER = 0.5  # the strength of ownership from which a stone counts as dead


@dataclass(frozen=True)
class Glyphs:
    """How a board is drawn: characters with their styles.

    `grid` has nine characters, three each for the top, middle and bottom rows. An area is
    shown by what is behind its points, the last of the colours whose strength is reached; or
    else by the letters of its owners.
    """

    grid: str
    between: str
    star: tuple[str, Style]
    black: tuple[str, Style]
    white: tuple[str, Style]
    line: Style
    label: Style
    last_move: Style
    black_area: Shades = ()
    white_area: Shades = ()
    area_letters: str = ""  # black's and white's


def _on_wood(
    wood: str,
    *,
    line: str,
    label: str,
    black: str,
    white: str,
    mark: str,
    black_area: Shades,
    white_area: Shades,
) -> Glyphs:
    return Glyphs(
        grid="┌┬┐├┼┤└┴┘",
        between="─",
        star=("╋", Style(color=label, bgcolor=wood, bold=True)),
        black=("●", Style(color=black, bgcolor=wood)),
        white=("●", Style(color=white, bgcolor=wood, bold=True)),
        line=Style(color=line, bgcolor=wood),
        label=Style(color=label, bgcolor=wood),
        last_move=Style(color=mark, bgcolor=wood, bold=True),
        black_area=black_area,
        white_area=white_area,
    )


# All of them from the 256-colour palette, so that more colours look the same.
IN_COLOR = _on_wood(
    "#d7af5f",
    line="#875f00",
    label="#444444",
    black="#121212",
    white="#ffffff",
    mark="#af0000",
    black_area=((0.3, "#af875f"), (0.6, "#875f5f"), (0.85, "#585858")),
    white_area=((0.3, "#d7d7af"), (0.6, "#ffffd7"), (0.85, "#ffffff")),
)
IN_16_COLORS = _on_wood(
    "yellow",
    line="black",
    label="black",
    black="black",
    white="bright_white",
    mark="red",
    black_area=((0.6, "bright_black"),),
    white_area=((0.6, "white"),),
)
IN_ASCII = Glyphs(
    grid="." * 9,
    between=" ",
    star=("+", Style()),
    black=("X", Style()),
    white=("O", Style()),
    line=Style(),
    label=Style(),
    last_move=Style(),
    area_letters="xo",
)


def board_width(size: int) -> int:
    """Characters in each line that `draw_board` draws."""
    return 2 * size + 7


def draw_board(position: Position, glyphs: Glyphs) -> Text:
    """Draw with coordinates on all sides and brackets around the last move."""
    size = position.size
    letters = Text(f"{' '.join(COLUMN_LETTERS[:size]):^{board_width(size)}}", glyphs.label)
    lines = [letters]
    for row in reversed(range(size)):
        number = str(row + 1)
        line = Text(f"{number:>3}", glyphs.label)
        line.append_text(_draw_row(position, row, glyphs))
        line.append(f"{number:<3}", glyphs.label)
        lines.append(line)
    lines.append(letters)
    return Text("\n", no_wrap=True).join(lines)


def _draw_row(position: Position, row: int, glyphs: Glyphs) -> Text:
    """One cell a point, with a cell between points and one at each end."""
    size = position.size
    cells = [(glyphs.between, glyphs.line)] * (2 * size + 1)
    cells[0] = cells[-1] = (" ", glyphs.line)
    for column in range(size):
        cells[2 * column + 1] = _point_glyph(position, (row, column), glyphs)
    if position.last_move is not None and position.last_move[0] == row:
        column = position.last_move[1]
        cells[2 * column] = ("(", glyphs.last_move)
        cells[2 * column + 2] = (")", glyphs.last_move)
    return Text.assemble(*cells)


def _point_glyph(position: Position, place: Place, glyphs: Glyphs) -> tuple[str, Style]:
    glyph, style = _unshaded_glyph(position, place, glyphs)
    owner = position.owners.get(place, 0.0)
    stones, letter = (position.black, 0) if owner > 0 else (position.white, 1)
    is_empty = place not in position.black and place not in position.white
    if place in stones or not (is_empty or abs(owner) >= _CLEAR_OWNER):
        return glyph, style
    if glyphs.area_letters and is_empty and abs(owner) >= _CLEAR_OWNER:
        glyph = glyphs.area_letters[letter]
    for strength, shade in glyphs.black_area if owner > 0 else glyphs.white_area:
        if abs(owner) >= strength:
            style += Style(bgcolor=shade)
    return glyph, style


def _unshaded_glyph(position: Position, place: Place, glyphs: Glyphs) -> tuple[str, Style]:
    if place in position.black:
        return glyphs.black
    if place in position.white:
        return glyphs.white
    if point_at(*place, position.size) in star_points(position.size):
        return glyphs.star
    row, column = (_third(index, position.size) for index in place)
    return glyphs.grid[3 * (2 - row) + column], glyphs.line


def _third(index: int, size: int) -> int:
    """0 for the first line of the board, 2 for the last one, 1 for all between."""
    return 0 if index == 0 else 2 if index == size - 1 else 1
