"""check_board sees every kind of damage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from goengine.board import clear_board, new_board, play_move
from goengine.board.checking import BoardFault, check_board
from goengine.points import parse_vertex

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]


def at(vertex: str) -> int:
    return parse_vertex(vertex, 9)


@pytest.fixture
def board() -> Any:
    """Black C3 D3, white D4, and a ko that white has just taken at F5."""
    board = new_board(9)
    for color, vertices in ((1, "C3 D3 F6 E5 F4 G5"), (2, "D4 G6 H5 G4 F5")):
        for vertex in vertices.split():
            play_move(board, at(vertex), color)
    check_board(board)
    assert board.ko == at("G5")
    return board


def set_field(name: str, vertex: str, value: int) -> Callable[[Any], None]:
    def damage(board: Any) -> None:
        board[name][at(vertex)] = value

    return damage


def set_number(name: str, value: int) -> Callable[[Any], None]:
    def damage(board: Any) -> None:
        board[name] = value

    return damage


def swap_empty_points(board: Any) -> None:
    board.empty[[0, 1]] = board.empty[[1, 0]]


def lose_a_liberty(board: Any) -> None:
    first = int(board.chain[at("D4")]) * 2
    board.liberties[first : first + 2] = 0


def add_a_liberty(board: Any) -> None:
    board.liberties[int(board.chain[at("D4")]) * 2 + 1] |= 1 << 40


def move_a_liberty(board: Any) -> None:
    """From D5 to J9: the number stays right."""
    first = int(board.chain[at("D4")]) * 2
    board.liberties[first + at("D5") // 64] &= ~np.uint64(1 << at("D5") % 64)
    board.liberties[first + at("J9") // 64] |= np.uint64(1 << at("J9") % 64)


def take_the_last_liberty(board: Any) -> None:
    """A white stone on A1 between black ones, where play_move would have taken it off."""
    clear_board(board, 9)
    for vertex in ("A2", "B1"):
        play_move(board, at(vertex), 1)
    board.color[at("A1")] = 2
    for vertex, bit in (("A2", 4 + 0), ("B1", 4 + 1), ("B2", 12 + 0)):
        board.around[at(vertex)] |= 1 << bit
    board.chain[at("A1")] = board.next_stone[at("A1")] = at("A1")
    board.n_stones[at("A1")] = 1
    board.n_liberties[at("A1")] = 0
    for vertex in ("A2", "B1"):
        board.n_liberties[at(vertex)] -= 1
        board.liberties[at(vertex) * 2] &= ~np.uint64(1 << at("A1"))
    place, last = int(board.empty_at[at("A1")]), int(board.n_empty) - 1
    board.empty[place] = board.empty[last]
    board.empty_at[board.empty[last]] = place
    board.n_empty = last


def enclose_the_ko(board: Any) -> None:
    """The ko point holds a stone, with the enemy on all sides."""
    board.ko = at("F5")
    board.to_play = 2


DAMAGES = [
    (set_number("to_play", 0), "to_play"),
    (set_number("rows", 10), "size"),
    (set_number("rows", 0), "size"),
    (set_field("color", "A1", 3), "color"),
    (lambda board: board.color.__setitem__(0, 0), "color"),
    (set_field("around", "J9", 0), "around differs from the neighbours' colours at J9"),
    (set_field("empty_at", "A1", 200), "list of empty points"),
    (swap_empty_points, "list of empty points"),
    (set_number("n_empty", 72), "n_empty"),
    (set_field("chain", "D3", at("D4")), "heads"),
    (set_field("next_stone", "C3", at("C3")), "circular list"),
    (set_field("next_stone", "D3", at("D4")), "circular list"),
    (set_field("n_stones", "D4", 2), "n_stones is wrong at D4"),
    (set_field("n_liberties", "D4", 7), "n_liberties is wrong at D4"),
    (lose_a_liberty, "liberty set is wrong at D4"),
    (add_a_liberty, "liberty set is wrong at D4"),
    (move_a_liberty, "liberty set is wrong at D4"),
    (take_the_last_liberty, "a chain has no liberty at A1"),
    (set_field("color", "A1", 4), "color"),
    (enclose_the_ko, "ko"),
    (set_number("hash", 1), "hash"),
    (set_number("ko", at("A1")), "ko"),
    (set_number("ko", at("D4")), "ko"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_damage_is_seen(board: Any, damage: Callable[[Any], None], message: str) -> None:
    damage(board)
    with pytest.raises(BoardFault, match=message):
        check_board(board)


def test_a_used_board_is_cleared_whole(board: Any) -> None:
    clear_board(board, 7)
    fresh = new_board(7)
    for name in ("color", "around", "n_empty", "rows", "to_play", "hash", "ko", "last", "last2"):
        assert np.array_equal(board[name], fresh[name]), name
    assert board.captures.tolist() == [0, 0, 0]
    check_board(board)
