"""Pairings and games made up for tests of what is shown of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clients.match.definition import Match, Pairing, Player
from clients.match.game_record import Color, GameRecord, MoveRecord

HOSTILE = "</title><script>alert('x')</script>&\"]\\ \x00\x1b[31m\x7f\u202e\ud800\ufffe"


def example_pairing(first: str = "new", second: str = "old", **given: Any) -> Pairing:
    usual: dict[str, Any] = {
        "name": f"{first} vs {second}",
        "players": (Player(engine="mcts"), Player(command="gnugo --mode gtp")),
        "size": 9,
        "rules": "chinese",
        "komi": 7.5,
        "handicap": 0,
        "clock": None,
        "patience": 120.0,
        "most_moves": 243,
        "openings": None,
        "colors": "alternate",
        "games": 40,
        "sprt": None,
        "published": None,
    }
    return Pairing(first=first, second=second, **{**usual, **given})


def example_game(pairing: Pairing, number: int = 1, **given: Any) -> GameRecord:
    """Black takes a stone at D5 after an opening of two moves, and wins by 3.5 points."""
    names = [pairing.first, pairing.second]
    black, white = names if pairing.first_is_black(number) else reversed(names)
    told = [
        MoveRecord("D4", 1.25, 0.6, 1000),
        MoveRecord("D5", 0.5, 0.3, 900),
        MoveRecord("C5", 1.0, 0.7, 1100),
        MoveRecord("pass", 0.5, None, None),
        MoveRecord("E5", 1.0, 0.8, 1200),
        MoveRecord("J9", 0.5, 0.1, 800),
        MoveRecord("D6", 1.0, 0.9, 1300),
        MoveRecord("pass", 0.5, 0.05, 700),
        MoveRecord("pass", 1.0, 0.95, 1400),
    ]
    usual: dict[str, Any] = {
        "black": black,
        "white": white,
        "engines": ("Black's engine 1", "White's engine 2"),
        "size": pairing.size,
        "komi": pairing.komi,
        "rules": pairing.rules,
        "opening": ["G7", "G3"],
        "moves": told,
        "winner": "black",
        "ending": "score",
        "margin": 3.5,
        "scored_by": "agreement",
        "dead": ["J9"],
        "host": "here",
        "started": "2026-01-02T03:04:05+00:00",
        "seconds": 12.5,
    }
    return GameRecord(pairing=pairing.name, number=number, **{**usual, **given})


def won_by(pairing: Pairing, number: int, is_first: bool, **given: Any) -> GameRecord:
    winner: Color = "black" if pairing.first_is_black(number) == is_first else "white"
    return example_game(pairing, number, winner=winner, **given)


def example_match(path: Path, pairings: list[Pairing], **given: Any) -> Match:
    usual: dict[str, Any] = {
        "title": "A match",
        "games_at_once": None,
        "cores": None,
        "pin": False,
        "forfeits_in_a_row": 5,
        "published": None,
    }
    names = dict.fromkeys(name for each in pairings for name in (each.first, each.second))
    return Match(
        path=path / "match.toml",
        results=path,
        players={name: Player(command=f"run {name}") for name in names},
        pairings=pairings,
        **{**usual, **given},
    )
