"""Findings in words and figures, the same in tables, comments and plots. ASCII alone.

Records may be in any character set; what is added to them must be right in all of them.
"""

from __future__ import annotations

import math

from clients.analyse.analyst import Limits
from clients.analyse.findings import Finding
from clients.analyse.summary import PlayerSummary, Summary


def percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def score(black_score: float | None) -> str:
    """Points by which Black is ahead, as results are written: B+3.5, W+0.5, 0; ? if not known."""
    if black_score is None:
        return "?"
    rounded = math.floor(abs(black_score) * 10 + 0.5) / 10
    if not rounded:
        return "0"
    return f"{'B' if black_score > 0 else 'W'}+{rounded:.1f}"


def remark(finding: Finding) -> str:
    """All about one move, in two or three lines."""
    player = finding.color.capitalize()
    judged = f", loses {percent(finding.loss)}"
    judged += f": {finding.grade}" if finding.is_error else ""
    lines = [
        f"{player} {finding.move}: {player}'s win rate {percent(finding.win_rate_before)} -> "
        f"{percent(finding.win_rate_after)}{judged}"
    ]
    if finding.agrees:
        lines.append("goengine's choice too")
    else:
        best = finding.best
        lines.append(
            f"goengine's choice: {best.move} {percent(best.win_rate)}, {' '.join(best.variation)}"
        )
    scores = f"Score {score(finding.score_before)} -> {score(finding.score_after)}"
    lines.append(f"{scores}; {likelihood(finding)}")
    return "\n".join(lines)


def likelihood(finding: Finding) -> str:
    """How much the engine thought of the move."""
    rank = "not considered" if finding.rank is None else f"choice {finding.rank}"
    share = finding.visits / finding.playouts if finding.playouts else 0.0
    return f"{rank}, expected {percent(finding.prior)}, {percent(share)} of the playouts"


def summary_line(summary: Summary, findings: list[Finding]) -> str:
    return " ".join([*map(player_sentence, summary.players), turning_sentence(summary, findings)])


def player_sentence(player: PlayerSummary) -> str:
    if player.average_loss is None:
        return f"{player.name}: no moves."
    share = f"{100 * player.agreements / player.moves:.0f} %"
    return (
        f"{player.name}: average loss {percent(player.average_loss)}, "
        f"{player.agreements} of {player.moves} moves as goengine ({share})."
    )


def turning_sentence(summary: Summary, findings: list[Finding]) -> str:
    turned = next((each for each in findings if each.number == summary.turning_point), None)
    if turned is not None:
        return f"Turning point: move {turned.number}, {turned.color.capitalize()} {turned.move}."
    if summary.leader is None:
        return "No turning point."
    return f"No turning point: {summary.leader.capitalize()} is ahead all the way."


def limits(limits: Limits) -> str:
    parts = []
    if limits.playouts:
        parts.append(f"{limits.playouts:,} playouts")
    if limits.seconds:
        parts.append(f"{limits.seconds:g} s")
    return f"{' or '.join(parts)} a position"
