"""`goengine analyse`: goes through a game record and says where it was won and lost."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clients.analyse.png import NoPng, check_png
from clients.analyse.record import Record, RecordError, read_record
from clients.options import (
    add_daemon_options,
    add_parameter_option,
    finite_number,
    move_seconds,
    positive_integer,
    seed,
    settings_from,
    worker_count,
)
from clients.private_daemon import START_PATIENCE, NoDaemon, PrivateDaemon, attach_or_start
from goengine.rules.rulesets import parse_rules

if TYPE_CHECKING:
    from clients.analyse.findings import Thresholds
    from clients.daemon_session import DaemonSession
    from daemon.addresses import Address

PLAYOUTS = 5_000  # a position, if nobody says
EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

_RANGE = re.compile(r"(\d*)(-?)(\d*)")


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    try:
        record = read_record(options.file, options.game_number)
        numbers = _numbers(record, options)
        options.size = record.size  # kernels for no other board are needed
        if options.png:
            check_png()
        if not options.no_files:
            options.output = _output_path(options)
        with attach_or_start(options, _print_line) as (address, daemon):
            return _run(options, record, numbers, address, daemon)
    except (RecordError, NoPng) as error:
        _say(str(error))
        return EXIT_USAGE
    except NoDaemon as error:
        _say(str(error))
        return EXIT_FAILURE


def _run(
    options: argparse.Namespace,
    record: Record,
    numbers: list[int],
    address: Address,
    daemon: PrivateDaemon | None,
) -> int:
    # Not at the top of the file: a daemon of our own starts meanwhile.
    from clients.analyse.analyst import Refused
    from clients.daemon_session import DaemonSession
    from clients.link import PATIENCE, Failed, Link, LinkError

    def check() -> None:
        if daemon:
            daemon.check()

    name = f"analyse-{os.urandom(4).hex()}"
    link = Link(address, name, _print_line, START_PATIENCE if daemon else PATIENCE)
    try:
        session = DaemonSession(link, check, _print_line)
        session.open(settings_from(options))
        code = _analyse(options, record, numbers, session)
        if not daemon:
            link.forget_game()
        return code
    except Failed as failure:
        _say(str(failure))
        return EXIT_USAGE if failure.is_usage else EXIT_FAILURE
    except Refused as refusal:
        _say(str(refusal))
        return EXIT_USAGE
    except LinkError as error:
        _say(str(error))
        return EXIT_FAILURE
    finally:
        link.close()


def _analyse(
    options: argparse.Namespace,
    record: Record,
    numbers: list[int],
    session: DaemonSession,
) -> int:
    """Analyse and write; whatever ends it early, what was found until then is written."""
    from rich.console import Console

    from clients.analyse.analyst import Analyst, Limits, Refused
    from clients.analyse.findings import Finding
    from clients.analyse.outputs import Outputs
    from clients.analyse.table import progress_bar
    from clients.link import LinkError

    limits = Limits(options.playouts or (None if options.time else PLAYOUTS), options.time)
    thresholds = _thresholds(options)
    analyst = Analyst(session, record, limits, thresholds)
    findings: list[Finding] = []
    failure: Exception | None = None
    is_interrupted = False
    with progress_bar(Console(stderr=True), len(numbers)) as bar, _terminated_like_interrupted():
        session.on_progress = bar.on_progress
        try:
            analyst.load(numbers[-1], options.komi, options.rules)
            conditions = analyst.conditions()
            for finding in analyst.analyse(numbers, bar.begin):
                findings.append(finding)
                bar.finish()
        except KeyboardInterrupt:
            is_interrupted = True
        except (Refused, LinkError, NoDaemon) as error:
            failure = error
    if failure is not None and not findings:
        raise failure
    if not findings:
        _say("interrupted before the first move was analysed; nothing is written")
        return EXIT_INTERRUPTED
    outputs = Outputs(record, limits, thresholds, conditions, numbers)
    outputs.write(findings, options)
    if failure is not None:
        _say(f"stopped after move {findings[-1].number}: {failure}")
        return EXIT_FAILURE
    if is_interrupted:
        _say(f"interrupted after move {findings[-1].number}; the rest is not analysed")
        return EXIT_INTERRUPTED
    return 0


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """SIGTERM ends the analysis as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _numbers(record: Record, options: argparse.Namespace) -> list[int]:
    """The moves that are asked for. Raises RecordError."""
    n_moves = len(record.moves)
    first, last = options.moves
    last = n_moves if last is None else last
    if first > n_moves or last > n_moves:
        missing = first if first > n_moves else last
        raise RecordError(
            f"--moves: {record.name} has no move {missing}; its main line has 1 to {n_moves}"
        )
    chosen = [
        move.number
        for move in record.moves[first - 1 : last]
        if options.color in (None, move.color)
    ]
    if not chosen:
        raise RecordError(
            f"{record.name} has no moves of {options.color.capitalize()} from {first} to {last}"
        )
    return chosen


def _output_path(options: argparse.Namespace) -> Path:
    """Where the record goes. Raises RecordError if nothing can be written there."""
    path: Path = options.output or options.file.with_name(f"{options.file.stem}.analysed.sgf")
    folder = next(each for each in path.absolute().parents if each.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK) or path.is_dir():
        raise RecordError(f"{path} cannot be written; name another place with --output")
    return path


def _thresholds(options: argparse.Namespace) -> Thresholds:
    from clients.analyse.findings import Thresholds

    return Thresholds(*options.marks) if options.marks else Thresholds()


def move_range(text: str) -> tuple[int, int | None]:
    """20-60, 20- (to the end), -60 or 20; None is the last move."""
    found = _RANGE.fullmatch(text)
    first, dash, last = found.groups() if found else ("", "", "")
    if not (first or last) or len(text) > 12:
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of moves such as 20-60")
    begin = int(first or 1)
    end = int(last) if last else (None if dash else begin)
    if begin < 1 or (end is not None and end < begin):
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of moves such as 20-60")
    return begin, end


def marks(text: str) -> tuple[float, float, float]:
    """Three ascending percentages, as win rates."""
    try:
        values = [float(part) / 100 for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != 3 or not 0 < values[0] <= values[1] <= values[2] <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not three ascending numbers such as 5,10,20")
    return values[0], values[1], values[2]


def sgf_path(text: str) -> Path:
    """Plots take other endings beside it."""
    path = Path(text)
    if path.suffix.lower() != ".sgf":
        raise argparse.ArgumentTypeError(f"{text!r} does not end in .sgf")
    return path


def rules_name(text: str) -> str:
    try:
        return parse_rules(text).name
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _print_line(text: str) -> None:
    """What a daemon says: that it compiles, for one. A bar that is shown stays below."""
    print(text, file=sys.stderr)


def _say(text: str) -> None:
    print(f"goengine analyse: {text}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="goengine analyse",
        description="Go through the main line of a game record and say what each move cost. "
        "Writes FILE.analysed.sgf with comments and better variations, and FILE.analysed.svg, "
        "a plot. Ctrl-C stops it: what is there until then is written.",
    )
    parser.add_argument("file", type=Path, help="a game record in SGF")
    parser.set_defaults(engine=None, ponder=None)
    game = parser.add_argument_group("what is analysed")
    game.add_argument(
        "--moves", type=move_range, default=(1, None), metavar="M-N", help="these moves (all)"
    )
    game.add_argument("--color", choices=["black", "white"], help="one player's moves (both)")
    game.add_argument(
        "--game-number", type=positive_integer, metavar="N", help="which of several games in FILE"
    )
    game.add_argument("--komi", type=finite_number, metavar="X", help="not the komi in FILE")
    game.add_argument("--rules", type=rules_name, metavar="NAME", help="not the rules in FILE")
    output = parser.add_argument_group("what comes of it")
    output.add_argument(
        "--output",
        type=sgf_path,
        metavar="SGF",
        help="default: FILE.analysed.sgf; plots lie beside it",
    )
    output.add_argument("--png", action="store_true", help="the plot as PNG too")
    output.add_argument("--json", action="store_true", help="print JSON instead of tables")
    output.add_argument("--no-files", action="store_true", help="write neither SGF nor plot")
    output.add_argument(
        "--marks",
        type=marks,
        metavar="D,M,B",
        help="losses in %% of a doubtful move, a mistake, a blunder (default: 5,10,20)",
    )
    output.add_argument(
        "--top", type=positive_integer, default=8, metavar="N", help="errors in a table (8)"
    )
    _add_search_options(parser)
    add_daemon_options(parser)
    return parser


def _add_search_options(parser: argparse.ArgumentParser) -> None:
    search = parser.add_argument_group("each search")
    search.add_argument(
        "--playouts",
        type=positive_integer,
        metavar="N",
        help=f"for a position (default: {PLAYOUTS:,} without --time)",
    )
    search.add_argument("--time", type=move_seconds, metavar="S", help="seconds for a position")
    search.add_argument("--workers", type=worker_count, metavar="N", help="processes, at most")
    search.add_argument(
        "--seed", type=seed, metavar="N", help="with one worker: the same figures every time"
    )
    add_parameter_option(search)
