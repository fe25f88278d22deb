"""Groups with two eyes in random positions: beside Benson's, and under attack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.board.records import blank_boards
from goengine.jit import COMPILED, kernel
from goengine.points import all_points
from goengine.tactics.life import ALIVE_STONE, blank_life, find_unconditional_life
from goengine.words import U0, U3
from tests.diagrams import draw_board
from tests.random_boards import random_boards
from tests.tactics.groups import blank_groups, find_groups, has_two_eyes


@kernel
def keeps_eyes(boards, groups, stone):
    """Has the owner an answer to every move of the enemy after which two eyes are left?

    The position is boards[0]. Tries all answers, and none.
    """
    color = np.uint64(boards[0].color[stone])
    for index in range(boards[0].n_empty):
        attack = np.uint64(boards[0].empty[index])
        if not is_legal(boards[0], attack, U3 - color):
            continue
        boards[1] = boards[0]
        play_move(boards[1], attack, U3 - color)
        if boards[1].color[stone] != color:
            return False
        is_kept = still_has_eyes(boards[1], groups, stone)
        for at in range(boards[1].n_empty):
            answer = np.uint64(boards[1].empty[at])
            if is_kept:
                break
            if is_legal(boards[1], answer, color):
                boards[2] = boards[1]
                play_move(boards[2], answer, color)
                is_kept = still_has_eyes(boards[2], groups, stone)
        if not is_kept:
            return False
    return True


@kernel
def still_has_eyes(board, groups, stone):
    find_groups(board, groups, np.uint64(board.color[stone]))
    return has_two_eyes(groups, np.uint64(board.chain[stone]))


@kernel
def list_chains(board, groups, life, color, found):
    """Write 1 at heads of chains with two eyes, 2 more at those alive without an answer."""
    find_groups(board, groups, color)
    find_unconditional_life(board, life, color, False)
    found[:] = U0
    for index in range(len(board.color)):
        head = np.uint64(index)
        if board.color[head] == color and board.chain[head] == head:
            found[head] = np.uint64(has_two_eyes(groups, head))
            found[head] += np.uint64(2 * (life.status[head] == ALIVE_STONE))


@kernel
def give_turn(board, color):
    if board.to_play != color:
        play_pass(board, U3 - color)


def found_in(board: Any) -> dict[int, int]:
    """By head of a chain of both colours, what list_chains says."""
    groups, life = blank_groups()[0], blank_life()[0]
    numbers = np.zeros(len(board.color), np.uint64)
    found = {}
    for color in (BLACK, WHITE):
        list_chains(board, groups, life, np.uint64(color), numbers)
        heads = [point for point in all_points(int(board.rows)) if numbers[point]]
        found.update({head: int(numbers[head]) for head in heads})
    return found


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("size", "n_games"), [(3, 30), (5, 60), (9, 10), (13, 2)] if COMPILED else [(5, 20)]
)
def test_what_needs_no_answer_has_two_eyes(size: int, n_games: int) -> None:
    n_alive = n_more = 0
    for board in random_boards(size, n_games, every=3 * size, fill_eyes=False):
        for head, number in found_in(board).items():
            assert number != 2, f"{head} in\n{draw_board(board)}"
            n_alive += number == 3
            n_more += number == 1
    assert n_alive > 0
    assert n_more > 0


@pytest.mark.parametrize(("size", "n_games", "every"), [(5, 100, 3), (7, 40, 7), (9, 10, 15)])
def test_two_eyes_can_be_kept(size: int, n_games: int, every: int) -> None:
    """Not always: who has too few liberties may be threatened twice by one move."""
    groups, boards = blank_groups()[0], blank_boards(3, size)
    n_chains = n_lost = 0
    for board in random_boards(size, n_games, every=every, fill_eyes=False):
        for head, number in found_in(board).items():
            if number & 1:
                boards[0] = board
                give_turn(boards[0], np.uint64(3 - int(board.color[head])))
                n_chains += 1
                n_lost += not keeps_eyes(boards, groups, np.uint64(head))
    assert n_chains > 100
    assert n_lost <= n_chains / 30, f"{n_lost} of {n_chains}"
