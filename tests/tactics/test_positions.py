"""tests/positions/captures.t and ladders.t"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from goengine.board import play_move
from goengine.board.records import blank_boards
from goengine.jit import kernel
from goengine.points import format_vertex, parse_vertex
from goengine.tactics import ladders
from goengine.tactics.captures import can_take, is_snapback, note_countercaptures
from goengine.tactics.ladders import (
    find_ladders,
    is_caught,
    is_caught_after,
    is_edge_ladder,
)
from goengine.tactics.liberties import is_self_atari, liberties_after
from goengine.tactics.notes import blank_notes, clear_notes
from tests.diagrams import COLORS, board_from, draw_board
from tests.position_files import Case, read_cases
from tests.tactics.ladder_kinds import is_ladder, makes_ladder

N_READING = 20
KINDS = {
    0: "none",
    ladders.RUNS: "runs",
    ladders.CHASES: "chases",
    ladders.DEFENDS: "defends",
    ladders.RUNS_IN_VAIN: "runs-in-vain",
    ladders.CATCHES: "catches",
}


@kernel
def ask_takes(board, head):
    return can_take(board, head)


@kernel
def ask_counters(board, notes, head):
    clear_notes(notes)
    note_countercaptures(board, notes, head)


@kernel
def ask_self_atari(board, point, color):
    return is_self_atari(board, point, color)


class Asked:
    """A position, and what words in these files ask about it."""

    def __init__(self, case: Case) -> None:
        self.size = len(case.rows)
        self.board = board_from("\n".join(case.rows))
        self.reading = blank_boards(N_READING, self.size)
        self.notes = blank_notes()[0]

    def point(self, vertex: str) -> np.uint64:
        return np.uint64(parse_vertex(vertex, self.size))

    def head(self, vertex: str) -> np.uint64:
        point = self.point(vertex)
        assert self.board.color[point] != 0, f"no stone at {vertex}"
        return np.uint64(self.board.chain[point])

    def vertices(self, points: Any) -> list[str]:
        return [format_vertex(int(point), self.size) for point in points]

    def play(self, color: str, vertex: str) -> None:
        self.board.to_play = COLORS[color]
        play_move(self.board, self.point(vertex), COLORS[color])

    # --- captures.t

    def takes(self, vertex: str) -> bool:
        return bool(ask_takes(self.board, self.head(vertex)))

    def snapback(self, vertex: str) -> bool:
        return bool(is_snapback(self.board, self.head(vertex)))

    def counters(self, vertex: str) -> list[str]:
        ask_counters(self.board, self.notes, self.head(vertex))
        return sorted(self.vertices(self.notes.points[: self.notes.n]))

    def after(self, color: str, vertex: str) -> list[str]:
        point = self.point(vertex)
        return [str(liberties_after(self.board, point, np.uint64(COLORS[color]))[0])]

    def self_atari(self, color: str, vertex: str) -> bool:
        return bool(ask_self_atari(self.board, self.point(vertex), np.uint64(COLORS[color])))

    # --- ladders.t

    def caught(self, vertex: str) -> bool:
        return bool(is_caught(self.board, self.reading, self.head(vertex)))

    def ladder(self, vertex: str) -> bool:
        return bool(is_ladder(self.board, self.reading, self.head(vertex)))

    def edge(self, vertex: str) -> bool:
        return bool(is_edge_ladder(self.board, self.head(vertex)))

    def caught_after(self, vertex: str, chase: str) -> bool:
        head, point = self.head(vertex), self.point(chase)
        assert self.board.n_liberties[head] == 2
        return bool(is_caught_after(self.board, self.reading, head, point))

    def kind(self, color: str, vertex: str) -> list[str]:
        kinds = np.zeros(len(self.board.color), np.uint8)
        find_ladders(self.board, self.reading, np.uint64(COLORS[color]), kinds)
        return [KINDS[int(kinds[self.point(vertex)])]]

    def starts(self, vertex: str, chase: str) -> bool:
        head, point = self.head(vertex), self.point(chase)
        assert self.board.n_liberties[head] == 2
        return bool(makes_ladder(self.board, self.reading, head, point))


# Questions with yes or no: the word for each. A place is all that follows.
YES_OR_NO: dict[str, tuple[Callable[..., bool], bool]] = {}
for question, yes, no in (
    (Asked.takes, "takes", "spares"),
    (Asked.snapback, "snapback", "plain"),
    (Asked.self_atari, "self-atari", "fine"),
    (Asked.caught, "caught", "escapes"),
    (Asked.ladder, "ladder", "no-ladder"),
    (Asked.edge, "edge", "no-edge"),
    (Asked.caught_after, "caught-after", "escapes-after"),
    (Asked.starts, "starts", "starts-none"),
):
    YES_OR_NO[yes] = (question, True)
    YES_OR_NO[no] = (question, False)

# Questions with an answer: how many words belong to the question; the others are the answer.
WITH_ANSWER: dict[str, tuple[Callable[..., Any], int]] = {
    "counters": (Asked.counters, 1),
    "after": (Asked.after, 2),
    "kind": (Asked.kind, 2),
}


def ask(asked: Asked, word: str, *words: str) -> tuple[Any, Any]:
    """What was found, and what the line expects."""
    if word == "play":
        asked.play(*words)
        return None, None
    if word in YES_OR_NO:
        question, expected = YES_OR_NO[word]
        return question(asked, *words), expected
    with_answer, n_words = WITH_ANSWER[word]
    return with_answer(asked, *words[:n_words]), list(words[n_words:])


FILES = ("captures.t", "ladders.t")


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("case", [each for name in FILES for each in read_cases(name)], ids=str)
def test_position(case: Case) -> None:
    asked = Asked(case)
    for line in case.lines:
        before = draw_board(asked.board)
        found, expected = ask(asked, *line)
        assert found == expected, (
            f"{case.place}: {' '.join(line)}: found {found}, expected {expected} in\n{before}"
        )
        assert line[0] == "play" or draw_board(asked.board) == before
