"""Where an analysis goes: the terminal or JSON, a record, plots."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from clients.analyse import wording
from clients.analyse.analyst import Conditions, Limits
from clients.analyse.annotation import annotate
from clients.analyse.findings import Finding, Thresholds
from clients.analyse.plot import plot_game
from clients.analyse.png import to_png
from clients.analyse.record import Color, Record
from clients.analyse.report import Report, to_json
from clients.analyse.summary import summarise
from clients.analyse.table import whole_view
from clients.match.results_folder import replace_whole
from goengine import __version__
from goengine.rules.rulesets import parse_rules


@dataclass(frozen=True)
class Outputs:
    record: Record
    limits: Limits
    thresholds: Thresholds
    conditions: Conditions
    numbers: Sequence[int]  # of the moves that were asked for

    def report(self, findings: list[Finding]) -> Report:
        colors: tuple[Color, Color] = ("black", "white")
        return Report(
            file=self.record.name,
            size=self.record.size,
            komi=self.conditions.komi,
            rules=parse_rules(self.conditions.rules).name,
            playouts=self.limits.playouts,
            seconds=self.limits.seconds,
            thresholds=self.thresholds._asdict(),
            is_complete=len(findings) == len(self.numbers),
            moves_in_game=len(self.record.moves),
            summary=summarise(findings, {color: self.record.player(color) for color in colors}),
            moves=findings,
        )

    def write(self, findings: list[Finding], options: argparse.Namespace) -> None:
        """`findings` are not empty."""
        report = self.report(findings)
        if options.json:
            print(to_json(report))
        else:
            console = Console(highlight=False)
            heading = f"{report.file}: {self.circumstances(report)}"
            console.print(heading, markup=False, soft_wrap=True)
            console.print()
            console.print(whole_view(report, options.top))
            line = wording.summary_line(report.summary, report.moves)
            console.print(line, markup=False, soft_wrap=True)
        if options.no_files:
            return
        for written in self._write_files(report, options.output, with_png=options.png):
            print(f"wrote {written}", file=sys.stderr if options.json else sys.stdout)

    def circumstances(self, report: Report) -> str:
        """What was played for, and how it was analysed."""
        size = report.size
        return (
            f"{size}x{size}, komi {report.komi:g}, {report.rules} rules; "
            f"goengine {__version__}, {wording.limits(self.limits)}"
        )

    def _write_files(self, report: Report, path: Path, *, with_png: bool) -> list[Path]:
        summary = report.summary
        by_color = summarise(report.moves, {"black": "Black", "white": "White"})
        told = f"{self.circumstances(report)}\n{wording.summary_line(by_color, report.moves)}"
        files = {path: annotate(self.record, report.moves, told)}
        black, white = (player.name for player in summary.players)
        svg = plot_game(report.moves, f"{black} – {white}", summary.turning_point)
        files[path.with_suffix(".svg")] = svg.encode()
        if with_png:
            files[path.with_suffix(".png")] = to_png(svg)
        for file, data in files.items():
            replace_whole(file, data)
        return list(files)
