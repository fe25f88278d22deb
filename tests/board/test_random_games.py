"""Random games with illegal and garbage moves against two independent boards."""

import pytest

from goengine.jit import COMPILED
from tests.twins.random_games import RandomGame

GAMES = {2: 100, 3: 200, 5: 1500, 9: 400, 13: 65, 19: 35}


@pytest.mark.parametrize("size", GAMES)
def test_random_games(size: int) -> None:
    n_refused = 0
    for seed in range(GAMES[size]):
        game = RandomGame(size, seed)
        game.run()
        n_refused += game.n_refused
    assert n_refused > GAMES[size], "the garbage was not garbage"


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("size", [2, 5, 9, 13, 19, 25] if COMPILED else [2, 3, 5, 9])
def test_some_random_games(size: int) -> None:
    for seed in range(max(1, 50 // size) if COMPILED else 2):
        RandomGame(size, 100_000 + seed).run()
