"""The clock: what is left, and moves that never take more."""

from __future__ import annotations

import json
import math

import msgspec
import pytest

from goengine.board import BLACK, WHITE
from goengine.gtp.clock import LEAST, Clock, TimeLeft

pytestmark = pytest.mark.uncompiled

ABSOLUTE = Clock("absolute", 300)
CANADIAN = Clock("canadian", 300, 60, 25)
BYOYOMI = Clock("byoyomi", 300, 30, 5)
FISCHER = Clock("fischer", 120, 10)
CAPPED = Clock("fischer", 120, 10, 0, main_limit=125, move_limit=20)

# clock, what was left before a move, seconds that it took, what is left
SPENT = [
    (ABSOLUTE, None, 20, TimeLeft(280, 0)),
    (ABSOLUTE, TimeLeft(10, 0), 11, TimeLeft(-1, 0)),
    (CANADIAN, None, 20, TimeLeft(280, 0)),
    (CANADIAN, TimeLeft(10, 0), 15, TimeLeft(55, 24)),
    (CANADIAN, TimeLeft(55, 24), 5, TimeLeft(50, 23)),
    (CANADIAN, TimeLeft(5, 1), 4, TimeLeft(60, 25)),
    (Clock("canadian", 0, 60, 25), None, 4, TimeLeft(56, 24)),
    (Clock("canadian", 10, 60, 1), TimeLeft(1, 0), 4, TimeLeft(60, 1)),
    (BYOYOMI, None, 20, TimeLeft(280, 0)),
    (BYOYOMI, TimeLeft(10, 0), 15, TimeLeft(30, 5)),
    (BYOYOMI, TimeLeft(10, 0), 45, TimeLeft(30, 4)),
    (BYOYOMI, TimeLeft(30, 5), 29, TimeLeft(30, 5)),
    (BYOYOMI, TimeLeft(30, 5), 61, TimeLeft(30, 3)),
    (BYOYOMI, TimeLeft(30, 1), 61, TimeLeft(30, 1)),
    (Clock("byoyomi", 0, 30, 3), None, 31, TimeLeft(30, 2)),
    (FISCHER, None, 30, TimeLeft(100, 0)),
    (CAPPED, None, 1, TimeLeft(125, 0)),
    (CAPPED, None, 15, TimeLeft(115, 0)),
]


@pytest.mark.parametrize(("clock", "before", "seconds", "after"), SPENT)
def test_spent(clock: Clock, before: TimeLeft | None, seconds: float, after: TimeLeft) -> None:
    if before is not None:
        clock = clock.with_left(WHITE, before.seconds, before.stones)
    spent = clock.with_spent(WHITE, seconds)
    assert spent.left(WHITE) == after
    assert spent.black is None
    assert spent.restarted() == clock.restarted()


def test_without_settings_there_is_no_limit() -> None:
    clock = Clock().with_left(BLACK, 1, 0).with_spent(BLACK, 5)
    assert clock.seconds_for_move(BLACK, 0, 19) is None


# clock, what is left, moves played on 19x19, least and most seconds for the next move
MOVES = [
    (ABSOLUTE, TimeLeft(300, 0), 0, 1, 4),
    (ABSOLUTE, TimeLeft(100, 0), 250, 1, 4),
    (ABSOLUTE, TimeLeft(1, 0), 250, LEAST, 0.5),
    (ABSOLUTE, TimeLeft(0, 0), 0, LEAST, LEAST),
    (ABSOLUTE, TimeLeft(-3, 0), 0, LEAST, LEAST),
    (CANADIAN, TimeLeft(300, 0), 0, 2, 5),
    (CANADIAN, TimeLeft(0, 0), 0, 2, 60 / 25),
    (CANADIAN, TimeLeft(60, 25), 0, 2, 60 / 25),
    (CANADIAN, TimeLeft(20, 1), 0, 19, 19.5),
    (CANADIAN, TimeLeft(0.4, 1), 0, 0.1, 0.3),
    (BYOYOMI, TimeLeft(300, 0), 0, 29, 29.5),
    (BYOYOMI, TimeLeft(1, 0), 0, 25, 30),
    (BYOYOMI, TimeLeft(30, 5), 0, 25, 29.5),
    (BYOYOMI, TimeLeft(12, 1), 0, 10, 11.5),
    (Clock("byoyomi", 7200, 1, 5), TimeLeft(7200, 0), 0, 40, 60),
    (FISCHER, TimeLeft(120, 0), 0, 9.5, 12),
    (FISCHER, TimeLeft(5, 0), 100, 4, 4.5),
    (CAPPED, TimeLeft(125, 0), 0, 10, 12),
    (Clock("fischer", 120, 10, 0, 120, 3), TimeLeft(120, 0), 0, 2, 2.5),
]


@pytest.mark.parametrize(("clock", "left", "n_moves", "least", "most"), MOVES)
def test_a_move(clock: Clock, left: TimeLeft, n_moves: int, least: float, most: float) -> None:
    clock = clock.with_left(BLACK, left.seconds, left.stones)
    seconds = clock.seconds_for_move(BLACK, n_moves, 19)
    assert seconds is not None
    assert least <= seconds <= most


class Referee:
    """Keeps one player's time as a server does, with none of the code under test."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.main = clock.main
        self.in_period = clock.period
        self.stones = clock.stones  # to play in this period, or periods left

    def spend(self, seconds: float) -> bool:
        """Is the player still in the game after a move that took so long?"""
        clock = self.clock
        if clock.move_limit is not None and seconds > clock.move_limit:
            return False
        used_of_main = min(self.main, seconds)
        self.main -= used_of_main
        over = seconds - used_of_main
        if clock.kind == "fischer":
            self.main = min(self.main + clock.period, clock.main_limit or math.inf)
        if over == 0:
            return True
        if clock.kind == "canadian":
            self.in_period -= over
            self.stones -= 1
            in_time = self.in_period >= 0
            if self.stones == 0:
                self.in_period, self.stones = clock.period, clock.stones
            return in_time
        if clock.kind == "byoyomi":
            self.stones -= int(over // clock.period)
            return self.stones > 0
        return False

    def tell(self, clock: Clock) -> Clock:
        """As servers do it, in whole seconds."""
        if self.main > 0 or clock.kind in ("absolute", "fischer"):
            return clock.with_left(BLACK, math.floor(self.main), 0)
        return clock.with_left(BLACK, math.floor(self.in_period), self.stones)


GAMES = [
    Clock("absolute", 60),
    ABSOLUTE,
    Clock("absolute", 3600),
    CANADIAN,
    Clock("canadian", 0, 30, 25),
    Clock("canadian", 60, 10, 1),
    BYOYOMI,
    Clock("byoyomi", 0, 2, 1),
    Clock("byoyomi", 60, 5, 3),
    FISCHER,
    Clock("fischer", 5, 1),
    CAPPED,
    Clock("fischer", 60, 2, 0, 60, 3),
]


@pytest.mark.parametrize("size", [9, 19])
@pytest.mark.parametrize(("lag", "length"), [(0.0, 2.0), (0.02, 2.0), (0.1, 1.25)])
@pytest.mark.parametrize("is_told", [True, False])
@pytest.mark.parametrize("settings", GAMES, ids=str)
def test_a_game_is_never_lost_on_time(
    settings: Clock, is_told: bool, lag: float, length: float, size: int
) -> None:
    """`length` in moves a point of the board; who is told what is left does not see the lag."""
    clock, referee = settings, Referee(settings)
    for n_played in range(0, int(length * size * size), 2):
        if is_told:
            clock = referee.tell(clock)
        seconds = clock.seconds_for_move(BLACK, n_played, size)
        assert seconds is not None
        assert seconds >= LEAST
        assert referee.spend(seconds + lag), n_played
        clock = clock.with_spent(BLACK, seconds + (0.0 if is_told else lag))


@pytest.mark.parametrize("settings", [ABSOLUTE, FISCHER], ids=str)
def test_most_of_the_main_time_is_used(settings: Clock) -> None:
    clock = settings
    for n_played in range(0, 250, 2):
        clock = clock.with_spent(BLACK, clock.seconds_for_move(BLACK, n_played, 19) or 0.0)
    assert clock.left(BLACK).seconds < 0.6 * settings.main


@pytest.mark.parametrize("clock", [Clock(), *GAMES, CAPPED.with_left(WHITE, 3.5, 2)], ids=str)
def test_json_and_back(clock: Clock) -> None:
    assert Clock.from_json(json.loads(json.dumps(clock.to_json()))) == clock


@pytest.mark.parametrize("data", [{"kind": "hourglass"}, {"main": "x"}, {"black": 3}, []])
def test_json_that_is_no_clock(data: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        Clock.from_json(data)
