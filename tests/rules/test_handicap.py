"""Handicap: GTP's fixed points, free placement, what is refused."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.points import (
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    all_points,
    format_vertex,
    is_on_board,
    parse_vertex,
    row_column,
)
from goengine.rules.handicap import (
    check_free_handicap,
    count_played_stones,
    fixed_handicap,
    free_handicap,
    max_fixed_handicap,
    max_free_handicap,
)


def vertices(points: list[int], size: int) -> str:
    return " ".join(format_vertex(point, size) for point in points)


@pytest.mark.parametrize(
    ("size", "n_stones", "expected"),
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 D16"),
        (19, 4, "D4 Q16 D16 Q4"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 K10 D10 Q10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (19, 9, "D4 Q16 D16 Q4 K10 D10 Q10 K4 K16"),
        (13, 9, "D4 K10 D10 K4 G7 D7 K7 G4 G10"),
        (9, 5, "C3 G7 C7 G3 E5"),
        (9, 9, "C3 G7 C7 G3 E5 C5 G5 E3 E7"),
        (11, 2, "C3 J9"),
        (12, 4, "C3 K10 C10 K3"),
        (14, 4, "D4 L11 D11 L4"),
        (7, 4, "C3 E5 C5 E3"),
        (25, 2, "D4 W22"),
    ],
)
def test_fixed_points(size, n_stones, expected):
    assert vertices(fixed_handicap(n_stones, size), size) == expected


@pytest.mark.parametrize(
    ("size", "most"), [(2, 0), (6, 0), (7, 4), (8, 4), (9, 9), (10, 4), (13, 9), (18, 4), (19, 9)]
)
def test_number_of_fixed_points(size, most):
    assert max_fixed_handicap(size) == most
    for n_stones in range(2, most + 1):
        points = fixed_handicap(n_stones, size)
        assert len(set(points)) == n_stones
        assert all(is_on_board(point, size) for point in points)
    for n_stones in {-1, 0, 1, most + 1}:
        with pytest.raises(ValueError, match="fixed handicap stones on"):
            fixed_handicap(n_stones, size)


def test_refusals_say_what_would_be_right():
    with pytest.raises(
        ValueError, match=r"10 is not a number of fixed handicap stones on 19x19: from 2 to 9"
    ):
        fixed_handicap(10, 19)
    with pytest.raises(ValueError, match="there are no fixed handicap stones on 5x5"):
        fixed_handicap(2, 5)
    with pytest.raises(
        ValueError, match="4 is not a number of handicap stones on 2x2: from 2 to 3"
    ):
        free_handicap(4, 2)


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_free_placement_gives_as_many_stones_as_asked_for(size):
    most = max_free_handicap(size)
    assert most == size * size - 1
    for n_stones in {2, 3, min(most, 10), most // 2, most}:
        if n_stones >= 2:
            points = free_handicap(n_stones, size)
            assert len(points) == n_stones
            check_free_handicap(points, size)


def test_free_placement_begins_with_the_fixed_points():
    assert free_handicap(9, 19) == fixed_handicap(9, 19)
    assert free_handicap(12, 19)[:9] == fixed_handicap(9, 19)


@pytest.mark.parametrize(
    ("size", "n_stones", "n_lines"),
    [(19, 40, 2), (13, 17, 2), (9, 13, 2), (8, 6, 2), (7, 5, 2), (9, 25, 1), (5, 5, 1), (4, 2, 1)],
)
def test_free_placement_keeps_off_the_edge_while_it_can(size, n_stones, n_lines):
    """The first so many lines are empty."""
    for point in free_handicap(n_stones, size):
        row, column = row_column(point, size)
        line = 1 + min(row, column, size - 1 - row, size - 1 - column)
        assert line > n_lines, format_vertex(point, size)


@pytest.mark.parametrize(
    ("size", "n_stones", "expected"),
    [
        (4, 2, "B2 C3"),
        (5, 5, "C3 B2 D4 D2 B4"),
        (6, 4, "C3 D4 B2 E5"),
        (7, 5, "C3 E5 C5 E3 D4"),
        (8, 6, "C3 F6 C6 F3 D5 E4"),
        (9, 13, "C3 G7 C7 G3 E5 C5 G5 E3 E7 D4 F6 F4 D6"),
        (19, 13, "D4 Q16 D16 Q4 K10 D10 Q10 K4 K16 G7 N13 N7 G13"),
    ],
)
def test_free_placement(size, n_stones, expected):
    assert vertices(free_handicap(n_stones, size), size) == expected


def test_free_placement_spreads_stones():
    points = [row_column(point, 19) for point in free_handicap(16, 19)]
    nearest = min(
        abs(row - other_row) + abs(column - other_column)
        for row, column in points
        for other_row, other_column in points
        if (row, column) != (other_row, other_column)
    )
    assert nearest >= 4


@pytest.mark.parametrize("n_stones", [-1, 0, 1, 81, 10**9])
def test_free_placement_refuses_impossible_numbers(n_stones):
    with pytest.raises(ValueError, match=f"{n_stones} is not a number of handicap stones on 9x9"):
        free_handicap(n_stones, 9)


@pytest.mark.parametrize(
    ("points", "complaint"),
    [
        ([], "0 is not a number"),
        (["D4"], "1 is not a number"),
        (["D4", "E5", "D4"], "D4 is given twice"),
        (["D4", "pass"], "0 is not a point on 9x9"),
    ],
)
def test_free_stones_are_checked(points, complaint):
    with pytest.raises(ValueError, match=complaint):
        check_free_handicap([parse_vertex(vertex, 9) for vertex in points], 9)


@pytest.mark.parametrize("stray", [PASS, -1, 10**6, 1])
def test_free_stones_must_be_on_the_board(stray):
    with pytest.raises(ValueError, match="is not a point on 9x9"):
        check_free_handicap([parse_vertex("A1", 9), stray], 9)


def test_a_full_board_is_refused():
    with pytest.raises(ValueError, match="25 is not a number of handicap stones on 5x5"):
        check_free_handicap(all_points(5), 5)


@pytest.mark.parametrize(
    ("moves", "n_stones"),
    [
        ("", 0),
        ("b", 0),
        ("b b", 2),
        ("b b w", 2),
        ("b w b b b", 0),
        ("b b b b w b w b", 4),
        # black's passes are no stones
        ("b pass", 0),
        ("b pass b", 2),
        ("b b pass w", 2),
        # white passes where one colour cannot play twice
        ("b wpass b", 2),
        ("b wpass b wpass b w b", 3),
        ("wpass b wpass b", 2),
        ("b wpass", 0),
        ("b b wpass", 2),
        ("b wpass b w wpass", 0),
        # a position that is set up by moves
        ("b b b w w w", 0),
        ("b b wpass wpass", 0),
        ("b b wpass w", 0),
        ("b b w b w w", 2),
        ("w b b", 0),
    ],
)
def test_stones_sent_as_moves(moves, n_stones):
    assert count_played_stones(moves_of(moves), 9) == n_stones


@pytest.mark.parametrize(
    ("moves", "n_stones"), [("b b", 2), ("b wpass b", 0), ("b b wpass b", 2), ("wpass b b", 0)]
)
def test_on_the_smallest_boards_white_passes_in_earnest(moves, n_stones):
    assert count_played_stones(moves_of(moves), 6) == n_stones


def moves_of(text: str) -> list[tuple[int, int]]:
    """Where the stones stand does not matter."""
    known = {"b": (BLACK, 20), "w": (WHITE, 20), "wpass": (WHITE, PASS), "pass": (BLACK, PASS)}
    return [known[word] for word in text.split()]
