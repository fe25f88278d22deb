"""One client's conversation: its game, its engine, its clock."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import goengine
import goengine.gtp.commands  # fills the registry
from goengine.board import BLACK, WHITE
from goengine.engines.engine import Engine
from goengine.gtp.clock import TimeLeft, TimeSettings
from goengine.gtp.parsing import Request, parse_line
from goengine.gtp.registry import find_command
from goengine.gtp.replies import GtpError, format_failure, format_success
from goengine.rules.game import Game

_log = logging.getLogger(__name__)


class GtpSession:
    """Runs GTP lines on a game. Any text is answered; nothing is raised.

    A command changes the game by replacing it, so a command that fails half
    way leaves the game as it was.
    """

    def __init__(
        self,
        *,
        engine: Engine,
        game: Game | None = None,
        name: str = "goengine",
        version: str = goengine.__version__,
    ) -> None:
        self.engine = engine
        self.game = Game() if game is None else game
        self.name = name
        self.version = version
        self.ended = False  # set by `quit`
        self.engine_colors: set[int] = set()  # that the engine has played in this game
        self.time_settings: TimeSettings | None = None  # None until the client says
        self.time_left: dict[int, TimeLeft] = {}  # by colour, as last told

    def run_line(self, line: str) -> str | None:
        """Return the whole reply with its closing empty line, or None if the line is empty."""
        request = parse_line(line)
        if request is None:
            return None
        try:
            return format_success(request.id, self._run(request))
        except GtpError as error:
            return format_failure(request.id, str(error))
        except Exception as error:
            _log.exception("internal error in the command %s", request.command)
            return format_failure(request.id, f"internal error: {type(error).__name__}: {error}")

    def _run(self, request: Request) -> str:
        command = find_command(request.command)
        command.check_arguments(request.arguments)
        return command.run(self, *request.arguments) or ""

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
        self.time_left = {}

    def start_game(self, size: int) -> None:
        """Clear the board; rules and komi stay."""
        self.begin(self._empty_game(size))

    def start_position(self, color_at: dict[int, int], to_play: int, n_handicap: int = 0) -> None:
        """Clear the board and set up the stones of `color_at`, by point.

        Raises GtpError if they cannot stand.
        """
        game = self._empty_game(self.game.size)
        game.n_handicap = n_handicap
        black = [point for point, color in color_at.items() if color == BLACK]
        white = [point for point, color in color_at.items() if color == WHITE]
        try:
            game.set_up(black, white, to_play)
        except ValueError as error:
            raise GtpError(f"illegal position: {error}") from None
        self.begin(game)

    def _empty_game(self, size: int) -> Game:
        return Game(size=size, rules=self.game.rules, komi=self.game.komi)
