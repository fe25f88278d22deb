"""Pondering on paper: when a game ought to be pondered, and what that is worth afterwards."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Any

import pytest

from daemon.harvest import Harvest
from daemon.hosted_game import HostedGame
from daemon.pondering import (
    LEAST_PLAYOUTS,
    LEAST_VISITS,
    Ponderer,
    Thought,
    expected_reply,
    next_thought,
    ought_to_ponder,
)
from daemon.pool import PoolFailed
from goengine.board import BLACK, WHITE
from goengine.gtp import GtpSession
from goengine.points import PASS, RESIGN, parse_vertex
from goengine.rules.game import Game, Move
from goengine.search.local import LocalSearch
from goengine.search.orders import Limits, Pondered
from goengine.search.reading import SearchReading
from tests.gtp.engines_for_tests import ScriptedEngine
from tests.gtp.readings_for_tests import fixed_reading, move_reading

pytestmark = pytest.mark.uncompiled

E5, C3, D4, G7 = (parse_vertex(vertex, 9) for vertex in ("E5", "C3", "D4", "G7"))

CASES: list[tuple[bool, str]] = [
    # The engine plays E5, C3, passes, and resigns.
    (False, ""),
    (True, "genmove b"),
    (True, "play b D4, genmove w"),
    (True, "fixed_handicap 2, genmove w"),
    # whose turn it is
    (False, "genmove b, play w D4"),
    (True, "genmove b, play w D4, genmove b"),
    (False, "play b D4"),
    (False, "genmove b, genmove w"),
    (False, "genmove b, genmove w, play b D4"),
    (False, "reg_genmove b"),
    (True, "genmove b, reg_genmove w"),
    (False, "genmove b, gogui-setup_player b"),
    # back and forth
    (False, "genmove b, undo"),
    (False, "genmove b, play w D4, genmove b, undo"),
    (True, "genmove b, play w D4, genmove b, gg-undo 2"),
    (True, "genmove b, play w D4, undo"),
    (False, "genmove b, clear_board"),
    (False, "genmove b, boardsize 7"),
    (False, "genmove b, set_position b D4"),
    # the end
    (True, "genmove b, play w D4, genmove b, play w pass, undo"),
    (False, "genmove b, play w D4, genmove b, play w pass, genmove b"),
    (True, "genmove b, play w D4, genmove b, play w G7, genmove b"),
    (False, "genmove b, play w D4, genmove b, play w G7, genmove b, play w G8, genmove b"),
    # on, off and auto
    (False, "genmove b, goengine-param pondering off"),
    (True, "goengine-param pondering off, genmove b, goengine-param pondering auto"),
    (False, "genmove b, goengine-param playouts 100"),
    (True, "genmove b, goengine-param playouts 100, goengine-param pondering on"),
    (True, "genmove b, goengine-param playouts 100, time_settings 60 0 0"),
    (True, "genmove b, kata-set-param ponderingEnabled true, kata-set-param maxVisits 9"),
    # rest
    (False, "genmove b, stop"),
    (False, "genmove b, stop, showboard"),
    (True, "genmove b, stop, play w D4, genmove b"),
    (False, "genmove b, quit"),
]


@pytest.mark.parametrize(("ought", "lines"), CASES)
def test_when_a_game_is_pondered(ought: bool, lines: str) -> None:
    engine = ScriptedEngine([E5, C3, PASS, RESIGN])
    session = GtpSession(engine=engine, game=Game(9), limits=Limits(seconds=1.0))
    for line in filter(None, lines.split(", ")):
        assert (session.run_line(line) or "").startswith("="), line
    assert ought_to_ponder(session) == ought


def reading(n_simulations: int, **visits: int) -> SearchReading:
    """After so many playouts, the moves with their visits, most visited first."""
    moves = tuple(move_reading(vertex, n, 0.5) for vertex, n in visits.items())
    return replace(fixed_reading(), simulations=n_simulations, moves=moves)


MOVES = (Move(BLACK, E5),)


def after(*points: int) -> list[Move]:
    """The game as it went on."""
    colors = [WHITE, BLACK, WHITE]
    return [*MOVES, *map(Move, colors, points)]


def test_what_pondering_did_for_the_reply() -> None:
    harvest = Harvest(MOVES)
    harvest.add(reading(0, C3=10, D4=40), reading(100, C3=70, D4=60, G7=20))
    assert harvest.used_by(after(C3), 70) == Pondered(100, 60, True)
    assert harvest.used_by(after(D4), 60) == Pondered(100, 20, False)
    assert harvest.used_by(after(G7), 20) == Pondered(100, 20, False)
    assert harvest.used_by(after(PASS), 0) == Pondered(100, 0, False)


def test_every_playout_is_on_some_reply() -> None:
    """With a search as it is: all that was made is added, and the reply keeps its part."""
    search, game = LocalSearch(20_000, seed=1), Game(5)
    search.set_parameters(5)
    game.play(BLACK, parse_vertex("C3", 5))
    search.set_game(game, WHITE)
    search.run(40)
    assert search.set_game(game, WHITE) == 40
    before = search.read(0)
    search.run(60)
    after = search.read(0)
    harvest = Harvest(game.moves)
    harvest.add(before, after)
    found = []
    for move in after.moves:
        replied = [*game.moves, Move(WHITE, move.move)]
        found.append(harvest.used_by(replied, move.visits))
    assert sum(each.n_used for each in found if each) == 60
    assert [each.is_expected for each in found if each] == [True] + [False] * (len(found) - 1)
    assert search.set_game(after_reply(game, after), BLACK) == after.moves[0].visits


def after_reply(game: Game, reading: SearchReading) -> Game:
    game = game.copy()
    game.play(WHITE, reading.moves[0].move)
    return game


def test_there_is_no_more_than_was_kept() -> None:
    harvest = Harvest(MOVES)
    harvest.add(reading(0), reading(100, C3=90))
    assert harvest.used_by(after(C3), 5) == Pondered(100, 5, True)


def test_spells_add_up_and_what_was_between_them_does_not_count() -> None:
    harvest = Harvest(MOVES)
    harvest.add(reading(0, C3=10), reading(20, C3=25, D4=5))
    harvest.add(reading(0, C3=500, D4=40), reading(30, D4=70, C3=500))
    assert harvest.used_by(after(D4), 70) == Pondered(50, 35, True)
    assert harvest.used_by(after(C3), 500) == Pondered(50, 15, False)


def test_other_positions_have_nothing_of_it() -> None:
    harvest = Harvest(MOVES)
    harvest.add(reading(0), reading(100, C3=90))
    assert harvest.used_by(after(C3, D4), 50) is None, "how much is not known"
    assert harvest.used_by([], 50) is None
    assert harvest.used_by([Move(BLACK, D4), Move(WHITE, C3)], 50) is None
    assert harvest.used_by(MOVES, 300) == Pondered(100, 100, False), "no reply yet"


def test_which_reply_is_expected() -> None:
    game = Game(9)
    game.play(BLACK, E5)
    assert expected_reply(game, reading(0, C3=600, D4=300)) == C3
    assert expected_reply(game, reading(0, C3=290, D4=280, G7=270, H8=260)) is None
    assert expected_reply(game, reading(0, C3=LEAST_VISITS - 1)) is None
    assert expected_reply(game, reading(0)) is None


def test_a_pass_is_expected_unless_it_ends_the_game() -> None:
    game, known = Game(9), reading(0, PASS=500)
    game.play(BLACK, E5)
    assert expected_reply(game, known) == PASS
    game.play(WHITE, D4)
    game.play(BLACK, PASS)
    assert expected_reply(game, known) is None


def test_thoughts_take_turns_and_grow() -> None:
    game = Game(9)
    game.play(BLACK, E5)
    clear = reading(0, C3=900, D4=100)
    open_ = reading(0, C3=290, D4=280, G7=270, H8=260)
    thought = Thought(None, 1)
    course = []
    for known in (clear, clear, clear, clear, clear, open_, open_, clear):
        thought = next_thought(game, replace(known, visits=3000), thought)
        course.append(thought)
    assert [each.reply for each in course] == [C3, None, C3, None, C3, None, None, C3]
    n_after = sum(each.playouts for each in course[:5] if each.reply == C3)
    n_open = sum(each.playouts for each in course[:5] if each.reply is None)
    assert n_after > 2 * n_open
    assert course[4].playouts > course[2].playouts > course[0].playouts >= LEAST_PLAYOUTS
    assert course[6].playouts >= 3000, "as long as nothing is clear, it doubles"


def test_what_comes_after_the_expected_reply_is_its_own() -> None:
    harvest = Harvest(MOVES)
    harvest.add(reading(0, C3=10), reading(1, C3=11))
    harvest.add_after(C3, reading(400, G7=300))
    assert harvest.used_by(after(C3), 411) == Pondered(401, 401, True)
    assert harvest.used_by(after(D4), 0) == Pondered(401, 0, False)


class Broken:
    """A search, and kernels for it, but for every search the same error."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.n_tries = 0

    def is_ready(self, size: int) -> bool:
        return True

    async def ponder(self, search: object) -> None:
        self.n_tries += 1
        raise self.error


@pytest.mark.parametrize(
    ("error", "has_traceback"), [(PoolFailed("the zygote died"), False), (KeyError(), True)]
)
def test_pondering_that_fails_is_not_tried_again(
    error: Exception, has_traceback: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Without workers the daemon ends; that is no fault of pondering's own."""
    session = GtpSession(engine=ScriptedEngine([E5]), game=Game(9), limits=Limits(seconds=1.0))
    session.run_line("genmove b")
    game = HostedGame("g", "somebody", keep=False, user="u", session=session)
    broken: Any = Broken(error)

    async def ponder() -> None:
        ponderer = Ponderer(broken, broken, 60.0, lambda _: True)
        ponderer.attend(game)
        while ponderer.tasks:
            await asyncio.gather(*ponderer.tasks)

    with caplog.at_level(logging.ERROR):
        asyncio.run(ponder())
    assert broken.n_tries == 1
    assert [bool(record.exc_info) for record in caplog.records] == [has_traceback]
