"""Coordinates: every system to every other and back."""

import pytest
from sgfmill import common

from goengine.points import (
    MAX_SIZE,
    PASS,
    RESIGN,
    all_points,
    capacity_for,
    format_sgf_letters,
    format_vertex,
    is_on_board,
    parse_sgf_letters,
    parse_vertex,
    point_at,
    row_column,
    star_points,
)

pytestmark = pytest.mark.uncompiled


@pytest.mark.parametrize("size", range(2, MAX_SIZE + 1))
def test_every_point_there_and_back(size: int) -> None:
    points = all_points(size)
    assert len(set(points)) == size * size
    assert points == sorted(points)
    for point in points:
        row, column = row_column(point, size)
        assert point_at(row, column, size) == point
        vertex = format_vertex(point, size)
        assert vertex == common.format_vertex((row, column))
        assert parse_vertex(vertex, size) == point == parse_vertex(vertex.lower(), size)
        letters = format_sgf_letters(point, size)
        assert ord(letters[0]) - ord("a") == column
        assert ord(letters[1]) - ord("a") == size - 1 - row
        if letters != "tt" or size > 19:
            assert parse_sgf_letters(letters, size) == point


def test_known_places() -> None:
    assert row_column(parse_vertex("A1", 19), 19) == (0, 0)
    assert format_sgf_letters(parse_vertex("A1", 19), 19) == "as"
    assert format_sgf_letters(parse_vertex("D16", 19), 19) == "dd"
    assert format_vertex(parse_vertex("j9", 9), 9) == "J9"
    assert format_vertex(parse_vertex("Z25", 25), 25) == "Z25"


def test_on_board() -> None:
    for size in (2, 9, 10, 19):
        on_board = [p for p in range(-5, 800) if is_on_board(p, size)]
        assert on_board == all_points(size)


def test_passes_and_resignation() -> None:
    assert parse_vertex("PASS", 9) == parse_sgf_letters("", 9) == PASS
    assert parse_sgf_letters("tt", 19) == PASS
    assert parse_sgf_letters("tt", 21) == point_at(1, 19, 21)
    assert format_vertex(PASS, 9) == "pass"
    assert format_vertex(RESIGN, 9) == "resign"
    assert format_sgf_letters(PASS, 9) == ""


@pytest.mark.parametrize(
    "text", ["", "A", "1", "I5", "A0", "A10", "K1", "A-1", "A1x", "AA1", "A٣", "é1", "A 1", "A001"]
)
def test_bad_vertices(text: str) -> None:
    with pytest.raises(ValueError, match=r"vertex|board"):
        parse_vertex(text, 9)


@pytest.mark.parametrize("text", ["a", "abc", "aj", "ja", "AA", "é1", "a`"])
def test_bad_letters(text: str) -> None:
    with pytest.raises(ValueError, match=r"SGF point|board"):
        parse_sgf_letters(text, 9)


@pytest.mark.parametrize("size", [-1, 0, 26])
def test_bad_sizes(size: int) -> None:
    with pytest.raises(ValueError, match="between 1 and 25"):
        capacity_for(size)


@pytest.mark.parametrize(
    ("size", "n_stars"),
    [(2, 0), (5, 0), (7, 5), (8, 4), (9, 5), (12, 4), (13, 9), (14, 4), (19, 9)],
)
def test_star_points(size: int, n_stars: int) -> None:
    places = {row_column(point, size) for point in star_points(size)}
    assert len(places) == n_stars
    assert {(column, row) for row, column in places} == places
    if size in (13, 19):
        middle, last = size // 2, size - 4
        assert {(3, 3), (3, middle), (middle, middle), (last, last)} <= places
    if size in (7, 9, 12):
        assert (2, size - 3) in places
