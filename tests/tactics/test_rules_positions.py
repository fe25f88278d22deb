"""tests/positions/self_atari.t, one_liberty.t, two_liberties.t, many_liberties.t, races.t ...

Every position is asked turned, mirrored and with swapped colours as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from goengine.board import EMPTY, play_move
from goengine.board.eyes import is_eye
from goengine.board.records import blank_boards
from goengine.jit import COMPILED, kernel
from goengine.points import format_vertex, parse_vertex, point_at, row_column
from goengine.randomness import random_state
from goengine.tactics import ataris
from goengine.tactics.approaches import better_than_self_atari
from goengine.tactics.ataris import kind_of_atari
from goengine.tactics.ladders import READING_DEPTH
from goengine.tactics.many_liberties import note_race_moves
from goengine.tactics.notes import blank_notes, clear_notes
from goengine.tactics.one_liberty import note_atari_moves
from goengine.tactics.races import note_race_fills
from goengine.tactics.regions import blank_regions, find_regions
from goengine.tactics.seki import is_better_left
from goengine.tactics.self_atari import (
    is_bad_self_atari,
    is_very_bad_self_atari,
    sets_up_snapback,
)
from goengine.tactics.two_liberties import (
    is_safe_either_way,
    note_sure_captures,
    note_two_liberty_moves,
)
from tests.diagrams import COLORS, board_from, draw_board
from tests.position_files import Case, read_cases
from tests.tactics.groups import blank_groups, find_groups, group_of, has_two_eyes
from tests.tactics.useful_runs import is_useful_run

N_DRAWS = 64  # of a move that is drawn from a few

ATARIS = {
    ataris.NO_ATARI: "no-atari",
    ataris.PLAIN: "plain",
    ataris.THREATENS_NEARBY: "nearby",
    ataris.THREATENS_BESIDE: "beside",
    ataris.DOUBLE: "double",
    ataris.CATCHES: "catches",
    ataris.FREES: "frees",
    ataris.CUTTING: "cutting",
    ataris.LARGE: "large",
    ataris.SNAPBACK: "snapback",
}

# Quarter turns, mirrored or not, with colours swapped or not; as plain Python two of them.
VIEWS = [
    (n_turns, is_mirrored, is_swapped)
    for n_turns in range(4)
    for is_mirrored in (False, True)
    for is_swapped in (False, True)
]
SOME_VIEWS = VIEWS if COMPILED else [VIEWS[0], VIEWS[7]]
SWAPPED = str.maketrans("XObw", "OXwb")


@kernel
def ask_bad(board, notes, point, color):
    return is_bad_self_atari(board, notes, point, color)


@kernel
def ask_very_bad(board, notes, point, color):
    return is_very_bad_self_atari(board, notes, point, color)


@kernel
def draw_better(board, notes, point, color, found):
    """Count by point how often it is chosen."""
    for _ in range(N_DRAWS):
        found[better_than_self_atari(board, notes, point, color)] += 1


@kernel
def ask_better_left(board, point, color):
    return is_better_left(board, point, color)


@kernel
def ask_eye(board, point, color):
    return is_eye(board, point, color)


@kernel
def ask_two_eyes(board, groups, head):
    find_groups(board, groups, np.uint64(board.color[head]))
    return has_two_eyes(groups, head)


@kernel
def ask_linked(board, groups, head, other):
    find_groups(board, groups, np.uint64(board.color[head]))
    return group_of(groups, head) == group_of(groups, other)


class View:
    """A position seen from some side, and what words in these files ask about it."""

    def __init__(self, case: Case, n_turns: int, is_mirrored: bool, is_swapped: bool) -> None:
        self.size = len(case.rows)
        self.is_swapped = is_swapped
        self.turned = {}
        for point in range(self.size**2):
            row, column = divmod(point, self.size)
            there = (row, self.size - 1 - column) if is_mirrored else (row, column)
            for _ in range(n_turns):
                there = (there[1], self.size - 1 - there[0])
            self.turned[row, column] = there
        self.original = {there: here for here, there in self.turned.items()}
        letters = [row.split() for row in reversed(case.rows)]
        rows = [["."] * self.size for _ in letters]
        for (row, column), (to_row, to_column) in self.turned.items():
            rows[to_row][to_column] = letters[row][column]
        text = "\n".join(" ".join(row) for row in reversed(rows))
        self.board = board_from(text.translate(SWAPPED) if is_swapped else text)
        self.board.random = random_state(1)
        self.notes = blank_notes()[0]
        self.reading = blank_boards(READING_DEPTH, self.size)
        self.groups = blank_groups()[0]

    def color(self, letter: str) -> np.uint64:
        color = COLORS[letter]
        return np.uint64(3 - color if self.is_swapped else color)

    def point(self, vertex: str) -> np.uint64:
        place = self.turned[row_column(parse_vertex(vertex, self.size), self.size)]
        return np.uint64(point_at(*place, self.size))

    def empty(self, vertex: str) -> np.uint64:
        point = self.point(vertex)
        assert self.board.color[point] == EMPTY, f"there is a stone at {vertex}"
        return point

    def chain(self, vertex: str) -> np.uint64:
        point = self.point(vertex)
        assert self.board.color[point] != EMPTY, f"no stone at {vertex}"
        return np.uint64(self.board.chain[point])

    def head(self, vertex: str, n_liberties: int) -> np.uint64:
        head = self.chain(vertex)
        assert self.board.n_liberties[head] == n_liberties, f"{vertex} has other liberties"
        return head

    def vertices(self, points: Any) -> list[str]:
        """As the file has them, in the order of the alphabet; a 0 is left out."""
        places = [row_column(int(point), self.size) for point in points if point != 0]
        rows_columns = [self.original[place] for place in places]
        return sorted(format_vertex(point_at(*each, self.size), self.size) for each in rows_columns)

    def noted(self) -> list[str]:
        return self.vertices(self.notes.points[: self.notes.n])

    def play(self, color: str, vertex: str) -> None:
        self.board.to_play = self.color(color)
        play_move(self.board, self.empty(vertex), self.color(color))

    # --- self_atari.t

    def bad(self, color: str, vertex: str) -> bool:
        return bool(ask_bad(self.board, self.notes, self.empty(vertex), self.color(color)))

    def very_bad(self, color: str, vertex: str) -> bool:
        return bool(ask_very_bad(self.board, self.notes, self.empty(vertex), self.color(color)))

    def snaps(self, color: str, vertex: str) -> bool:
        return bool(sets_up_snapback(self.board, self.empty(vertex), self.color(color)))

    def instead(self, color: str, vertex: str) -> list[str]:
        found = np.zeros(len(self.board.color), np.int64)
        draw_better(self.board, self.notes, self.empty(vertex), self.color(color), found)
        return self.vertices(np.flatnonzero(found))

    # --- one_liberty.t

    def answers(self, color: str, vertex: str) -> list[str]:
        return self._about_atari(color, vertex, False)

    def enough(self, color: str, vertex: str) -> list[str]:
        return self._about_atari(color, vertex, True)

    def _about_atari(self, color: str, vertex: str, is_capture_enough: bool) -> list[str]:
        clear_notes(self.notes)
        head = self.head(vertex, 1)
        note_atari_moves(self.board, self.notes, head, self.color(color), is_capture_enough)
        return self.noted()

    # --- two_liberties.t

    def moves(self, color: str, vertex: str) -> list[str]:
        return self._about_two_liberties(color, vertex, True)

    def moves_with_hopeless(self, color: str, vertex: str) -> list[str]:
        return self._about_two_liberties(color, vertex, False)

    def _about_two_liberties(self, color: str, vertex: str, avoids_hopeless: bool) -> list[str]:
        clear_notes(self.notes)
        head = self.head(vertex, 2)
        note_two_liberty_moves(self.board, self.notes, head, self.color(color), avoids_hopeless)
        return self.noted()

    def safe(self, vertex: str) -> bool:
        return bool(is_safe_either_way(self.board, self.head(vertex, 2)))

    def sure(self, color: str, vertex: str) -> list[str]:
        clear_notes(self.notes)
        note_sure_captures(self.board, self.notes, self.head(vertex, 2), self.color(color))
        return self.noted()

    # --- many_liberties.t

    def race(self, color: str, vertex: str) -> list[str]:
        clear_notes(self.notes)
        head = np.uint64(self.board.chain[self.point(vertex)])
        assert self.board.n_liberties[head] in (3, 4), f"{vertex} has other liberties"
        assert self.board.color[head] == self.color(color)
        note_race_moves(self.board, self.notes, head, self.color(color))
        return self.noted()

    # --- races.t

    def fills(self, color: str, vertex: str) -> list[str]:
        clear_notes(self.notes)
        head = np.uint64(self.board.chain[self.point(vertex)])
        assert self.board.color[head] == self.color(color)
        note_race_fills(self.board, self.notes, head, self.color(color))
        return self.noted()

    # --- seki.t

    def left(self, color: str, vertex: str) -> bool:
        return bool(ask_better_left(self.board, self.empty(vertex), self.color(color)))

    # --- eyes.t

    def closed(self, color: str, vertex: str) -> bool:
        return bool(ask_eye(self.board, self.point(vertex), self.color(color)))

    # --- ataris.t

    def kind(self, color: str, vertex: str) -> list[str]:
        point, mover = self.empty(vertex), self.color(color)
        regions = blank_regions()[0]
        find_regions(self.board, regions, mover)
        kind = kind_of_atari(self.board, self.reading, regions, point, mover)
        return [ATARIS[int(kind)]]

    # --- groups.t

    def two_eyes(self, vertex: str) -> bool:
        return bool(ask_two_eyes(self.board, self.groups, self.chain(vertex)))

    def linked(self, vertex: str, other: str) -> bool:
        head, other_head = self.chain(vertex), self.chain(other)
        assert self.board.color[head] == self.board.color[other_head]
        return bool(ask_linked(self.board, self.groups, head, other_head))

    # --- useful_runs.t

    def run(self, vertex: str) -> bool:
        head = self.head(vertex, 1)
        return bool(is_useful_run(self.board, self.reading, self.groups, head))


YES_OR_NO: dict[str, tuple[Callable[..., bool], bool]] = {
    "bad": (View.bad, True),
    "fine": (View.bad, False),
    "very-bad": (View.very_bad, True),
    "bearable": (View.very_bad, False),
    "snaps": (View.snaps, True),
    "snaps-not": (View.snaps, False),
    "safe": (View.safe, True),
    "unsafe": (View.safe, False),
    "left": (View.left, True),
    "touched": (View.left, False),
    "closed": (View.closed, True),
    "open": (View.closed, False),
    "two-eyes": (View.two_eyes, True),
    "one-eye": (View.two_eyes, False),
    "linked": (View.linked, True),
    "parted": (View.linked, False),
    "useful": (View.run, True),
    "useless": (View.run, False),
}
# The first two words, a colour and a place, are the question, the others the answer.
WITH_ANSWER: dict[str, Callable[..., list[str]]] = {
    "instead": View.instead,
    "answers": View.answers,
    "enough": View.enough,
    "moves": View.moves,
    "hopeless": View.moves_with_hopeless,
    "sure": View.sure,
    "race": View.race,
    "fills": View.fills,
    "kind": View.kind,
}


def ask(view: View, word: str, *words: str) -> tuple[Any, Any]:
    """What was found, and what the line expects."""
    if word == "play":
        view.play(*words)
        return None, None
    if word in YES_OR_NO:
        question, expected = YES_OR_NO[word]
        return question(view, *words), expected
    assert len(words) > 2, f"{word} without an answer"
    return WITH_ANSWER[word](view, *words[:2]), sorted(set(words[2:]) - {"none"})


FILES = (
    "self_atari.t",
    "one_liberty.t",
    "two_liberties.t",
    "many_liberties.t",
    "races.t",
    "seki.t",
    "eyes.t",
    "ataris.t",
    "groups.t",
    "useful_runs.t",
)


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("case", [each for name in FILES for each in read_cases(name)], ids=str)
def test_position(case: Case) -> None:
    assert case.lines
    for side in SOME_VIEWS:
        view = View(case, *side)
        for line in case.lines:
            before = draw_board(view.board)
            found, expected = ask(view, *line)
            assert found == expected, (
                f"{case.place}: {' '.join(line)}: found {found}, expected {expected}, "
                f"view {side}, in\n{before}"
            )
            assert line[0] == "play" or draw_board(view.board) == before
