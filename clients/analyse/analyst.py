"""Goes through a game with an engine, from its first move to its last.

Forwards, since what the engine searched below the played move counts for the next position;
backwards nothing would. Where the engine would have played something else, the position after its
own choice is searched too. Both moves are then judged alike, by searches that begin after them:
the search before them looked at one of the two far more closely, and may have overlooked the
answer to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from clients.analyse.findings import Finding, Thresholds, find
from clients.analyse.reading import BadReading, Reading, parse_reading
from clients.analyse.record import OPPONENT, Color, Record, RecordedMove, RecordError

_ALL_MOVES = 1000  # more than a board has points
_FILE = "game.sgf"
_NEVER = 8_640_000  # centiseconds: the last report alone is wanted


class Session(Protocol):
    def run_line(self, line: str, file: str | None = None) -> str:
        """Return the reply to one GTP line; `file` goes with a loadsgf."""
        ...


class Refused(Exception):
    """The engine answered with an error; the text says why."""


class Limits(NamedTuple):
    """Of each search; one of them at least is there, and the first that is reached ends it."""

    playouts: int | None
    seconds: float | None


class Conditions(NamedTuple):
    """What the game is played for, as the engine understands the record."""

    komi: float
    rules: str


class Analyst:
    """`limits` and `thresholds` hold for every move. Forgets the last position when it goes on."""

    def __init__(
        self, session: Session, record: Record, limits: Limits, thresholds: Thresholds
    ) -> None:
        self._session = session
        self._record = record
        self._limits = limits
        self._thresholds = thresholds
        self._sgf = ""
        self._known: dict[Color, Reading] = {}  # of the position on the board, by who moves

    def load(self, last: int, komi: float | None, rules: str | None) -> None:
        """Have the engine check the game up to move `last`.

        Raises RecordError, which names the move that is wrong.
        """
        self._sgf = self._record.engine_sgf(komi, rules)
        self._load_before(last + 1)

    def conditions(self) -> Conditions:
        return Conditions(float(self._ask("get_komi")), self._ask("kata-get-rules"))

    def analyse(
        self,
        numbers: Sequence[int],
        on_move: Callable[[RecordedMove], None] = lambda move: None,
    ) -> Iterator[Finding]:
        """Yield what is found of each of the moves, which ascend; needs a game that is loaded.

        `on_move` is told which one comes. Raises Refused and RecordError.
        """
        wanted = set(numbers)
        self._load_before(numbers[0])
        for move in self._record.moves[numbers[0] - 1 : numbers[-1]]:
            if move.is_after_setup:
                self._load_before(move.number)
            if move.number not in wanted:
                self._play(move.color, move.vertex)
                continue
            on_move(move)
            before = self._search(move.color)
            after_best = None
            if before.best.vertex != move.vertex:
                after_best = self._search_after(move.color, before.best.vertex)
                self._ask("undo")
            after = self._search_after(move.color, move.vertex)
            yield find(move, before, after, after_best or after, self._thresholds)

    def _search_after(self, color: Color, vertex: str) -> Reading:
        """The opponent's view of the position after a move, which stays on the board."""
        self._play(color, vertex)
        return self._search(OPPONENT[color])

    def _search(self, color: Color) -> Reading:
        if color not in self._known:
            playouts, seconds = self._limits
            limits = f" playouts {playouts}" if playouts else ""
            limits += f" seconds {seconds:g}" if seconds else ""
            reply = self._session.run_line(
                f"kata-analyze {color} {_NEVER} minmoves {_ALL_MOVES} rootInfo true{limits}"
            )
            self._known[color] = _last_reading(reply)
        return self._known[color]

    def _play(self, color: Color, vertex: str) -> None:
        self._ask(f"play {color} {vertex}")
        self._known = {}

    def _load_before(self, number: int) -> None:
        n_moves = len(self._record.moves)
        until = f" {number}" if number <= n_moves else ""
        try:
            self._ask(f"loadsgf {_FILE}{until}", self._sgf)
        except Refused as refusal:
            raise RecordError(_explained(str(refusal), self._record.name)) from None
        self._known = {}

    def _ask(self, line: str, file: str | None = None) -> str:
        reply = self._session.run_line(line, file)
        text = reply[1:].strip()
        if not reply.startswith("="):
            raise Refused(text)
        return text


def _explained(refusal: str, name: str) -> str:
    """What the engine says of a record, under the name that the user knows."""
    text = f"{name}: {refusal.removeprefix('cannot load file: ').removeprefix(f'{_FILE}: ')}"
    found = re.search(r" at move (\d+)", text)
    if not found or int(found[1]) < 2:
        return text
    return f"{text}; --moves 1-{int(found[1]) - 1} analyses what comes before"


def _last_reading(reply: str) -> Reading:
    """A reply that was sent again may be there twice."""
    reports = [line for line in reply.splitlines() if line.startswith("info ")]
    if not reports:
        errors = [line for line in reply.splitlines() if line.startswith(("?", "error:"))]
        text = errors[0].removeprefix("?").removeprefix("error:") if errors else "no moves"
        raise Refused(f"the search failed: {text.strip()}")
    try:
        return parse_reading(reports[-1])
    except BadReading as error:
        raise Refused(str(error)) from None
