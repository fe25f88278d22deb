"""Scores of playouts against the rules' own, and the moves that a playout notes."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, EMPTY, WHITE, copy_board, new_boards, play_move, play_pass
from goengine.jit import COMPILED, kernel
from goengine.playouts.light import play_light
from goengine.playouts.scoring import owner_of, score_area, score_finished
from goengine.points import PASS, all_points, row_column
from goengine.randomness import random_state
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.rules.scoring import score_game
from goengine.words import U0
from tests.diagrams import board_from, draw, draw_board
from tests.twins.naive_game import NaiveGame

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

SIZES = (2, 3, 4, 5, 9, 13, 19, 25)


@kernel
def owner_kernel(board, point):
    return owner_of(board, point)


def scored(board: Any) -> tuple[int, Any]:
    """Margin and owners, from arrays full of what an earlier call may have left."""
    n = len(board.color)
    owners = np.full(n, 5, np.int64)
    margin = score_area(board, owners, np.full(n, 7, np.uint16), np.ones(n, np.uint8))
    return int(margin), owners - 5


def random_game(size: int, seed: int) -> tuple[Game, NaiveGame]:
    """Stopped anywhere: open regions, captures, suicides, walls of one colour."""
    random = Random(f"{size} {seed}")
    rules = find_rules("tromp-taylor")
    game, twin = Game(size, rules, 0), NaiveGame(size, rules)
    black_share = random.choice((0.1, 0.5, 0.5, 0.9, 1.0))
    for _ in range(random.randrange(2 * size * size) if COMPILED else size):
        color = BLACK if random.random() < black_share else WHITE
        point = random.choice(all_points(size))
        if game.is_legal(color, point):
            game.play(color, point)
            twin.play(color, point)
    return game, twin


@pytest.mark.parametrize("size", SIZES)
def test_the_area_of_any_position(size: int) -> None:
    for seed in range(12 if COMPILED else 2):
        game, twin = random_game(size, seed)
        margin, owners = scored(game.board)
        expected = score_game(game)
        assert margin == twin.area() == expected.margin, draw(game)
        assert (owners == expected.ownership).all(), draw(game)


def test_an_empty_board_is_nobodys() -> None:
    margin, owners = scored(Game(9).board)
    assert margin == 0
    assert not owners.any()


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_a_finished_playout_scores_the_same_both_ways(size: int) -> None:
    n_finished = 0
    for seed in range(20 if COMPILED else 2):
        board = new_boards(1, size)[0]
        board.random = random_state(seed)
        if int(play_light(board, None, U0)) >= 3 * size * size:
            continue  # cut short: regions may be large
        n_finished += 1
        owners = np.zeros(len(board.color), np.int64)
        margin = score_finished(board, owners)
        assert (margin, owners.tolist()) == (scored(board)[0], scored(board)[1].tolist())
        for point in all_points(size):
            owner = int(owner_kernel(board, np.uint64(point)))
            assert {EMPTY: 0, BLACK: 1, WHITE: -1}[owner] == owners[point], draw_board(board)
    assert n_finished > 0 or size < 4


def test_owners_of_single_points() -> None:
    board = board_from("""
        . X O . O
        X X O O O
        . O . O .
        X . X X .
        . X X X .
    """)
    found = [
        "".join(
            ".XO"[int(owner_kernel(board, np.uint64(point)))]
            for point in all_points(5)
            if row_column(point, 5)[0] == row
        )
        for row in reversed(range(5))
    ]
    # An empty point is the colour's that alone is beside it.
    assert found == ["XXOOO", "XXOOO", ".O.OO", "X.XXX", "XXXXX"]


@pytest.mark.parametrize("size", [2, 3, 5, 9])
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("n_before", [0, 1, 17])
def test_a_playout_notes_exactly_its_moves(size: int, to_play: int, n_before: int) -> None:
    for seed in range(5 if COMPILED else 1):
        board = new_boards(1, size)[0]
        board.random = random_state(seed)
        board.to_play = to_play
        replayed, unnoted = copy_board(board), copy_board(board)
        moves = np.full(n_before + 3 * size * size + 5, 60_000, np.uint16)
        n_moves = int(play_light(board, moves, np.uint64(n_before)))
        assert n_moves == int(play_light(unnoted, None, U0)), "noting changes nothing"
        assert board == unnoted
        assert (moves[:n_before] == 60_000).all()
        assert (moves[n_before + n_moves :] == 60_000).all()
        color = to_play
        for move in map(int, moves[n_before : n_before + n_moves]):
            if move == PASS:
                play_pass(replayed, color)
            else:
                assert replayed.color[move] == EMPTY
                play_move(replayed, move, color)
            color = 3 - color
        replayed.random = board.random
        for field in ("color", "hash", "ko", "to_play", "captures", "last", "last2", "n_empty"):
            assert np.array_equal(replayed[field], board[field]), field
        last_two = moves[n_before : n_before + n_moves][-2:].tolist()
        assert last_two == [PASS, PASS] or n_moves >= 3 * size * size
