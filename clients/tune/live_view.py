"""How a tuning stands, in a terminal: a table that is drawn again and again, or lines."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from clients.match.intervals import Tally, wilson
from clients.match.live_table import format_rate
from clients.status_page import format_seconds
from clients.tune.history import IterationRecord, values_now
from clients.tune.parameters import Parameter
from clients.tune.tuner import Tuner
from daemon.plain_text import plain

LAST = 20  # iterations that rate and time are taken from
_BLOCKS, _ASCII_BLOCKS = "▁▂▃▄▅▆▇█", "_.-~=*#@"
_SPARK_WIDTH = 24
_SPARK_LEAST_WIDTH = 90  # of a terminal that has room for it


def whole_view(tuner: Tuner, width: int, ascii_only: bool = False) -> RenderableType:
    tuning, records = tuner.tuning, tuner.records
    parts: list[RenderableType] = [
        Text(plain(tuning.match.title), style="bold"),
        Text(progress_line(tuner)),
        parameter_table(tuner, width, ascii_only),
    ]
    if records:
        parts.append(Text(rate_line(records)))
    parts += [Text(plain(text), style="yellow") for text in doubts(records)]
    if tuner.doing:
        parts.append(Text(tuner.doing, style="dim"))
    return Group(*parts)


def progress_line(tuner: Tuner) -> str:
    schedule, n_done = tuner.tuning.schedule, len(tuner.records)
    n_games = sum(record.tally.games for record in tuner.records)
    line = f"{n_done:,} of {schedule.iterations:,} iterations, {n_games:,} games"
    if tuner.since is not None:
        line += f"; playing iteration {n_done + 1:,}: {tuner.n_played} of {schedule.games}"
    left = seconds_left(tuner, time.monotonic())
    return line if left is None else f"{line}; about {format_seconds(left)} left"


def seconds_left(tuner: Tuner, now: float) -> float | None:
    """None where nothing is known, or nothing left."""
    if tuner.is_finished or not tuner.records:
        return None
    # The median: an iteration that was interrupted is short, one beside other work is long.
    one = statistics.median(record.seconds for record in tuner.records[-LAST:])
    n_left = tuner.tuning.schedule.iterations - len(tuner.records)
    gone = 0.0 if tuner.since is None else min(now - tuner.since, one)
    return n_left * one - gone


def rate_line(records: Sequence[IterationRecord]) -> str:
    last = records[-LAST:]
    tally = Tally()
    for record in last:
        tally = tally.plus(record.tally)
    return f"last {len(last)} iterations: plus won {format_rate(wilson(tally))} of its games"


def doubts(records: Sequence[IterationRecord]) -> list[str]:
    """What makes values worth less than they look."""
    engines = list(dict.fromkeys(record.engine for record in records))
    if len(engines) < 2:
        return []
    return [f"the engine was another one meanwhile: {'; '.join(engines)}"]


def parameter_table(tuner: Tuner, width: int, ascii_only: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    is_wide = width >= _SPARK_LEAST_WIDTH
    for head in ("parameter", "start", "now", "change", "in steps", "from", "to"):
        table.add_column(head, justify="left" if head == "parameter" else "right", no_wrap=True)
    if is_wide:
        table.add_column("course", no_wrap=True)
    now = values_now(tuner.tuning, tuner.records)
    for parameter in tuner.tuning.parameters:
        value = now[parameter.name]
        shown = [
            parameter.name,
            parameter.text(parameter.start),
            parameter.text(value),
            f"{parameter.told(value) - parameter.start:+.4g}",
            format_steps(parameter, value, ascii_only),
            parameter.text(parameter.minimum),
            parameter.text(parameter.maximum),
        ]
        if is_wide:
            shown.append(_spark(parameter, tuner.records, ascii_only))
        table.add_row(*map(Text, shown))
    return table


def format_steps(parameter: Parameter, value: float, ascii_only: bool) -> str:
    """The way that was gone; two arrows where noise alone hardly goes so far."""
    steps = (value - parameter.start) / parameter.step
    up, down = ("^", "v") if ascii_only else ("↑", "↓")
    arrow = up if steps > 0 else down
    n_arrows = 2 if abs(steps) >= 2 else 1 if abs(steps) >= 1 else 0
    return f"{steps:+.1f} {arrow * n_arrows:2}"


def _spark(parameter: Parameter, records: Sequence[IterationRecord], ascii_only: bool) -> str:
    values = [parameter.start, *(record.after[parameter.name] for record in records)]
    # Never less than a step to either side: small noise is to look small.
    low = min(parameter.start - parameter.step, *values)
    high = max(parameter.start + parameter.step, *values)
    return sparkline(values, low, high, _ASCII_BLOCKS if ascii_only else _BLOCKS)


def sparkline(values: Sequence[float], low: float, high: float, blocks: str = _BLOCKS) -> str:
    """At most _SPARK_WIDTH of the values, evenly spread, the last one among them."""
    width = min(len(values), _SPARK_WIDTH)
    picked = [values[(number + 1) * len(values) // width - 1] for number in range(width)]
    top = len(blocks) - 1
    return "".join(blocks[round((value - low) / (high - low) * top)] for value in picked)


class Display:
    """Shows a tuner while it runs; without a terminal, a line for each iteration."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._live: Live | None = None

    def view(self, tuner: Tuner) -> RenderableType:
        return whole_view(tuner, self.console.width, self.console.options.ascii_only)

    def on_iteration(self, tuner: Tuner, record: IterationRecord) -> None:
        if self._live is None:
            self.console.print(format_iteration(tuner, record), markup=False, soft_wrap=True)

    def open(self, tuner: Tuner) -> None:
        if self.console.is_terminal:
            self._live = Live(
                console=self.console,
                get_renderable=lambda: self.view(tuner),
                refresh_per_second=2,
                transient=True,
            )
            self._live.start()

    def close(self) -> None:
        if self._live:
            self._live.stop()
            self._live = None


def format_iteration(tuner: Tuner, record: IterationRecord) -> str:
    tuning, tally = tuner.tuning, record.tally
    values = ", ".join(f"{each.name} {each.text(record.after[each.name])}"
                       for each in tuning.parameters)  # fmt: skip
    score = f"{tally.wins}-{tally.losses}" + (f"-{tally.draws}" if tally.draws else "")
    of_all = f"{record.number} of {tuning.schedule.iterations}"
    return f"iteration {of_all}: plus {score}, {record.seconds:.1f} s: {values}"
