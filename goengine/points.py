"""Every coordinate system of the project, and the only place that converts.

    point       int   index on the padded board; 0 is PASS, -1 is RESIGN
    row, column int   0-based from the lower left corner, as sgfmill counts
    vertex      str   GTP text: ``D4``, ``pass``
    letters     str   SGF text: ``dd``, column then row from the top left

A board of any size lives in the smallest padded array that holds it. Sizes up
to 9 share one numbering, so do 10 to 13, 14 to 19 and 20 to 25: kernels are
compiled for these four capacities and not for each size.
"""

from __future__ import annotations

import functools

CAPACITIES = (9, 13, 19, 25)
MIN_SIZE = 2
MAX_SIZE = CAPACITIES[-1]

PASS = 0
RESIGN = -1

COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def capacity_for(size: int) -> int:
    """Return the smallest capacity that holds `size`. Raises ValueError."""
    for capacity in CAPACITIES:
        if 1 <= size <= capacity:
            return capacity
    raise ValueError(f"board size {size} is not between 1 and {MAX_SIZE}")


@functools.cache
def stride_for(size: int) -> int:
    """Distance between a point and the one above it."""
    return capacity_for(size) + 1


def steps_on(size: int) -> tuple[int, int, int, int]:
    """From a point to its four neighbours, which may be outside the board."""
    stride = stride_for(size)
    return -stride, -1, 1, stride


def point_at(row: int, column: int, size: int) -> int:
    """Does not check that row and column are on the board."""
    return (row + 1) * stride_for(size) + column + 1


def row_column(point: int, size: int) -> tuple[int, int]:
    row, column = divmod(point, stride_for(size))
    return row - 1, column - 1


def is_on_board(point: int, size: int) -> bool:
    row, column = row_column(point, size)
    return 0 <= row < size and 0 <= column < size


def all_points(size: int) -> list[int]:
    """Every point of the board, row by row from the lower left corner."""
    return [point_at(row, column, size) for row in range(size) for column in range(size)]


@functools.cache
def star_points(size: int) -> frozenset[int]:
    """The points that a board marks: corners from 7x7, sides from 13x13, a centre if it has one."""
    if size < 7:
        return frozenset()
    edge = 3 if size >= 13 else 2
    lines = {edge, size - 1 - edge}
    places = {(row, column) for row in lines for column in lines}
    if size % 2 == 1:
        middle = size // 2
        places.add((middle, middle))
        if size >= 13:
            places |= {(middle, line) for line in lines} | {(line, middle) for line in lines}
    return frozenset(point_at(row, column, size) for row, column in places)


def format_vertex(move: int, size: int) -> str:
    if move == PASS:
        return "pass"
    if move == RESIGN:
        return "resign"
    row, column = row_column(move, size)
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def parse_vertex(text: str, size: int) -> int:
    """Return a point or PASS. Raises ValueError for anything else, also off the board."""
    vertex = text.upper()
    if vertex == "PASS" and text.isascii():
        return PASS
    column = COLUMN_LETTERS.find(vertex[:1]) if vertex else -1
    digits = vertex[1:]
    if column < 0 or not (text.isascii() and digits.isdigit()) or len(digits) > 2:
        raise ValueError(f"{text!r} is not a vertex such as D4")
    row = int(digits) - 1
    if not (0 <= row < size and 0 <= column < size):
        raise ValueError(f"{text!r} is not on a {size}x{size} board")
    return point_at(row, column, size)


def format_sgf_letters(move: int, size: int) -> str:
    """A pass is the empty string, as in SGF FF[4]."""
    if move == PASS:
        return ""
    row, column = row_column(move, size)
    return chr(ord("a") + column) + chr(ord("a") + size - 1 - row)


def parse_sgf_letters(text: str, size: int) -> int:
    """Return a point or PASS. Also takes ``tt`` for a pass up to 19x19. Raises ValueError."""
    if text == "" or (text == "tt" and size <= 19):
        return PASS
    if len(text) != 2:
        raise ValueError(f"{text!r} is not an SGF point such as dd")
    column = ord(text[0]) - ord("a")
    row = size - 1 - (ord(text[1]) - ord("a"))
    if not (0 <= row < size and 0 <= column < size):
        raise ValueError(f"{text!r} is not on a {size}x{size} board")
    return point_at(row, column, size)
