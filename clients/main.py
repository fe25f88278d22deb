"""The `goengine` command: finds a subcommand and runs it.

Nothing but the subcommand that was asked for is imported, so that `goengine --version` and
a typing error are answered at once.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from goengine import __version__

EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130  # as a shell reports a program that SIGINT ended
EXIT_CLOSED_PIPE = 141  # the same for SIGPIPE


class Subcommand(NamedTuple):
    module: str  # has main(argv) -> exit code
    purpose: str


SUBCOMMANDS = {
    "play": Subcommand("clients.play", "play a game in this terminal"),
    "gtp": Subcommand("clients.gtp", "speak GTP on stdin and stdout, for GUIs and servers"),
    "ctl": Subcommand("clients.ctl", "look at the daemon that runs here, and control it"),
    "keys": Subcommand("clients.keys", "keys for a daemon that other machines use"),
    "analyse": Subcommand(
        "clients.analyse.command", "a game record: what each move cost, better ones, a plot"
    ),
    "match": Subcommand("clients.match.command", "games between engines: strength as a number"),
    "gauntlet": Subcommand(
        "clients.match.gauntlet", "this code against GNU Go and our last release"
    ),
    "tune": Subcommand("clients.tune.command", "find better parameters by games"),
    "learn": Subcommand("goengine.prediction.training", "a model of moves from game records"),
    "bench": Subcommand("daemon.bench", "measure speed"),
    "signature": Subcommand("goengine.search.signature", "one number for what the search does"),
    "warm": Subcommand("goengine.warm", "compile everything now, so that no game waits for it"),
}

HELP = """\
usage: goengine COMMAND [options]

{commands}

Try first:
  goengine play              a game on 9x9, you are Black
  goengine play --help       other sizes, colours, rules, handicap
  goengine --version
"""


def help_text() -> str:
    rows = [f"  {name:10} {subcommand.purpose}" for name, subcommand in SUBCOMMANDS.items()]
    return HELP.format(commands="\n".join(rows))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own). Returns the exit code."""
    _replace_closed_streams()
    try:
        try:
            return _dispatch(sys.argv[1:] if argv is None else list(argv))
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more at exit; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_CLOSED_PIPE
    except OSError as error:
        print(f"goengine: {error}", file=sys.stderr)
        return EXIT_FAILURE


def _replace_closed_streams() -> None:
    """Who starts us may have closed stdin, stdout or stderr: read nothing, write nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123  open till the end


def _dispatch(arguments: list[str]) -> int:
    name = arguments[0] if arguments else "help"
    if name in ("--version", "-V", "version"):
        print(f"goengine {__version__}")
        return 0
    if name in ("--help", "-h", "help"):
        print(help_text(), end="")
        return 0
    if name not in SUBCOMMANDS:
        print(f"goengine: {_unknown(name)}", file=sys.stderr)
        return EXIT_USAGE
    module = importlib.import_module(SUBCOMMANDS[name].module)
    return int(module.main(arguments[1:]))


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name.lower().lstrip("-"), SUBCOMMANDS, n=1)
    if near:
        return f"there is no command {name!r}; did you mean `goengine {near[0]}`?"
    return f"there is no command {name!r}; the commands are {', '.join(SUBCOMMANDS)}"


if __name__ == "__main__":
    sys.exit(main())
