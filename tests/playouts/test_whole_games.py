"""Whole playouts: legal to the end, repeatable, and the same compiled and in plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goengine.board import BLACK, WHITE, copy_board, new_board
from goengine.jit import COMPILED
from tests.playouts.drawn import (
    check_game,
    moves_of_games,
    played_out,
)
from tests.random_boards import random_boards

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

ROOT = Path(__file__).parents[2]


STARTS = (
    [(2, 2, 2), (3, 3, 5), (5, 8, 9), (7, 5, 20), (9, 4, 25)]
    if COMPILED
    else [(2, 1, 2), (4, 1, 10)]
)


@pytest.mark.parametrize(("size", "n_games", "every"), STARTS)
def test_games_from_random_positions(size: int, n_games: int, every: int) -> None:
    n_checked = 0
    for seed, start in enumerate(random_boards(size, n_games, every)):
        check_game("pachi", start, seed)
        n_checked += 1
    assert n_checked > 2


@pytest.mark.parametrize("size", [2, 5, 9] if COMPILED else [2, 3])
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_games_from_the_empty_board(size: int, to_play: int) -> None:
    for seed in range(20 if COMPILED else 1):
        board = new_board(size)
        board.to_play = to_play
        check_game("pachi", board, seed)


def test_the_same_seed_gives_the_same_game() -> None:
    size = 7 if COMPILED else 4
    start = new_board(size)
    first, again, other = (played_out("pachi", copy_board(start), seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other


@pytest.mark.skipif(not COMPILED, reason="compares with plain Python")
@pytest.mark.parametrize("kind", ["pachi", "mogo"])
def test_compiled_games_are_those_of_plain_python(kind: str) -> None:
    program = f"from tests.playouts.drawn import moves_of_games; print(moves_of_games({kind!r}))"
    plain = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == moves_of_games(kind)
