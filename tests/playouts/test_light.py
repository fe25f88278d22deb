"""Light playouts: right in kind, right on average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from daemon.bench.plain_playouts import run_plain
from goengine.board import BLACK, WHITE, copy_board, new_boards
from goengine.board.checking import check_board
from goengine.jit import COMPILED, kernel
from goengine.playouts.batches import list_candidates, run_light, sample_moves
from goengine.playouts.light import play_light
from goengine.playouts.scoring import score_finished
from goengine.points import all_points, parse_vertex
from goengine.randomness import random_below, random_state
from goengine.words import U0
from tests.diagrams import board_from, draw_board

# Moves a playout from the empty board.
MOVES = {9: 110.6, 13: 219.0, 19: 454.0}
N_PLAYOUTS = {9: 40_000, 13: 10_000, 19: 4_000}


def boards_for(size: int, seed: int = 1) -> Any:
    boards = new_boards(2, size)
    boards[1].random = random_state(seed)
    return boards


def ownership_for(boards: Any) -> Any:
    return np.zeros(len(boards[0].color), np.int64)


@pytest.mark.parametrize("size", MOVES)
def test_average_length_and_result(size: int) -> None:
    boards, n_playouts = boards_for(size), N_PLAYOUTS[size]
    n_moves, n_black_wins = run_light(boards, n_playouts, 7.5, ownership_for(boards))
    assert n_moves / n_playouts == pytest.approx(MOVES[size], rel=0.01)
    n_plain = n_playouts // 10
    plain_moves, plain_wins = run_plain(size, n_plain, 7.5, seed=1)
    assert plain_moves / n_plain == pytest.approx(n_moves / n_playouts, rel=0.015)
    deviation = (0.25 / n_plain + 0.25 / n_playouts) ** 0.5
    assert abs(plain_wins / n_plain - n_black_wins / n_playouts) < 4 * deviation


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("size", [2, 3, 5, 9, 13, 19, 25])
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("seed", range(5 if COMPILED else 1))
def test_a_playout_ends_with_eyes_alone(size: int, to_play: int, seed: int) -> None:
    board = boards_for(size, seed)[1]
    board.to_play = to_play
    n_moves = play_light(board, None, U0)
    assert n_moves <= 3 * size * size + 1
    check_board(board)
    points = np.zeros(size * size, np.uint64)
    left = [int(list_candidates(board, np.uint64(color), points)) for color in (BLACK, WHITE)]
    assert left == [0, 0] or n_moves >= 3 * size * size, draw_board(board)


def test_score_and_owners_of_a_finished_position() -> None:
    board = board_from("""
        . X O . O
        X X O O O
        X X X O .
        . X O O O
        X X O O .
    """)
    owners = np.zeros(len(board.color), np.int64)
    margin = score_finished(board, owners)
    rows = owners[all_points(5)].reshape(5, 5)[::-1]
    assert rows.tolist() == [
        [1, 1, -1, -1, -1],
        [1, 1, -1, -1, -1],
        [1, 1, 1, -1, -1],
        [1, 1, -1, -1, -1],
        [1, 1, -1, -1, -1],
    ]
    assert margin == owners.sum() == -3


def test_ownership_adds_up_to_the_scores() -> None:
    boards = boards_for(9)
    ownership = ownership_for(boards)
    total = 0
    for _ in range(50):
        random = boards[1].random
        boards[1] = boards[0]
        boards[1].random = random
        play_light(boards[1], None, U0)
        total += score_finished(boards[1], ownership)
    assert total == ownership.sum() == ownership[all_points(9)].sum()
    assert 0 < np.abs(ownership).max() <= 50


def test_the_start_is_left_as_it_is_and_the_seed_decides() -> None:
    results = []
    for seed in (1, 1, 2):
        boards = boards_for(9, seed)
        before = copy_board(boards[0])
        results.append(run_light(boards, 50, 7.5, ownership_for(boards)))
        assert boards[0] == before
    assert results[0] == results[1] != results[2]


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_sampling_prefers_the_centre_of_a_small_board(color: int) -> None:
    boards = boards_for(5)
    boards[0].to_play = color
    moves = np.array([parse_vertex(vertex, 5) for vertex in ("A1", "C3")], np.uint64)
    wins, margins = np.zeros(2), np.zeros(2)
    sample_moves(boards, moves, 1000, 0.0, wins, margins, ownership_for(boards))
    assert 0 < wins[0] < wins[1] - 100 < 900
    assert margins[0] < 0 < margins[1]


def test_a_tie_is_half_a_win() -> None:
    boards = boards_for(5)
    boards[0] = board_from("""
        . X O . O
        X X O O O
        X X O O .
        . X O O O
        X X . O .
    """)
    wins, margins = np.zeros(1), np.zeros(1)
    last_move = np.array([parse_vertex("C1", 5)], np.uint64)
    sample_moves(boards, last_move, 10, -3.0, wins, margins, ownership_for(boards))
    assert (wins[0], margins[0]) == (5.0, 0.0)


@pytest.mark.uncompiled
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_candidates_are_neither_own_eyes_nor_suicide(color: int) -> None:
    board = board_from("""
        . X . O .
        X X X O O
        . X O O .
        X X O . O
        X . O O O
    """)
    points = np.zeros(25, np.uint64)
    n_found = list_candidates(board, np.uint64(color), points)
    assert {int(point) for point in points[:n_found]} == {
        parse_vertex("C5", 5),
        parse_vertex("B1", 5),
    }


def test_black_needs_more_than_komi() -> None:
    boards = boards_for(5)
    boards[0] = board_from("""
        . X O . O
        X X O O O
        X X O O .
        . X O O O
        X X X O .
    """)
    for komi, n_wins in ((-3.5, 10), (-3.0, 0), (-2.5, 0)):
        assert run_light(boards, 10, komi, ownership_for(boards))[1] == n_wins


def test_random_numbers_are_xorshift64() -> None:
    """Known values: the determinism of every search hangs on them."""
    board = boards_for(9)[1]
    board.random = 1
    counts = np.zeros(2, np.int64)
    states = []
    for _ in range(3):
        draw_numbers(board, counts, 1)
        states.append(int(board.random))
    assert states == [1082269761, 1152992998833853505, 11177516664432764457]


@kernel
def draw_numbers(board, counts, n_draws):
    for _ in range(n_draws):
        counts[random_below(board, np.uint64(len(counts)))] += 1


@pytest.mark.parametrize("n", [1, 2, 7, 361])
def test_random_numbers_are_uniform(n: int) -> None:
    board = boards_for(9, seed=n)[1]
    counts = np.zeros(n, np.int64)
    draw_numbers(board, counts, 1000 * n)
    deviations = (counts - 1000) / 1000**0.5
    assert np.abs(deviations).max() < 5
