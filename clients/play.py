"""`goengine play`: a game against the engine on a board in the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from clients.gtp_game import OPPONENT, GtpGame, Refused
from clients.options import (
    add_daemon_options,
    add_engine_options,
    add_game_options,
    positive_integer,
    settings_from,
)
from clients.private_daemon import START_PATIENCE, NoDaemon, PrivateDaemon, attach_or_start
from clients.save_sgf import SgfSaver
from clients.terminal_board import Place
from clients.terminal_view import Player, Scene, TerminalView, make_console
from daemon import defaults
from goengine.points import format_vertex, parse_vertex, row_column

if TYPE_CHECKING:
    from clients.daemon_session import DaemonSession
    from daemon.addresses import Address

T = TypeVar("T")

WELCOME = "Type a point such as D4, or help."
GAME_OVER = "The game is over: undo, new, save FILE or quit."
HELP = """\
D4           put a stone there (columns skip the letter I)
pass         two passes end the game; every stone on the board then counts
undo         take back your last move
hint         ask the engine what it would play
score        count the board as it stands
territory    show what the engine thinks is whose, or stop showing it
save FILE    write the game as SGF
new          start again
resign       give up
quit         leave; so do Ctrl-D and Ctrl-C"""

HANDICAP_KOMI = 0.5  # the custom: handicap stones take the place of komi


class TerminalGame:
    """A person at a terminal against an engine behind a GTP session.

    Each method in `commands` takes the rest of the line and returns what to say.
    """

    def __init__(
        self, view: TerminalView, game: GtpGame, names: dict[str, str], title: str
    ) -> None:
        """`names` has the players by colour; the person is the one called "you"."""
        self.view = view
        self.game = game
        self.names = names
        self.title = title
        self.human = next(color for color, name in names.items() if name == "you")
        self.win_rate: float | None = None  # of the engine, at its last move
        self.extra_komi = 0.0
        self.owners: dict[Place, float] = {}  # as the last search has them
        self.shows_territory = not view.plain
        self.saver = SgfSaver()
        self.commands: dict[str, Callable[[str], str]] = {
            "pass": self.play_pass,
            "undo": self.undo,
            "hint": self.hint,
            "score": self.score,
            "territory": self.switch_territory,
            "save": self.save,
            "new": self.new,
            "resign": self.resign,
            "help": lambda _: HELP,
        }

    def run(self) -> None:
        """Play until the person leaves."""
        message = WELCOME
        while True:
            if self.is_engines_turn():
                self.view.show_interim(self.scene())
                self.think(self.game.play_engine_move)
                self.win_rate = self.game.session.win_rate
                self.extra_komi = self.game.session.extra_komi
                if self.game.is_over:
                    message = self.outcome()
            self.view.show(self.scene(), message)
            line = self.view.ask(f"{self.human}>")
            if line is None or line.strip().lower() in ("quit", "exit", "q"):
                return
            message = self.obey(line.strip())

    def obey(self, line: str) -> str:
        """Do what the person typed. Returns what to say about it."""
        word, _, rest = line.partition(" ")
        try:
            if word.lower() in self.commands:
                if rest and word.lower() != "save":
                    return f"Nothing comes after {word.lower()}. Type help to see what you can do."
                return self.commands[word.lower()](rest.strip())
            return self.play(line) if line else WELCOME
        except Refused as refusal:
            return f"{refusal}. Try another one, or help."

    def play(self, text: str) -> str:
        if self.game.is_over:
            return GAME_OVER
        try:
            vertex = format_vertex(parse_vertex(text, self.game.size), self.game.size)
        except ValueError as error:
            return f"{error}. Type help to see what else you can do."
        self.game.play(vertex)
        if vertex != "pass":
            place = row_column(parse_vertex(vertex, self.game.size), self.game.size)
            self.owners.pop(place, None)  # nobody has thought about this stone yet
        return self.outcome() if self.game.is_over else ""

    def play_pass(self, _: str) -> str:
        return self.play("pass")

    def undo(self, _: str) -> str:
        if not self.game.take_back(self.human):
            return "You have no move to take back yet."
        self.forget_search()
        return "Taken back."

    def hint(self, _: str) -> str:
        if self.game.is_over:
            return GAME_OVER
        vertex = self.think(self.game.hint)
        win_rate = self.game.session.win_rate
        chances = "" if win_rate is None else f", with a win rate of {win_rate:.0%} for you"
        return f"{self.names[OPPONENT[self.human]]} would play {vertex}{chances}."

    def score(self, _: str) -> str:
        if self.game.is_over:
            return self.outcome()
        return f"If the game ended here: {self.game.score()}."

    def switch_territory(self, _: str) -> str:
        self.shows_territory = not self.shows_territory
        if not self.shows_territory:
            return "Territory is not shown any more."
        return "" if self.owners else "Territory is shown when the engine has thought."

    def save(self, file: str) -> str:
        sgf = self.game.ask("printsgf")
        if self.game.resigned is not None:  # which GTP has no word for
            winner = OPPONENT[self.game.resigned][0].upper()
            sgf = sgf.replace("(;", f"(;RE[{winner}+R]", 1)
        return self.saver.save(sgf, file)

    def new(self, _: str) -> str:
        self.game.start()
        self.forget_search()
        self.saver = SgfSaver()
        return "A new game."

    def resign(self, _: str) -> str:
        if self.game.is_over:
            return GAME_OVER
        self.game.resigned = self.human
        return self.outcome()

    def is_engines_turn(self) -> bool:
        return not self.game.is_over and self.game.to_play != self.human

    def outcome(self) -> str:
        return f"{self.game.score()}. {GAME_OVER}"

    def think(self, action: Callable[[], T]) -> T:
        with self.view.bar("thinking") as on_progress:
            self.game.session.on_progress = on_progress
            try:
                return action()
            finally:
                self.game.session.on_progress = None
                self.owners = self.game.owners()

    def forget_search(self) -> None:
        self.win_rate = None
        self.extra_komi = 0.0
        self.owners = {}

    def scene(self) -> Scene:
        position = self.game.position()
        if self.shows_territory:
            position = replace(position, owners=dict(self.owners))
        players = tuple(
            Player(color, self.names[color], self.game.n_captured(position, OPPONENT[color]))
            for color in ("black", "white")
        )
        return Scene(
            position=position,
            title=self.title,
            players=players,
            to_play=None if self.game.is_over else self.game.to_play,
            last_move=self.last_move(),
            win_rate=self.win_rate,
            extra_komi=self.extra_komi,
        )

    def last_move(self) -> str:
        if not self.game.moves:
            return ""
        color, vertex = self.game.moves[-1]
        return f"Move {len(self.game.moves)}: {self.names[color]} {vertex}"


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    view = TerminalView(make_console(), options.plain)
    on_line = view.notice if view.console.is_terminal else None
    try:
        with attach_or_start(options, on_line) as (address, daemon):
            return _play(options, view, address, daemon)
    except NoDaemon as error:
        _say(str(error))
        return 1


def _play(
    options: argparse.Namespace,
    view: TerminalView,
    address: Address,
    daemon: PrivateDaemon | None,
) -> int:
    with view.spinner("starting the engine"):
        # Not at the top of the file: a daemon of our own starts meanwhile.
        from clients.daemon_session import DaemonSession
        from clients.link import PATIENCE, Failed, Link, LinkError

        def check() -> None:
            if daemon:
                daemon.check()

        link = Link(
            address,
            f"play-{os.urandom(4).hex()}",
            view.notice,
            START_PATIENCE if daemon else PATIENCE,
        )
    try:
        game = _open_game(options, view, DaemonSession(link, check, view.notice))
        _run(options, view, game)
        if not daemon:
            link.forget_game()
    except Failed as failure:
        _say(str(failure))
        return 2 if failure.is_usage else 1
    except _WrongHandicap as refusal:
        _say(f"--handicap {options.handicap}: {refusal}")
        return 2
    except Refused as refusal:
        _say(f"the engine failed: {refusal}")
        return 1
    except LinkError as error:
        _say(str(error))
        return 1
    finally:
        link.close()
    return 0


class _WrongHandicap(Exception):
    """The engine does not place so many stones."""


def _open_game(options: argparse.Namespace, view: TerminalView, session: DaemonSession) -> GtpGame:
    settings = settings_from(options)
    if options.handicap and options.komi is None:
        settings.komi = HANDICAP_KOMI
    with view.spinner("starting the engine"):
        session.open(settings)
        game = GtpGame(session, options.size, options.handicap)
        try:
            game.start()
        except Refused as refusal:
            raise _WrongHandicap(str(refusal)) from None
    return game


def _run(options: argparse.Namespace, view: TerminalView, game: GtpGame) -> None:
    komi = float(game.ask("get_komi"))
    engine = options.engine or defaults.BEST_ENGINE
    names = {options.color: "you", OPPONENT[options.color]: engine}
    title = f"{game.size}x{game.size}, {options.rules or defaults.RULES} rules, komi {komi:g}"
    TerminalGame(view, game, names, title).run()


def _say(text: str) -> None:
    print(f"goengine play: {text}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="goengine play", description=__doc__)
    add_game_options(parser, size=9)
    side = parser.add_argument_group("you")
    side.add_argument(
        "--color", choices=["black", "white"], default="black", help="your colour (default: black)"
    )
    side.add_argument(
        "--handicap",
        type=positive_integer,
        default=0,
        metavar="N",
        help=f"stones that Black has at the start; komi is then {HANDICAP_KOMI} unless given",
    )
    side.add_argument(
        "--plain", action="store_true", help="letters instead of colours, as in a pipe"
    )
    add_engine_options(parser)
    add_daemon_options(parser)
    return parser
