"""Where the time of a simulation goes: real searches, each with and without a stopwatch."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from daemon.bench.middle_games import MOVES
from goengine.points import parse_vertex
from goengine.profiling.search import ProfiledSearch, Timing
from goengine.rules.game import Game
from goengine.search.local import LocalSearch

N_NODES = 2_000_000
SEED = 1
N_TURNS = 50


class _Run(NamedTuple):
    """The same search without and with the stopwatch: CPU time of both, and what it showed."""

    plain_ns: int
    timed_ns: int
    profile: list[Timing]
    interrupted_ns: float

    @property
    def phases_ns(self) -> float:
        return sum(each.time.ns for each in self.profile)

    @property
    def laps(self) -> int:
        return sum(each.time.laps for each in self.profile)

    @property
    def ns_per_lap(self) -> float:
        """By how much the stopwatch made the search slower."""
        return (self.timed_ns - self.plain_ns) / self.laps


def measure(
    size: int, runs: int, n_simulations: int, changes: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """One row for each position. Every run grows the same trees, in memory that was used before.

    Shown is the run that was least disturbed: the fastest.
    """
    searches = LocalSearch(N_NODES), ProfiledSearch(N_NODES)
    for position, game in _positions(size):
        _run(*searches, game, 1, changes)  # compiles
        made = [_run(*searches, game, n_simulations, changes) for _ in range(runs)]
        best = min(made, key=lambda run: run.phases_ns)
        alone = searches[1].ns_per_lap
        # The processor does something else meanwhile: it is never more than alone.
        lap_ns = min(alone, max(0.0, statistics.median(run.ns_per_lap for run in made)))
        yield {
            "size": size,
            "position": position,
            "simulations": n_simulations,
            "runs": runs,
            "simulations_per_s": round(1e9 * n_simulations / min(run.plain_ns for run in made), 1),
            "ns_per_lap": round(lap_ns, 1),
            "ns_per_lap_alone": round(alone, 1),
            "laps_per_simulation": round(best.laps / n_simulations),
            "interrupted_ms": round(best.interrupted_ns / 1e6, 1),
            "phases": _phases(best.profile, lap_ns, n_simulations),
        }


def _positions(size: int) -> Iterator[tuple[str, Game]]:
    yield "empty board", Game(size)
    if size in MOVES:
        game = Game(size)
        for vertex in MOVES[size].split():
            game.play(game.to_play, parse_vertex(vertex, size))
        yield "middle game", game


def _run(
    plain: LocalSearch,
    profiled: ProfiledSearch,
    game: Game,
    n_simulations: int,
    changes: Mapping[str, str],
) -> _Run:
    """Both from an empty tree, in many short turns: what disturbs one disturbs the other."""
    for search in (plain, profiled):
        search.start_over(SEED)
        search.set_parameters(game.size, changes)
        search.set_game(game, game.to_play)
    profiled.start_profile()
    plain_ns, timed_ns, n_left = 0, 0, n_simulations
    while n_left > 0:
        n = min(n_left, -(-n_simulations // N_TURNS))
        plain_ns += _run_for(plain, n)
        timed_ns += _run_for(profiled, n)
        n_left -= n
    return _Run(plain_ns, timed_ns, profiled.read_profile(), profiled.interrupted_ns)


def _run_for(search: LocalSearch, n_simulations: int) -> int:
    """Returns nanoseconds of this thread, in which others do not count."""
    started = time.thread_time_ns()
    search.run(n_simulations)
    return time.thread_time_ns() - started


def _phases(profile: list[Timing], lap_ns: float, n_simulations: int) -> list[dict[str, Any]]:
    """The times of all phases, without the stopwatch's own."""
    rows: list[dict[str, Any]] = []
    for group, phase, (calls, laps, gross_ns) in profile:
        ns = max(0.0, gross_ns - lap_ns * laps)
        rows.append(
            {
                "group": group,
                "phase": phase,
                "calls_per_simulation": calls / n_simulations,
                "ns_per_call": ns / calls,
                "ns_per_simulation": ns / n_simulations,
            }
        )
    total = sum(row["ns_per_simulation"] for row in rows)
    return [{**row, "share": row["ns_per_simulation"] / total} for row in rows]
