"""Command line options that several clients share, so that they read the same everywhere."""

from __future__ import annotations

import argparse
import math
import re
from typing import TYPE_CHECKING

from daemon import defaults
from daemon.addresses import parse_address
from goengine.points import MAX_SIZE, MIN_SIZE

if TYPE_CHECKING:
    from daemon.protocol import Settings

_GAME_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LONGEST_TEXT = 200  # characters of a name or a value that the protocol takes
_MOST_WORKERS = 1024
_LONGEST_MOVE = 86_400  # seconds


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the engine")
    group.add_argument(
        "--engine",
        type=short_text,
        metavar="NAME",
        help=f"mcts, montecarlo or random (default: {defaults.BEST_ENGINE})",
    )
    group.add_argument(
        "--playouts",
        type=positive_integer,
        metavar="N",
        help=f"playouts for a move (default: {defaults.PLAYOUTS} without --time); "
        "more play better and slower",
    )
    group.add_argument("--time", type=move_seconds, metavar="S", help="seconds for a move")
    group.add_argument(
        "--workers",
        type=worker_count,
        metavar="N",
        help="processes that search at the same time, at most (default: as the daemon has)",
    )
    group.add_argument(
        "--ponder",
        action=argparse.BooleanOptionalAction,
        help="think also while the opponent does (default: where moves are limited by time alone)",
    )
    group.add_argument(
        "--seed", type=seed, metavar="N", help="play the same game again (default: a new one)"
    )
    add_parameter_option(group)


def add_parameter_option(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--set",
        type=parameter,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a parameter of the search; may be given several times",
    )


def add_game_options(parser: argparse.ArgumentParser, *, size: int | None) -> None:
    """`size` None leaves it to the daemon, which also may have the game already."""
    group = parser.add_argument_group("the game")
    group.add_argument(
        "--size",
        type=board_size,
        default=size,
        metavar="N",
        help=f"board size, {MIN_SIZE} to {MAX_SIZE} (default: {size or 19})",
    )
    group.add_argument(
        "--rules",
        type=short_text,
        metavar="NAME",
        help=f"chinese, japanese, aga, tromp-taylor, cgos, ... (default: {defaults.RULES})",
    )
    group.add_argument(
        "--komi", type=finite_number, metavar="X", help="White's points (default: as the rules say)"
    )


def add_daemon_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "the daemon", "The one that runs here is used; if there is none, an own one is started."
    )
    choice = group.add_mutually_exclusive_group()
    add_connect_option(choice)
    choice.add_argument(
        "--embedded", action="store_true", help="start an own daemon in any case, for this client"
    )
    add_key_options(group)


def add_connect_option(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--connect",
        type=address_text,
        metavar="ADDRESS",
        help="use the daemon at ipc:///DIRECTORY or tcp://HOST:PORT (default: $GOENGINE_CONNECT)",
    )


def add_key_options(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--key",
        metavar="NAME",
        help="our key, by name or file, for a daemon that wants one (default: $GOENGINE_KEY, or "
        "the one that `goengine keys new` made)",
    )
    group.add_argument(
        "--server-key",
        metavar="KEY",
        help="the daemon's public key (default: $GOENGINE_SERVER_KEY, or as `goengine keys trust` "
        "was told)",
    )


def settings_from(options: argparse.Namespace) -> Settings:
    """What the options above say about a game."""
    from daemon.protocol import Settings  # not before a daemon was started beside us

    return Settings(
        size=options.size,
        rules=options.rules,
        komi=options.komi,
        engine=options.engine,
        playouts=options.playouts,
        seconds=options.time,
        workers=options.workers,
        pondering={None: None, True: "on", False: "off"}[options.ponder],
        seed=options.seed,
        parameters=dict(options.set),
    )


def positive_integer(text: str) -> int:
    value = int(text) if text.isdecimal() and len(text) <= 12 else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return value


def worker_count(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if not 1 <= value <= _MOST_WORKERS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of workers from 1 to {_MOST_WORKERS}"
        )
    return value


def seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2^63 - 1")
    return int(text)


def board_size(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if not MIN_SIZE <= value <= MAX_SIZE:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a board size from {MIN_SIZE} to {MAX_SIZE}"
        )
    return value


def finite_number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number such as 7.5")
    return value


def move_seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= _LONGEST_MOVE:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds such as 2.5")
    return value


def short_text(text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        raise argparse.ArgumentTypeError(f"longer than {_LONGEST_TEXT} characters")
    return text


def parameter(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key.strip() or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form KEY=VALUE")
    return short_text(key.strip()), short_text(value.strip())


def game_name(text: str) -> str:
    if not _GAME_NAME.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a name of up to 64 letters, digits, dots, hyphens and underscores"
        )
    return text


def address_text(text: str) -> str:
    try:
        return parse_address(text).text
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
