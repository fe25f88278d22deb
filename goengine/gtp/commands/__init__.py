"""Importing this package registers every command."""

from goengine.gtp.commands import (
    analysis,
    gogui,
    gogui_analyze,
    handicap,
    inspection,
    maps,
    meta,
    moves,
    parameters,
    records,
    reporting,
    rulesets,
    setup,
    timing,
)

__all__ = [
    "analysis",
    "gogui",
    "gogui_analyze",
    "handicap",
    "inspection",
    "maps",
    "meta",
    "moves",
    "parameters",
    "records",
    "reporting",
    "rulesets",
    "setup",
    "timing",
]
