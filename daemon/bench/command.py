"""The command line of the benchmarks."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Console, Group
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
        for row in measure(size, options.runs or 5, options.seconds or 2.0)
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


BENCHMARKS: dict[str, tuple[str, Callable[[argparse.Namespace], Iterator[Row]]]] = {
    "playouts": ("light playouts from the empty board, one core", measure_playouts),
    "search": ("tree search from the empty board, by workers", measure_search),
    "collector": ("the collector on 19x19", measure_collector),
    "segments": ("a small segment beside a large one, 19x19, two workers", measure_segments),
    "daemon": ("a GTP client's start and answers, embedded and attached", measure_daemon),
    "positions": ("legal positions, counted by the legality test", count_positions),
}


def main(argv: Sequence[str]) -> int:
    """Measure. Returns 1 if a result contradicts what is known."""
    options = _parser().parse_args(argv)
    names = list(BENCHMARKS) if options.what == "all" else [options.what]
    as_expected = [_show_rows(name, options) for name in names]
    return 0 if all(as_expected) else 1


def _show_rows(name: str, options: argparse.Namespace) -> bool:
    """Show what is going on, then the result. Returns whether all rows are as expected."""
    title, measure = BENCHMARKS[name]
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
                live.update(Group(_table(title, rows), Spinner("dots")))
    if not options.json:
        Console().print(_table(title, rows))
    return all(row.get("as_expected", True) for row in rows)


def _table(title: str, rows: list[Row]) -> Table:
    table = Table(title=title, title_justify="left")
    for key in rows[0]:
        table.add_column(key.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*(_format(key, value) for key, value in row.items()))
    return table


def _format(key: str, value: Any) -> str:
    if isinstance(value, str | bool):
        return str(value)
    if key.endswith("_per_s"):
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
        help="take the median of so many (default: playouts 9, search and collector 5)",
    )
    parser.add_argument(
        "--seconds",
        type=_positive,
        help="length of a run (default: playouts 0.4, search 2, segments 60)",
    )
    return parser


def _positive(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 3600")
    return seconds
