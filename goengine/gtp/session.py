"""One client's conversation: its game, its clock, and how it wants moves to be sought."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import goengine
import goengine.gtp.commands  # fills the registry
from goengine.board import BLACK, WHITE
from goengine.endgame.passing import dead_stones_count
from goengine.endgame.verdict import Verdict
from goengine.engines.engine import Engine
from goengine.gtp.budget import limits_under
from goengine.gtp.clock import Clock
from goengine.gtp.registry import find_command
from goengine.gtp.replies import GtpError, format_failure, format_success
from goengine.gtp_line import Request, parse_line
from goengine.rules.game import Game
from goengine.search.orders import Found, Limits, Order, Purpose
from goengine.search.reading import SearchReading

MAX_LINE = 32_768  # characters; ten moves for every point of the largest board

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pending:
    """A command that waits for its search. head, parts and end together are its reply."""

    session: GtpSession
    request: Request
    order: Order
    said: str = ""  # of an earlier search, as the beginning of the rest

    def head(self) -> str:
        """What is said before the search begins."""
        return f"={self.request.id}\n" if self.order.report else ""

    def part(self, reading: SearchReading) -> str:
        """What is said of a search that goes on."""
        text = self.order.report(reading) if self.order.report and reading.moves else ""
        return f"{text}\n" if text else ""

    def end(self, found: Found) -> str | Pending:
        """The rest of the reply, or what still has to be searched for it.

        The game may be another one after that.
        Reports on a search with limits end with one on its end, however short it was; of an
        analysis that somebody has ended, nobody waits for more.
        """
        last = self.said + (self.part(found.reading) if found.reading else "")
        try:
            text = self.order.finish(found)
        except Exception as error:
            return self.fail(error)
        if isinstance(text, Order):
            silent = (lambda reading: "") if self.order.report else None
            return replace(self, order=replace(text, report=silent), said=last)
        if self.order.report:
            if text:
                return f"{last}{text}\n\n"
            is_at_its_end = self.order.limits != Limits() and not found.is_cut_off
            return f"{last}\n" if is_at_its_end else "\n"
        return format_success(self.request.id, text)

    def fail(self, error: Exception) -> str:
        """The rest of the reply if there was no search after all."""
        message = _message_for(error, self.request.command)
        return (
            f"error: {message}\n\n"
            if self.order.report
            else format_failure(self.request.id, message)
        )


class GtpSession:
    """Runs GTP lines on a game. Any text is answered; nothing is raised.

    A command changes the game by replacing it, so a command that fails half
    way leaves the game as it was.

    engine          for `run_line`; None where the caller of `start_line` sees to orders
    limits          of a move when no clock says otherwise
    parameters      of the search, by name, where they are not the defaults
    report_format   "json": whoever runs orders tells how they go, as frames; "": nothing
    n_forgotten     how often earlier searches were to be forgotten
    pondering       "on", "off", or "auto": where moves are limited by time alone
    rests_at        the game, as it was when pondering was to end until it goes on
    n_lost          moves in a row that the engine knew to be lost, by colour
    judged          the position whose dead stones were looked for last, and what was found
    before_board    called with a board size before kernels for it are used; may raise MustWait
    has_files       may commands name files of this machine? If not, the client sends their text
    """

    def __init__(
        self,
        *,
        engine: Engine | None = None,
        game: Game | None = None,
        name: str = "goengine",
        version: str = goengine.__version__,
        limits: Limits | None = None,
    ) -> None:
        self.engine = engine
        self._game = game
        self.name = name
        self.version = version
        self.limits = limits or Limits(engine.playouts if engine else None)
        self.ended = False  # set by `quit`
        self.last_result = ""  # of the last move that was searched and played, as Pachi tells it
        self.engine_colors: set[int] = set()  # that the engine has played in this game
        self.clock = Clock()
        self.parameters: dict[str, str] = {}
        self.report_format = ""
        self.n_forgotten = 0
        self.pondering = "auto"
        self.rests_at: Game | None = None
        self.n_lost = {BLACK: 0, WHITE: 0}
        self.judged: tuple[object, Verdict] | None = None
        self.before_board: Callable[[int], None] = lambda size: None
        self.has_files = True
        self.file: bytes | None = None  # what stands in the file that the present line names

    @property
    def game(self) -> Game:
        """Made when it is first needed: who only asks for a name need not wait for kernels."""
        if self._game is None:
            self._game = Game()
        return self._game

    @game.setter
    def game(self, game: Game) -> None:
        self._game = game

    def run_line(self, line: str) -> str | None:
        """Return the whole reply with its closing empty line, or None if the line is empty.

        What has to be searched is searched here and now, by `engine`; an analysis has
        one report.
        """
        outcome = self.start_line(line)
        if not isinstance(outcome, Pending):
            return outcome
        if self.engine is None:
            return outcome.head() + outcome.fail(GtpError("no engine"))
        game, started, color = self.game, time.monotonic(), outcome.order.color
        text = outcome.head()
        while isinstance(outcome, Pending):
            try:
                found = self.engine.find(game, outcome.order, self.parameters)
            except Exception as error:
                return text + outcome.fail(error)
            if found.reading and outcome.order.purpose is Purpose.ANALYSIS:
                text += outcome.part(found.reading)
            outcome = outcome.end(found)
        if self.game is not game:
            self.clock = self.clock.with_spent(color, time.monotonic() - started)
        return text + outcome

    def start_line(self, line: str, file: bytes | None = None) -> str | Pending | None:
        """Return the whole reply, or what has to be searched first, or None if there is none.

        Raises MustWait, and then has changed nothing.
        """
        request = parse_line(line)
        if request is None:
            return None
        if len(line) > MAX_LINE:
            return format_failure(request.id, f"syntax error: more than {MAX_LINE} characters")
        self.file = file
        try:
            outcome = self._run(request)
        except MustWait:
            raise
        except Exception as error:
            return format_failure(request.id, _message_for(error, request.command))
        if isinstance(outcome, Order):
            return Pending(self, request, outcome)
        return format_success(request.id, outcome)

    def _run(self, request: Request) -> str | Order:
        command = find_command(request.command)
        command.check_arguments(request.arguments)
        return command.run(self, *request.arguments) or ""

    def limits_for(self, color: int) -> Limits:
        """How long a move of `color` may be sought: as the clock says, or else as it was set."""
        game = self.game
        is_long = dead_stones_count(game.rules)
        limits = limits_under(
            self.clock, color, len(game.moves), game.size, plays_to_the_end=is_long
        )
        if limits is None:
            return self.limits
        return limits if self.limits.seconds is None else limits.within(self.limits.seconds)

    def ponders(self, color: int) -> bool:
        """Is there pondering between the moves of `color`?

        A search for a number of playouts finds the same again, as long as it has no help.
        """
        if self.pondering == "auto":
            return self.limits_for(color).playouts is None
        return self.pondering == "on"

    def rest(self) -> None:
        """Have nothing pondered until the game goes on."""
        self.rests_at = self._game

    @contextmanager
    def changed_game(self) -> Iterator[Game]:
        """Give a copy of the game to change; it becomes the game if nothing is raised."""
        game = self.game.copy()
        yield game
        self.game = game

    def begin(self, game: Game) -> None:
        """Make another game the session's own."""
        self.game = game
        self.engine_colors = set()
        self.clock = self.clock.restarted()
        self.forget_losing()

    def forget_losing(self) -> None:
        """What comes now is no continuation of the moves that the engine knew to be lost."""
        self.n_lost = {BLACK: 0, WHITE: 0}

    def start_game(self, size: int) -> None:
        """Clear the board; rules and komi stay."""
        self.begin(self._empty_game(size))

    def start_position(
        self, color_at: dict[int, int], to_play: int, declared_handicap: int | None = None
    ) -> None:
        """Clear the board and set up the stones of `color_at`, by point.

        Raises GtpError if they cannot stand.
        """
        game = self._empty_game(self.game.size)
        game.declared_handicap = declared_handicap
        black = [point for point, color in color_at.items() if color == BLACK]
        white = [point for point, color in color_at.items() if color == WHITE]
        try:
            game.set_up(black, white, to_play)
        except ValueError as error:
            raise GtpError(f"illegal position: {error}") from None
        self.begin(game)

    def _empty_game(self, size: int) -> Game:
        self.before_board(size)
        return Game(size=size, rules=self.game.rules, komi=self.game.komi)


class MustWait(Exception):
    """For `before_board`: the line has changed nothing, and is to be run again later."""


def _message_for(error: Exception, command: str) -> str:
    if isinstance(error, GtpError):
        return str(error)
    _log.error("internal error in the command %s", command, exc_info=error)
    return f"internal error: {type(error).__name__}: {error}"
