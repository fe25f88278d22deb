"""Patterns of 3x3 points: how much the stones around a point invite a move there.

patterns.txt has them as pictures. What stands around a point is 16 bits already
(board/neighbors.py), so each of the 65536 codes gets a class, 0 without a pattern, and each
class a weight for each of the 16 cases of which chains on the four sides are in atari.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from goengine.board.neighbors import neighbor, seen_by, sides_of
from goengine.board.records import BLACK, EDGE, EMPTY, WHITE
from goengine.jit import inlined_kernel, trailing_zeros
from goengine.tactics.notes import N_PATTERN_CLASSES, N_PATTERN_CODES
from goengine.words import U0, U1, U2, U4, U6, U16, U63

Rows = tuple[tuple[str, ...], ...]

_FILE = Path(__file__).with_name("patterns.txt")

# Bits of `around` and the row and column in a picture that they tell of; sides first.
_PLACES = {
    0: (2, 1),
    1: (1, 0),
    2: (1, 2),
    3: (0, 1),
    8: (2, 0),
    9: (2, 2),
    10: (0, 0),
    11: (0, 2),
}
_N_SIDES = 4
_N_ATARIS = 1 << _N_SIDES
_MEANINGS = {
    ".": [EMPTY],
    "X": [BLACK],
    "O": [WHITE],
    "%": [BLACK],
    "@": [WHITE],
    "-": [EDGE],
    "x": [EMPTY, WHITE, EDGE],
    "o": [EMPTY, BLACK, EDGE],
    "?": [EMPTY, BLACK, WHITE, EDGE],
}
_NOT_IN_ATARI = "%@"
_SWAP_COLORS = str.maketrans("XOxo%@", "OXox@%")

_BLACK_BITS = np.uint64(0x0F0F)
_BIT_WORDS = np.uint64(N_PATTERN_CODES // 64)


@dataclass(frozen=True)
class Pattern:
    name: str
    weight: int
    only_by_x: bool
    rows: Rows

    def views(self) -> set[Rows]:
        """The picture turned and mirrored, X always the one to move."""
        pictures = [self.rows] if self.only_by_x else [self.rows, _swap_colors(self.rows)]
        found = set()
        for rows in pictures:
            for _ in range(4):
                rows = tuple(zip(*rows[::-1], strict=True))
                found |= {rows, rows[::-1]}
        return found


def _swap_colors(rows: Rows) -> Rows:
    return tuple(tuple(letter.translate(_SWAP_COLORS) for letter in row) for row in rows)


def read_patterns(name: str) -> list[Pattern]:
    """The patterns of a set in the order of the file."""
    text = _FILE.read_text(encoding="utf-8")
    lines = iter(
        line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")
    )
    current, patterns = "", []
    for title, *words in lines:
        if title == "set":
            current = words[0]
            continue
        rows = tuple(tuple(next(lines)) for _ in range(3))
        if current == name:
            assert words[1:] in ([], ["only", "by", "X"]), title
            patterns.append(Pattern(title, int(words[0]), len(words) > 1, rows))
    assert patterns, f"no set of patterns {name}"
    return patterns


def fill_patterns(notes: Any, name: str = "pachi") -> None:
    """Write the tables of a set of patterns into notes."""
    classes, weights, bits = _tables_of_set(name)
    notes.pattern_class[...] = classes
    notes.pattern_weight[...] = weights
    notes.pattern_bits[...] = bits


@functools.cache
def _tables_of_set(name: str) -> tuple[Any, Any, Any]:
    classes, weights = pattern_tables(read_patterns(name))
    codes = np.arange(N_PATTERN_CODES, dtype=np.uint64)
    swapped = (codes & _BLACK_BITS) << U4 | (codes >> U4) & _BLACK_BITS
    matches = [classes != 0, classes[swapped] != 0]
    bits = np.packbits(np.concatenate(matches), bitorder="little").view(np.uint64)
    return classes, weights, bits


def pattern_tables(patterns: list[Pattern]) -> tuple[Any, Any]:
    """The class of each code, and the weight of each class with each ataris."""
    # An axis of the colours at each place, and then one for each side: is it in atari?
    weights = np.zeros((4,) * len(_PLACES) + (2,) * _N_SIDES, np.uint8)
    for pattern in patterns:
        for rows in pattern.views():
            letters = [rows[row][column] for row, column in _PLACES.values()]
            ataris = [[0] if letter in _NOT_IN_ATARI else [0, 1] for letter in letters[:_N_SIDES]]
            meant = [_MEANINGS[letter] for letter in letters]
            weights[np.ix_(*meant, *reversed(ataris))] = pattern.weight
    codes = np.arange(N_PATTERN_CODES)
    colors = tuple((codes >> bit & 1) | (codes >> bit + 4 & 1) << 1 for bit in _PLACES)
    by_code = weights[colors].reshape(N_PATTERN_CODES, _N_ATARIS)

    class_of_row = {bytes(_N_ATARIS): 0}
    rows_of_codes = by_code.view(f"V{_N_ATARIS}").ravel().tolist()
    classes = [class_of_row.setdefault(row, len(class_of_row)) for row in rows_of_codes]
    by_class = np.zeros((N_PATTERN_CLASSES, _N_ATARIS), np.uint8)
    by_class[classes] = by_code
    return np.array(classes, np.uint8), by_class.ravel()


@functools.cache
def symmetric_codes() -> Any:
    """By code: the least of the eight codes that its views have."""
    codes = np.arange(N_PATTERN_CODES, dtype=np.uint16)
    places = list(_PLACES.values())
    least = codes
    for turn in range(8):
        viewed = np.zeros_like(codes)
        for bit, (row, column) in zip(_PLACES, places, strict=True):
            if turn & 4:
                column = 2 - column
            for _ in range(turn & 3):
                row, column = column, 2 - row
            source = list(_PLACES)[places.index((row, column))]
            for shift in (0, 4):
                viewed |= (codes >> (source + shift) & 1) << (bit + shift)
        least = np.minimum(least, viewed)
    return least


@inlined_kernel
def may_match(board, notes, point, color):
    """Is there a pattern around the empty `point`, with some chains in atari or none?

    Most points have none: the bits that say so stay in the fastest cache, the classes don't.
    """
    around = np.uint64(board.around[point])
    word = notes.pattern_bits[(color - U1) * _BIT_WORDS + (around >> U6)]
    return (word >> (around & U63)) & U1 != U0


@inlined_kernel
def pattern_weight(board, notes, point, color):
    """How much the patterns around the empty `point` speak for a move of `color`, or 0."""
    around = np.uint64(board.around[point])
    matched = np.uint64(notes.pattern_class[seen_by(around, color)])
    if matched == U0:
        return U0
    ataris = U0
    stones = sides_of(around, U1) ^ sides_of(around, U2)
    while stones != U0:
        side = trailing_zeros(stones)
        stones &= stones - U1
        head = board.chain[neighbor(board, point, side)]
        ataris |= np.uint64(board.n_liberties[head] == 1) << side
    return np.uint64(notes.pattern_weight[matched * U16 + ataris])
