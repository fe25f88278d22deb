"""What an engine says of its own move: the answer to `pachi-result`, taken with care.

    black D4 2000 0.5300 0.0                                as Pachi has it
    black D4 2000 0.5300 0.0 8123                           ours: with the visits that it kept
    black D4 2000 0.5300 0.0 8123 3210 5000 expected        and what pondering did for them

That is colour, move, playouts, win rate and what komi was changed by; then visits that were kept,
those of them that pondering had made, all that it had made, and whether it had expected the reply.
"""

from __future__ import annotations

from typing import NamedTuple

from clients.match.game_record import PonderedRecord

_MOST_PLAYOUTS = 10**15
_MOST_KOMI = 1000
_IS_EXPECTED = {"expected": True, "unexpected": False}


class Opinion(NamedTuple):
    """None is what it did not say, or what cannot be."""

    win_rate: float | None = None
    playouts: int | None = None
    kept: int | None = None
    pondered: PonderedRecord | None = None
    extra_komi: float | None = None  # also where it is 0


def parse_opinion(text: str) -> Opinion:
    words = text.split()
    try:
        rate, playouts = float(words[3]), int(words[2])
    except (IndexError, ValueError):
        return Opinion()
    return Opinion(
        rate if 0 <= rate <= 1 else None,
        playouts if 0 <= playouts <= _MOST_PLAYOUTS else None,
        _count(words[5]) if len(words) > 5 else None,
        _pondered(words[6:]),
        _komi(words[4]) if len(words) > 4 else None,
    )


def _komi(word: str) -> float | None:
    try:
        komi = float(word)
    except ValueError:
        return None
    return komi if 0 < abs(komi) <= _MOST_KOMI else None


def _pondered(words: list[str]) -> PonderedRecord | None:
    if len(words) < 3 or words[2] not in _IS_EXPECTED:
        return None
    used, made = _count(words[0]), _count(words[1])
    if used is None or made is None or used > made:
        return None
    return PonderedRecord(used, made, _IS_EXPECTED[words[2]])


def _count(word: str) -> int | None:
    number = int(word) if word.isdecimal() and len(word) < 20 else -1
    return number if 0 <= number <= _MOST_PLAYOUTS else None
