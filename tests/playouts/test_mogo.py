"""MoGo's playouts: save, pattern, capture, random; and whole games."""

from __future__ import annotations

from typing import Any

import pytest

from goengine.board import BLACK, WHITE, copy_board, new_board
from goengine.jit import COMPILED
from goengine.points import all_points, format_vertex, stride_for
from tests.playouts.drawn import N_DRAWS, Drawn, check_game, played_out
from tests.playouts.test_patterns import all_seen, plain_weight
from tests.random_boards import random_boards

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]


# --- the order of the rules -----------------------------------------------------

# White at C3 puts C4 in atari, and makes a pattern at D3; far off a stone can be taken.
ALL_AT_ONCE = """
    . . . . . . .
    . . . . . X .
    . . O . X O .
    . O X . . X .
    . . . X . . .
    . . . . . . .
    . . . . . . .
"""


def pattern_moves(drawn: Drawn) -> set[str]:
    """Around the last move, by the matcher that knows no tables."""
    seen = all_seen(drawn.board, int(drawn.board.to_play))
    last, stride = int(drawn.board.last), stride_for(drawn.size)
    around = {last + up * stride + right for up in (-1, 0, 1) for right in (-1, 0, 1)}
    return {
        format_vertex(point, drawn.size)
        for point in around & set(seen)
        if plain_weight("mogo", seen[point])
    }


def test_a_chain_in_atari_is_saved_first() -> None:
    drawn = Drawn(ALL_AT_ONCE, "w C3")
    assert pattern_moves(drawn)
    assert set(drawn.mogo()) == {"D4"}


def test_then_a_pattern_is_played_each_as_likely() -> None:
    drawn = Drawn(ALL_AT_ONCE, "w D2")
    expected = pattern_moves(drawn)
    assert len(expected) > 1
    assert "G5" not in expected
    n_draws = 4 * N_DRAWS
    found = drawn.mogo(n_draws)
    assert set(found) == expected
    for count in found.values():
        share = 1 / len(expected)
        deviation = (share * (1 - share) / n_draws) ** 0.5
        assert count / n_draws == pytest.approx(share, abs=5 * deviation)


def test_then_something_is_taken_anywhere() -> None:
    drawn = Drawn(ALL_AT_ONCE, "w A1")
    assert not pattern_moves(drawn)
    assert set(drawn.mogo()) == {"G5"}


def test_else_any_move_is_made() -> None:
    drawn = Drawn(ALL_AT_ONCE, "b G5 w A1")
    assert not pattern_moves(drawn)
    found = drawn.mogo(10 * N_DRAWS)
    assert "F5" not in found, "an own eye"
    assert len(found) > 35


def test_after_a_pass_there_is_nothing_to_answer() -> None:
    drawn = Drawn(ALL_AT_ONCE, "w C3 b D2 w pass")
    assert set(drawn.mogo()) == {"G5"}


@pytest.mark.parametrize(
    ("text", "moves", "expected"),
    [
        pytest.param(
            """
            . . . . . .
            . . O . . .
            . . X . . .
            . X O . . .
            . . X . . .
            . . . . . .
            """,
            "w B4",
            {"D3", "D4"},
            id="run or take",
        ),
        pytest.param(
            """
            . X . . . .
            O X . . . .
            O X . . . .
            X . . . . .
            . O . . . .
            . . . . . .
            """,
            "w B3",
            {"A6"},
            id="take alone",
        ),
    ],
)
def test_saving(text: str, moves: str, expected: set[str]) -> None:
    assert set(Drawn(text, moves).mogo()) == expected


def test_a_step_that_stays_in_atari_is_not_made() -> None:
    text = """
        . . . . . .
        . . . . . .
        O O O O . .
        X X . . O .
        . O O . . .
        . . . . . .
    """
    assert len(Drawn(text, "w A2").mogo()) > 10
    assert set(Drawn(text.replace(". O O .", ". O . ."), "w A2").mogo()) == {"C3"}


def test_all_chains_in_atari_are_taken_alike() -> None:
    text = """
        O . . . X O X
        X . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . X
        . . . . X . O
    """
    found = Drawn(text, "w C3").mogo(4 * N_DRAWS)
    assert set(found) == {"B7", "F6", "F1"}
    for count in found.values():
        assert count / (4 * N_DRAWS) == pytest.approx(1 / 3, abs=5 * 0.5 / (4 * N_DRAWS) ** 0.5)


def test_a_ko_that_is_forbidden_is_not_taken() -> None:
    text = """
        . . . . . .
        . X O . . .
        X O . O . .
        . X O . . .
        . . . . . .
        . . . . . .
    """
    assert "B4" not in Drawn(text, "b C4").mogo()
    assert set(Drawn(text, "b C4 w F1 b pass").mogo()) == {"B4"}


# --- whole games ----------------------------------------------------------------

STARTS = [(2, 2, 2), (3, 3, 5), (5, 8, 9), (7, 5, 20), (9, 4, 25)] if COMPILED else [(4, 1, 10)]


def saves_a_chain(board: Any, point: int, color: int) -> bool:
    """Only then an own eye may be filled."""
    stride = stride_for(int(board.rows))
    return any(
        board.color[beside] == color and board.n_liberties[board.chain[beside]] == 1
        for beside in (point - 1, point + 1, point - stride, point + stride)
    )


@pytest.mark.parametrize(("size", "n_games", "every"), STARTS)
def test_games_from_random_positions(size: int, n_games: int, every: int) -> None:
    for seed, start in enumerate(random_boards(size, n_games, every)):
        check_game("mogo", start, seed, saves_a_chain)


@pytest.mark.parametrize("size", [2, 5, 9] if COMPILED else [2, 3])
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_games_from_the_empty_board(size: int, to_play: int) -> None:
    for seed in range(20 if COMPILED else 1):
        board = new_board(size)
        board.to_play = to_play
        check_game("mogo", board, seed, saves_a_chain)


def test_the_same_seed_gives_the_same_game() -> None:
    start = new_board(7 if COMPILED else 4)
    first, again, other = (played_out("mogo", copy_board(start), seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other
    assert set(first) <= {0, *all_points(int(start.rows))}
