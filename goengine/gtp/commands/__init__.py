"""Importing this package registers every command."""

from goengine.gtp.commands import (
    gogui,
    handicap,
    inspection,
    meta,
    moves,
    records,
    rulesets,
    setup,
    timing,
)

__all__ = [
    "gogui",
    "handicap",
    "inspection",
    "meta",
    "moves",
    "records",
    "rulesets",
    "setup",
    "timing",
]
