"""Scores of finished positions, drawn as diagrams; and which stones were dead."""

from __future__ import annotations

import pytest
from sgfmill.boards import Board

from clients.match.counting import chains_of, dead_after, margin_of
from clients.match.places import Place
from clients.match.referee import Referee
from goengine.rules.rulesets import find_rules

# X and O are stones, x and o dead ones; the top row comes first.
WALLS = """
    . X O . .
    . X O . .
    . X O . .
    . X O . .
    . X O . .
"""
DEAD_STONES = """
    . X O . .
    o X O . .
    . X O x .
    o X O . .
    . X O . .
"""
DAME = """
    . X . O .
    . X . O .
    . X . O .
    . X . O .
    . X . O .
"""
# Who plays C5 is taken.
SEKI = """
    . O . X .
    O O O X X
    O O O X X
    O O X X X
    O O X X X
"""


def places(text: str, letters: str) -> set[Place]:
    rows = [line.split() for line in reversed(text.strip().splitlines())]
    return {
        (row, column)
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter in letters
    }


def board_of(text: str) -> Board:
    board = Board(len(text.strip().splitlines()))
    assert board.apply_setup(places(text, "Xx"), places(text, "Oo"), [])
    return board


def margin(text: str, rules: str, komi: float = 0.0, captured: tuple[int, int] = (0, 0)) -> float:
    referee = Referee(len(text.strip().splitlines()), find_rules(rules))
    referee.board = board_of(text)
    referee.captured = {"black": captured[0], "white": captured[1]}
    before = referee.board.copy()
    found = margin_of(referee, places(text, "xo"), komi)
    assert referee.board.board == before.board, "counting takes nothing off"
    return found


@pytest.mark.parametrize(
    ("text", "by_area", "by_territory"),
    [
        (WALLS, 10 - 15, 5 - 10),
        (DEAD_STONES, 10 - 15, (5 + 2) - (10 + 1)),
        (DAME, 10 - 10, 5 - 5),
        (SEKI, 12 - 12, 1 - 1),
        (". .\n. .", 0, 0),
        ("X .\n. .", 4, 3),
    ],
)
def test_area_and_territory(text: str, by_area: float, by_territory: float) -> None:
    for rules in ("chinese", "tromp-taylor", "aga"):
        assert margin(text, rules) == by_area
    for rules in ("japanese", "korean"):
        assert margin(text, rules) == by_territory


def test_prisoners_count_by_territory_alone() -> None:
    assert margin(WALLS, "japanese", captured=(1, 4)) == -5 + 4 - 1
    assert margin(DEAD_STONES, "japanese", captured=(1, 4)) == -4 + 4 - 1
    assert margin(WALLS, "chinese", captured=(1, 4)) == -5


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_komi_is_white_s(rules: str) -> None:
    assert margin(WALLS, rules, komi=6.5) == margin(WALLS, rules) - 6.5
    assert margin(WALLS, rules, komi=-5) == margin(WALLS, rules) + 5


def test_dead_stones_of_both_in_one_region() -> None:
    text = """
        . X O .
        o X O x
        . X O .
        . X O .
    """
    assert margin(text, "chinese") == 0
    assert margin(text, "japanese") == 0


def test_who_is_dead_makes_the_difference() -> None:
    alive = DEAD_STONES.replace("o", "O").replace("x", "X")
    assert margin(alive, "chinese") == (5 + 1) - (5 + 2)
    assert margin(alive, "japanese") == 0


def test_chains() -> None:
    text = """
        X X O .
        . X O O
        X . . .
        . O O X
    """
    chains = chains_of(board_of(text))
    assert sorted(map(len, chains)) == [1, 1, 2, 3, 3]
    assert {(3, 0), (3, 1), (2, 1)} in chains
    assert set().union(*chains) == places(text, "XO")


def test_dead_are_those_whose_points_the_opponent_owns_afterwards() -> None:
    after = """
        . X O . .
        . X O O .
        . X O . O
        X X O O .
        . X O . .
    """
    assert dead_after(board_of(DEAD_STONES), board_of(after)) == places(DEAD_STONES, "xo")
    assert dead_after(board_of(DEAD_STONES), board_of(DEAD_STONES)) == set()


def test_a_point_that_belongs_to_nobody_kills_nobody() -> None:
    assert dead_after(board_of("X .\n. ."), board_of(". .\n. .")) == set()
    assert dead_after(board_of("X .\n. O"), board_of(". O\n. X")) == {(0, 1)}


def test_a_chain_is_dead_as_most_of_its_points_say() -> None:
    before = """
        X X X O .
        . . . O .
        O O O O .
        . . . . .
        . . . . .
    """
    two_of_three = """
        O O X O .
        . . . O .
        O O O O .
        . . . . .
        . . . . .
    """
    one_of_two = two_of_three.replace("O O X", "O X .")
    assert dead_after(board_of(before), board_of(two_of_three)) == places(before, "X")
    two_stones = before.replace("X X X", "X X .")
    assert dead_after(board_of(two_stones), board_of(one_of_two)) == set()
