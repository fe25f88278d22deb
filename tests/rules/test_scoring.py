"""Scores: area and territory, dead stones, seki, prisoners, komi, handicap."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from sgfmill import boards

from goengine.board import BLACK, WHITE
from goengine.points import PASS, all_points, parse_vertex, point_at, row_column
from goengine.rules.game import Game
from goengine.rules.rulesets import RULESETS, find_rules
from goengine.rules.scoring import Score, format_score, score_game
from tests.diagrams import Diagram, assert_position, draw, parse_diagram, plain

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

# name; position, dead stones in small letters; owner of each point under both scorings
# (X black, O white, . nobody); area and territory points of black and white, without komi
SCORED = [
    (
        "an empty board is nobody's",
        """
        . . .
        . . .
        . . .
        """,
        """
        . . .
        . . .
        . . .
        """,
        (0, 0),
        (0, 0),
    ),
    (
        "a single stone has it all",
        """
        . . .
        . X .
        . . .
        """,
        """
        X X X
        X X X
        X X X
        """,
        (9, 0),
        (8, 0),
    ),
    (
        "two sides and a neutral column",
        """
        . X . O .
        . X . O .
        . X . O .
        X X . O O
        . X . O .
        """,
        """
        X X . O O
        X X . O O
        X X . O O
        X X . O O
        X X . O O
        """,
        (10, 10),
        (4, 4),
    ),
    (
        "dead stones give territory and a prisoner each",
        """
        . X . O .
        o X . O .
        o X . O x
        X X O O O
        . X O . .
        """,
        """
        X X . O O
        X X . O O
        X X . O O
        X X O O O
        X X O O O
        """,
        (10, 12),
        (6, 6),
    ),
    (
        "a dead stone between both sides is a prisoner on neutral ground",
        """
        . X . x O
        . X . O O
        . X . O .
        . X . O .
        . X . O .
        """,
        """
        X X . . O
        X X . O O
        X X . O O
        X X . O O
        X X . O O
        """,
        (10, 9),
        (5, 4),
    ),
    (
        "without dead stones an invader makes the region neutral",
        """
        . X . O .
        O X . O .
        . X . O X
        X X . O .
        . X . O .
        """,
        """
        . X . O .
        O X . O .
        . X . O X
        X X . O .
        X X . O .
        """,
        (8, 6),
        (1, 0),
    ),
]


def game_of(diagram: Diagram, rules: str, komi: float = 0.0) -> Game:
    game = Game(diagram.size, find_rules(rules), komi)
    game.set_up(diagram.black, diagram.white, BLACK)
    return game


def draw_owners(score: Score, size: int) -> str:
    letters = ".XO"  # -1 is the last
    return "\n".join(
        " ".join(letters[score.ownership[point_at(row, column, size)]] for column in range(size))
        for row in reversed(range(size))
    )


def assert_owners(game: Game, score: Score, expected: str) -> None:
    found, wanted = draw_owners(score, game.size), plain(expected)
    assert found == wanted, f"\n{draw(game)}\n\nis owned\n{found}\n\nexpected\n{wanted}"


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case[0])
def test_scored_positions(case):
    _, position, owners, area, territory = case
    diagram = parse_diagram(position)
    for rules, points in (("chinese", area), ("japanese", territory)):
        game = game_of(diagram, rules)
        score = score_game(game, diagram.dead)
        assert_owners(game, score, owners)
        assert (score.black, score.white) == points, f"{rules}\n{draw(game)}"
        assert score.margin == points[0] - points[1]
        assert_position(game, position)


# Each side has an eye, and whoever plays on the shared liberty C3 is taken.
SEKI = """
    . X O O O
    X X X O O
    X X . O O
    X X O O O
    X X O O .
"""


@pytest.mark.parametrize(
    ("rules", "in_seki", "expected"),
    [
        ("japanese", "", (1, 1)),
        ("japanese", "B1 C1", (0, 0)),
        ("japanese", "B1", (0, 1)),
        ("chinese", "B1 C1", (11, 13)),
    ],
)
def test_there_are_no_points_in_seki_by_territory(rules, in_seki, expected):
    game = game_of(parse_diagram(SEKI), rules)
    score = score_game(game, seki=[parse_vertex(vertex, 5) for vertex in in_seki.split()])
    assert (score.black, score.white) == expected
    owners = SEKI.strip().splitlines()
    owners[0] = owners[0].replace(".", "X" if expected[0] else ".")
    owners[-1] = owners[-1].replace(".", "O" if expected[1] else ".")
    assert_owners(game, score, "\n".join(owners))


def test_prisoners_count_by_territory_alone():
    position = parse_diagram(
        """
        . X O .
        . X O .
        . X O .
        . X O .
        """
    )
    for rules, expected in (("japanese", (4 + 7, 4 + 2)), ("chinese", (8, 8))):
        game = Game(4, find_rules(rules), 0)
        game.set_up(position.black, position.white, BLACK, prisoners=(7, 2))
        score = score_game(game)
        assert (score.black, score.white) == expected


def test_captured_and_dead_stones_add_up():
    game = Game(4, find_rules("japanese"), 0)
    for color, vertices in (
        (WHITE, "A1"),
        (BLACK, "A2 B1 B2 B3 B4"),
        (WHITE, "C1 C2 C3 C4 A4"),
    ):
        for vertex in vertices.split():
            game.play(color, parse_vertex(vertex, 4))
    assert_position(
        game,
        """
        O X O .
        . X O .
        X X O .
        . X O .
        """,
    )
    score = score_game(game, dead=[parse_vertex("A4", 4)])
    assert (score.black, score.white) == (3 + 1 + 1, 4)


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_one_stone_names_its_chain(rules):
    position = SCORED[3][1]
    diagram = parse_diagram(position)
    game = game_of(diagram, rules)
    one_each = [parse_vertex("A4", 5), parse_vertex("E3", 5)]
    assert score_game(game, one_each) == score_game(game, diagram.dead)
    assert score_game(game, diagram.dead * 2) == score_game(game, diagram.dead)


@pytest.mark.parametrize("argument", ["dead", "seki"])
def test_only_stones_can_be_dead_or_in_seki(argument):
    game = game_of(parse_diagram(SEKI), "japanese")
    with pytest.raises(ValueError, match="C3 is empty, not a stone"):
        score_game(game, **{argument: [parse_vertex("C3", 5)]})
    for stray in PASS, -1, 10**6:
        with pytest.raises(ValueError, match=f"point {stray} is not on a 5x5 board"):
            score_game(game, **{argument: [stray]})


# rules, handicap stones, komi, white's points beyond the board
COMPENSATION = [
    ("chinese", 0, 7.5, 7.5),
    ("chinese", 2, 0.5, 2.5),
    ("chinese", 5, 0.5, 5.5),
    ("chinese-kgs", 3, 0.0, 3.0),
    ("aga", 2, 0.5, 1.5),
    ("aga", 5, 0.5, 4.5),
    ("tromp-taylor", 5, 0.5, 0.5),
    ("new-zealand", 5, 0.5, 0.5),
    ("japanese", 5, 0.5, 0.5),
    ("japanese", 0, -6.5, -6.5),
]


@pytest.mark.parametrize(("rules", "n_stones", "komi", "expected"), COMPENSATION)
def test_white_gets_komi_and_compensation(rules, n_stones, komi, expected):
    game = Game(5, find_rules(rules), komi)
    if n_stones:
        game.place_handicap(all_points(5)[:n_stones])
    assert score_game(game).white == expected


def test_set_up_stones_are_no_handicap():
    game = game_of(parse_diagram(SCORED[1][1]), "chinese", komi=0.5)
    assert score_game(game).white == 0.5


@pytest.mark.parametrize(
    ("black", "white", "text"),
    [
        (8, 0, "B+8.0"),
        (0, 2.5, "W+2.5"),
        (7, 7, "0"),
        (0, 361, "W+361.0"),
        (100, 99.25, "B+0.75"),
        (10, 6.7, "B+3.3"),
        (7.001, 7, "0"),
        (0, 10.1, "W+10.1"),
    ],
)
def test_format_score(black, white, text):
    assert format_score(Score(black, white, np.zeros(0, np.int8))) == text


@pytest.mark.parametrize("size", [2, 5, 9])
def test_area_of_random_positions_agrees_with_sgfmill(size):
    random = Random(size)
    for _ in range(10):
        game, twin = Game(size, RULESETS["tromp-taylor"], 0), boards.Board(size)
        for _ in range(random.randrange(3 * size * size)):
            color, point = game.to_play, random.choice(all_points(size))
            if game.is_legal(color, point):
                game.play(color, point)
                twin.play(*row_column(point, size), "b" if color == BLACK else "w")
            else:
                game.play(color, PASS)
        score = score_game(game)
        assert score.margin == twin.area_score(), draw(game)
        assert score.ownership.sum() == twin.area_score(), draw(game)
        assert score.white - score.black == -score.margin


def test_ownership_covers_the_padded_board():
    game = Game(9)
    game.play(WHITE, parse_vertex("E5", 9))
    ownership = score_game(game).ownership
    assert len(ownership) == len(game.board.color)
    assert ownership.sum() == -81
    assert all(ownership[point] == -1 for point in all_points(9))
