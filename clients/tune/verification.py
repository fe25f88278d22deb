"""The match that shows what a tuning gained: tuned against start, from openings kept for it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from clients.match.definition import Openings, Player
from clients.match.results_folder import replace_whole
from clients.tune import sides
from clients.tune.definition import Tuning
from clients.tune.history import IterationRecord, values_now
from clients.tune.openings import VERIFY_OPENINGS
from clients.tune.parameters import start_values

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def write_verification(tuning: Tuning, records: list[IterationRecord]) -> Path:
    """FILE.results/verify.toml. Its results are kept apart for every pair of players."""
    path = tuning.match.results / "verify.toml"
    replace_whole(path, verification_text(tuning, records).encode())
    return path


def verification_text(tuning: Tuning, records: list[IterationRecord]) -> str:
    now = values_now(tuning, records)
    values = {"tuned": now, "start": start_values(tuning.parameters)}
    top = {
        "title": f"{tuning.match.title}: tuned against start",
        "games_at_once": tuning.match.games_at_once,
        "cores": tuning.match.cores,
        "pin": tuning.match.pin,
    }
    tables = {"game": _conditions(tuning)}
    for name, given in values.items():
        player = sides.told_from_the_start(tuning.player, tuning.parameters, given)
        tables[f"players.{name}"] = _player(player)
    n_games = sum(record.tally.games for record in records)
    parts = [
        f"# Written by `goengine tune` after {len(records)} iterations, {n_games} games. It plays\n"
        "# games of its own: none that the parameters were tuned by counts here.\n"
        f"{_lines(top)}",
        *(f"[{name}]\n{_lines(table)}" for name, table in tables.items()),
        f"[[pairings]]\n{_lines({'players': list(values)})}",
    ]
    return "\n".join(parts)


def _conditions(tuning: Tuning) -> dict[str, Any]:
    pairing = tuning.pairing
    openings = None
    if pairing.openings:
        openings = Openings(file=f"{tuning.key}/{VERIFY_OPENINGS}")
    return {
        "size": pairing.size,
        "rules": pairing.rules,
        "komi": pairing.komi,
        "handicap": pairing.handicap or None,
        "clock": pairing.clock and msgspec.to_builtins(pairing.clock),
        "patience": pairing.patience,
        "most_moves": pairing.most_moves,
        "openings": openings and {"file": openings.file},
        "games": tuning.verify_games,
    }


def _player(player: Player) -> dict[str, Any]:
    """Only what differs from what a player is by itself: not every key is allowed to each."""
    usual = msgspec.structs.asdict(Player())
    given = msgspec.structs.asdict(player)
    return {key: value for key, value in given.items() if value != usual[key]}


def _lines(table: dict[str, Any]) -> str:
    return "".join(
        f"{key} = {toml_value(value)}\n" for key, value in table.items() if value is not None
    )


def toml_value(value: Any) -> str:
    """Texts, numbers, lists and tables of them, in one line."""
    if isinstance(value, dict):
        inside = (f"{_key(key)} = {toml_value(each)}" for key, each in value.items())
        return f"{{ {', '.join(inside)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else _string(text)


def _string(text: str) -> str:
    """JSON has the same escapes, but lets DEL stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
