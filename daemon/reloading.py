"""A configuration that is read again: what it changes at once, and what has to wait."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from daemon.config import KEYS, Config, format_value


class Reload(NamedTuple):
    """config   what holds from now on
    changed     what is different in it, in words
    waiting     what would be different after a restart
    """

    config: Config
    changed: list[str]
    waiting: list[str]


def reload(old: Config, new: Config) -> Reload:
    """Take from `new` what a running daemon can change."""
    differing = [name for name in KEYS if getattr(new, name) != getattr(old, name)]
    live = [name for name in differing if KEYS[name].is_live]
    return Reload(
        dataclasses.replace(old, **{name: getattr(new, name) for name in live}),
        [_describe(name, old, new) for name in live],
        [_describe(name, old, new) for name in differing if name not in live],
    )


def _describe(name: str, old: Config, new: Config) -> str:
    if name == "parameters":
        return "parameters of new games"
    return f"{name}: {format_value(getattr(old, name))} -> {format_value(getattr(new, name))}"
