"""Extra komi while a search goes on: who adjusts it, when, and what is told of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED
from goengine.points import PASS, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.memory import memory_for, memory_over
from goengine.search.orders import Purpose
from goengine.search.parameters import DYNAMIC_KOMI, LINEAR, MEDIAN, NO_KOMI
from goengine.search.results import N_COUNTED
from goengine.search.search import Search
from goengine.search.situation import SLICE, end_slice
from goengine.search.standing import read_standing
from goengine.tree.checking import check_tree
from tests.diagrams import game_on
from tests.search.naive_simulation import Watcher
from tests.search.naive_situation import NaiveSituation
from tests.search.searches import OneWorker, digest_of

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

SHORT: dict[str, Any] = {"komi_slice": 5, "komi_results": 7, "expand_visits": 1}
METHODS = DYNAMIC_KOMI[1:]


def record_of(search: Search) -> Any:
    return search.memory.situation.record[0]


def opening(size: int, komi: float, n_moves: int, rules: str = "chinese") -> Game:
    game = Game(size, find_rules(rules), komi)
    for vertex in ("B2", "A1", "C3", "A3", "B1")[:n_moves]:
        game.play(game.to_play, parse_vertex(vertex, size))
    return game


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "japanese"])
@pytest.mark.parametrize("n_moves", [3, 4])
@pytest.mark.parametrize("komi", [0.5, -20.5, 12])
@pytest.mark.parametrize("method", METHODS)
def test_every_simulation_counts_as_it_should(
    method: str, komi: float, n_moves: int, rules: str
) -> None:
    """Black and white to move, games that are even and others; against a twin, one by one."""
    if not COMPILED and rules != "chinese":
        pytest.skip("too slow as plain Python")
    game = opening(3, komi, n_moves, rules)
    game.declared_handicap = 2
    search = OneWorker(game, dynamic_komi=method, komi_taken=4, komi_moves=20, **SHORT)
    watcher = Watcher(search, game)
    start = float(record_of(search).extra_komi)
    naive = NaiveSituation(game, search.memory.parameters[0], start)
    extras = set()
    for _ in range(100 if COMPILED else 20):
        made = watcher.step()
        naive.tell(made.margin - watcher.komi)
        record = record_of(search)
        assert record.extra_komi == pytest.approx(naive.extra_komi)
        assert record.black_wins == pytest.approx(naive.black_wins)
        assert record.ratchet[game.to_play] == naive.ratchet
        extras.add(float(record.extra_komi))
    assert naive.n_slices == int(search.memory.situation.words[SLICE]) >= 2
    if method == "linear":
        assert len(extras) == 1
    elif COMPILED and game.to_play == BLACK:  # white stays at what may be taken
        assert len(extras) > 1
    check_tree(search.tree)


@pytest.mark.parametrize("purpose", [Purpose.ANALYSIS, Purpose.VERDICT, Purpose.MOVE])
def test_off_is_off(purpose: Purpose) -> None:
    search = OneWorker(opening(3, -9.5, 4), **SHORT)
    search.memory.situation.counts[:] = 77
    before = [part.copy() for part in search.memory.situation[1:]]
    search.set_game(opening(3, -9.5, 4), BLACK, (), purpose)
    search.simulate(20)
    for part, now in zip(before, search.memory.situation[1:], strict=True):
        assert (part == now).all()
    record = record_of(search)
    assert (record.method, record.is_counted, record.extra_komi) == (NO_KOMI, 0, 0)
    reading, standing = search.read(), read_standing(search.memory)
    assert (reading.extra_komi, reading.real_win_rate) == (0.0, None)
    assert standing is not None
    assert standing.real_win_rate is None
    assert standing.chances == standing.win_rate


def test_linear_komi_is_that_of_the_leaf_and_falls_to_nothing() -> None:
    game = Game(9, komi=0.5)
    game.place_handicap([parse_vertex(vertex, 9) for vertex in ("C3", "G7", "C7", "G3")])
    search = OneWorker(game, WHITE, dynamic_komi="linear", komi_moves=10)
    assert record_of(search).extra_komi == 28
    for number in range(4):
        game.play(game.to_play, parse_vertex(f"{'DE'[number % 2]}{number + 4}", 9))
    search.set_game(game, game.to_play)
    assert record_of(search).extra_komi == pytest.approx(28 * 0.6)
    watcher = Watcher(search, game) if COMPILED else None
    if watcher is not None:
        watcher.search.forget()
        watcher.search.set_game(game, game.to_play)
        depths = {len(watcher.step().path) - 1 for _ in range(40)}
        assert len(depths) > 1


@pytest.mark.parametrize("method", METHODS)
def test_an_analysis_is_about_the_game_as_it_is(method: str) -> None:
    """It has a tree of its own, and leaves komi where it was."""
    game = opening(3, -9.5, 4)
    game.declared_handicap = 3
    search = OneWorker(game, dynamic_komi=method, **SHORT)
    search.simulate(30)
    extra, slices = float(record_of(search).extra_komi), int(search.memory.situation.words[SLICE])
    assert extra != 0
    assert slices > 0
    visits = search.read().visits
    assert search.set_game(game, game.to_play, (), Purpose.ANALYSIS) == 0
    search.simulate(10)
    reading = search.read()
    assert (reading.extra_komi, reading.real_win_rate) == (0.0, None)
    assert record_of(search).method == NO_KOMI
    assert search.set_game(game, game.to_play, (), Purpose.MOVE) == visits
    assert record_of(search).extra_komi == extra


@pytest.mark.parametrize("method", METHODS)
def test_pondering_goes_on_with_komi_as_it_stands(method: str) -> None:
    """In the same tree, whoever is to move there; nothing is counted or adjusted."""
    game = opening(3, -9.5, 4)
    game.declared_handicap = 3
    search = OneWorker(game, dynamic_komi=method, komi_moves=20, **SHORT)
    search.simulate(30)
    extra = float(record_of(search).extra_komi)
    best = search.read().moves[0]
    game.play(game.to_play, best.move)
    counts = search.memory.situation.counts.copy()
    assert search.set_game(game, game.to_play, (), Purpose.PONDERING) > 0
    if method == "linear":
        assert 0 < record_of(search).extra_komi < extra
    else:
        assert record_of(search).extra_komi == extra
    search.simulate(20)
    assert (search.memory.situation.counts == counts).all()
    assert search.read().extra_komi == record_of(search).extra_komi
    game.play(game.to_play, search.read().moves[0].move)
    search.set_game(game, game.to_play)
    if method != "linear":
        assert record_of(search).extra_komi == extra


def test_the_opening_is_linear_and_has_no_ratchet() -> None:
    game = opening(5, 0.5, 0)
    game.declared_handicap = 2
    search = OneWorker(game, dynamic_komi="value", komi_opening=2, komi_moves=10, **SHORT)
    record = record_of(search)
    assert record.extra_komi == 14
    for n_played, komi in ((1, 13), (2, 13)):  # 12.6 in whole points; then as it stood
        record.ratchet[:] = 3
        search.simulate(20)
        assert record.extra_komi == 14 if n_played == 1 else 13
        game.play(game.to_play, parse_vertex(("C3", "B2")[n_played - 1], 5))
        search.set_game(game, game.to_play)
        assert record.extra_komi == komi
        assert (record.ratchet[BLACK] == 3) == (n_played == 2)
    search.simulate(5)
    assert record.extra_komi in (12, 13, 14)


def test_black_takes_no_more_than_the_limit_from_the_first_simulation_on() -> None:
    """White may be given what black has got from handicap stones; white takes 30 at most."""
    game = opening(5, 0.5, 0)
    game.declared_handicap = 9
    search = OneWorker(game, WHITE, dynamic_komi="score")
    assert record_of(search).extra_komi == 30
    search.set_game(game, BLACK)
    assert record_of(search).extra_komi == 63


FULL = """
    X . X O .
    X X X O O
    . X O O O
    X X O . O
    X X O O O
"""


@pytest.mark.parametrize(("color", "komi"), [(BLACK, 30.5), (WHITE, -30.5)])
def test_near_the_end_nothing_is_taken(color: int, komi: float) -> None:
    game = game_on(FULL, 3 - color, komi=komi)
    game.play(3 - color, PASS)
    side = 1 if color == BLACK else -1
    search = OneWorker(game, dynamic_komi="score", komi_turn=1, **SHORT)
    for end, taken in ((1.1, 20), (0.95, 0)):
        record_of(search).komi_of[:] = -20 * side
        search.set_parameters(5, {"dynamic_komi": "score", "komi_end": end, **SHORT})
        search.set_game(game, color)
        assert record_of(search).extra_komi == -taken * side
        search.simulate(10)
        assert (record_of(search).extra_komi == 0) == (taken == 0)


def test_each_colour_has_its_own() -> None:
    game = opening(3, -9.5, 4)
    search = OneWorker(game, dynamic_komi="value", **SHORT)
    search.simulate(40)
    record = record_of(search)
    black = float(record.extra_komi)
    assert black == record.komi_of[BLACK] > 0
    game.play(game.to_play, search.read().moves[0].move)
    search.set_game(game, game.to_play)
    assert record.extra_komi == 0
    search.simulate(40)
    assert record.komi_of[WHITE] == record.extra_komi > 0, "white takes what black gives"
    assert record.komi_of[BLACK] == black


def test_another_game_begins_with_nothing() -> None:
    game = opening(3, -9.5, 4)
    search = OneWorker(game, dynamic_komi="value", **SHORT)
    search.simulate(40)
    assert record_of(search).extra_komi > 0
    other = Game(3, komi=-9.5)
    for vertex in ("B3", "A2", "C1", "A3"):
        other.play(other.to_play, parse_vertex(vertex, 3))
    search.set_game(other, BLACK)
    assert record_of(search).extra_komi == 0
    for forget in (search.forget, lambda: search.start_over(3)):
        search.set_game(game, BLACK)
        search.simulate(40)
        assert record_of(search).extra_komi > 0
        forget()
        search.set_game(game, BLACK)
        assert record_of(search).extra_komi == 0


def test_without_slices_the_last_search_is_one() -> None:
    game = opening(3, -9.5, 4)
    search = OneWorker(game, dynamic_komi="value", **{**SHORT, "komi_slice": 0})
    record = record_of(search)
    for number in range(3):
        search.simulate(20)
        assert record.extra_komi == number
        search.set_game(game, BLACK)
    search.set_parameters(3, {"dynamic_komi": "median", "komi_slice": 0})
    search.simulate(20)
    search.set_game(game, BLACK)
    assert record.extra_komi > 3


def test_the_median_is_that_of_several_moves() -> None:
    """Each of them may have too few results of its own."""
    game = opening(5, -20.5, 4)
    search = OneWorker(game, dynamic_komi="median", komi_opening=0, komi_results=25)
    record = record_of(search)
    search.simulate(10)
    game.play(game.to_play, parse_vertex("D4", 5))
    search.set_game(game, game.to_play, (), Purpose.PONDERING)
    search.simulate(30)
    game.play(game.to_play, parse_vertex("D2", 5))
    search.set_game(game, game.to_play)
    search.simulate(14)
    assert record.extra_komi == 0
    assert record.method == MEDIAN
    search.simulate(1)
    assert record.extra_komi > 0
    assert search.memory.situation.latest[N_COUNTED] == 25


def test_the_same_again() -> None:
    def run() -> tuple[str, float]:
        search = OneWorker(opening(3, -9.5, 4), dynamic_komi="value", seed=5, **SHORT)
        search.simulate(60)
        return digest_of(search), float(record_of(search).extra_komi)

    assert run() == run()


def test_what_is_told() -> None:
    game = opening(3, -9.5, 4)
    search = OneWorker(game, dynamic_komi="value", **SHORT)
    reading = search.read()
    assert (reading.extra_komi, reading.real_win_rate) == (0.0, None)
    search.simulate(60)
    reading, standing = search.read(), read_standing(search.memory)
    assert reading.extra_komi == record_of(search).extra_komi > 0
    assert reading.real_win_rate is not None
    assert reading.real_win_rate > 0.9
    assert reading.score is not None
    assert reading.score > 5, "that of the game as it is"
    best = reading.moves[0]
    assert reading.real_win_rate_of(best) == reading.real_win_rate
    assert reading.real_win_rate_of(best._replace(win_rate=None)) is None
    assert standing is not None
    assert standing.chances == reading.real_win_rate != standing.win_rate
    search.set_game(game, WHITE)
    search.simulate(20)
    told = search.read().real_win_rate
    assert told is not None
    assert told < 0.1


def situation_of_three() -> Search:
    search = Search(memory_over(bytearray(memory_for(100, 3)), 3))
    search.set_parameters(3, {"dynamic_komi": "value", "komi_slice": 10})
    search.set_game(opening(3, -9.5, 4), BLACK)
    return search


def count(search: Search, worker: int, n: int) -> None:
    """Wins by 15 points."""
    search.memory.situation.counts[worker, [N_COUNTED, 1301 + 30]] += n


def test_all_workers_count_and_one_adjusts() -> None:
    search = situation_of_three()
    root, record, words = search.memory.root(3), record_of(search), search.memory.situation.words
    for worker, n, slices in ((0, 4, 0), (1, 5, 0), (2, 1, 1), (2, 9, 1), (0, 1, 2), (1, 35, 5)):
        count(search, worker, n)
        end_slice(root)
        end_slice(root)  # whoever comes later finds it done
        assert int(words[SLICE]) == slices
        assert record.extra_komi == {0: 0, 1: 1, 2: 2, 5: 3}[slices], "one step for a long slice"


def test_a_worker_that_died_with_a_slice_costs_that_slice() -> None:
    search = situation_of_three()
    root, record, words = search.memory.root(3), record_of(search), search.memory.situation.words
    count(search, 0, 10)
    words[SLICE] = np.uint64(1)  # it is somebody's, who is no more
    end_slice(root)
    assert record.extra_komi == 0
    count(search, 1, 10)
    end_slice(root)
    assert record.extra_komi == 1
    assert search.memory.situation.latest[N_COUNTED] == 20


def test_one_that_died_while_it_summed_up_does_no_harm() -> None:
    """Half of the places are of one slice, and half of the one before: no count is below 0."""
    search = situation_of_three()
    situation = search.memory.situation
    count(search, 0, 10)
    situation.words[SLICE] = np.uint64(1)
    situation.before[:1200] = situation.counts.sum(axis=0)[:1200]
    count(search, 1, 10)
    end_slice(search.memory.root(3))
    assert record_of(search).extra_komi == 1
    assert (situation.latest >= 0).all()


def test_linear_is_a_method_that_slices_leave_alone() -> None:
    game = opening(3, -9.5, 4)
    game.declared_handicap = 2
    search = OneWorker(game, dynamic_komi="linear", komi_moves=100, **SHORT)
    search.simulate(30)
    record = record_of(search)
    assert record.method == LINEAR
    assert record.extra_komi == pytest.approx(14 * 0.96)
    assert record.black_wins > 0.5
