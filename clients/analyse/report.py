"""An analysis as a whole: what was asked, what was found; what `--json` prints."""

from __future__ import annotations

import msgspec

from clients.analyse.findings import Finding
from clients.analyse.summary import Summary
from goengine import __version__

FORMAT = 1  # changes when a reader of older ones would be misled


class Report(msgspec.Struct, frozen=True):
    """is_complete: False if it was stopped before all of the moves were analysed."""

    file: str
    size: int
    komi: float
    rules: str
    playouts: int | None  # limits of each search
    seconds: float | None
    thresholds: dict[str, float]
    is_complete: bool
    moves_in_game: int
    summary: Summary
    moves: list[Finding]
    format: int = FORMAT
    goengine: str = __version__


def to_json(report: Report) -> str:
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
