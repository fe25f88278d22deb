"""Matches in words and numbers, the same on pages and in game records."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from clients.match.definition import Openings, Pairing, Player, Sprt
from clients.match.game_record import GameRecord
from clients.match.intervals import Interval
from clients.match.sprt import SprtState
from clients.match.time_settings import Clock
from clients.status_page import format_seconds

_SCORED_BY = {
    "agreement": "Both engines named the same dead stones.",
    "playing out": "Our engine played on until nothing was left to do.",
    "as it stands": "Every stone on the board counts.",
}
_ENDED = {
    "resignation": "by resignation",
    "time": "on time",
    "forfeit": "by forfeit",
    "agreement": "counted by agreement",
    "playing out": "counted after playing out",
    "as it stands": "counted as they stood",
    "score": "counted",
}


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def rate_with_interval(rate: Interval) -> str:
    return f"{percent(rate.value)} ({100 * rate.low:.1f} to {100 * rate.high:.1f} %)"


def signed(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def elo(value: float) -> str:
    """A whole number with its sign; ∞ where one side won everything."""
    if math.isnan(value):
        return "?"
    size = "∞" if math.isinf(value) else f"{abs(value):.0f}"
    return size if size == "0" else f"{'−' if value < 0 else '+'}{size}"


def elo_with_interval(value: Interval) -> str:
    return f"{elo(value.value)} ({elo(value.low)} to {elo(value.high)})"


def seconds(value: float) -> str:
    """As it was measured: two digits and more below a minute, two units above."""
    if value >= 60:
        return format_seconds(value).removesuffix(" 0 s").removesuffix(" 0 min")
    return f"{value:.0f} s" if value >= 10 else f"{value:.1f} s" if value >= 1 else f"{value:.2f} s"


def outcome(record: GameRecord) -> str:
    """Who won, and how the game came to its end."""
    if record.winner is None:
        return "A draw."
    winner = record.winner.capitalize()
    loser = "White" if record.winner == "black" else "Black"
    if record.ending == "resignation":
        return f"{winner} wins: {loser} resigned."
    if record.ending == "time":
        return f"{winner} wins: {loser} ran out of time."
    if record.ending == "forfeit":
        return f"{winner} wins: {loser} forfeits ({record.offence or 'no reason told'})."
    return f"{winner} wins by {record.margin or 0:g} points."


def how_scored(record: GameRecord) -> str:
    """Empty unless the game was counted."""
    if record.scored_by is None:
        return ""
    dead = f" Dead: {', '.join(record.dead)}." if record.dead else ""
    return _SCORED_BY[record.scored_by] + dead


def endings(scored: Mapping[str, int]) -> str:
    """How often games ended in which way."""
    return ", ".join(f"{count:,} {_ENDED.get(how, how)}" for how, count in scored.items())


def player_settings(player: Player) -> Iterator[tuple[str, str]]:
    """What the match file says about a player: each setting and its value."""
    if player.command is not None:
        yield "command", player.command
    else:
        yield "engine", player.engine or ""
        for name in ("playouts", "seconds", "workers"):
            value = getattr(player, name)
            if value is not None:
                yield name, f"{value:,}" if name == "playouts" else f"{value:g}"
        yield from ((name, str(value)) for name, value in player.parameters.items())
        yield "daemon", player.daemon
        if player.pondering is True:
            yield "pondering", "on"
    if player.directory is not None:
        yield "directory", player.directory
    if player.environment:
        yield "environment", ", ".join(player.environment)  # values may be secrets
    if player.setup:
        yield "set-up", "; ".join(player.setup)


def conditions(pairing: Pairing) -> Iterator[str]:
    """What is agreed between two players, a clause each."""
    yield f"{pairing.size}×{pairing.size}"
    yield f"komi {pairing.komi:g}"
    yield f"{pairing.rules} rules"
    if pairing.handicap:
        yield f"{pairing.handicap} handicap stones"
    yield from _times(pairing.clock, pairing.patience)
    if pairing.openings:
        yield _openings(pairing.openings)
    yield from _colors(pairing)
    yield f"at most {pairing.most_moves:,} moves a game"
    limit = "at most " if pairing.sprt else ""
    yield limit + counted(pairing.games, "game")


def _times(clock: Clock | None, patience: float) -> Iterator[str]:
    if clock is None:
        yield f"no clock, up to {_limit(patience)} for a reply"
        return
    yield clock_in_words(clock)


def clock_in_words(clock: Clock) -> str:
    """What both players have."""
    if clock.random:
        least, most = _limit(clock.random.least), _limit(clock.random.most)
        return f"a random clock, {least} to {most} a move on average (seed {clock.random.seed})"
    main, period = _limit(clock.main), _limit(clock.period)
    if clock.increment:
        return f"{main}, and {_limit(clock.increment)} more after each move"
    if not clock.period:
        return f"{main} for all moves"
    if clock.periods:
        period = f"{counted(clock.periods, 'period')} of {period}"
    else:
        period += " a move" if clock.moves == 1 else f" for each {clock.moves} moves"
    return f"{main}, then {period}" if clock.main else period


def _limit(value: float) -> str:
    return seconds(value) if value >= 60 else f"{value:g} s"


def _openings(openings: Openings) -> str:
    if openings.file is not None:
        return f"openings from {openings.file}"
    return (
        f"{counted(openings.count, 'opening')} of {counted(openings.moves or 0, 'random move')} "
        f"(seed {openings.seed}), kept if our engine gives Black "
        f"{100 * openings.balance:g} to {100 - 100 * openings.balance:g} %"
    )


def _colors(pairing: Pairing) -> Iterator[str]:
    if pairing.colors == "alternate":
        yield "each opening played with both colours" if pairing.openings else "colours alternate"
    else:
        yield f"{pairing.first} is always {pairing.colors.rpartition(' ')[2]}"


def sprt_test(sprt: Sprt) -> str:
    errors = f"α = {sprt.alpha:g}, β = {sprt.beta:g}"
    return f"SPRT of {elo(sprt.elo1)} against {elo(sprt.elo0)} Elo, {errors}"


def verdict(sprt: Sprt, state: SprtState) -> str:
    """What a sequential test says so far."""
    games = counted(state.n_games, "game")
    if state.verdict is None:
        return f"undecided after {games}"
    better, worse = (sprt.elo1, sprt.elo0) if state.verdict == "elo1" else (sprt.elo0, sprt.elo1)
    return f"decided after {games}: {elo(better)} Elo rather than {elo(worse)}"
