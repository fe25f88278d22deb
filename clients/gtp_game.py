"""A game against an engine, held through GTP text alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from clients.terminal_board import Place, Position
from goengine.points import PASS, parse_vertex, row_column

OPPONENT = {"black": "white", "white": "black"}


class Session(Protocol):
    """What a game needs of an engine: GTP, and a look at its search.

    on_progress     called while a line is run with the fraction done, 0 to 1; None: not known
    win_rate        of the last search, 0 to 1 for the colour that it was asked for
    extra_komi      points for white that the last search for a move has counted on top of komi
    territory       of the last search: 1000 where black owns a point, 0 where white does, rows
                    from the top left; empty if it did not say
    """

    on_progress: Callable[[float | None], None] | None
    win_rate: float | None
    extra_komi: float
    territory: list[float]

    def run_line(self, line: str) -> str | None:
        """Return the reply to one GTP line, None for a blank one."""
        ...


class Refused(Exception):
    """The engine answered with an error; the text says why."""


class Move(NamedTuple):
    color: str  # black or white
    vertex: str


@dataclass
class GtpGame:
    """One game from its handicap stones to its result.

    Knows the moves; the stones and the score it asks for.
    """

    session: Session
    size: int
    handicap: int = 0
    moves: list[Move] = field(default_factory=list)
    resigned: str | None = None  # the colour that gave up

    def ask(self, line: str) -> str:
        """Return the text of the reply. Raises Refused."""
        reply = self.session.run_line(line) or ""
        text = reply[1:].strip()
        if not reply.startswith("="):
            raise Refused(text)
        return text

    def start(self) -> None:
        """Begin anew with an empty board and the handicap. Raises Refused if that is too great."""
        self.ask("clear_board")
        if self.handicap:
            self.ask(f"fixed_handicap {self.handicap}")
        self.moves = []
        self.resigned = None

    @property
    def to_play(self) -> str:
        if self.moves:
            return OPPONENT[self.moves[-1].color]
        return "white" if self.handicap else "black"

    @property
    def is_over(self) -> bool:
        last_two = [move.vertex for move in self.moves[-2:]]
        return self.resigned is not None or last_two == ["pass", "pass"]

    def play(self, vertex: str) -> None:
        """Play for the colour whose turn it is. Raises Refused if that is illegal."""
        color = self.to_play
        self.ask(f"play {color} {vertex}")
        self.moves.append(Move(color, vertex))

    def play_engine_move(self) -> None:
        """Let the engine play for the colour whose turn it is; it may resign."""
        color = self.to_play
        vertex = self.ask(f"genmove {color}")
        if vertex == "resign":
            self.resigned = color
        else:
            self.moves.append(Move(color, vertex))

    def hint(self) -> str:
        """What the engine would play for the colour whose turn it is."""
        return self.ask(f"reg_genmove {self.to_play}")

    def take_back(self, color: str) -> bool:
        """Take back what `color` did last, with all that followed. False if there is nothing."""
        if self.resigned == color:
            self.resigned = None
            return True
        if all(move.color != color for move in self.moves):
            return False
        self.resigned = None
        taken = OPPONENT[color]
        while taken != color:
            self.ask("undo")
            taken = self.moves.pop().color
        return True

    def position(self) -> Position:
        last = self.moves[-1].vertex if self.moves else "pass"
        last_point = parse_vertex(last, self.size)
        return Position(
            size=self.size,
            black=self._stones("black"),
            white=self._stones("white"),
            last_move=None if last_point == PASS else row_column(last_point, self.size),
        )

    def owners(self) -> dict[Place, float]:
        """How much each point is whose, as the last search has it: 1 is black's, -1 white's."""
        values = self.session.territory
        if len(values) != self.size * self.size:
            return {}
        lines = range(self.size)
        places = ((row, column) for row in reversed(lines) for column in lines)
        return {place: value / 500 - 1 for place, value in zip(places, values, strict=True)}

    def n_captured(self, position: Position, color: str) -> int:
        """Stones of `color` that were played and are no longer on the board."""
        n_played = sum(move.color == color and move.vertex != "pass" for move in self.moves)
        if color == "black":
            return n_played + self.handicap - len(position.black)
        return n_played - len(position.white)

    def score(self) -> str:
        """The result in words, of a game that is over or as it stands."""
        if self.resigned is not None:
            return f"{OPPONENT[self.resigned].capitalize()} wins by resignation"
        winner, _, margin = self.ask("final_score").partition("+")
        if not margin:
            return "A draw"
        points = f"{float(margin):g}"
        unit = "point" if points == "1" else "points"
        return f"{'Black' if winner == 'B' else 'White'} wins by {points} {unit}"

    def _stones(self, color: str) -> frozenset[Place]:
        vertices = self.ask(f"list_stones {color}").split()
        return frozenset(row_column(parse_vertex(text, self.size), self.size) for text in vertices)
