"""How a match stands, in a terminal: a table that is drawn again and again, or lines."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from clients.match.definition import Pairing
from clients.match.game_record import GameRecord
from clients.match.intervals import Interval, Tally
from clients.match.ratings import Rating
from clients.match.runner import Runner
from clients.match.standings import (
    Comparison,
    SideFigures,
    Standing,
    compared,
    match_ratings,
)
from daemon.plain_text import plain


def format_rate(rate: Interval) -> str:
    return f"{rate.value:.1%} ({rate.low:.0%}-{rate.high:.0%})"


def format_elo(elo: Interval) -> str:
    if math.isinf(elo.value):
        bound = elo.low if elo.value > 0 else elo.high
        return f"{'>' if elo.value > 0 else '<'} {bound:+.0f}"
    return f"{elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"


def format_sprt(standing: Standing) -> str:
    state, sprt = standing.sprt, standing.pairing.sprt
    if state is None or sprt is None:
        return ""
    if state.verdict:
        elo = sprt.elo1 if state.verdict == "elo1" else sprt.elo0
        return f"{elo:+g} Elo after {state.n_games}"
    return f"{state.llr:+.2f} of {state.lower:.2f} to {state.upper:.2f}"


def standings_table(standings: list[Standing], stopped: dict[str, str], width: int) -> Table:
    """As many columns as fit; pairings that cannot go on are red."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = [column for column in _COLUMNS if column.least_width <= width]
    rows = [[column.cell(standing) for column in columns] for standing in standings]
    is_told = [any(row[place] for row in rows) for place in range(len(columns))]
    for column, told in zip(columns, is_told, strict=True):
        if told:
            justify: JustifyMethod = "left" if column is _COLUMNS[0] else "right"
            table.add_column(column.head, justify=justify, no_wrap=True)
    for standing, row in zip(standings, rows, strict=True):
        style = "red" if standing.pairing.key in stopped else ""
        cells = [Text(cell) for cell, told in zip(row, is_told, strict=True) if told]
        table.add_row(*cells, style=style)
    return table


class _Column(NamedTuple):
    """least_width: of a terminal that has room for it."""

    head: str
    cell: Callable[[Standing], str]
    least_width: int = 0


def _games(standing: Standing) -> str:
    games = standing.tally.games
    return f"{games}" if standing.pairing.sprt else f"{games}/{standing.pairing.games}"


def _record(tally: Tally) -> str:
    return f"{tally.wins}-{tally.losses}" + (f"-{tally.draws}" if tally.draws else "")


def _sides(standing: Standing, figure: Callable[[SideFigures], str]) -> str:
    return " : ".join(figure(side) for side in standing.sides)


def _told(standing: Standing, figure: Callable[[SideFigures], str]) -> str:
    """Nothing where neither side tells."""
    return _sides(standing, figure) if any(figure(side) != "-" for side in standing.sides) else ""


def _behind(side: SideFigures) -> str:
    return "-" if side.playouts_behind is None else f"{side.playouts_behind:,.0f}"


def _pondered(side: SideFigures) -> str:
    return "-" if side.pondering_used is None else f"{side.pondering_used:.0%}"


def _forfeits(standing: Standing) -> str:
    return _sides(standing, lambda side: str(side.forfeits)) if standing.tally.games else ""


def _lost_on_time(standing: Standing) -> str:
    has_clock = standing.pairing.clock and standing.tally.games
    return _sides(standing, lambda side: str(side.times)) if has_clock else ""


def _time_used(side: SideFigures) -> str:
    return _share(side.time_used)


_COLUMNS = (
    _Column("pairing", lambda each: each.pairing.name),
    _Column("games", _games),
    _Column("won-lost", lambda each: _record(each.tally)),
    _Column("as B", lambda each: _record(each.as_black), 110),
    _Column("as W", lambda each: _record(each.as_white), 110),
    _Column("rate (95 %)", lambda each: format_rate(each.rate) if each.tally.games else ""),
    _Column("Elo (95 %)", lambda each: format_elo(each.elo) if each.tally.games else "", 90),
    _Column("SPRT", format_sprt),
    _Column("s/move", lambda each: _sides(each, lambda side: _seconds(side.seconds_a_move)), 100),
    _Column("behind", lambda each: _told(each, _behind), 140),
    _Column("pondered", lambda each: _told(each, _pondered), 140),
    _Column("on time", _lost_on_time, 100),
    _Column("time used", lambda each: _told(each, _time_used), 110),
    _Column("forfeits", _forfeits, 120),
    _Column("published", lambda each: each.pairing.published or ""),
)


def ratings_table(groups: list[list[Rating]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("player", "Elo", "95 %", "games"):
        table.add_column(name, justify="left" if name == "player" else "right")
    for group in groups:
        for rating in group:
            interval = f"{rating.low:+.0f} to {rating.high:+.0f}"
            table.add_row(Text(rating.name), f"{rating.elo:+.0f}", interval, str(rating.games))
        table.add_section()
    return table


def comparison_lines(comparisons: list[Comparison]) -> list[str]:
    return [
        f"{each.other} against {each.baseline}: z = {each.test.z:+.2f}, "
        f"p = {each.test.p_two_sided:.3f} (two-sided)"
        for each in comparisons
    ]


def whole_view(runner: Runner, width: int) -> RenderableType:
    match = runner.match
    parts: list[RenderableType] = [
        Text(match.title, style="bold"),
        standings_table(runner.standings, runner.stopped, width),
    ]
    groups = match_ratings([each for each in runner.standings if each.tally.games])
    if sum(map(len, groups)) > 2:
        parts += [Text(), ratings_table(groups)]
    lines = comparison_lines(compared(runner.standings))
    now = time.monotonic()
    lines += [
        f"playing {game.pairing.name}, game {game.claim.number}, for {now - game.since:.0f} s"
        for game in list(runner.in_play)
    ]
    parts += [Text(line, style="dim") for line in lines]
    parts += [Text(text, style="yellow") for text in doubts(runner.standings)]
    parts += [Text(text, style="red") for text in problems(runner)]
    return Group(*parts)


def problems(runner: Runner) -> list[str]:
    """What keeps the match from its end, or the file from being understood."""
    names = {pairing.key: pairing.name for pairing in runner.match.pairings}
    stopped, unreadable = list(runner.stopped.items()), list(runner.folder.unreadable.items())
    found = [f"{names[key]} is stopped: {why}" for key, why in stopped if key in names]
    found += [f"{path} is not counted: {why}" for path, why in unreadable]
    if runner.warning:
        found.append(f"the match goes on as it was: {runner.warning}")
    return [plain(text) for text in found]


def doubts(standings: list[Standing]) -> list[str]:
    """What makes figures worth less than they look."""
    found = []
    for standing in standings:
        name = standing.pairing.name
        if standing.n_copies:
            found.append(
                f"{name}: {standing.n_copies} games are copies of others and say nothing new; "
                "engines that always play the same need openings"
            )
        for side in standing.sides:
            if ", " in side.engine:
                found.append(f"{name}: {side.name} was several engines: {side.engine}")
    return [plain(text) for text in found]


class Display:
    """Shows a runner's match while it runs; `on_game` is for the runner."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._live: Live | None = None

    def on_game(self, pairing: Pairing, record: GameRecord) -> None:
        if self._live is None:
            self.console.print(format_game(pairing, record), markup=False, soft_wrap=True)

    def open(self, runner: Runner) -> None:
        if self.console.is_terminal:
            get: Callable[[], RenderableType] = lambda: whole_view(runner, self.console.width)  # noqa: E731
            self._live = Live(
                console=self.console, get_renderable=get, refresh_per_second=2, transient=True
            )
            self._live.start()

    def close(self) -> None:
        if self._live:
            self._live.stop()
            self._live = None


def format_game(pairing: Pairing, record: GameRecord) -> str:
    text = (
        f"{pairing.name}, game {record.number}: {record.black} (B) against {record.white} (W): "
        f"{record.result}, {len(record.moves)} moves, {record.seconds:.1f} s"
    )
    return plain(f"{text}, {record.offence or record.detail}" if record.detail else text)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if value < 1 else f"{value:.1f}"
