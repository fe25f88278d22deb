"""Command line options that several clients share, so that they read the same everywhere."""

from __future__ import annotations

import argparse
import math

from daemon import defaults
from goengine.points import MAX_SIZE, MIN_SIZE


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the engine")
    group.add_argument(
        "--engine",
        default=defaults.BEST_ENGINE,
        metavar="NAME",
        help=f"mcts, montecarlo or random (default: {defaults.BEST_ENGINE})",
    )
    group.add_argument(
        "--playouts",
        type=positive_integer,
        default=defaults.PLAYOUTS,
        metavar="N",
        help=f"playouts for a move (default: {defaults.PLAYOUTS}); more play better and slower",
    )
    group.add_argument(
        "--seed", type=seed, metavar="N", help="play the same game again (default: a new one)"
    )


def add_game_options(parser: argparse.ArgumentParser, *, size: int) -> None:
    group = parser.add_argument_group("the game")
    group.add_argument(
        "--size",
        type=board_size,
        default=size,
        metavar="N",
        help=f"board size, {MIN_SIZE} to {MAX_SIZE} (default: {size})",
    )
    group.add_argument(
        "--rules",
        default=defaults.RULES,
        metavar="NAME",
        help=f"chinese, japanese, aga, new-zealand, tromp-taylor, ... (default: {defaults.RULES})",
    )
    group.add_argument(
        "--komi", type=finite_number, metavar="X", help="White's points (default: as the rules say)"
    )


def positive_integer(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
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
