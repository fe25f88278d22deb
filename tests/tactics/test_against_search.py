"""Tactics against the plain truth: moves played on copies, ladders searched to the end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goengine.board import EMPTY, LEGAL, copy_board, illegality, play_move, play_pass
from goengine.board.records import blank_boards
from goengine.jit import COMPILED, kernel
from goengine.points import all_points, stride_for
from goengine.tactics.captures import is_snapback
from goengine.tactics.ladders import is_caught, is_caught_after, is_edge_ladder
from goengine.tactics.liberties import is_self_atari, liberties_after
from tests.diagrams import draw_board
from tests.random_boards import random_boards

N_GAMES = 20 if COMPILED else 2
N_READING = 32
MAX_SEARCHED = 2_000  # positions; a search that is longer is left out


@kernel
def ask_self_atari(board, point, color):
    return is_self_atari(board, point, color)


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_liberties_after_a_move(size: int) -> None:
    n_compared = 0
    for board in random_boards(size, N_GAMES, every=2 * size):
        for point in all_points(size):
            for color in (1, 2):
                if illegality(board, point, color, False) == LEGAL:
                    assert_liberties(board, np.uint64(point), color)
                    n_compared += 1
    assert n_compared > 20


def assert_liberties(board: Any, point: np.uint64, color: int) -> None:
    n_found, found = liberties_after(board, point, np.uint64(color))
    after = copy_board(board)
    play_move(after, point, color)
    head = after.chain[point]
    place = f"{color} at {point} in\n{draw_board(board)}"
    assert n_found == min(after.n_liberties[head], 2), place
    assert ask_self_atari(board, point, np.uint64(color)) == (after.n_liberties[head] < 2), place
    if n_found == 1:
        assert after.color[found] == EMPTY, place
        assert int(found) in liberties_of(after, int(point)), place


# --- the plain twin -----------------------------------------------------------------------


def stones_of(board: Any, point: int) -> list[int]:
    stones, stone = [point], int(board.next_stone[point])
    while stone != point:
        stones.append(stone)
        stone = int(board.next_stone[stone])
    return stones


def beside(board: Any, point: int) -> list[int]:
    stride = stride_for(int(board.rows))
    return [point - stride, point - 1, point + 1, point + stride]


def liberties_of(board: Any, point: int) -> set[int]:
    return {
        near
        for stone in stones_of(board, point)
        for near in beside(board, stone)
        if board.color[near] == EMPTY
    }


class TooLong(Exception):
    pass


class LadderSearch:
    """All moves that a chain in a ladder and its chaser can make, tried out on copies.

    The same rules as those of the kernel: the chain runs or takes a chain beside it, but not
    into a snapback; the chaser plays on one of two liberties; who needs a ko gets away.
    """

    def __init__(self) -> None:
        self.n_searched = 0

    def is_caught(self, board: Any, stone: int) -> bool:
        """The chain of `stone` is in atari, and its owner moves."""
        self.n_searched += 1
        if self.n_searched > MAX_SEARCHED:
            raise TooLong
        color = int(board.color[stone])
        (liberty,) = liberties_of(board, stone)
        if liberty == board.ko:
            return False
        moves = {liberty}
        for near in self._enemies_in_atari(board, stone):
            (take,) = liberties_of(board, near)
            if take == board.ko:
                return False
            if not is_snapback(board, np.uint64(board.chain[near])):
                moves.add(take)
        for move in moves:
            if illegality(board, move, color, False) == LEGAL:
                after = copy_board(board)
                play_move(after, move, color)
                if not self.is_caught_by_chaser(after, stone):
                    return False
        return True

    def is_caught_by_chaser(self, board: Any, stone: int) -> bool:
        """The same when the chaser moves."""
        enemy = 3 - int(board.color[stone])
        liberties = liberties_of(board, stone)
        if len(liberties) == 1:
            (liberty,) = liberties
            return bool(illegality(board, liberty, enemy, False) == LEGAL)
        if len(liberties) > 2:
            return False
        for chase in liberties:
            if illegality(board, chase, enemy, False) == LEGAL:
                after = copy_board(board)
                play_move(after, chase, enemy)
                if self.is_caught(after, stone):
                    return True
        return False

    def _enemies_in_atari(self, board: Any, stone: int) -> set[int]:
        enemy = 3 - int(board.color[stone])
        return {
            near
            for own in stones_of(board, stone)
            for near in beside(board, own)
            if board.color[near] == enemy and board.n_liberties[board.chain[near]] == 1
        }


def searched(board: Any, stone: int, to_play: int) -> bool | None:
    """Is the chain caught if `to_play` moves? None if that would take too long."""
    position = copy_board(board)
    if position.to_play != to_play:
        play_pass(position, 3 - to_play)
    search = LadderSearch()
    try:
        if to_play == board.color[stone]:
            return search.is_caught(position, stone)
        return search.is_caught_by_chaser(position, stone)
    except TooLong:
        return None


def heads_of(board: Any, n_liberties: int) -> list[np.uint64]:
    return [
        np.uint64(point)
        for point in all_points(int(board.rows))
        if board.color[point] != EMPTY
        and board.chain[point] == point
        and board.n_liberties[point] == n_liberties
    ]


@pytest.mark.boundscheck
@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_ladders(size: int) -> None:
    reading = blank_boards(N_READING, size)
    answers = []
    for board in random_boards(size, N_GAMES, every=9):
        for head in heads_of(board, 1):
            expected = searched(board, int(head), int(board.color[head]))
            found = bool(is_caught(board, reading, head))
            assert expected in (None, found), f"{head} in\n{draw_board(board)}"
            answers.append(expected)
        for head in heads_of(board, 2):
            expected = searched(board, int(head), 3 - int(board.color[head]))
            found = any(
                is_caught_after(board, reading, head, np.uint64(chase))
                for chase in liberties_of(board, int(head))
            )
            assert expected in (None, found), f"{head} in\n{draw_board(board)}"
            answers.append(expected)
    assert {True, False} <= set(answers)
    assert answers.count(None) < len(answers) / 20


def test_edge_ladders_are_caught() -> None:
    size = 9
    reading = blank_boards(N_READING, size)
    n_seen = n_wrong = 0
    for board in random_boards(size, 5 * N_GAMES, every=3):
        for head in heads_of(board, 1):
            if board.color[head] == board.to_play and is_edge_ladder(board, head):
                n_seen += 1
                n_wrong += not is_caught(board, reading, head)
    assert n_seen > 5
    assert n_wrong == 0
