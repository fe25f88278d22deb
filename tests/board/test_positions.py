"""tests/positions/board.t"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goengine.board import (
    BLACK,
    KO,
    LEGAL,
    OCCUPIED,
    SUICIDE,
    WHITE,
    illegality,
    play_move,
    play_pass,
)
from goengine.board.checking import check_board
from goengine.board.eyes import is_eye
from goengine.jit import kernel
from goengine.points import parse_vertex
from tests.diagrams import board_from, draw_board
from tests.position_files import Case, read_cases

COLORS = {"b": BLACK, "w": WHITE}
REASONS = {"occupied": OCCUPIED, "ko": KO, "suicide": SUICIDE}


@kernel
def ask_is_eye(board, point, color):
    return is_eye(board, np.uint64(point), np.uint64(color))


def run(board: Any, size: int, word: str, *words: str) -> tuple[Any, Any]:
    """Do what a line says. Returns what was found and what the line expects."""
    if word == "becomes":
        return draw_board(board), words[0]
    if word == "ko":
        found, expected = int(board.ko), 0 if words[0] == "none" else parse_vertex(words[0], size)
        return found, expected
    if word in ("liberties", "stones"):
        head = board.chain[parse_vertex(words[0], size)]
        return int(board[f"n_{word}"][head]), int(words[1])
    color = COLORS[words[0]]
    if word == "captures":
        return int(board.captures[color]), int(words[1])
    if word == "pass":
        play_pass(board, color)
        return None, None
    point = parse_vertex(words[1], size)
    if word in ("eye", "open"):
        return bool(ask_is_eye(board, point, color)), word == "eye"
    if word == "refuse-even":
        return illegality(board, point, color, True), SUICIDE
    found = illegality(board, point, color, False)
    if word == "suicide":
        answers = (found, illegality(board, point, color, True))
        play_move(board, point, color)
        return answers, (SUICIDE, LEGAL)
    if word == "refuse":
        return found, REASONS[words[2]]
    assert word in ("legal", "play"), f"unknown word {word}"
    if word == "play":
        if board.to_play != color:
            play_pass(board, 3 - color)
        play_move(board, point, color)
    return found, LEGAL


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("case", read_cases("board.t"), ids=str)
def test_position(case: Case) -> None:
    board = board_from("\n".join(case.rows))
    for line in case.lines:
        found, expected = run(board, len(case.rows), *line)
        assert found == expected, (
            f"{case.place}: {' '.join(line)}: found\n{found}\nexpected\n{expected}\n"
            f"in\n{draw_board(board)}"
        )
        check_board(board)
