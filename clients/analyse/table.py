"""What an analysis looks like in a terminal: a bar on its way, tables at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from clients.analyse.findings import Finding, Grade, largest_losses
from clients.analyse.record import RecordedMove
from clients.analyse.report import Report
from clients.analyse.wording import percent, score

SHOWN_VARIATION = 6  # moves
_STYLES: dict[Grade, str] = {"doubtful": "yellow", "mistake": "dark_orange", "blunder": "red"}


class Bar:
    """Counts moves; the one that is being analysed counts as far as its search has gone."""

    def __init__(self, progress: Progress, n_moves: int) -> None:
        self._progress = progress
        self._task = progress.add_task("starting the engine", total=n_moves)
        self._n_done = 0

    def begin(self, move: RecordedMove) -> None:
        color = move.color.capitalize()
        self._progress.update(self._task, description=f"move {move.number}, {color} {move.vertex}")

    def finish(self) -> None:
        self._n_done += 1
        self._progress.update(self._task, completed=self._n_done)

    def on_progress(self, fraction: float | None) -> None:
        """Of one search, of which a move takes one as a rule."""
        if fraction is not None:
            self._progress.update(self._task, completed=self._n_done + 0.95 * fraction)


@contextmanager
def progress_bar(console: Console, n_moves: int) -> Iterator[Bar]:
    """Nothing is shown where there is no terminal."""
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with progress:
        yield Bar(progress, n_moves)


def whole_view(report: Report, n_shown: int) -> RenderableType:
    """The largest losses of both players."""
    parts: list[RenderableType] = []
    for player in report.summary.players:
        if player.moves:
            losses = largest_losses(report.moves, player.color, n_shown)
            parts.append(_losses(player.name, losses))
    return Group(*parts)


def _losses(name: str, findings: list[Finding]) -> RenderableType:
    if not findings:
        return Text(f"{name}: no errors\n")
    table = Table(
        title=Text(f"Largest losses of {name}"), title_justify="left", box=None, expand=True
    )
    for heading in ("move", "played", "win rate", "loss", "score", "better"):
        is_text = heading in ("played", "better")
        table.add_column(heading, justify="left" if is_text else "right", no_wrap=True)
    table.add_column("expected", overflow="ellipsis", no_wrap=True, ratio=1)
    for finding in findings:
        best = finding.best
        table.add_row(
            str(finding.number),
            finding.move,
            f"{100 * finding.win_rate_before:.1f} → {percent(finding.win_rate_after)}",
            Text(percent(finding.loss), style=_STYLES.get(finding.grade, "")),
            f"{score(finding.score_before)} → {score(finding.score_after)}",
            f"{best.move} {percent(best.win_rate)}",
            " ".join(best.variation[:SHOWN_VARIATION]),
        )
    return Group(table, Text(""))
