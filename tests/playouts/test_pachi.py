"""Pachi's playouts: each rule alone in a drawn position, and whole games."""

from __future__ import annotations

from pathlib import Path

import pytest

from goengine.board import BLACK, WHITE
from goengine.points import all_points, format_vertex, parse_vertex
from tests.playouts.drawn import (
    N_DRAWS,
    Drawn,
)
from tests.playouts.test_patterns import all_seen, plain_weight

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

ROOT = Path(__file__).parents[2]


# --- one rule at a time ---------------------------------------------------------

KO = """
    . . . . . .
    . X O . . .
    X O . O . .
    . X O . . .
    . . . . . .
    . . . . . .
"""
RUN = """
    . . . . . . .
    . . . . . . .
    . . O . . . .
    . O X . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
HOLE = """
    . . . . . . .
    . . . . . . .
    . . X . . . .
    . X . . . . .
    . . X . . . .
    . . . . . . .
    . . . . . . .
"""
RUN_OR_TAKE = """
    . . . . . .
    . . O . . .
    . . X . . .
    . X O . . .
    . . X . . .
    . . . . . .
"""
TWO_STONES = """
    . . . . . . .
    . . . . . . .
    . O O . . . .
    O X X . . . .
    . O . . . . .
    . . . . . . .
    . . . . . . .
"""
DEAD_END = """
    . . . . .
    O O O . .
    X X . O .
    . . . . .
    . . . . .
"""
RACE = """
    . . . . . .
    . . . . . .
    . X X . . .
    . . O X . .
    . . . . . .
    . . . . . .
"""
OUTSIDE_RACE = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . O . X X . .
    O . X O . X .
    O . X O . X .
    O . X O . X .
"""
HALF_AN_EYE = """
    . . . . . . .
    . O X . . . .
    . X . X . . .
    . . X . . . .
    . . X O X . .
    . . . . . . .
    . . . . . . .
"""
THREE_POINTS = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . X . . . . .
    O . O O . . .
    . . . O . . .
"""

# The rate of the rule, a position, the last moves, and all moves that it makes then.
RULES = [
    pytest.param("ko_rate", KO, "b C4 w F1 b F6", {"B4"}, id="ko"),
    pytest.param("atari_rate", RUN, "w C3", {"D4"}, id="run"),
    pytest.param("atari_rate", HOLE, "w C4", {"D4"}, id="take the last move"),
    pytest.param("sure_capture_rate", HOLE, "w C4", {"D4"}, id="take what would get out"),
    pytest.param("atari_rate", RUN_OR_TAKE, "w B4", {"D3", "D4"}, id="run or take"),
    pytest.param("atari_rate", TWO_STONES, "w C3", {"D4"}, id="two stones"),
    pytest.param("two_liberties_rate", DEAD_END, "w B2", {"A2", "C3"}, id="two liberties"),
    pytest.param("two_liberties_rate", HOLE, "w B5", {"A5", "B6"}, id="atari"),
    pytest.param("many_liberties_rate", RACE, "w C5", {"B3", "C2"}, id="race"),
    pytest.param("race_rate", OUTSIDE_RACE, "w C4", {"E1", "E2", "E3"}, id="outside race"),
    pytest.param("eye_saving_rate", HALF_AN_EYE, "w E4", {"D4"}, id="eye"),
    pytest.param("nakade_rate", THREE_POINTS, "w B2", {"B1"}, id="vital point"),
]


@pytest.mark.parametrize(("rate", "text", "moves", "expected"), RULES)
def test_a_rule_that_is_always_asked(rate: str, text: str, moves: str, expected: set[str]) -> None:
    found = Drawn(text, moves, **{rate: 1}).pachi()
    assert set(found) == expected
    for count in found.values():
        assert abs(count / N_DRAWS - 1 / len(expected)) < 0.25


@pytest.mark.parametrize(("rate", "text", "moves", "expected"), RULES)
def test_a_rule_that_is_never_asked(rate: str, text: str, moves: str, expected: set[str]) -> None:
    """The same moves in the same order as where there was no last move."""
    silent, forgetful = Drawn(text, moves), Drawn(text, moves, **{rate: 1})
    forgetful.board.last = forgetful.board.last2 = forgetful.board.last_ko = 0
    found = silent.pachi()
    assert found == forgetful.pachi()
    assert not set(found) <= expected


@pytest.mark.parametrize(("rate", "text", "moves", "expected"), RULES)
def test_a_rule_that_is_sometimes_asked(
    rate: str, text: str, moves: str, expected: set[str]
) -> None:
    n_draws = 4 * N_DRAWS
    shares = []
    for chance in (0, 0.3):
        found = Drawn(text, moves, **{rate: chance}).pachi(n_draws)
        shares.append(sum(found[vertex] for vertex in expected) / n_draws)
    deviation = (0.25 / n_draws) ** 0.5
    assert shares[1] == pytest.approx(0.3 + 0.7 * shares[0], abs=5 * deviation)


def test_a_ko_is_fresh_for_some_moves() -> None:
    moves = "b C4 w F1 b F6 w E1 b E6"
    assert set(Drawn(KO, moves, ko_rate=1, ko_age=5).pachi()) == {"B4"}
    assert len(Drawn(KO, moves, ko_rate=1, ko_age=4).pachi()) > 3
    assert len(Drawn(KO, "b C4 w F1 b F6", ko_rate=1, ko_age=2).pachi()) > 3


def test_a_ko_that_is_forbidden_is_not_taken() -> None:
    assert "B4" not in Drawn(KO, "b C4", ko_rate=1).pachi()


def test_a_chain_that_a_capture_saves_is_not_extended_as_well() -> None:
    assert set(Drawn(RUN_OR_TAKE, "w B4", atari_rate=1, capture_only_rate=1).pachi()) == {"D3"}


THREE_STONES = """
    . . . . . . .
    . . . . . . .
    . O O O . . .
    O X X X . . .
    . O O . . . .
    . . . . . . .
    . . . . . . .
"""


def test_a_large_chain_is_always_saved() -> None:
    """Two stones are not: test_a_rule_that_is_never_asked."""
    assert set(Drawn(THREE_STONES, "w D3").pachi()) == {"E4"}


def test_what_cannot_get_out_is_not_taken_for_sure() -> None:
    """The last move has no way out: the rule of ataris may have it, not that of captures."""
    text = HOLE.replace(". X . . . . .", ". X . . X . .").replace(". . X . . . .", ". . X X . . .")
    assert len(Drawn(text, "w C4", sure_capture_rate=1).pachi()) > 3
    assert set(Drawn(text, "w C4", atari_rate=1).pachi()) == {"D4"}


def test_hopeless_extensions_are_left_out() -> None:
    found = Drawn(DEAD_END, "w B2", two_liberties_rate=1, hopeless_rate=1).pachi()
    assert not set(found) <= {"A2", "C3"}
    forgetful = Drawn(DEAD_END, "w B2")
    assert found == forgetful.pachi()


REFUSED = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X X . . . . .
    . O . . . . .
"""


def test_the_chain_that_wanted_a_self_atari_is_attacked() -> None:
    drawn = Drawn(REFUSED, "w F6", two_liberties_rate=1)
    assert len(drawn.pachi()) > 3
    drawn.notes.refused[WHITE] = drawn.point("A1")
    assert set(drawn.pachi()) == {"C1"}
    drawn.set_rates()
    assert len(drawn.pachi()) > 3
    drawn.set_rates(two_liberties_rate=1)
    drawn.notes.refused[:] = 0
    drawn.notes.refused[BLACK] = drawn.point("A1")
    assert len(drawn.pachi()) > 3


# --- patterns -------------------------------------------------------------------

CONTACT = """
    . . . . . . .
    . X X . . . .
    . . . . . X .
    . . . . X O .
    . . X . X . .
    . X . . . . .
    . . . . . . .
"""
CONTACT_MOVES = "b F3 w D4"


def weights_around(drawn: Drawn, *vertices: str) -> dict[str, int]:
    """By the matcher that knows no tables, of empty points in the squares around these."""
    seen = all_seen(drawn.board, int(drawn.board.to_play))
    weights = {}
    for vertex in vertices:
        column, row = ord(vertex[0]), int(vertex[1])
        for point in all_points(drawn.size):
            name = format_vertex(point, drawn.size)
            if point in seen and abs(ord(name[0]) - column) < 2 and abs(int(name[1]) - row) < 2:
                weights[name] = plain_weight("pachi", seen[point])
    return {name: weight for name, weight in weights.items() if weight}


@pytest.mark.parametrize("before", [0, 1])
def test_patterns_are_played_with_the_share_of_their_weight(before: int) -> None:
    drawn = Drawn(CONTACT, CONTACT_MOVES, pattern_rate=1, pattern_before_rate=before)
    expected = weights_around(drawn, *("D4", "F3")[: 1 + before])
    assert len(expected) == 4 + 2 * before
    assert len(set(expected.values())) > 2
    n_draws = 10 * N_DRAWS
    found = drawn.pachi(n_draws)
    assert set(found) == set(expected)
    for vertex, weight in expected.items():
        share = weight / sum(expected.values())
        deviation = (share * (1 - share) / n_draws) ** 0.5
        assert found[vertex] / n_draws == pytest.approx(share, abs=5 * deviation)


def test_without_a_rate_no_pattern_is_played() -> None:
    forgetful = Drawn(CONTACT, CONTACT_MOVES)
    forgetful.board.last = forgetful.board.last2 = 0
    assert Drawn(CONTACT, CONTACT_MOVES, pattern_before_rate=1).pachi() == forgetful.pachi()


@pytest.mark.parametrize(("letter", "is_played"), [(".", False), ("X", True)])
def test_a_pattern_that_is_a_self_atari_is_not_played(letter: str, is_played: bool) -> None:
    text = f"""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X . . . . .
        . O . {letter} . . .
    """
    drawn = Drawn(text, "w C2", pattern_rate=1)
    assert "C1" in weights_around(drawn, "C2")
    assert ("C1" in drawn.pachi()) == is_played


# --- what is permitted ----------------------------------------------------------

SELF_ATARI = """
    . . . . .
    . . . . .
    . . . . .
    . O . . .
    O . . . .
"""
# Two stones could be taken at once; D1 connects the one that is there.
TO_CONNECT = """
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . X .
    O O O O X .
    O . X . X .
"""
LARGE_SELF_ATARI = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    O O O O . . .
    X X X X O . .
    . O O . O . .
    O . . O . . .
"""


def test_instead_of_a_self_atari_something_better_is_played() -> None:
    assert set(Drawn(TO_CONNECT, self_atari_rate=1).permitted("B1")) == {"D1"}
    assert set(Drawn(TO_CONNECT, self_atari_rate=0).permitted("B1")) == {"B1"}
    assert set(Drawn(TO_CONNECT, self_atari_rate=0.5).permitted("B1")) == {"B1", "D1"}
    assert set(Drawn(SELF_ATARI, self_atari_rate=1).permitted("B1")) == {"pass"}


def test_the_self_atari_is_remembered_for_the_enemy() -> None:
    drawn = Drawn(SELF_ATARI, self_atari_rate=1)
    drawn.permitted("B1")
    assert drawn.notes.refused.tolist() == [0, parse_vertex("B1", 5), 0]


def test_a_random_move_is_no_self_atari() -> None:
    n_draws = 10 * N_DRAWS
    assert not {"A2", "B1"} & set(Drawn(SELF_ATARI, self_atari_rate=1).pachi(n_draws))
    assert {"A2", "B1"} <= set(Drawn(SELF_ATARI, self_atari_rate=0).pachi(n_draws))


@pytest.mark.parametrize("rate", [0, 1])
def test_a_large_self_atari_is_never_played(rate: int) -> None:
    drawn = Drawn(LARGE_SELF_ATARI, self_atari_rate=rate)
    assert set(drawn.permitted("D2")) == {"pass"}
    assert not {"A2", "D2"} & set(drawn.pachi())


EYES = """
    . X . . .
    X . X . .
    O X O . .
    . . . . .
    . . . . .
"""


def test_an_own_eye_is_never_filled() -> None:
    drawn = Drawn(EYES)
    assert set(drawn.permitted("A5")) == {"pass"}
    assert "A5" not in drawn.pachi()
