"""Boards drawn for terminals."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from clients.terminal_board import (
    IN_16_COLORS,
    IN_ASCII,
    IN_COLOR,
    Position,
    board_width,
    draw_board,
)
from goengine.points import MAX_SIZE, MIN_SIZE

POSITION = Position(
    size=7,
    black=frozenset({(0, 0), (4, 3)}),
    white=frozenset({(6, 6), (2, 2)}),
    last_move=(6, 6),
)

ASCII_DIAGRAM = """\
    A B C D E F G
  7 . . . . . .(O)7
  6 . . . . . . . 6
  5 . . + X + . . 5
  4 . . . + . . . 4
  3 . . O . + . . 3
  2 . . . . . . . 2
  1 X . . . . . . 1
    A B C D E F G"""

COLOR_DIAGRAM = """\
    A B C D E F G
  7 ┌─┬─┬─┬─┬─┬(●)7
  6 ├─┼─┼─┼─┼─┼─┤ 6
  5 ├─┼─╋─●─╋─┼─┤ 5
  4 ├─┼─┼─╋─┼─┼─┤ 4
  3 ├─┼─●─┼─╋─┼─┤ 3
  2 ├─┼─┼─┼─┼─┼─┤ 2
  1 ●─┴─┴─┴─┴─┴─┘ 1
    A B C D E F G"""


def without_margin(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


def test_ascii() -> None:
    assert without_margin(draw_board(POSITION, IN_ASCII).plain) == ASCII_DIAGRAM


@pytest.mark.parametrize("glyphs", [IN_COLOR, IN_16_COLORS])
def test_in_color(glyphs) -> None:
    assert without_margin(draw_board(POSITION, glyphs).plain) == COLOR_DIAGRAM


def test_stones_differ_by_color_alone() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system="256")
    console.print(draw_board(POSITION, IN_COLOR))
    black, white, wood = "38;5;233", "38;5;231", "48;5;179"
    assert stream.getvalue().count(f"{black};{wood}m●") == 2
    assert stream.getvalue().count(f"{white};{wood}m●") == 2


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_every_line_has_the_width_that_is_promised(size: int) -> None:
    position = Position(size, black=frozenset(), white=frozenset({(0, 0)}), last_move=(0, 0))
    lines = draw_board(position, IN_COLOR).plain.split("\n")
    assert len(lines) == size + 2
    assert {len(line) for line in lines} == {board_width(size)}


OWNED = replace(
    POSITION,
    owners={(5, 0): 1.0, (5, 1): 0.7, (5, 2): 0.4, (5, 3): 0.1}
    | {(1, 0): -1.0, (1, 1): -0.7, (1, 2): -0.4, (1, 3): -0.1}
    | {(0, 0): -1.0, (6, 6): -1.0, (2, 2): 0.4},  # dead, alive, doubtful
)


def test_areas_in_ascii() -> None:
    lines = without_margin(draw_board(OWNED, IN_ASCII).plain).split("\n")
    assert lines[2] == "  6 x x . . . . . 6"
    assert lines[6] == "  2 o o . . . . . 2"
    assert lines[7] == "  1 X . . . . . . 1"
    assert lines[1].endswith("(O)7")


@pytest.mark.parametrize("glyphs", [IN_COLOR, IN_16_COLORS])
def test_areas_leave_the_lines_as_they_are(glyphs) -> None:
    assert without_margin(draw_board(OWNED, glyphs).plain) == COLOR_DIAGRAM


def test_areas_are_shaded_by_strength() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system="256")
    console.print(draw_board(OWNED, IN_COLOR))
    shades = {240: 1, 95: 1, 137: 1, 231: 2, 230: 1, 187: 1}  # 231 also behind the dead stone
    for shade, n_points in shades.items():
        assert stream.getvalue().count(f";48;5;{shade}m") == n_points
    assert "38;5;233;48;5;231m●" in stream.getvalue()


def test_areas_in_16_colors() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system="standard")
    console.print(draw_board(OWNED, IN_16_COLORS))
    assert stream.getvalue().count(";100m") == 2  # what is Black's for certain
    assert stream.getvalue().count(";47m") == 3
