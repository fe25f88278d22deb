"""`goengine play`: a game against the engine on a board in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from clients.gtp_game import OPPONENT, GtpGame, Refused
from clients.options import add_engine_options, add_game_options, positive_integer
from clients.save_sgf import SgfSaver
from clients.terminal_view import Player, Scene, TerminalView, make_console
from goengine.points import format_vertex, parse_vertex

T = TypeVar("T")

WELCOME = "Type a point such as D4, or help."
GAME_OVER = "The game is over: undo, new, save FILE or quit."
HELP = """\
D4           put a stone there (columns skip the letter I)
pass         two passes end the game; every stone on the board then counts
undo         take back your last move
hint         ask the engine what it would play
score        count the board as it stands
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
        self.saver = SgfSaver()
        self.commands: dict[str, Callable[[str], str]] = {
            "pass": self.play_pass,
            "undo": self.undo,
            "hint": self.hint,
            "score": self.score,
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
        return self.outcome() if self.game.is_over else ""

    def play_pass(self, _: str) -> str:
        return self.play("pass")

    def undo(self, _: str) -> str:
        if not self.game.take_back(self.human):
            return "You have no move to take back yet."
        self.win_rate = None
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

    def save(self, file: str) -> str:
        sgf = self.game.ask("printsgf")
        if self.game.resigned is not None:  # which GTP has no word for
            winner = OPPONENT[self.game.resigned][0].upper()
            sgf = sgf.replace("(;", f"(;RE[{winner}+R]", 1)
        return self.saver.save(sgf, file)

    def new(self, _: str) -> str:
        self.game.start()
        self.win_rate = None
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
            return action()

    def scene(self) -> Scene:
        position = self.game.position()
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
        )

    def last_move(self) -> str:
        if not self.game.moves:
            return ""
        color, vertex = self.game.moves[-1]
        return f"Move {len(self.game.moves)}: {self.names[color]} {vertex}"


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    view = TerminalView(make_console(), options.plain)
    try:
        game = _open_game(options, view)
        game.start()
    except ValueError as error:
        print(f"goengine play: {error}", file=sys.stderr)
        return 2
    except Refused as refusal:
        print(f"goengine play: --handicap {options.handicap}: {refusal}", file=sys.stderr)
        return 2
    komi = float(game.ask("get_komi"))
    names = {options.color: "you", OPPONENT[options.color]: options.engine}
    title = f"{game.size}x{game.size}, {options.rules} rules, komi {komi:g}"
    try:
        TerminalGame(view, game, names, title).run()
    except Refused as refusal:
        print(f"goengine play: the engine failed: {refusal}", file=sys.stderr)
        return 1
    return 0


def _open_game(options: argparse.Namespace, view: TerminalView) -> GtpGame:
    with view.spinner("starting the engine"):  # a second to import
        from daemon.embedded import open_session
    komi = HANDICAP_KOMI if options.handicap and options.komi is None else options.komi
    session = open_session(
        options.engine, options.playouts, options.seed, options.size, options.rules, komi
    )
    return GtpGame(session, options.size, options.handicap)


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
    return parser
