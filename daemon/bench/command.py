"""The command line of the benchmarks."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table

from goengine.points import MAX_SIZE, MIN_SIZE

Row = dict[str, Any]


def measure_playouts(options: argparse.Namespace) -> Iterator[Row]:
    from daemon.bench.playouts import measure

    return (measure(size, options.runs or 9, options.seconds or 0.4) for size in options.sizes)


def measure_search(options: argparse.Namespace) -> Iterator[Row]:
    from daemon.bench.search import measure

    return (
        row
        for size in options.sizes
        for row in measure(size, options.runs or 5, options.seconds or 2.0, dict(options.set))
    )


def measure_beside_peer(options: argparse.Namespace) -> Iterator[Row]:
    from daemon.bench.peer import Peer, measure

    peer = Peer(options.peer, options.peer_playouts, options.peer_count)
    return (
        row
        for size in options.sizes
        for row in measure(size, options.runs or 3, peer, dict(options.set))
    )


def measure_profile(options: argparse.Namespace) -> Iterator[Row]:
    from daemon.bench.profile import measure

    return (
        row
        for size in options.sizes
        for row in measure(size, options.runs or 5, options.simulations, dict(options.set))
    )


def measure_collector(options: argparse.Namespace) -> Iterator[Row]:
    from daemon.bench.memory import measure_collector

    return measure_collector(options.runs or 5)


def measure_segments(options: argparse.Namespace) -> Iterator[Row]:
    from daemon.bench.memory import measure_segments

    return measure_segments(options.seconds or 60.0)


def measure_daemon(options: argparse.Namespace) -> Iterator[Row]:
    from daemon.bench.daemon import measure

    return measure(options.runs or 5)


def count_positions(options: argparse.Namespace) -> Iterator[Row]:
    from daemon.bench.positions import count

    return (count(size) for size in (1, 2, 3, 4))


def rows_as_table(title: str, rows: list[Row]) -> RenderableType:
    table = Table(title=title, title_justify="left")
    for key in rows[0]:
        table.add_column(key.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*(_format(key, value) for key, value in row.items()))
    return table


def rows_as_profiles(title: str, rows: list[Row]) -> RenderableType:
    from daemon.bench.profile_table import profile_tables

    return profile_tables(title, rows)


class Benchmark(NamedTuple):
    title: str
    measure: Callable[[argparse.Namespace], Iterator[Row]]
    show: Callable[[str, list[Row]], RenderableType] = rows_as_table


BENCHMARKS = {
    "playouts": Benchmark("light playouts from the empty board, one core", measure_playouts),
    "search": Benchmark("tree search from the empty board, by workers", measure_search),
    "profile": Benchmark("where the time goes", measure_profile, rows_as_profiles),
    "collector": Benchmark("the collector on 19x19", measure_collector),
    "segments": Benchmark(
        "a small segment beside a large one, 19x19, two workers", measure_segments
    ),
    "daemon": Benchmark("a GTP client's start and answers, embedded and attached", measure_daemon),
    "positions": Benchmark("legal positions, counted by the legality test", count_positions),
}
BESIDE_PEER = Benchmark(
    "tree search from the empty board beside another engine, by turns on one core",
    measure_beside_peer,
)


def main(argv: Sequence[str]) -> int:
    """Measure. Returns 1 if a result contradicts what is known."""
    parser = _parser()
    options = parser.parse_args(argv)
    if not options.peer:
        names = list(BENCHMARKS) if options.what == "all" else [options.what]
        as_expected = [_show_rows(BENCHMARKS[name], options) for name in names]
        return 0 if all(as_expected) else 1
    if options.what != "search":
        parser.error("--peer is for `goengine bench search`")
    from daemon.bench.peer import PeerFailed

    try:
        return 0 if _show_rows(BESIDE_PEER, options) else 1
    except PeerFailed as error:
        parser.error(str(error))


def _show_rows(benchmark: Benchmark, options: argparse.Namespace) -> bool:
    """Show what is going on, then the result. Returns whether all rows are as expected."""
    title, measure, show = benchmark
    rows: list[Row] = []
    # On stderr, and leaving stdout alone: results may go to a file.
    with Live(
        Spinner("dots", title),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as live:
        for row in measure(options):
            rows.append(row)
            if options.json:
                print(json.dumps(row), flush=True)
            else:
                live.update(Group(show(title, rows), Spinner("dots")))
    if not options.json:
        Console().print(show(title, rows))
    return all(row.get("as_expected", True) for row in rows)


def _format(key: str, value: Any) -> str:
    if isinstance(value, str | bool):
        return str(value)
    if key.endswith(("_per_s", "_per_cpu_s")):
        return f"{value / 1e6:.2f} M" if value >= 1e6 else f"{value:,.0f}"
    return f"{value:,}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="goengine bench", description=__doc__)
    parser.add_argument(
        "what", nargs="?", choices=[*BENCHMARKS, "all"], default="all", help="default: all"
    )
    parser.add_argument("--json", action="store_true", help="one object a line on stdout")
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=[9, 13, 19],
        choices=range(MIN_SIZE, MAX_SIZE + 1),
        metavar="N",
        help=f"board sizes, {MIN_SIZE} to {MAX_SIZE}",
    )
    parser.add_argument(
        "--runs",
        type=int,
        choices=range(1, 1001),
        metavar="N",
        help="take the median, profile the fastest, of so many (default: playouts 9, others 5, "
        "beside a peer 3)",
    )
    parser.add_argument(
        "--seconds",
        type=_positive,
        help="length of a run (default: playouts 0.4, search 2, segments 60)",
    )
    parser.add_argument(
        "--set",
        type=_parameter,
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="search, profile: a parameter of the search, as goengine-param has it",
    )
    parser.add_argument(
        "--simulations",
        type=_count,
        default=10_000,
        metavar="N",
        help="profile: simulations a run (default: 10000)",
    )
    peer = parser.add_argument_group("search beside another engine")
    peer.add_argument(
        "--peer",
        type=_peer_command,
        metavar="COMMAND",
        help="a GTP engine for a shell to start, such as 'pachi -t ={playouts} threads=1'",
    )
    peer.add_argument(
        "--peer-playouts",
        type=_count,
        default=20_000,
        metavar="N",
        help="playouts of both for a move, and the number for {playouts} (default: 20000)",
    )
    peer.add_argument(
        "--peer-count",
        type=_pattern,
        metavar="REGEX",
        help="its group finds on the peer's stderr how many it really made, if it makes more",
    )
    return parser


def _parameter(text: str) -> tuple[str, str]:
    from goengine.search.parameters import find_parameter

    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not name=value")
    try:
        find_parameter(name).parse(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name, value


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to 10000000")
    return int(text)


def _peer_command(text: str) -> str:
    if "{playouts}" not in text:
        raise argparse.ArgumentTypeError("{playouts} must stand where the number of playouts goes")
    return text


def _pattern(text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    if pattern.groups != 1:
        raise argparse.ArgumentTypeError(f"{text!r} needs one group, around the number")
    return pattern


def _positive(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 3600")
    return seconds
