"""Which game is next, and when a pairing should not go on."""

from __future__ import annotations

from typing import Any

import pytest

from clients.match.definition import Pairing, Sprt
from clients.match.game_record import GameRecord
from clients.match.openings import opening_for
from clients.match.schedule import hopeless, next_number, next_pairing
from clients.match.standings import Standing, standing_of
from tests.match.matches import a_record, make, player


def pairing(name: str, **given: Any) -> Pairing:
    return make(player("good", name), player("good", "-"), name=name, **given)


def standing(name: str, numbers: list[int], **given: Any) -> Standing:
    return standing_of(pairing(name, **given), [a_record(number) for number in numbers])


def forfeit(number: int, loser: str) -> GameRecord:
    """The first player is black in odd games."""
    winner = "white" if (loser == "bad") == (number % 2 == 1) else "black"
    return a_record(number, winner=winner, ending="forfeit", offence="crash", detail=f"no {number}")


def test_the_pairing_with_the_least_of_its_games_is_next() -> None:
    half = standing("half", [1, 2], games=4)
    third = standing("third", [1, 2, 3], games=9)
    none = standing("none", [], games=100)
    key = none.pairing.key
    assert next_pairing([half, third, none], {}, ()) is none
    assert next_pairing([half, third, none], {}, {key}) is third
    assert next_pairing([half, third, none], {key: 40}, ()) is third, "games in play count"
    assert next_pairing([half, third, none], {key: 33}, ()) is none
    assert next_pairing([half, third], {third.pairing.key: 2}, ()) is half
    assert next_pairing([], {}, ()) is None


def test_the_order_of_the_file_decides_between_equals() -> None:
    first, second = standing("a", [], games=4), standing("b", [], games=8)
    assert next_pairing([first, second], {}, ()) is first
    assert next_pairing([second, first], {}, ()) is second


def test_what_is_finished_is_never_next() -> None:
    finished = standing("finished", [1, 2], games=2)
    assert next_pairing([finished], {}, ()) is None
    other = standing("other", [1, 2, 3], games=4)
    assert next_pairing([finished, other], {}, ()) is other
    assert next_pairing([finished, other], {}, {other.pairing.key}) is None


def test_a_decided_sprt_is_finished() -> None:
    sprt = Sprt(elo0=0, elo1=200)
    won = [a_record(number, winner="black" if number % 2 else "white") for number in range(1, 41)]
    decided = standing_of(pairing("sprt", games=1000, sprt=sprt), won)
    undecided = standing_of(pairing("sprt", games=1000, sprt=sprt), won[:2])
    assert next_pairing([decided], {}, ()) is None
    assert next_pairing([undecided], {}, ()) is undecided


def test_the_lowest_number_that_is_free() -> None:
    def nobody(_: int) -> bool:
        return False

    assert next_number(standing("a", []), nobody) == 1
    assert next_number(standing("a", [1, 2, 4]), nobody) == 3
    assert next_number(standing("a", [1, 2, 4]), {3}.__contains__) is None
    assert next_number(standing("a", [2]), {1}.__contains__) == 3
    assert next_number(standing("a", [1, 2, 3, 4]), nobody) is None


@pytest.mark.parametrize("loser", ["bad", "good"])
def test_a_player_that_forfeits_game_after_game(loser: str) -> None:
    played = pairing("p", games=100)
    records = [forfeit(number, loser) for number in (1, 2, 3, 4)]
    assert hopeless(played, records, 5) == ""
    assert hopeless(played, records, 0) == "", "no limit"
    for most in (1, 2, 4):
        reason = hopeless(played, records, most)
        assert reason == f"{loser} forfeited {most} games in a row; the last one: no 4"


def test_forfeits_that_do_not_stop_a_pairing() -> None:
    played = pairing("p", games=100)
    assert hopeless(played, [], 1) == ""
    by_turns = [forfeit(1, "bad"), forfeit(2, "good"), forfeit(3, "bad")]
    assert hopeless(played, by_turns, 3) == ""
    assert hopeless(played, by_turns, 1) != ""
    with_a_game = [forfeit(1, "bad"), a_record(2), forfeit(3, "bad")]
    assert hopeless(played, with_a_game, 2) == ""
    lost_on_time = [a_record(number, ending="time") for number in (1, 2, 3)]
    assert hopeless(played, lost_on_time, 2) == ""


def test_each_opening_is_played_with_both_colours() -> None:
    openings = [["A1"], ["B1"], ["C1"]]
    alternating = pairing("p")
    found = [opening_for(alternating, number, openings)[0] for number in range(1, 9)]
    assert found == ["A1", "A1", "B1", "B1", "C1", "C1", "A1", "A1"]
    one_color = pairing("p", colors="first is white")
    found = [opening_for(one_color, number, openings)[0] for number in range(1, 5)]
    assert found == ["A1", "B1", "C1", "A1"]
    assert opening_for(alternating, 5, []) == []
