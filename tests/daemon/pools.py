"""What tests do with pools."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable

from daemon.pool import MEGABYTE, Pool
from goengine.rules.game import Game
from goengine.search.search import Search
from goengine.search.workspace import N_SIMULATIONS
from goengine.tree.checking import check_tree

KILL_EVERY = 0.05  # seconds


def set_game(size: int) -> Callable[[Search], None]:
    """A job: search from the empty board."""

    def job(search: Search) -> None:
        search.set_parameters(size)
        game = Game(size)
        search.set_game(game, game.to_play)

    return job


def wait_until(is_so: Callable[[], bool], seconds: float = 10.0) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends, "waited in vain"
        time.sleep(0.01)


def step_until(pool: Pool, is_so: Callable[[], bool]) -> None:
    def step_and_ask() -> bool:
        pool.step(0.01)
        return is_so()

    wait_until(step_and_ask)


class Wanderer:
    """A job: search from a position near the last one, or from one of another komi.

    kept    visits that the position had already
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._random = random.Random(size)
        self._game = Game(size)
        self.kept = 0

    def __call__(self, search: Search) -> None:
        if self._game.moves and self._random.random() < 0.5:
            self._game.undo(self._random.randint(1, len(self._game.moves)))
        elif search.n_simulations:
            move = self._random.choice(search.read(1).moves[:3]).move
            if self._game.is_legal(self._game.to_play, move):
                self._game.play(self._game.to_play, move)
        self._game.komi = self._random.choice((7.5, 7.5, 0.5))
        search.set_parameters(self._size)
        self.kept = search.set_game(self._game, self._game.to_play)


def kill_workers(
    n_workers: int, seconds: float, size: int, wanders: bool = False, patience: float = 1.0
) -> int:
    """Search while a random worker is killed every 50 ms, if the search got on since the last one.

    Returns the number of kills. With `wanders`, every fifth time it goes on from another position.
    Fails if the search or a worker is away for `patience` seconds, or the tree is not clean.
    """
    wanderer = Wanderer(size)
    rng = random.Random(1)
    n_kills = 0
    with Pool(n_workers, 1, 64 * MEGABYTE, (size,)) as pool:
        pool.change(0, set_game(size))
        pool.begin(0)
        tallies = pool.searches[0].memory.tallies
        started = last_growth = last_full = time.monotonic()
        n_before = 0
        has_got_on = False
        while (now := time.monotonic()) < started + seconds:
            pool.step(0.01)
            if now > started + KILL_EVERY * n_kills and has_got_on and pool.pids:
                with contextlib.suppress(ProcessLookupError):  # it is dead, and nobody has looked
                    os.kill(rng.choice(pool.pids), signal.SIGKILL)
                n_kills += 1
                has_got_on = False
                if wanders and n_kills % 5 == 0:
                    pool.change(0, wanderer)
            n_now = int(tallies[:, N_SIMULATIONS].sum())
            if n_now != n_before:
                n_before, last_growth, has_got_on = n_now, now, True
            if len(pool.pids) == n_workers:
                last_full = now
            assert now - last_growth < patience, "the search stalled"
            assert now - last_full < patience, "a worker did not come back"
        pool.end(0)
        step_until(pool, lambda: pool.is_done(0))
        # Of each worker killed: the visit it was at, and what it was paying at that moment.
        n_owed = 65 * n_kills
        check_tree(pool.searches[0].memory.tree, n_owed, pool.searches[0].roots)
        reading = pool.searches[0].read()
        assert abs(reading.visits - reading.simulations - wanderer.kept) <= n_owed
    return n_kills
