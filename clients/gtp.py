"""`goengine gtp`: the engine on stdin and stdout, as GUIs, referees and bots start it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from clients.options import (
    add_daemon_options,
    add_engine_options,
    add_game_options,
    game_name,
    settings_from,
    short_text,
)
from clients.private_daemon import START_PATIENCE, NoDaemon, PrivateDaemon, attach_or_start

if TYPE_CHECKING:
    from daemon.addresses import Address

EXIT_FAILURE = 1
EXIT_USAGE = 2


def main(argv: Sequence[str]) -> int:
    parser = _parser()
    options = parser.parse_args(argv)
    if options.watch and not options.game:
        parser.error("--watch needs --game NAME: which one?")
    try:
        with attach_or_start(options) as (address, daemon):
            if daemon and options.watch:
                raise NoDaemon("no daemon runs here that could have a game to watch")
            if daemon and options.game:
                _say(f"no daemon runs here; the game {options.game} ends with this client")
            return _serve(options, address, daemon)
    except NoDaemon as error:
        _say(str(error))
        return EXIT_FAILURE


def _serve(options: argparse.Namespace, address: Address, daemon: PrivateDaemon | None) -> int:
    # Not at the top of the file: a daemon of our own starts meanwhile.
    from clients.bridge import Bridge
    from clients.link import PATIENCE, Failed, Link, LinkError

    def check() -> None:
        if daemon:
            daemon.check()

    game = options.game or f"gtp-{os.urandom(4).hex()}"
    link = Link(address, game, _say, START_PATIENCE if daemon else PATIENCE)
    try:
        settings = settings_from(options)
        settings.name, settings.version = options.name, options.engine_version
        opening = link.open(settings, watch=options.watch, keep=bool(options.game))
        Bridge(link, sys.stdin.fileno(), sys.stdout.buffer, check, opening).run()
        if not (options.game or daemon):
            link.forget_game()
    except Failed as failure:
        _say(str(failure))
        return EXIT_USAGE if failure.is_usage else EXIT_FAILURE
    except LinkError as error:
        _say(str(error))
        return EXIT_FAILURE
    finally:
        link.close()
    return 0


def _say(text: str) -> None:
    print(f"goengine gtp: {text}", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="goengine gtp", description=__doc__)
    add_engine_options(parser)
    add_game_options(parser, size=None)
    shared = parser.add_argument_group("a game that others may join")
    shared.add_argument(
        "--game",
        type=game_name,
        metavar="NAME",
        help="the game of that name, a new one if there is none; the daemon keeps it",
    )
    shared.add_argument("--watch", action="store_true", help="look at it and change nothing")
    add_daemon_options(parser)
    identity = parser.add_argument_group("what the engine says it is")
    identity.add_argument("--name", type=short_text, metavar="NAME", help="the answer to `name`")
    identity.add_argument(
        "--engine-version",
        type=short_text,
        metavar="X.Y",
        help="the answer to `version`; some GUIs ask for X.Y",
    )
    return parser
