"""What the records of a match say: each pairing by itself, pairings compared, ratings of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from statistics import median
from typing import NamedTuple

from clients.match.definition import Pairing
from clients.match.game_record import Color, GameRecord
from clients.match.intervals import (
    Interval,
    Tally,
    ZTest,
    elo_interval,
    two_proportions,
    wilson,
)
from clients.match.ratings import Rating, ratings
from clients.match.sprt import SprtState, sprt_state

# How games end, in the order in which it is told.
ENDINGS = ("resignation", "time", "forfeit", "agreement", "playing out", "as it stands", "score")


class SideFigures(NamedTuple):
    """One player within one pairing.

    seconds_a_move      mean over its own moves; None: it made none
    playouts_a_move     mean over the moves where it told them; None: it never did
    playouts_behind     the same with the visits that it kept; the median
    pondering_used      median part of pondering's playouts that was on the reply, where that
                        was the expected one; None: there was no such reply
    forfeits, times     games that it lost by forfeit, and on time
    time_used           median share of its time that it used in games without more than main
                        time that were counted at their end; None: there are none
    engine              name and version as it told them; several are joined by ", "
    """

    name: str
    seconds_a_move: float | None
    playouts_a_move: float | None
    playouts_behind: float | None
    pondering_used: float | None
    forfeits: int
    times: int
    time_used: float | None
    engine: str


class Standing(NamedTuple):
    """One pairing, seen from its first player.

    records         by number
    rate, elo       points a game and the difference in strength, with 95 % intervals
    sides           the first and the second player
    scored          games by how they ended: ENDINGS, without those that did not occur
    is_finished     all games are played, or the SPRT has decided
    n_copies        games that are move for move as an earlier one: they say nothing new
    """

    pairing: Pairing
    records: list[GameRecord]
    tally: Tally
    as_black: Tally
    as_white: Tally
    rate: Interval
    elo: Interval
    sides: tuple[SideFigures, SideFigures]
    scored: dict[str, int]
    sprt: SprtState | None
    is_finished: bool
    n_copies: int


class Comparison(NamedTuple):
    """Two pairings by name; the test asks whether `other`'s first player scored more."""

    baseline: str
    other: str
    test: ZTest


def standing_of(pairing: Pairing, records: Iterable[GameRecord]) -> Standing:
    """`records` are games of this pairing, in any order, one for each number.

    Only games 1 to `pairing.games` count: who lowers `games` gets the standing of a match that
    had so few from the start. Games that were under way when the SPRT decided do count, though
    not for its verdict. A game lost on time or by forfeit is a lost game like others.
    """
    by_number = {record.number: record for record in records}
    played = [by_number[number] for number in sorted(by_number) if 1 <= number <= pairing.games]
    results = {record.number: points_of(pairing, record) for record in played}
    as_black = _tally(p for number, p in results.items() if pairing.first_is_black(number))
    as_white = _tally(p for number, p in results.items() if not pairing.first_is_black(number))
    tally = as_black.plus(as_white)
    sprt = None
    if pairing.sprt:
        last = max(results, default=0)
        sprt = sprt_state(pairing.sprt, [results.get(number) for number in range(1, last + 1)])
    ended = Counter(_ending(record) for record in played)
    return Standing(
        pairing=pairing,
        records=played,
        tally=tally,
        as_black=as_black,
        as_white=as_white,
        rate=wilson(tally),
        elo=elo_interval(tally),
        sides=(_side(pairing, played, is_first=True), _side(pairing, played, is_first=False)),
        scored={ending: ended[ending] for ending in ENDINGS if ended[ending]},
        sprt=sprt,
        is_finished=len(played) == pairing.games or bool(sprt and sprt.verdict),
        n_copies=len(played) - len({_course(record) for record in played}),
    )


def match_ratings(standings: Sequence[Standing], anchor: str | None = None) -> list[list[Rating]]:
    """Elo of all players in all these pairings, whatever their conditions; see `ratings`."""
    results: dict[tuple[str, str], Tally] = {}
    for standing in standings:
        pair = (standing.pairing.first, standing.pairing.second)
        results[pair] = results.get(pair, Tally()).plus(standing.tally)
    return ratings(results, anchor)


def compared(standings: Sequence[Standing]) -> list[Comparison]:
    """Pairings with the same second player under the same conditions, each with the first such.

    Pairings without games say nothing, and are compared with nothing.
    """
    baselines: dict[Hashable, Standing] = {}
    found = []
    for standing in standings:
        key = (standing.pairing.second, conditions_of(standing.pairing))
        baseline = baselines.setdefault(key, standing)
        if baseline is not standing and baseline.tally.games and standing.tally.games:
            test = two_proportions(standing.tally, baseline.tally)
            found.append(Comparison(baseline.pairing.name, standing.pairing.name, test))
    return found


def conditions_of(pairing: Pairing) -> Hashable:
    """Equal where games are played under equal conditions, whoever plays and however many."""
    return (pairing.size, pairing.rules, pairing.komi, pairing.handicap, pairing.clock,
            pairing.patience, pairing.most_moves, pairing.openings, pairing.colors)  # fmt: skip


def _course(record: GameRecord) -> tuple[str, ...]:
    """The moves of the game; with who played black, all that makes it another one."""
    return (record.black, *record.opening, "/", *(move.vertex for move in record.moves))


def _color(pairing: Pairing, number: int, is_first: bool) -> Color:
    # By number, not by name: a player may play against itself.
    return "black" if pairing.first_is_black(number) == is_first else "white"


def points_of(pairing: Pairing, record: GameRecord) -> float:
    """The first player's in one game: 1, 0.5 or 0."""
    if record.winner is None:
        return 0.5
    return float(record.winner == _color(pairing, record.number, is_first=True))


def _tally(points: Iterable[float]) -> Tally:
    counts = Counter(points)
    return Tally(wins=counts[1.0], losses=counts[0.0], draws=counts[0.5])


def _ending(record: GameRecord) -> str:
    return record.scored_by or "score" if record.ending == "score" else record.ending


def _side(pairing: Pairing, records: list[GameRecord], is_first: bool) -> SideFigures:
    colored = [(record, _color(pairing, record.number, is_first)) for record in records]
    moves = [move for record, color in colored for move in record.moves_of(color)]
    lost = Counter(record.ending for record, color in colored if record.winner not in (None, color))
    engines = dict.fromkeys(record.engines[color == "white"] for record, color in colored)
    return SideFigures(
        name=pairing.first if is_first else pairing.second,
        seconds_a_move=_mean([move.seconds for move in moves]),
        playouts_a_move=_mean([move.playouts for move in moves if move.playouts is not None]),
        playouts_behind=_median([move.behind for move in moves if move.behind is not None]),
        pondering_used=_median(
            [
                move.pondered.used / move.pondered.made
                for move in moves
                if move.pondered and move.pondered.is_expected and move.pondered.made
            ]
        ),
        forfeits=lost["forfeit"],
        times=lost["time"],
        time_used=_median_share_used(pairing, colored),
        engine=", ".join(engine for engine in engines if engine),
    )


def _median_share_used(
    pairing: Pairing, colored: Iterable[tuple[GameRecord, Color]]
) -> float | None:
    shares = []
    for record, color in colored:
        clock = record.clock or pairing.clock
        if clock and not clock.random and clock.kind == "absolute" and record.ending == "score":
            shares.append(sum(move.seconds for move in record.moves_of(color)) / clock.main)
    return _median(shares)


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
