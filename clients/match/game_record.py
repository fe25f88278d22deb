"""What is kept of one game, as JSON."""

from __future__ import annotations

from typing import Literal

import msgspec

from clients.match.time_settings import Clock

FORMAT = 1

Color = Literal["black", "white"]
Ending = Literal["score", "resignation", "time", "forfeit"]
# How a finished game was scored: both engines name the same dead stones; our engine played on
# until nothing was left to do; or every stone on the board counts.
ScoredBy = Literal["agreement", "playing out", "as it stands"]
# Why a game was forfeited.
Offence = Literal[
    "hang", "flood", "illegal move", "crash", "junk", "out of turn", "refusal", "start"
]


class PonderedRecord(msgspec.Struct, array_like=True, frozen=True):
    """Playouts that pondering made, those on the reply that came, and was it the likeliest?"""

    used: int
    made: int
    is_expected: bool


class MoveRecord(msgspec.Struct, array_like=True, frozen=True):
    """vertex is as in GTP, or pass or resign; the engine told all but the seconds.

    playouts    that it made for the move
    kept        visits that it had before, from earlier moves and from pondering
    extra_komi  points for white with which it has that win rate; None: none
    """

    vertex: str
    seconds: float
    win_rate: float | None = None
    playouts: int | None = None
    kept: int | None = None
    pondered: PonderedRecord | None = None
    extra_komi: float | None = None

    @property
    def behind(self) -> int | None:
        """All playouts behind the move."""
        return None if self.playouts is None or self.kept is None else self.playouts + self.kept


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One game. Moves alternate; after handicap stones white begins, otherwise black.

    number      of the game in its pairing, from 1
    opening     the moves before the players' own, as vertices
    clock       of both players; games of old do not have it
    engines     name and version, as black's and white's engine tell them
    winner      None is a draw
    margin      points that the winner is ahead; None where nobody counted
    offence     what a forfeit was for; `detail` tells it in words, as it tells other ends
    seconds     the whole game took
    """

    format: int = FORMAT
    pairing: str
    number: int
    black: str
    white: str
    engines: tuple[str, str]
    size: int
    komi: float
    rules: str
    handicap: list[str] = []
    opening: list[str] = []
    clock: Clock | None = None
    moves: list[MoveRecord]
    winner: Color | None
    ending: Ending
    margin: float | None = None
    scored_by: ScoredBy | None = None
    dead: list[str] = []
    offence: Offence | None = None
    detail: str = ""
    host: str
    started: str
    seconds: float

    @property
    def result(self) -> str:
        """As SGF writes it: B+3.5, W+R, B+T, W+F, 0."""
        if self.winner is None:
            return "0"
        letter = {"resignation": "R", "time": "T", "forfeit": "F"}.get(self.ending)
        return f"{self.winner[0].upper()}+{letter or format(self.margin, 'g')}"

    def moves_of(self, color: Color) -> list[MoveRecord]:
        """The player's own moves."""
        white_begins = bool(self.handicap) != (len(self.opening) % 2 == 1)
        return self.moves[(color == "white") != white_begins :: 2]


class BadRecord(ValueError):
    """Not a record of a game; the text says why."""


_decoder = msgspec.json.Decoder(GameRecord)


def encode_record(record: GameRecord) -> bytes:
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def decode_record(data: bytes) -> GameRecord:
    """Raises BadRecord."""
    try:
        record = _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise BadRecord(str(error)) from None
    if record.format != FORMAT:
        raise BadRecord(f"format {record.format}; this version reads {FORMAT}")
    return record
