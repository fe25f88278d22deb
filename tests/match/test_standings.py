"""What records say about a pairing, and pairings about each other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pytest

from clients.match.definition import Openings, Pairing, Player, Sprt
from clients.match.game_record import Color, GameRecord, MoveRecord, PonderedRecord
from clients.match.intervals import Interval, Tally, two_proportions, wilson
from clients.match.standings import (
    Comparison,
    compared,
    conditions_of,
    match_ratings,
    standing_of,
)
from clients.match.time_settings import Clock, RandomClock
from tests.match.example_games import example_pairing


def pairing(first: str = "new", second: str = "old", **given: Any) -> Pairing:
    usual = {"players": (Player(engine=first), Player(engine=second)), "games": 4}
    return example_pairing(first, second, **{**usual, **given})


def game(played: Pairing, number: int, points: float, **given: Any) -> GameRecord:
    """`points` are the first player's."""
    first_is_black = played.first_is_black(number)
    names = (played.first, played.second)
    winner: Color | None = "black" if (points == 1) == first_is_black else "white"
    usual: dict[str, Any] = {
        "engines": (f"{names[0]} 1.0", f"{names[1]} 1.0")[:: 1 if first_is_black else -1],
        "moves": [],
        "ending": "score",
        "scored_by": "agreement",
        "host": "here",
        "started": "2026-01-01T00:00:00Z",
        "seconds": 1.0,
    }
    return GameRecord(
        pairing=played.key,
        number=number,
        black=names[not first_is_black],
        white=names[first_is_black],
        size=played.size,
        komi=played.komi,
        rules=played.rules,
        winner=None if points == 0.5 else winner,
        **{**usual, **given},
    )


def games(played: Pairing, points: Iterable[float], start: int = 1) -> list[GameRecord]:
    return [game(played, number, each) for number, each in enumerate(points, start)]


def test_nothing_played():
    standing = standing_of(pairing(), [])
    assert standing.tally == standing.as_black == standing.as_white == Tally()
    assert standing.rate == Interval(0.5, 0.0, 1.0)
    assert standing.elo == Interval(0.0, -math.inf, math.inf)
    assert [tuple(side) for side in standing.sides] == [
        ("new", None, None, None, None, 0, 0, None, ""),
        ("old", None, None, None, None, 0, 0, None, ""),
    ]
    assert (standing.records, standing.scored, standing.sprt) == ([], {}, None)
    assert not standing.is_finished


@pytest.mark.parametrize("second", ["old", "new"])
def test_results_are_the_first_players_also_against_itself(second: str):
    played = pairing("new", second, games=10)
    records = games(played, [1, 0, 1, 1, 0.5, 0])  # 1, 3 and 5 as black
    standing = standing_of(played, reversed(records))
    assert standing.records == records
    assert standing.as_black == Tally(wins=2, draws=1)
    assert standing.as_white == Tally(wins=1, losses=2)
    assert standing.tally == Tally(wins=3, losses=2, draws=1)
    assert standing.rate == wilson(standing.tally)
    assert standing.elo.value == pytest.approx(58.45, abs=0.01)
    assert [side.name for side in standing.sides] == ["new", second]


@pytest.mark.parametrize("colors", ["first is black", "first is white"])
def test_colors_are_as_the_pairing_says(colors: str):
    played = pairing(colors=colors)
    standing = standing_of(played, games(played, [1, 1, 0]))
    has = standing.as_black if colors == "first is black" else standing.as_white
    assert has == standing.tally == Tally(wins=2, losses=1)


def test_finished_is_when_every_number_is_there():
    played = pairing(games=4)
    assert not standing_of(played, games(played, [1, 0, 1])).is_finished
    assert not standing_of(played, games(played, [1, 0, 1, 0], start=2)).is_finished
    assert standing_of(played, games(played, [1, 0, 1, 0])).is_finished


def test_games_past_the_last_one_are_left_out():
    played = pairing(games=4)
    standing = standing_of(played, games(played, [0, 0, 0, 1, 1, 1, 1]))
    assert standing.tally == Tally(wins=1, losses=3)
    assert [record.number for record in standing.records] == [1, 2, 3, 4]
    assert standing.is_finished


def test_a_number_counts_once():
    played = pairing()
    assert standing_of(played, games(played, [1, 1]) + games(played, [0])).tally.games == 2


def test_forfeits_and_lost_time_are_losses_and_told_apart():
    played = pairing(games=10)
    records = [
        game(played, 1, 0, ending="forfeit", offence="crash", scored_by=None),
        game(played, 2, 0, ending="forfeit", offence="hang", scored_by=None),
        game(played, 3, 1, ending="forfeit", offence="junk", scored_by=None),
        game(played, 4, 0, ending="time", scored_by=None),
        game(played, 5, 1, ending="resignation", scored_by=None),
        game(played, 6, 1, scored_by="as it stands", margin=3.5),
        game(played, 7, 0, scored_by="agreement", margin=3.5),
        game(played, 8, 0.5, scored_by="agreement", margin=0),
    ]
    standing = standing_of(played, records)
    assert standing.tally == Tally(wins=3, losses=4, draws=1)
    assert [(side.forfeits, side.times) for side in standing.sides] == [(2, 1), (1, 0)]
    told = {"resignation": 1, "time": 1, "forfeit": 3, "agreement": 2, "as it stands": 1}
    assert list(standing.scored.items()) == list(told.items())


def test_seconds_playouts_and_engines_are_each_sides_own():
    played = pairing()
    first = [
        MoveRecord("E5", 1.0, 0.5, 100),
        MoveRecord("C3", 10.0),
        MoveRecord("G7", 3.0, 0.5, 300),
    ]
    second = [MoveRecord("D4", 20.0, None, 50), MoveRecord("F6", 5.0), MoveRecord("resign", 5.0)]
    records = [
        game(played, 1, 1, moves=first, engines=("New 1.0", "Old 7")),
        game(played, 2, 1, moves=second, engines=("Old 7", "New 1.1")),
        game(played, 3, 0, engines=("", "Old 7")),
    ]
    new, old = standing_of(played, records).sides
    # Game 1 gives the first player 1 and 3 s, game 2, as white, 5 s; the second 10, 20 and 5 s.
    assert (new.seconds_a_move, new.playouts_a_move) == (3.0, 200.0)
    assert old.seconds_a_move == pytest.approx(35 / 3)
    assert old.playouts_a_move == 50.0
    assert (new.engine, old.engine) == ("New 1.0, New 1.1", "Old 7")


def test_playouts_behind_a_move_and_the_part_of_pondering_that_served():
    played = pairing()
    moves = [
        MoveRecord("E5", 1.0, 0.5, 100, 20, PonderedRecord(0, 90, False)),
        MoveRecord("C3", 1.0, 0.5, 100, 7),
        MoveRecord("G7", 1.0, 0.5, 100, 60, PonderedRecord(50, 100, True)),
        MoveRecord("D4", 1.0, 0.5, 100),
        MoveRecord("F6", 1.0, 0.5, 300, 80, PonderedRecord(20, 80, True)),
    ]
    new, old = standing_of(played, [game(played, 1, 1, moves=moves)]).sides
    assert (new.playouts_behind, new.pondering_used) == (160, 0.375)
    assert (old.playouts_behind, old.pondering_used) == (107, None)


def test_share_of_the_time_used_in_counted_games_of_sudden_death():
    """Of both players' moves in turn, 3 and 1 s; the first one has black in odd games."""
    played = pairing(games=10, clock=Clock(random=RandomClock()))
    moves = [MoveRecord(f"A{number}", 3.0 - 2 * (number % 2)) for number in range(2, 6)]
    of_8, of_16 = Clock(main=8), Clock(main=16)
    records = [
        game(played, 1, 1, moves=moves, clock=of_8),  # 6 and 2 of 8
        game(played, 2, 1, moves=moves, clock=of_8),  # 2 and 6 of 8
        game(played, 3, 1, moves=moves, clock=of_16),  # 6 and 2 of 16
        game(played, 4, 1, moves=moves, clock=Clock(main=1, increment=1)),
        game(played, 5, 1, moves=moves, clock=Clock(main=1, period=9)),
        game(played, 6, 0, moves=moves, clock=Clock(main=1), ending="time"),
        game(played, 7, 0, moves=moves, clock=Clock(main=1), ending="resignation"),
    ]
    sides = standing_of(played, records).sides
    assert [side.time_used for side in sides] == [6 / 16, 2 / 8]
    assert [side.times for side in sides] == [1, 0]
    sides = standing_of(played, records[3:]).sides
    assert [side.time_used for side in sides] == [None, None]
    of_old = pairing(games=10, clock=of_8)
    sides = standing_of(of_old, [game(of_old, 1, 1, moves=moves)]).sides
    assert [side.time_used for side in sides] == [6 / 8, 2 / 8], "the record does not say"


def test_sides_are_kept_apart_in_a_handicap_game_against_itself():
    played = pairing("new", "new", handicap=2)
    moves = [MoveRecord("E5", 1.0), MoveRecord("D4", 9.0)]
    record = game(played, 1, 1, moves=moves, handicap=["C3", "G7"], engines=("A", "B"))
    black, white = standing_of(played, [record]).sides
    assert (black.seconds_a_move, white.seconds_a_move) == (9.0, 1.0)
    assert (black.engine, white.engine) == ("A", "B")


def test_sprt_ends_a_pairing_and_looks_at_games_in_their_order():
    played = pairing(games=20_000, sprt=Sprt(elo0=0, elo1=100))
    records = games(played, [1] * 100)
    standing = standing_of(played, reversed(records))
    assert standing.sprt is not None
    assert standing.sprt.verdict == "elo1"
    assert standing.sprt.n_games < 20
    assert standing.is_finished
    assert standing.tally == Tally(wins=100)  # games under way when it was decided count too

    standing = standing_of(played, records[1:])  # the first is still played
    assert standing.sprt is not None
    assert (standing.sprt.verdict, standing.sprt.n_games) == (None, 0)
    assert not standing.is_finished


def test_sprt_without_verdict_ends_with_the_games():
    played = pairing(games=4, sprt=Sprt(elo0=0, elo1=10))
    standing = standing_of(played, games(played, [1, 0, 1, 0]))
    assert standing.sprt is not None
    assert (standing.sprt.verdict, standing.sprt.n_games) == (None, 4)
    assert standing.is_finished


def test_ratings_join_pairings_of_the_same_players():
    halves = [pairing(name=name, games=10) for name in ("one", "two")]
    both = [standing_of(each, games(each, [1, 1, 1, 0, 0.5])) for each in halves]
    turned = pairing("old", "new", games=10)
    both.append(standing_of(turned, games(turned, [1, 0])))
    alone = pairing("new", "new", games=10)
    both.append(standing_of(alone, games(alone, [1, 0])))
    unmet = pairing("a", "b")
    ((new, old),) = match_ratings([*both, standing_of(unmet, [])], anchor="old")
    assert (new.name, new.games, old.name, old.elo) == ("new", 12, "old", 0.0)
    assert new.elo == pytest.approx(400 * math.log10(8.5 / 4.5))
    assert match_ratings([]) == []


def test_pairings_with_equal_conditions_are_compared_with_the_first():
    given = [
        pairing("a", "x", games=100),
        pairing("b", "x", games=200, published="51 %"),
        pairing("c", "y", games=100),
        pairing("d", "x", games=100, komi=6.5),
        pairing("e", "x", games=100),
        pairing("f", "x", games=100, clock=Clock(main=60)),
        pairing("g", "x", games=100, clock=Clock(main=60)),
        pairing("unplayed", "x", games=100),
    ]
    wins = [50, 120, 50, 50, 30, 50, 60, 0]
    standings = [
        standing_of(each, games(each, [1] * won + [0] * (each.games - won if won else 0)))
        for each, won in zip(given, wins, strict=True)
    ]
    baseline = Tally(50, 50)
    assert compared(standings) == [
        Comparison("a vs x", "b vs x", two_proportions(Tally(120, 80), baseline)),
        Comparison("a vs x", "e vs x", two_proportions(Tally(30, 70), baseline)),
        Comparison("f vs x", "g vs x", two_proportions(Tally(60, 40), baseline)),
    ]
    assert [each.test.z > 0 for each in compared(standings)] == [True, False, True]


def test_every_condition_counts():
    usual = pairing()
    others: dict[str, Any] = {
        "size": 13,
        "rules": "japanese",
        "komi": 6.5,
        "handicap": 2,
        "clock": Clock(main=1),
        "patience": 60.0,
        "most_moves": 100,
        "openings": Openings(moves=4),
        "colors": "first is black",
    }
    for field, value in others.items():
        assert conditions_of(pairing(**{field: value})) != conditions_of(usual), field
    assert conditions_of(pairing("a", "b", games=9)) == conditions_of(usual)
