"""A game of a match as SGF, with what each engine told of its moves."""

from __future__ import annotations

import re

from sgfmill import sgf

from clients.match.game_record import GameRecord
from clients.match.replay import Turn, places_of, replay
from clients.match.time_settings import Clock
from clients.match.wording import clock_in_words, counted, how_scored, outcome, percent, seconds
from daemon.plain_text import plain
from goengine import __version__

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
# The words that the format itself knows; other rules go by our names.
_RULES = {"aga": "AGA", "japanese": "Japanese", "new-zealand": "NZ"}


def sgf_of(record: GameRecord) -> bytes:
    """The game in UTF-8. A move that cannot be played is told in the comment on the last node."""
    game = sgf.Sgf_game(record.size)
    _describe(game.get_root(), record)
    played = replay(record)
    for turn in played.turns:
        node = game.extend_main_sequence()
        node.set_move(turn.color[0], turn.place)
        node.set("C", _remark(turn, len(record.opening)))
    end = [f"{_remark(turn, 0)}: {turn.vertex}" for turn in played.rest]
    end += [outcome(record), how_scored(record), record.detail]
    last = game.get_last_node()
    last.add_comment_text(plain("\n".join(line for line in end if line)))
    serialised: bytes = game.serialise()
    return serialised


def _describe(root: sgf.Tree_node, record: GameRecord) -> None:
    root.set("AP", ("goengine", __version__))
    root.set("GN", _line(f"{record.pairing}, game {record.number}"))
    root.set("PB", _line(record.black))
    root.set("PW", _line(record.white))
    root.set("KM", record.komi)
    root.set("RU", _line(_RULES.get(record.rules, record.rules)))
    root.set("RE", record.result)
    if date := _DATE.match(record.started):
        root.set("DT", date[0])
    if record.handicap:
        stones = places_of(record.handicap, record.size)
        root.set_setup_stones(stones, [])
        root.set("PL", "w")
        if len(stones) > 1:
            root.set("HA", len(stones))
    lines = [
        f"Black: {record.black}, {record.engines[0]}",
        f"White: {record.white}, {record.engines[1]}",
        f"Started {record.started} on {record.host}, took {seconds(record.seconds)}.",
    ]
    if record.clock:
        root.set("TM", record.clock.main)
        if overtime := _overtime(record.clock):
            root.set("OT", overtime)
        lines.append(f"Time: {clock_in_words(record.clock)}.")
    if record.opening:
        lines.append(f"The first {counted(len(record.opening), 'move')} are the opening.")
    root.set("C", plain("\n".join(lines)))


def _overtime(clock: Clock) -> str:
    """In the words that other programs write."""
    return {
        "absolute": "",
        "canadian": f"{clock.moves}/{clock.period:g} Canadian",
        "byoyomi": f"{clock.periods or 0}x{clock.period:g} byo-yomi",
        "fischer": f"{clock.increment or 0:g} fischer",
    }[clock.kind]


def _remark(turn: Turn, n_opening: int) -> str:
    if turn.told is None:
        return f"Opening, move {turn.number} of {n_opening}"
    parts = [seconds(turn.told.seconds)]
    if turn.told.playouts is not None:
        parts.insert(0, counted(turn.told.playouts, "playout"))
    if turn.told.win_rate is not None:
        parts.insert(0, percent(turn.told.win_rate))
    return f"{turn.color.capitalize()}: {', '.join(parts)}"


def _line(text: str) -> str:
    return " ".join(plain(text).split())
