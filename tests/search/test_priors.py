"""What is known of moves before they were tried: each parameter alone, then all together."""

from __future__ import annotations

import statistics

import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED
from goengine.points import all_points, format_vertex, parse_vertex, row_column
from tests.diagrams import game_on
from tests.playouts.test_patterns import all_seen, plain_weight
from tests.search.known_priors import (
    Known,
    chain_in_atari,
    known_by,
    lost,
    priors_of,
    won,
)
from tests.search.searches import PLAIN, PRIORS

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

EYES = """
    . X . . .
    X X . X X
    O O X X .
    . O X . X
    O O . X .
"""
BULKY_FIVE = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X X X X . . .
    O O O X X . .
    X X O O O X .
    . X X . O . X
"""
KO = """
    . . . . .
    . X O . .
    X O . O .
    . X O . .
    . . . . .
"""
CHAIN = """
    . . . . . . .
    . . . . . . .
    . X X X . . .
    . . O . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
ATARIS = """
    . . . . . . .
    . . O . . . .
    . . X . . . .
    . X O . . . .
    . . X . . X .
    . . . . X O X
    . . . . . . .
"""
RUN = """
    . . . . . . .
    . . O O . . .
    . O X . . . .
    . . O . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
CHASE = """
    . . . . . . .
    . . . . . . .
    . . X X . . .
    . X O O . . .
    . . X . . . .
    . . . . . . .
    . . . . . . .
"""
TWO_LIBERTIES = """
    . . . . .
    O O O . .
    X X . O .
    . O . . .
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
VITAL = """
    . . . X . . .
    X X X X . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . O O O O .
    . . O . . . O
"""
SELF_ATARI = """
    . . . . .
    . . . . .
    . . . . .
    . O . . .
    O . . . .
"""

CASES = [
    pytest.param("eye_prior", EYES, "", BLACK, lost(1, "A5", "E3", "D2", "E1"), id="eye"),
    pytest.param("eye_prior", EYES, "", WHITE, lost(1, "A2"), id="eye of white"),
    pytest.param("eye_prior", BULKY_FIVE, "", BLACK, {}, id="eye to be filled"),
    pytest.param("ko_prior", KO, "b C3 w A1 b E5", WHITE, won(1, "B3"), id="ko"),
    pytest.param("ko_prior", KO, "b C3", WHITE, {}, id="ko forbidden"),
    pytest.param(
        "ko_prior", KO, "b C3 w A1 b E5 w B3 b E1 w A5", BLACK, won(1, "C3"), id="ko again"
    ),
    # Where two chains ask for the same move it counts twice.
    pytest.param(
        "capture_prior", ATARIS, "w B5", BLACK, won(1, "D5", "F1") | won(2, "D4"), id="atari"
    ),
    pytest.param("capture_prior", ATARIS, "w B5", WHITE, won(1, "D4") | won(2, "D5"), id="white"),
    pytest.param("ladder_prior", RUN, "", BLACK, lost(1, "D5"), id="ladder"),
    pytest.param("ladder_prior", RUN, "", WHITE, {}, id="taking is no ladder"),
    pytest.param("ladder_prior", CHASE, "", BLACK, won(1, "E4"), id="chase"),
    pytest.param("ladder_prior", CHASE, "", WHITE, {}, id="not yet chased"),
    pytest.param(
        "two_liberties_prior", TWO_LIBERTIES, "", WHITE, won(1, "A2", "C3"), id="two liberties"
    ),
    pytest.param("two_liberties_prior", TWO_LIBERTIES, "", BLACK, {}, id="hopeless"),
    pytest.param(
        "many_liberties_prior", RACE, "w C5", BLACK, won(2, "B3", "C2"), id="many liberties"
    ),
    pytest.param("many_liberties_prior", RACE, "w C5", WHITE, {}, id="not the enemy's"),
    pytest.param("nakade_prior", VITAL, "", BLACK, won(1, "B7", "E1"), id="vital points"),
    pytest.param("nakade_prior", VITAL, "", WHITE, won(1, "B7", "E1"), id="vital points, white"),
    pytest.param("self_atari_prior", SELF_ATARI, "", BLACK, lost(1, "A2", "B1"), id="self-atari"),
    pytest.param("self_atari_prior", SELF_ATARI, "", WHITE, {}, id="no self-atari"),
    pytest.param(
        "distance1_prior",
        CHAIN,
        "b D4",
        WHITE,
        won(1, "A5", "B6", "C6", "D6", "E5", "B4", "E4", "D3"),
        id="distance 1",
    ),
    pytest.param(
        "distance2_prior",
        CHAIN,
        "b D4",
        WHITE,
        won(
            1,
            *("A6", "B7", "C7", "D7", "E6", "F5", "F4", "E3", "D2"),
            *("A4", "B3", "C3"),
        ),
        id="distance 2",
    ),
    pytest.param(
        "distance3_prior",
        CHAIN,
        "b D4",
        WHITE,
        won(
            1,
            *("A7", "E7", "F6", "G5", "G4", "F3", "E2", "D1"),
            *("A3", "B2", "C2"),
        ),
        id="distance 3",
    ),
    pytest.param("distance1_prior", CHAIN, "b D4 w pass", BLACK, {}, id="after a pass"),
]


@pytest.mark.parametrize(("parameter", "text", "moves", "to_play", "expected"), CASES)
def test_one_parameter(
    parameter: str, text: str, moves: str, to_play: int, expected: Known
) -> None:
    """So many visits as it says for the expected moves, and nothing for all others."""
    assert known_by(parameter, 0, text, moves, to_play) == {}
    for visits in (7, 20) if COMPILED else (7,):
        found = known_by(parameter, visits, text, moves, to_play)
        scaled = {each: (won * visits, lost * visits) for each, (won, lost) in expected.items()}
        assert found == scaled


def test_every_prior_has_its_case() -> None:
    elsewhere = {"line_prior", "pattern_prior", "model_prior"}
    assert {str(case.values[0]) for case in CASES} | elsewhere == set(PRIORS)


def test_the_model_gives_roots_of_probabilities() -> None:
    """Their squares add up, and what any player would do comes first."""
    found = known_by("model_prior", 100, ATARIS, to_play=BLACK)
    assert all(lost == 0.0 for _, lost in found.values())
    assert sum((won / 100) ** 2 for won, _ in found.values()) == pytest.approx(1.0, abs=0.03)
    taking = known_by("capture_prior", 100, ATARIS, to_play=BLACK)
    middle = statistics.median(won for won, _ in found.values())
    assert all(found[vertex][0] > middle for vertex in taking)
    assert known_by("model_prior", 0, ATARIS, to_play=BLACK) == {}


# --- lines and patterns ---------------------------------------------------------


@pytest.mark.parametrize("vertex", ["A1", "E5", "C7"])
def test_lines(vertex: str) -> None:
    """The first and the third where there is no stone within four rows and columns."""
    size = 9
    row, column = row_column(parse_vertex(vertex, size), size)
    expected = {}
    for point in all_points(size):
        place = row_column(point, size)
        line = 1 + min(*place, *(size - 1 - each for each in place))
        is_far = max(abs(place[0] - row), abs(place[1] - column)) > 4
        if is_far and line in (1, 3):
            expected[format_vertex(point, size)] = (20.0, 0.0) if line == 3 else (0.0, 20.0)
    empty = "\n".join([". " * size] * size)
    assert known_by("line_prior", 20, empty, f"b {vertex}", WHITE) == expected
    assert (vertex == "E5") == (not expected)
    assert known_by("line_prior", 0, empty, f"b {vertex}", WHITE) == {}


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_patterns_on_the_whole_board(to_play: int) -> None:
    text = """
        . . . . . . .
        . X X . . . .
        . . . O . X .
        . . . . X O .
        . . X . X . .
        . X . . O . .
        . . . . . . .
    """
    seen = all_seen(game_on(text, to_play).board, to_play)
    expected = {
        format_vertex(point, 7) for point, letters in seen.items() if plain_weight("pachi", letters)
    }
    assert len(expected) > 6
    assert known_by("pattern_prior", 14, text, "", to_play) == won(14, *expected)
    assert known_by("pattern_prior", 0, text, "", to_play) == {}


@pytest.mark.parametrize(("letter", "is_known"), [(".", False), ("X", True)])
def test_a_pattern_that_is_a_self_atari(letter: str, is_known: bool) -> None:
    text = f"""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X O . . . .
        . O . {letter} . . .
    """
    seen = all_seen(game_on(text).board, BLACK)
    assert plain_weight("pachi", seen[parse_vertex("C1", 7)])
    assert ("C1" in known_by("pattern_prior", 14, text)) == is_known
    assert ("C1" in known_by("self_atari_prior", 14, text)) == (not is_known)


# --- how much -------------------------------------------------------------------


@pytest.mark.parametrize("n_stones", [1, 2, 3, 4, 8, 9, 14, 15, 16])
def test_a_capture_counts_more_with_more_stones(n_stones: int) -> None:
    text, vertex = chain_in_atari(n_stones)
    weight = max(min(n_stones, 15), 2) / 2
    assert known_by("capture_prior", 14, text) == won(14 * weight, vertex)


ONE_CHASED = """
    . . . . . . .
    . . . . . . .
    . . X X . . .
    . X O . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
THREE_CHASED = """
    . . . . . . .
    . . . . . . .
    . X X X . . .
    X O O O . . .
    . X X . . . .
    . . . . . . .
    . . . . . . .
"""


@pytest.mark.parametrize(
    ("text", "visits", "vertex"), [(ONE_CHASED, 14, "C3"), (THREE_CHASED, 21, "E4")]
)
def test_a_ladder_counts_more_with_more_stones(text: str, visits: int, vertex: str) -> None:
    assert known_by("ladder_prior", 14, text) == won(visits, vertex)


def test_a_chain_that_is_caught_is_not_to_be_saved() -> None:
    """Without the ladder's parameter nobody reads, and running counts as a rescue."""
    changes = {**PLAIN, "even_visits": 0, "capture_prior": 14}
    assert priors_of(RUN, **changes)["D5"] == (14, 0)
    assert priors_of(RUN, **{**changes, "ladder_prior": 7})["D5"] == (0, 7)


def test_a_ko_is_known_for_ten_moves() -> None:
    moves = "b C3 w A1 b E5 w A2 b E4 w A4 b E2 w B1 b D5"
    assert known_by("ko_prior", 14, KO, moves, WHITE) == won(14, "B3")
    assert known_by("ko_prior", 14, KO, f"{moves} w C1 b C5", WHITE) == won(14, "B3")
    assert known_by("ko_prior", 14, KO, f"{moves} w C1 b C5 w D1 b A5", WHITE) == {}


def test_distances_go_together() -> None:
    changes = {**PLAIN, "even_visits": 0}
    three = {"distance1_prior": 31, "distance2_prior": 28, "distance3_prior": 10}
    found = priors_of(CHAIN, "b D4", WHITE, **{**changes, **three})
    assert found["E4"] == (31, 0)
    assert found["E3"] == (28, 0)
    assert found["E2"] == (10, 0)
    assert found["G7"] == (0, 0)
    only_last = priors_of(CHAIN, "b D4", WHITE, **{**changes, "distance3_prior": 10})
    assert {vertex for vertex, known in only_last.items() if known == (10, 0)} == {
        vertex for vertex, known in found.items() if known == (10, 0)
    }
