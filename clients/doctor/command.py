"""`goengine ctl doctor`: every finding in a table, or as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from clients.doctor.checks import Finding, Verdict, examine
from clients.doctor.gathering import gather
from daemon.plain_text import plain

_MARKS = {
    Verdict.FINE: ("✓", "green"),
    Verdict.HINT: ("•", "yellow"),
    Verdict.WRONG: ("✗", "bold red"),
}


def run_doctor(config_file: Path | None, connect: str | None, as_json: bool) -> int:
    """Print what was found. Returns 1 if something must be changed, else 0."""
    findings = list(examine(gather(config_file, connect)))
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(findings)).decode())
    else:
        console = Console(highlight=False)
        console.print(findings_table(findings))
        console.print(summary(findings))
    return int(any(finding.verdict is Verdict.WRONG for finding in findings))


def findings_table(findings: list[Finding]) -> Table:
    """What to change stands below what was found."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for finding in findings:
        mark, style = _MARKS[finding.verdict]
        text = Text(plain(finding.found))
        if finding.change:
            text.append(f"\n→ {plain(finding.change)}", style)
        table.add_row(Text(mark, style), Text(finding.check, "bold"), text)
    return table


def summary(findings: list[Finding]) -> Text:
    n_wrong = sum(finding.verdict is Verdict.WRONG for finding in findings)
    n_hints = sum(finding.verdict is Verdict.HINT for finding in findings)
    if n_wrong:
        return Text(f"\n{n_wrong} to change, {n_hints} that could be better", "bold red")
    if n_hints:
        return Text(f"\nAll works; {n_hints} could be better.", "yellow")
    return Text("\nAll is well.", "green")
