"""Test positions that others wrote, asked of our kernels: ../shared/suites beside the repo.

The files are those of Pachi's unit tests: a title after %, `boardsize N`, a diagram with `)`
behind the last move, then questions with the answer that is expected. A question after !
is one that Pachi itself does not answer as it should.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from goengine.board import BLACK, EMPTY, WHITE, play_move
from goengine.board.chains import first_liberty
from goengine.board.records import blank_boards
from goengine.jit import kernel
from goengine.playouts.pachi import choose_pachi, play_pachi
from goengine.playouts.patterns import fill_patterns
from goengine.playouts.rates import load_rates
from goengine.playouts.scoring import owner_of
from goengine.points import parse_vertex, stride_for
from goengine.randomness import random_state
from goengine.ratings import blank_ratings
from goengine.search.parameters import new_parameters
from goengine.tactics import ataris
from goengine.tactics.captures import can_countercapture
from goengine.tactics.ladders import is_caught
from goengine.tactics.notes import blank_notes
from goengine.tactics.regions import blank_regions, find_regions
from goengine.tactics.self_atari import is_bad_self_atari, sets_up_snapback
from goengine.words import U0
from tests.diagrams import COLORS, board_from
from tests.tactics.groups import blank_groups, find_groups, has_two_eyes
from tests.tactics.ladder_kinds import is_ladder, makes_ladder
from tests.tactics.useful_runs import is_useful_run

FOLDER = Path(__file__).parents[2].parent / "shared" / "suites" / "pachi-t-unit"

N_READING = 48  # Nakayama's ladder needs so many
N_SAMPLES = 500  # playouts, or moves of them
ATARIS = {
    ataris.NO_ATARI: "-1",
    ataris.PLAIN: "atari:some",
    ataris.THREATENS_NEARBY: "atari:and_cap2",
    ataris.THREATENS_BESIDE: "atari:and_cap",
    ataris.DOUBLE: "atari:double",
    ataris.CATCHES: "atari:ladder",
    ataris.FREES: "atari:ladder_safe",
    ataris.CUTTING: "atari:ladder_cut",
    ataris.LARGE: "atari:ladder_big",
    ataris.SNAPBACK: "atari:snapback",
}
SHARES = {"x": (BLACK, 0.67), "o": (WHITE, 0.67), "X": (BLACK, 0.8), "O": (WHITE, 0.8)}


@dataclass
class Question:
    place: str  # file and line
    is_optional: bool
    words: list[str]

    def __str__(self) -> str:
        return f"{self.place} {' '.join(self.words)}"


@dataclass
class Position:
    title: str
    size: int
    rows: list[str] = field(default_factory=list)  # letters alone, the last move left out
    last: str = ""  # vertex of the last move
    last_color: int = EMPTY
    ko: str = ""  # vertex of the stone that has taken a ko
    questions: list[Question] = field(default_factory=list)

    def read_row(self, line: str) -> None:
        stones = list(line[::2].strip())
        if ")" in line:
            column = line.index(")") // 2
            self.last = f"{'ABCDEFGHJKLMNOPQRST'[column]}{self.size - len(self.rows)}"
            self.last_color = BLACK if stones[column] == "X" else WHITE
            stones[column] = "."
        self.rows.append(" ".join(stones))


def read_suite(name: str) -> list[Position]:
    """The positions of a file that have questions."""
    positions: list[Position] = []
    title = ""
    for number, line in enumerate((FOLDER / name).read_text().splitlines(), 1):
        line = line.partition("#")[0].rstrip()
        if line.startswith("%"):
            title = line[1:].strip()
        elif line.startswith("boardsize"):
            positions.append(Position(title, int(line.split()[1])))
        elif line and line[0] in ".XO":
            positions[-1].read_row(line)
        elif line.startswith("ko "):
            positions[-1].ko = line.split()[1]
        elif line:
            question = Question(f"{name}:{number}", line[0] == "!", line.lstrip("! ").split())
            positions[-1].questions.append(question)
    return [position for position in positions if position.questions]


class Asked:
    """One position, with all that our kernels want to be given."""

    def __init__(self, position: Position) -> None:
        self.size = position.size
        self.boards = blank_boards(2, self.size)
        self.boards[0] = board_from("\n".join(position.rows))
        self.board = self.boards[0]
        if position.last:
            self.board.to_play = position.last_color
            play_move(self.board, self.point(position.last), position.last_color)
        if position.ko:
            stone = self.point(position.ko)
            self.board.ko = first_liberty(self.board, np.uint64(self.board.chain[stone]))
            self.board.to_play = 3 - int(self.board.color[stone])
        self.boards[1].random = random_state(1)
        self.reading = blank_boards(N_READING, self.size)
        self.groups = blank_groups()[0]
        self.notes = blank_notes()[0]
        self.ratings = blank_ratings()[0]
        fill_patterns(self.notes)
        load_rates(self.notes, new_parameters(self.size)[0])

    def point(self, vertex: str) -> int:
        return parse_vertex(vertex, self.size)

    def head(self, vertex: str) -> np.uint64:
        """Of the chain there."""
        return np.uint64(self.board.chain[self.point(vertex)])

    def head_beside(self, vertex: str, color: int, n_liberties: int) -> np.uint64:
        """Of a chain of `color` beside the point that has so many liberties."""
        point, stride = self.point(vertex), stride_for(self.size)
        for beside in (point - 1, point + 1, point - stride, point + stride):
            head = np.uint64(self.board.chain[beside])
            if self.board.color[beside] == color and self.board.n_liberties[head] == n_liberties:
                return head
        raise ValueError(f"no chain beside {vertex}")


# --- answers: each takes a position and the words behind the command ----------------------
# They return what was found and what was expected.

Answer = tuple[Any, Any]


@kernel
def ask_bad_self_atari(board, notes, point, color):
    return is_bad_self_atari(board, notes, np.uint64(point), np.uint64(color))


def bad_self_atari(asked: Asked, color: str, vertex: str, expected: str) -> Answer:
    point = asked.point(vertex)
    found = ask_bad_self_atari(asked.board, asked.notes, point, COLORS[color])
    return int(found), int(expected)


def snapback(asked: Asked, color: str, vertex: str, expected: str) -> Answer:
    point = np.uint64(asked.point(vertex))
    return int(sets_up_snapback(asked.board, point, np.uint64(COLORS[color]))), int(expected)


def countercapture(asked: Asked, vertex: str, expected: str) -> Answer:
    return int(can_countercapture(asked.board, asked.head(vertex))), int(expected)


def ladder(asked: Asked, color: str, vertex: str, expected: str) -> Answer:
    return int(is_ladder(asked.board, asked.reading, asked.head(vertex))), int(expected)


def ladder_any(asked: Asked, color: str, vertex: str, expected: str) -> Answer:
    return int(is_caught(asked.board, asked.reading, asked.head(vertex))), int(expected)


def wouldbe_ladder(asked: Asked, color: str, vertex: str, expected: str) -> Answer:
    head = asked.head_beside(vertex, 3 - COLORS[color], 2)
    chase = np.uint64(asked.point(vertex))
    return int(makes_ladder(asked.board, asked.reading, head, chase)), int(expected)


def kind_of_atari(asked: Asked, color: str, vertex: str, expected: str) -> Answer:
    """A kind after ! is one that it is not."""
    point, mover = np.uint64(asked.point(vertex)), np.uint64(COLORS[color])
    regions = blank_regions()[0]
    find_regions(asked.board, regions, mover)
    kind = ataris.kind_of_atari(asked.board, asked.reading, regions, point, mover)
    found = ATARIS[int(kind)]
    if expected.startswith("!"):
        return (expected if found != expected[1:] else found), expected
    return found, expected


@kernel
def ask_two_eyes(board, groups, head):
    find_groups(board, groups, np.uint64(board.color[head]))
    return has_two_eyes(groups, head)


def two_eyes(asked: Asked, vertex: str, expected: str) -> Answer:
    return int(ask_two_eyes(asked.board, asked.groups, asked.head(vertex))), int(expected)


def useful_ladder(asked: Asked, color: str, vertex: str, expected: str) -> Answer:
    head = asked.head_beside(vertex, COLORS[color], 1)
    return int(is_useful_run(asked.board, asked.reading, asked.groups, head)), int(expected)


# --- answers that are sampled -------------------------------------------------------------


@kernel
def sample_moves(boards, notes, ratings, counts):
    """Count by point how often the playout's policy plays there first."""
    for _ in range(N_SAMPLES):
        _start_again(boards, notes)
        counts[choose_pachi(boards[1], notes, ratings, boards[1].to_play)] += 1


@kernel
def sample_owners(boards, notes, ratings, moves, counts):
    """Count by colour and point who owns it after playouts."""
    for _ in range(N_SAMPLES):
        _start_again(boards, notes)
        play_pachi(boards[1], notes, ratings, moves, U0)
        for point in range(len(boards[1].color)):
            counts[owner_of(boards[1], np.uint64(point)), point] += 1


@kernel
def _start_again(boards, notes):
    random = boards[1].random
    boards[1] = boards[0]
    boards[1].random = random
    notes.refused[:] = U0


def owner_shares(asked: Asked) -> Any:
    """By colour and point."""
    n_points = len(asked.board.color)
    counts = np.zeros((4, n_points), np.int64)
    moves = np.zeros(3 * asked.size**2 + 2, np.uint16)
    sample_owners(asked.boards, asked.notes, asked.ratings, moves, counts)
    return counts / N_SAMPLES


def playout_status(asked: Asked, *words: str) -> Answer:
    """Who owns each point after playouts, in so many of them at least."""
    wanted = {
        vertex: SHARES[letter]
        for vertex, letter in zip(words[::2], words[1::2], strict=True)
        if letter in SHARES
    }
    if not wanted:
        return {}, {}
    shares = owner_shares(asked)
    found = {vertex: shares[color][asked.point(vertex)] for vertex, (color, _) in wanted.items()}
    failed = {vertex: share for vertex, share in found.items() if share < wanted[vertex][1]}
    return failed, {}


def playout_moves(asked: Asked, *words: str) -> Answer:
    """Which moves the playout's policy makes, such as !B3 or 1=(C5|E5)>=80."""
    counts = np.zeros(len(asked.board.color), np.int64)
    if words:
        sample_moves(asked.boards, asked.notes, asked.ratings, counts)
    ranked = [int(point) for point in np.argsort(-counts, kind="stable") if counts[point]]
    failed = []
    for word in words:
        match = re.fullmatch(r"(?:(\d)=)?(!?)\(?([A-T0-9|]+)\)?(?:>=?(\d+))?", word.upper())
        assert match, word
        rank, is_not, vertices, percent = match.groups()
        points = {asked.point(vertex) for vertex in vertices.split("|")}
        places = ranked[int(rank) - 1 : int(rank)] if rank else ranked
        least = int(percent or 0) * N_SAMPLES / 100
        has_one = any(point in points and counts[point] >= least for point in places)
        if has_one == (is_not == "!"):
            failed.append(word)
    return failed, []


COMMANDS: dict[str, Callable[..., Answer]] = {
    "bad_selfatari": bad_self_atari,
    "sar": bad_self_atari,
    "snapback": snapback,
    "can_countercap": countercapture,
    "ladder": ladder,
    "ladder_any": ladder_any,
    "wouldbe_ladder": wouldbe_ladder,
    "atari": kind_of_atari,
    "two_eyes": two_eyes,
    "useful_ladder": useful_ladder,
    "moggy moves": playout_moves,
    "moggy status": playout_status,
}


def answer(position: Position, question: Question) -> Answer:
    """What our kernels say, and what the suite expects."""
    words = question.words
    if words[0] == "moggy":
        words = [" ".join(words[:2]), *words[2:]]
    return COMMANDS[words[0]](Asked(position), *words[1:])
