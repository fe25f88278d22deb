"""`goengine bench profile`: the search with a stopwatch is the search, and its times add up."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest

from daemon.bench import main
from daemon.bench.profile import _positions
from goengine.board import new_boards
from goengine.jit import COMPILED, kernel
from goengine.kernel_cache import PACKAGE, kernel_sources
from goengine.playouts.pachi import play_pachi
from goengine.playouts.patterns import fill_patterns
from goengine.playouts.rates import load_rates
from goengine.profiling.copies import Copies
from goengine.profiling.kernels import PHASES, play_pachi_profiled
from goengine.profiling.laps import (
    calibrate,
    read_laps,
    start_laps,
    start_with,
    switch_on,
    switch_to,
)
from goengine.profiling.search import ProfiledSearch
from goengine.randomness import random_state
from goengine.ratings import blank_ratings
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.parameters import PLAYOUTS, new_parameters
from goengine.tactics.notes import blank_notes
from goengine.words import U0, U1, U2
from tests.search.searches import digest_of

N_SIMULATIONS = 1000 if COMPILED else 6


@pytest.mark.uncompiled
@pytest.mark.parametrize("playout", PLAYOUTS)
def test_the_same_tree_with_a_stopwatch(playout: str) -> None:
    size = 9 if COMPILED else 5
    digests = []
    for kind in (LocalSearch, ProfiledSearch):
        search = kind(50_000, seed=3)
        search.set_parameters(size, {"playout": playout, "expand_visits": 2})
        game = Game(size)
        search.set_game(game, game.to_play)
        search.run(N_SIMULATIONS)
        digests.append(digest_of(search))
    assert digests[0] == digests[1]


@pytest.mark.uncompiled
@pytest.mark.parametrize("seed", range(20 if COMPILED else 1))
def test_the_same_playout_with_a_stopwatch(seed: int) -> None:
    size = 9 if COMPILED else 5
    games = []
    for play in (play_pachi, play_pachi_profiled):
        notes = blank_notes()
        fill_patterns(notes[0], "pachi")
        load_rates(notes[0], new_parameters(size)[0])
        boards = new_boards(1, size)
        boards[0].random = random_state(seed)
        moves = np.zeros(3 * 81 + 2, np.uint16)
        n_moves = play(boards[0], notes[0], blank_ratings()[0], moves, U0)
        games.append((int(n_moves), moves.tolist(), boards[0].random.tolist()))
    assert games[0] == games[1]


def test_every_phase_comes_about() -> None:
    search = ProfiledSearch(50_000)
    search.set_parameters(9, {"expand_visits": 2})
    _, (_, game) = _positions(9)
    search.set_game(game, game.to_play)
    search.run(500)
    timings = {(each.group, each.phase): each.time for each in search.read_profile()}
    others = {("outside", "Python"), ("playout", "MoGo's, all of it")}
    assert set(PHASES) - set(timings) == {*others, ("playout", "light, all of it")}
    assert timings["playout", "the rest"].calls == 500
    assert timings["result", "scoring"].calls == 500
    for time_of_phase in timings.values():
        assert time_of_phase.laps >= time_of_phase.calls
        assert time_of_phase.ns > 0


def test_a_name_that_is_not_called_any_more_is_told() -> None:
    with pytest.raises(ValueError, match=r"playouts\.pachi\.play_pachi has no note_nothing"):
        Copies(__name__).copy(play_pachi, {"note_nothing": 1})


def test_an_edit_of_what_is_timed_makes_new_kernels() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in kernel_sources(PACKAGE)}
    assert {"profiling/kernels.py", "profiling/copies.py", "profiling/laps.py"} <= names
    assert "search/local.py" not in names


@kernel
def spend_time(n):
    """The second phase is inside of the first, and three times as long."""
    total = U0
    start_with(U1)
    for number in range(n):
        total = total * np.uint64(6364136223846793005) + np.uint64(number)
    outer = switch_on(U2)
    for number in range(n * np.uint64(3)):
        total = total * np.uint64(6364136223846793005) + np.uint64(number)
    switch_to(outer)
    switch_to(U0)
    return total


def test_the_stopwatch_goes_with_the_clock() -> None:
    rate = calibrate()
    n = np.uint64(20_000)
    spend_time(n)
    shares, errors = [], []
    for _ in range(50):
        start_laps(rate)
        started = time.perf_counter_ns()
        spend_time(n)
        ns = time.perf_counter_ns() - started
        outside, outer, inner = read_laps(rate, 3)
        assert outside.calls == outside.ns == 0
        assert (outer.calls, outer.laps, inner.calls, inner.laps) == (1, 2, 1, 1)
        shares.append(inner.ns / (inner.ns + outer.ns + 1))
        errors.append(abs(ns - inner.ns - outer.ns) / ns)
    assert min(errors) < 0.2  # many runs are disturbed where others work
    assert any(0.7 < share < 0.8 for share in shares)


@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_middle_games_are_games(size: int) -> None:
    empty, middle = _positions(size)
    assert not empty[1].moves
    assert len(middle[1].moves) >= 2 * size


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--runs", "1", "--simulations", "300", "--set", "ko_rate=0", "pattern_rate=0.5"]
    assert main(["profile", "--json", "--sizes", "9", *options]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["size"], row["position"]) for row in rows] == [
        (9, "empty board"),
        (9, "middle game"),
    ]
    for row in rows:
        assert row["simulations_per_s"] > 100
        assert sum(phase["share"] for phase in row["phases"]) == pytest.approx(1)
        phases = {phase["phase"]: phase for phase in row["phases"]}
        assert "ko" not in phases
        assert phases["scoring"]["calls_per_simulation"] == 1
        patterns = phases["patterns"]
        assert patterns["ns_per_simulation"] == pytest.approx(
            patterns["ns_per_call"] * patterns["calls_per_simulation"]
        )


def test_as_tables(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--runs", "1", "--simulations", "100", "--set", "playout=light"]
    assert main(["profile", "--sizes", "7", *options]) == 0
    shown = capsys.readouterr().out
    assert "7x7, empty board" in shown
    assert "light, all of it" in shown
    assert "patterns" not in shown
    assert "100.0%" in shown
    assert "…" not in shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--set", "ko_rate"], "is not name=value"),
        (["--set", "ko_rates=1"], "did you mean ko_rate?"),
        (["--set", "ko_rate=2"], "from 0 to 1"),
        (["--simulations", "0"], "is not a number from 1"),
    ],
)
def test_bad_options_are_named(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["profile", *arguments])
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]
