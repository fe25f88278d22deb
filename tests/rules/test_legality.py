"""Game: what is legal under each set of rules, and what a move does to the board."""

from __future__ import annotations

from random import Random

import pytest

from goengine.board import BLACK, WHITE
from goengine.points import PASS, RESIGN, all_points, format_vertex, parse_vertex
from goengine.rules.game import Game, IllegalMove, Move, opponent
from goengine.rules.rulesets import RULESETS, Rules, change_rule, find_rules
from tests.diagrams import COLORS, KO, SEND_TWO, assert_position, draw, game_on, play_all
from tests.twins.naive_game import NaiveGame

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

# name, rules, position, moves, position after them, prisoners of black and white
PLAYED = [
    (
        "capture in the corner",
        "chinese",
        """
        . . .
        . . .
        . . .
        """,
        "w A1 b A2 b B1",
        """
        . . .
        X . .
        . X .
        """,
        (1, 0),
    ),
    (
        "two chains in one move",
        "chinese",
        """
        . X . .
        X O X .
        X O . X
        . X O X
        """,
        "b C2",
        """
        . X . .
        X . X .
        X . X X
        . X . X
        """,
        (3, 0),
    ),
    (
        "capture goes before suicide",
        "chinese",
        """
        O X . .
        . O X .
        O X . .
        X . . .
        """,
        "b A3",
        """
        . X . .
        X . X .
        . X . .
        X . . .
        """,
        (3, 0),
    ),
    (
        "suicide of two stones",
        "tromp-taylor",
        """
        . X O .
        O O . .
        . . . .
        . . . .
        """,
        "b A4",
        """
        . . O .
        O O . .
        . . . .
        . . . .
        """,
        (0, 2),
    ),
    (
        "passes leave the board alone",
        "aga",
        """
        X .
        . O
        """,
        "b pass w pass b pass",
        """
        X .
        . O
        """,
        (0, 0),
    ),
]


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case[0])
def test_played_positions(case):
    _, rules, before, moves, after, prisoners = case
    game = game_on(before, rules=rules)
    play_all(game, moves)
    assert_position(game, after)
    assert (game.captures(BLACK), game.captures(WHITE)) == prisoners


SUICIDES = """
    . O . X
    O . O O
    . O . O
    O O O .
"""

# position, rules, who is to play there, moves, the next move, why it is illegal (None: it is not)
LEGALITY = [
    (KO, "chinese", "b", "b C3", "w B3", "B3 takes back a ko"),
    (KO, "chinese", "b", "b C3", "b B3", None),
    (KO, "chinese", "b", "b C3 w E5 b A5", "w B3", None),
    (KO, "chinese", "b", "b C3 w pass b pass", "w B3", None),
    (KO, "chinese", "b", "b C3 b A5", "w B3", None),
    (KO, "chinese", "b", "b C3 w E5 b A5 w B3", "b C3", "C3 takes back a ko"),
    (KO, "tromp-taylor", "b", "b C3", "w B3", "B3 takes back a ko"),
    (KO, "tromp-taylor", "b", "b C3", "b B3", None),
    (KO, "tromp-taylor", "b", "b C3 w E5 b A5", "w B3", None),
    (KO, "tromp-taylor", "b", "b C3 w pass b pass", "w B3", "B3 repeats a position"),
    (KO, "aga", "b", "b C3 w pass b pass", "w B3", "B3 repeats a position"),
    (KO, "aga", "w", "b C3 w pass b pass", "w B3", "B3 repeats a position"),
    (SEND_TWO, "chinese", "w", "w A1 b C1", "w B1", None),
    (SEND_TWO, "chinese-ogs", "w", "w A1 b C1", "w B1", "B1 repeats a position"),
    (SEND_TWO, "tromp-taylor", "w", "w A1 b C1", "w B1", "B1 repeats a position"),
    # White to play stood before; now black would be: another situation, but only once.
    (SEND_TWO, "aga", "w", "w A1 b C1", "w B1", None),
    (SEND_TWO, "aga", "w", "w A1 b C1 w B1 b pass", "w A1", "A1 repeats a position"),
    (SEND_TWO, "new-zealand", "w", "w A1 b C1", "w B1", None),
    # A pass hands the turn over, so the position has stood with black to play.
    (SEND_TWO, "aga", "w", "w pass b pass w A1 b C1", "w B1", "B1 repeats a position"),
    (SEND_TWO, "aga", "b", "b pass w A1 b C1", "w B1", "B1 repeats a position"),
    # White plays out of turn: black was to play before.
    (SEND_TWO, "aga", "b", "w A1 b C1", "w B1", "B1 repeats a position"),
    (SUICIDES, "chinese", "b", "", "b A4", "A4 is suicide"),
    (SUICIDES, "chinese", "b", "", "b C4", "C4 is suicide"),
    (SUICIDES, "chinese", "b", "", "b A2", "A2 is suicide"),
    (SUICIDES, "chinese", "w", "", "w A4", None),
    (SUICIDES, "tromp-taylor", "b", "", "b A4", "A4 is suicide"),
    (SUICIDES, "tromp-taylor", "b", "", "b C4", None),
    (SUICIDES, "tromp-taylor", "b", "", "b B4", "B4 is occupied"),
    (SUICIDES, "chinese", "b", "", "b pass", None),
]


@pytest.mark.parametrize("case", LEGALITY, ids=lambda case: f"{case[1]}: {case[3]} then {case[4]}")
def test_legality(case):
    position, rules, to_play, moves, last, reason = case
    game = game_on(position, to_play=COLORS[to_play], rules=rules)
    play_all(game, moves)
    color, vertex = last.split()
    move = Move(COLORS[color], parse_vertex(vertex, game.size))
    before = draw(game)
    assert game.illegal_reason(*move) == reason, before
    assert game.is_legal(*move) == (reason is None)
    n_moves = len(game.moves)
    if reason is None:
        game.play(*move)
        assert game.moves[-1] == move
    else:
        with pytest.raises(IllegalMove, match=f"^illegal move: {reason}$"):
            game.play(*move)
        assert_position(game, before)
        assert len(game.moves) == n_moves


@pytest.mark.parametrize("stray", [RESIGN, 1, 10, 10**6, -(10**6)])
def test_points_off_the_board_are_illegal(stray):
    game = Game(9)
    with pytest.raises(IllegalMove, match=f"point {stray} is not on a 9x9 board"):
        game.play(BLACK, stray)


def test_either_colour_may_play_at_any_time():
    game = Game(5)
    play_all(game, "w A1 w B1 b C3 b C4")
    assert_position(
        game,
        """
        . . . . .
        . . X . .
        . . X . .
        . . . . .
        O O . . .
        """,
    )
    assert game.to_play == WHITE


def test_rules_may_change_in_mid_game():
    game = game_on(SEND_TWO, to_play=WHITE)
    play_all(game, "w A1 b C1")
    retake = Move(WHITE, parse_vertex("B1", 4))
    assert game.is_legal(*retake)
    game.rules = find_rules("tromp-taylor")
    assert not game.is_legal(*retake)
    game.rules = find_rules("aga")
    assert game.is_legal(*retake)


TWIN_RULES = [
    RULESETS["chinese"],
    RULESETS["tromp-taylor"],
    RULESETS["new-zealand"],
    RULESETS["aga"],
    change_rule(RULESETS["tromp-taylor"], "ko", "SIMPLE"),
]


@pytest.mark.parametrize("rules", TWIN_RULES, ids=lambda rules: f"{rules.ko}-{rules.suicide}")
@pytest.mark.parametrize("size", [2, 3, 4])
def test_random_games_agree_with_the_naive_twin(size: int, rules: Rules):
    """Every point, both colours, after every move; moves out of turn, passes, undo."""
    random = Random(size)
    for _ in range(6):
        game, twin = Game(size, rules), NaiveGame(size, rules)
        for _ in range(12 * size):
            assert [tuple(move) for move in game.moves] == twin.moves
            legal = []
            for color in BLACK, WHITE:
                for point in all_points(size):
                    expected = twin.is_legal(color, point)
                    assert game.is_legal(color, point) == expected, (
                        f"{color} at {format_vertex(point, size)}: twin says {expected}\n"
                        f"{draw(game)}\ntwin\n{twin.position!r}\nafter {game.moves}"
                    )
                    if expected:
                        legal.append((color, point))
            choice = random.random()
            if choice < 0.05 and game.moves:
                game.undo()
                twin = twin.without_last_move()
                continue
            in_turn = [move for move in legal if move[0] == game.to_play]
            candidates = legal if choice < 0.15 else in_turn
            if choice > 0.95 or not candidates:
                candidates = [(game.to_play, PASS)]
            color, point = random.choice(candidates)
            game.play(color, point)
            twin.play(color, point)
            assert game.to_play == opponent(color)
