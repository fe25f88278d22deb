"""Game: undo, passes, copies, turns, set-up, handicap."""

from __future__ import annotations

from random import Random

import pytest

from goengine.board import BLACK, EMPTY, WHITE
from goengine.points import PASS, all_points, format_vertex, parse_vertex, point_at
from goengine.rules.game import Game, Move
from goengine.rules.rulesets import find_rules
from tests.diagrams import (
    KO,
    SEND_TWO,
    assert_position,
    draw,
    game_on,
    parse_diagram,
    play_all,
)

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]


@pytest.mark.parametrize("color", [EMPTY, 3, -1])
def test_only_black_and_white_play(color):
    game = Game(9)
    with pytest.raises(ValueError, match=f"color {color} is neither black"):
        game.play(color, PASS)
    with pytest.raises(ValueError, match=f"color {color} is neither black"):
        game.to_play = color


def test_new_games():
    game = Game()
    assert (game.size, game.rules.name, game.komi, game.to_play) == (19, "chinese", 7.5, BLACK)
    assert game.is_empty
    assert Game(9, find_rules("japanese")).komi == 6.5
    assert Game(9, find_rules("japanese"), 0).komi == 0.0


@pytest.mark.parametrize("size", [-1, 0, 1, 26])
def test_board_sizes_are_checked(size):
    with pytest.raises(ValueError, match=f"board size {size} is not between 2 and 25"):
        Game(size)


@pytest.mark.parametrize("komi", [float("nan"), float("inf"), float("-inf")])
def test_komi_is_finite(komi):
    game = Game(9)
    with pytest.raises(ValueError, match="is not a finite number"):
        game.komi = komi
    assert game.komi == 7.5


# moves, passes in a row at the end, is the game over?
PASSES = [
    ("", 0, False),
    ("b pass", 1, False),
    ("b pass w pass", 2, True),
    ("b pass b pass", 2, False),
    ("b pass b pass w pass", 3, True),
    ("b A1 w pass b pass", 2, True),
    ("b pass w pass b A1", 0, False),
    ("b pass w A1 b pass", 1, False),
    ("w pass b pass b pass", 3, True),
]


@pytest.mark.parametrize(("moves", "n_passes", "is_over"), PASSES)
def test_the_game_ends_when_both_pass(moves, n_passes, is_over):
    game = Game(5)
    play_all(game, moves)
    assert (game.n_passes, game.is_over) == (n_passes, is_over)


def test_undo_restores_everything():
    game = game_on(KO)
    play_all(game, "b C3 w E5 b A5")
    states = []
    for move in "w B3", "b pass", "w C5", "b C3":
        states.append((draw(game), game.to_play, game.captures(WHITE), len(game.moves)))
        play_all(game, move)
    assert not game.is_legal(WHITE, parse_vertex("B3", 5))
    for state in reversed(states):
        game.undo()
        assert (draw(game), game.to_play, game.captures(WHITE), len(game.moves)) == state
    game.undo(2)
    assert game.moves == [Move(BLACK, parse_vertex("C3", 5))]
    assert game.illegal_reason(WHITE, parse_vertex("B3", 5)) == "B3 takes back a ko"


def test_undo_forgets_positions_that_never_were():
    game = game_on(SEND_TWO, to_play=WHITE, rules="aga")
    play_all(game, "w A1 b C1 w B1 b pass")
    assert not game.is_legal(WHITE, parse_vertex("A1", 4))
    game.undo(4)
    assert game.is_legal(WHITE, parse_vertex("A1", 4))


def test_undo_of_too_many_moves_takes_back_none():
    game = game_on(KO)
    play_all(game, "b C3 w E5")
    before = draw(game)
    for n_moves in 3, 0, -1:
        with pytest.raises(ValueError, match=f"^cannot undo: {n_moves} of 2 moves"):
            game.undo(n_moves)
    assert_position(game, before)
    game.undo(2)
    assert_position(game, KO)
    with pytest.raises(ValueError, match="cannot undo"):
        game.undo()
    assert_position(game, KO)


def test_copies_are_independent():
    game = game_on(SEND_TWO, to_play=WHITE, rules="tromp-taylor", komi=3.5)
    play_all(game, "w A1")
    copy = game.copy()
    assert (copy.komi, copy.rules, copy.moves) == (game.komi, game.rules, game.moves)
    assert_position(copy, draw(game))
    before = draw(game)
    play_all(copy, "b C1")
    assert not copy.is_legal(WHITE, parse_vertex("B1", 4))
    assert_position(game, before)
    assert len(game.moves) == 1
    assert game.is_legal(BLACK, parse_vertex("C1", 4)), "that has happened in the copy alone"
    game.undo()
    assert_position(game, SEND_TWO)
    assert copy.illegal_reason(WHITE, parse_vertex("B1", 4)) == "B1 repeats a position"
    copy.undo(2)
    assert_position(copy, SEND_TWO)


def test_copies_of_handicap_games_keep_the_handicap():
    game = Game(9)
    game.place_handicap([parse_vertex("C3", 9), parse_vertex("G7", 9)])
    copy = game.copy()
    assert (copy.n_handicap, copy.setup_black) == (2, game.setup_black)


def test_the_turn_can_be_handed_over():
    game = game_on(KO)
    play_all(game, "b C3")
    game.to_play = BLACK
    assert game.to_play == BLACK
    assert len(game.moves) == 1
    game.to_play = WHITE
    assert game.is_legal(WHITE, parse_vertex("B3", 5)), "both let a turn go by: no ko any more"


def test_the_first_turn_can_be_chosen_and_survives_undo():
    game = Game(5)
    game.to_play = WHITE
    play_all(game, "w C3 b C4")
    game.undo(2)
    assert game.to_play == game.first_to_play == WHITE


def test_set_up():
    diagram = parse_diagram(KO)
    game = game_on(KO, to_play=WHITE)
    assert_position(game, KO)
    assert (game.setup_black, game.setup_white) == (diagram.black, diagram.white)
    assert game.to_play == game.first_to_play == WHITE
    assert (game.moves, game.n_handicap, game.is_empty) == ([], 0, False)
    assert (game.captures(BLACK), game.captures(WHITE)) == (0, 0)
    assert sorted(point for color, point in game.stones() if color == BLACK) == diagram.black


def test_prisoners_from_before_the_set_up_count():
    diagram = parse_diagram(KO)
    game = Game(5)
    game.set_up(diagram.black, diagram.white, BLACK, prisoners=(3, 5))
    play_all(game, "b C3")
    assert (game.captures(BLACK), game.captures(WHITE)) == (4, 5)
    assert game.copy().captures(BLACK) == 4
    game.undo()
    assert (game.captures(BLACK), game.captures(WHITE)) == (3, 5)


# position, the complaint: however it is built, a stone in it cannot stand
WITHOUT_LIBERTY = [
    ("O X\n X .", "A2 has no liberty"),
    ("X X\n X X", "has no liberty"),
    ("X O\n O X", "has no liberty"),
    (". X X .\n X O O X\n X O O X\n . X X .", "B2 has no liberty"),
    ("X X X\n X . X\n X X O", "C1 has no liberty"),
]


@pytest.mark.parametrize(("position", "complaint"), WITHOUT_LIBERTY)
def test_chains_without_liberty_cannot_be_set_up(position, complaint):
    with pytest.raises(ValueError, match=complaint):
        game_on(position)


def test_a_chain_that_waits_for_its_liberty_can_be_set_up():
    """Every order of the stones passes through positions in which all can stand."""
    text = """
        O O O O
        O X X O
        O X . O
        O O O O
    """
    diagram = parse_diagram(text)
    random = Random(1)
    for _ in range(20):
        random.shuffle(diagram.black)
        random.shuffle(diagram.white)
        game = Game(4)
        game.set_up(diagram.black, diagram.white, BLACK)
        assert_position(game, text)


def test_a_refused_set_up_changes_nothing():
    game = Game(5)
    a1, a2, b1 = (parse_vertex(vertex, 5) for vertex in ("A1", "A2", "B1"))
    for black, white, complaint in (
        ([a1, a2], [a1], "A1 is given twice"),
        ([a1, a1], [], "A1 is given twice"),
        ([PASS], [], "0 is not a point"),
        ([a1], [10**6], "1000000 is not a point"),
        ([a2, b1], [a1], "A1 has no liberty"),
    ):
        with pytest.raises(ValueError, match=complaint):
            game.set_up(black, white, WHITE)
        assert game.is_empty
        assert game.to_play == BLACK
        assert not game.stones()


@pytest.mark.parametrize("begin", ["setup", "move", "pass"])
def test_only_an_empty_game_can_be_set_up(begin):
    game = game_on(KO) if begin == "setup" else Game(5)
    if begin != "setup":
        play_all(game, "b A1" if begin == "move" else "b pass")
    before = draw(game)
    with pytest.raises(ValueError, match="board not empty"):
        game.set_up([parse_vertex("E1", 5)], [], WHITE)
    with pytest.raises(ValueError, match="board not empty"):
        game.place_handicap([parse_vertex("E1", 5), parse_vertex("E2", 5)])
    assert_position(game, before)


def test_handicap_stones_are_black_and_white_moves_first():
    game = Game(5)
    game.place_handicap([parse_vertex("B2", 5), parse_vertex("D4", 5)])
    assert_position(
        game,
        """
        . . . . .
        . . . X .
        . . . . .
        . X . . .
        . . . . .
        """,
    )
    assert game.to_play == WHITE
    assert game.setup_black == [parse_vertex("B2", 5), parse_vertex("D4", 5)]
    assert game.n_handicap == 2
    with pytest.raises(ValueError, match="cannot undo"):
        game.undo()


def test_handicap_stones_sent_as_moves():
    game = Game(9, komi=0.5)
    play_all(game, "b C3")
    assert (game.n_handicap, game.white_bonus) == (0, 0.5)
    play_all(game, "b G7 b C7")
    assert (game.n_handicap, game.white_bonus) == (3, 3.5)
    play_all(game, "w E5 b E3")
    assert (game.n_handicap, game.copy().n_handicap) == (3, 3)
    game.undo(3)
    assert (game.n_handicap, game.white_bonus, game.to_play) == (2, 2.5, WHITE)
    play_all(game, "w E5 w E6")
    assert (game.n_handicap, game.white_bonus) == (0, 0.5)
    game.undo(2)
    game.rules = find_rules("aga")
    assert (game.n_handicap, game.white_bonus) == (2, 1.5)
    assert len(game.positions()) == 4, "the second stone follows on a turn that white lets go by"


def test_what_is_said_of_the_handicap_counts():
    game = Game(9, komi=0.5)
    game.place_handicap([parse_vertex("C3", 9), parse_vertex("G7", 9)])
    play_all(game, "b C7 b E5")
    assert game.n_handicap == 2
    game = game_on(". . .\n . X .\n . . .", komi=0.5)
    play_all(game, "b A1 b C1")
    assert game.n_handicap == 0, "a position that was set up"
    game = Game(9, komi=0.5)
    game.declared_handicap = 0
    play_all(game, "b C3 b G7")
    assert game.n_handicap == 0


def test_refused_handicap_changes_nothing():
    game = Game(5)
    for points in ([], all_points(5), [PASS, parse_vertex("A1", 5)]):
        with pytest.raises(ValueError, match="handicap stone"):
            game.place_handicap(points)
        assert game.is_empty
        assert game.n_handicap == 0


def test_the_largest_boards_play():
    game = Game(25)
    game.play(BLACK, point_at(24, 24, 25))
    game.play(WHITE, point_at(0, 0, 25))
    assert [format_vertex(point, 25) for _, point in game.stones()] == ["A1", "Z25"]


def test_positions_are_those_that_stood_each_once():
    game = Game(3, find_rules("aga"))
    assert game.positions() == [(0, BLACK)]
    play_all(game, "b A1")
    first = int(game.board.hash)
    assert game.positions() == [(0, BLACK), (first, WHITE)]
    play_all(game, "w pass b pass w B3")
    stood = {(0, BLACK), (first, WHITE), (first, BLACK)}
    assert set(game.positions()) == stood | {(int(game.board.hash), BLACK)}
    assert len(game.positions()) == 4
    game.undo()
    assert set(game.positions()) == stood
    play_all(game, "w pass b pass")
    assert len(game.positions()) == 3, "none twice"


def test_positions_of_moves_out_of_turn_and_of_turns_that_are_handed_over():
    game = Game(3)
    play_all(game, "w A1")
    one = int(game.board.hash)
    assert set(game.positions()) == {(0, BLACK), (0, WHITE), (one, BLACK)}
    game.to_play = WHITE
    assert set(game.positions()) == {(0, BLACK), (0, WHITE), (one, BLACK), (one, WHITE)}
    assert game.copy().positions() == game.positions()


def test_positions_begin_with_the_set_up():
    game = game_on(SEND_TWO, WHITE)
    start = int(game.board.hash)
    assert game.positions() == [(start, WHITE)]
    play_all(game, "w A1 b C1 w B1")
    assert int(game.board.hash) == start
    assert {(start, BLACK), (start, WHITE)} < set(game.positions())
    assert len(game.positions()) == 4
