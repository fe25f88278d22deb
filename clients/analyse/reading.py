"""What an engine found in a position, out of a line of `kata-analyze`.

    info move D4 visits 40 ... winrate 0.52 ... prior 0.1 ... order 0 pv D4 E5 info move ...
    rootInfo visits 50 winrate 0.51 scoreLead 1.5 ...

The most visited move comes first. Win rates and points are those of the player to move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_VARIATION = "pv"
_BEGINNINGS = ("info", "rootInfo")


class BadReading(ValueError):
    """A line that cannot be understood."""


class Candidate(NamedTuple):
    """A move that the engine knows of."""

    vertex: str
    visits: int
    prior: float  # share of what the engine expected before it searched; all together are 1
    variation: tuple[str, ...]  # the move and what is expected after it


class Reading(NamedTuple):
    """A position. Its win rate is the mean of all simulations, and not that of the best move.

    The best move is the one that looks best, so its rate is too high for whoever is to move,
    and each move would seem to lose that: 3 to 8 % in two games on 9x9, with 500 and with 2,000
    playouts a position. The means changed by 3 % a move at most.
    """

    visits: int  # those kept from earlier searches included
    win_rate: float
    score: float | None  # points by which the player to move is ahead, on average
    candidates: tuple[Candidate, ...]  # most visited first, and one at least

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    def rank(self, vertex: str) -> int | None:
        """1 is the best move; None if the engine does not know of it."""
        vertices = [candidate.vertex for candidate in self.candidates]
        return vertices.index(vertex) + 1 if vertex in vertices else None

    def candidate(self, vertex: str) -> Candidate | None:
        rank = self.rank(vertex)
        return self.candidates[rank - 1] if rank else None


def parse_reading(line: str) -> Reading:
    """Raises BadReading."""
    candidates: list[Candidate] = []
    root: dict[str, str] = {}
    try:
        for beginning, fields, variation in _sections(line.split()):
            if beginning == "rootInfo":
                root = fields
            else:
                candidates.append(_candidate(fields, variation))
        visits, win_rate = int(root["visits"]), float(root["winrate"])
        score = float(root["scoreLead"]) if "scoreLead" in root else None
    except (KeyError, ValueError) as error:
        raise BadReading(f"no analysis: {error} in {line[:80]!r}") from None
    if not candidates:
        raise BadReading(f"no moves in {line[:80]!r}")
    return Reading(visits, win_rate, score, tuple(candidates))


def _candidate(fields: dict[str, str], variation: list[str]) -> Candidate:
    return Candidate(
        fields["move"],
        int(fields["visits"]),
        float(fields["prior"]),
        tuple(variation),
    )


def _sections(words: list[str]) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """How each begins, its fields, and its variation if it has one."""
    starts = [index for index, word in enumerate(words) if word in _BEGINNINGS]
    for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
        section = words[start + 1 : end]
        where = section.index(_VARIATION) if _VARIATION in section else len(section)
        pairs = section[:where]
        yield words[start], dict(zip(pairs[::2], pairs[1::2], strict=True)), section[where + 1 :]
