"""Resigning: after which searches, in which games, and what makes the engine forget them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import msgspec
import pytest

from goengine.board import BLACK, WHITE
from goengine.engines.engine import Engine
from goengine.gtp import GtpSession
from goengine.gtp.resigning import Patience, is_handicap_opening, wins_by_passing
from goengine.gtp.snapshot import restore_session, save_session
from goengine.points import PASS, all_points
from goengine.rules.game import Game
from goengine.rules.handicap import fixed_handicap
from goengine.search.orders import Found, Order, Purpose
from tests.diagrams import game_on, play_all
from tests.gtp.readings_for_tests import fixed_reading, move_reading, reading_as_it_stands

pytestmark = pytest.mark.uncompiled

MOVES = ("genmove", "lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze")
NOT_PLAYED = ("reg_genmove", "kata-search", "kata-search_cancellable", "kata-search_analyze")


class JudgingEngine(Engine):
    """Plays the first legal point, or passes, and finds the win rates and visits that it is given.

    Every other move has been won by all its few visits.
    """

    def __init__(self, found: Iterable[tuple[float, int]], passes: bool = False) -> None:
        super().__init__(seed=0, playouts=1)
        self.found = iter(found)
        self.passes = passes

    def choose(self, game: Game, color: int) -> int:
        if self.passes:
            return PASS
        return next(point for point in all_points(game.size) if game.is_legal(color, point))

    def find(self, game: Game, order: Order, parameters: Mapping[str, str]) -> Found:
        if order.purpose is Purpose.VERDICT:
            return Found(PASS, reading_as_it_stands(game, order.color))
        move = self.choose(game, order.color)
        rate, visits = next(self.found)
        chosen = move_reading("pass", visits, rate)._replace(move=move)
        others = [point for point in (PASS, *all_points(game.size)) if point != move]
        moves = [move_reading("pass", 5, 1.0)._replace(move=other) for other in others]
        reading = fixed_reading(game.size, order.color)
        return Found(move, replace(reading, moves=(chosen, *moves)))


def searches(text: str) -> list[tuple[float, int]]:
    """ "4 90 4/20": win rates in percent; visits where they are not 500."""
    pairs = (word.partition("/") for word in text.split())
    return [(int(rate) / 100, int(visits or 500)) for rate, _, visits in pairs]


def session_that_finds(
    text: str, settings: str = "resign_below 0.05", passes: bool = False
) -> GtpSession:
    session = GtpSession(engine=JudgingEngine(searches(text), passes), game=Game(9))
    words = settings.split()
    for name, value in zip(words[::2], words[1::2], strict=True):
        assert session.run_line(f"goengine-param {name} {value}") == "=\n\n"
    return session


def resigns(session: GtpSession, line: str) -> bool:
    """Does the engine resign, and leave the board as it is, or does it play?"""
    n_before = len(session.game.moves)
    reply = session.run_line(line)
    assert reply is not None
    assert reply.startswith("=")
    is_resigned = "resign" in reply
    assert len(session.game.moves) == n_before + (not is_resigned)
    return is_resigned


@pytest.mark.parametrize(
    ("found", "settings", "n_played"),
    [
        # three in a row below the limit: the third is not played any more
        ("4 4 4", "resign_below 0.05", 2),
        ("90 4 4 4", "resign_below 0.05", 3),
        ("4 4 6 4 4 4", "resign_below 0.05", 5),
        ("4 4 6 4 4 6 4 4", "resign_below 0.05", None),
        # as good as the limit is not below it
        ("5 5 5 5", "resign_below 0.05", None),
        ("4 4 4", "resign_below 0.04", None),
        # never, unless somebody says so
        ("0 0 0 0 0", "", None),
        ("0 0 0 0 0", "resign_below 0", None),
        ("90 90 90", "resign_below 1", 2),
        # so many moves as somebody says
        ("4", "resign_below 0.05 resign_moves 1", 0),
        ("4 4 4 4 4", "resign_below 0.05 resign_moves 5", 4),
        ("4 4 4 4 4", "resign_below 0.05 resign_moves 6", None),
        # few visits say nothing
        ("4/99 4/99 4/99 4/99", "resign_below 0.05", None),
        ("4/100 4/100 4/100", "resign_below 0.05", 2),
        ("4 4 4/99 4 4 4", "resign_below 0.05", 5),
        ("4/99 4/99 4/99", "resign_below 0.05 resign_visits 99", 2),
        ("4 4 4 4", "resign_below 0.05 resign_visits 501", None),
    ],
)
@pytest.mark.parametrize("command", MOVES)
def test_histories(command: str, found: str, settings: str, n_played: int | None) -> None:
    session = session_that_finds(found, settings)
    for number in range(len(searches(found)) if n_played is None else n_played):
        assert not resigns(session, f"{command} w"), number
    if n_played is not None:
        assert resigns(session, f"{command} w")


def test_each_colour_has_its_own_history() -> None:
    session = session_that_finds("4 90 4 90 4")
    for color in "bwbw":
        assert not resigns(session, f"genmove {color}")
    assert resigns(session, "genmove b")


def test_who_is_asked_again_resigns_again() -> None:
    session = session_that_finds("4 4 4 4 30 4")
    for resigned in (False, False, True, True, False, False):
        assert resigns(session, "genmove b") == resigned
    assert session.last_result.startswith("black D1 ")


@pytest.mark.parametrize("command", NOT_PLAYED)
def test_what_is_not_played_does_not_count(command: str) -> None:
    session = session_that_finds("4 4 4 4 4 90 4")
    for line in ("genmove b", f"{command} b", "genmove b", f"{command} b"):
        reply = session.run_line(line)
        assert reply is not None
        assert "resign" not in reply
    assert resigns(session, "genmove b")
    reply = session.run_line(f"{command} b")
    assert reply is not None
    assert "resign" not in reply
    assert resigns(session, "genmove b"), "nor does a good one"


@pytest.mark.parametrize(
    "line", ["undo", "gg-undo 2", "clear_board", "boardsize 7", "set_position b C3"]
)
def test_what_begins_a_new_history(line: str) -> None:
    session = session_that_finds("4 4 4 4 4")
    for number in range(2):
        assert not resigns(session, "genmove b"), number
    assert session.run_line(line) == "=\n\n"
    for number in range(2):
        assert not resigns(session, "genmove b"), number
    assert resigns(session, "genmove b")


def test_a_history_survives_a_restart() -> None:
    session = session_that_finds("4 4 90")
    for color in "bbw":
        assert not resigns(session, f"genmove {color}")
    again = restore_session(save_session(session))
    again.engine = JudgingEngine(searches("4 4"))
    assert not resigns(again, "genmove w")
    assert resigns(again, "genmove b")


def test_a_session_from_before_histories_were_kept() -> None:
    session = session_that_finds("4 4")
    for number in range(2):
        assert not resigns(session, "genmove b"), number
    record = msgspec.json.decode(save_session(session))
    del record["n_lost"]
    again = restore_session(msgspec.json.encode(record))
    again.engine = JudgingEngine(searches("4 4 4"))
    assert [resigns(again, "genmove b") for _ in range(3)] == [False, False, True]


# --- handicap openings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "n_stones", "n_moves"),
    [(19, 2, 10), (19, 9, 45), (13, 4, 20), (13, 9, 43), (9, 2, 10), (9, 4, 20), (9, 9, 21),
     (7, 4, 13)],
)  # fmt: skip
def test_how_long_a_handicap_opening_is(size: int, n_stones: int, n_moves: int) -> None:
    """By white's moves: five for a stone, and at most a quarter of the points."""
    game = Game(size)
    game.place_handicap(fixed_handicap(n_stones, size))
    places = [point for point in all_points(size) if game.is_legal(WHITE, point)]
    n_played = 0
    while is_handicap_opening(game, WHITE):
        assert not is_handicap_opening(game, BLACK)
        game.play(WHITE, places[n_played])
        n_played += 1
        game.play(BLACK, PASS)
    assert n_played == n_moves


def test_without_handicap_there_is_no_such_opening() -> None:
    assert not is_handicap_opening(Game(19), WHITE)


@pytest.mark.parametrize("line", ["fixed_handicap 2", "gogui-play_sequence b C3 b G7"])
def test_white_does_not_resign_in_a_handicap_opening(line: str) -> None:
    session = session_that_finds("4 90 " * 13)
    session.run_line(line)
    for number in range(12):
        assert not resigns(session, "genmove w"), number
        assert not resigns(session, "genmove b"), number
    assert resigns(session, "genmove w")


def test_black_may() -> None:
    session = session_that_finds("4 4 4")
    session.run_line("fixed_handicap 2")
    assert [resigns(session, "genmove b") for _ in range(3)] == [False, False, True]


# --- games that are won by the rules ----------------------------------------------------------

WON_BY_ONE_ROW = """
    . . X O .
    . . X O .
    . . X O .
    . . X O .
    . . X O .
"""


@pytest.mark.parametrize(
    ("rules", "komi", "moves", "winners"),
    [
        # nobody has passed: the count says nothing
        ("chinese", 0.5, "", ""),
        ("chinese", 0.5, "b A1", ""),
        # 15 to 10: by area black is ahead by 5, by territory too
        ("chinese", 4.5, "w pass", "b"),
        ("chinese", 5.5, "w pass", ""),
        ("chinese", 4.5, "b pass", ""),
        ("chinese", 5.5, "b pass", "w"),
        ("chinese", 5.0, "w pass", ""),  # a draw is not won
        ("japanese", 4.5, "w pass", "b"),
        # a stone in own territory costs a point by territory alone
        ("japanese", 4.5, "b A1 w pass", ""),
        ("chinese", 4.5, "b A1 w pass", "b"),
        # a stone after the pass, and a game that is over
        ("chinese", 4.5, "w pass b A1", ""),
        ("chinese", 4.5, "w pass b pass", "b"),
        ("chinese", 5.5, "w pass b pass", "w"),
        ("chinese", 4.5, "w pass w pass", "b"),
    ],
)
def test_who_wins_by_passing(rules: str, komi: float, moves: str, winners: str) -> None:
    game = game_on(WON_BY_ONE_ROW, rules=rules, komi=komi)
    play_all(game, moves)
    found = [name for name, color in (("b", BLACK), ("w", WHITE)) if wins_by_passing(game, color)]
    assert "".join(found) == winners


@pytest.mark.parametrize("passes", [True, False])
@pytest.mark.parametrize(("komi", "resigned"), [(4.5, False), (5.5, True)])
def test_a_game_that_is_won_by_the_rules_is_not_given_up(
    passes: bool, komi: float, resigned: bool
) -> None:
    session = session_that_finds("1", "resign_below 0.05 resign_moves 1", passes)
    session.game = game_on(WON_BY_ONE_ROW, WHITE, komi=komi)
    session.run_line("play w pass")
    assert resigns(session, "genmove b") == resigned


def test_the_opponents_pass_ends_the_row() -> None:
    session = session_that_finds("4 4 4 4 4 4")
    session.game = game_on(WON_BY_ONE_ROW, komi=4.5)
    assert [resigns(session, "genmove b") for _ in range(2)] == [False, False]
    session.run_line("play w pass")
    assert [resigns(session, "genmove b") for _ in range(4)] == [False, False, False, True]


@pytest.mark.parametrize(
    ("real", "is_lost"), [(None, True), (0.5, False), (0.051, False), (0.049, True), (0.0, True)]
)
def test_extra_komi_does_not_count(real: float | None, is_lost: bool) -> None:
    """The win rate after it is 4 %; and where it is 50 %, the game may still be lost."""
    game, patience = Game(9), Patience(0.05, 3, 100)
    reading = replace(fixed_reading(9), extra_komi=20.0, real_win_rate=real)
    for rate in (0.04, 0.5):
        moves = (move_reading("C3", 500, rate), *reading.moves[1:])
        found = Found(moves[0].move, replace(reading, moves=moves))
        expected = is_lost if real is not None else rate < 0.05
        assert patience.is_lost(game, BLACK, found) == expected
