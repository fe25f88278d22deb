"""Real workers on a shared tree: nothing is lost, nothing stalls, nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from daemon.pool import MEGABYTE, Pool, PoolFailed
from daemon.shm import SHM_DIRECTORY
from goengine.board import BLACK
from goengine.rules.game import Game
from goengine.search.search import Search
from goengine.search.workspace import N_SIMULATIONS
from goengine.tree.checking import check_tree
from goengine.tree.columns import BUDGET, ROOT
from goengine.tree.packing import visits_of
from tests.daemon.pools import Wanderer, kill_workers, set_game, step_until, wait_until

pytestmark = pytest.mark.alone

SIZE = 7


@pytest.mark.parametrize("n_workers", [2, 4, 8])
def test_no_simulation_is_lost(n_workers: int) -> None:
    n_simulations = 200_000
    with Pool(n_workers, 1, 128 * MEGABYTE, (SIZE,)) as pool:
        pool.change(0, set_game(SIZE))
        pool.run(0, n_simulations)
        memory = pool.searches[0].memory
        by_worker = memory.tallies[:, N_SIMULATIONS]
        assert by_worker.sum() == n_simulations
        assert (by_worker > 0).sum() >= 2
        assert int(visits_of(memory.tree.stats[ROOT])) == n_simulations
        reading = pool.searches[0].read()
        # Until its children are published, the root is a leaf to all but the one who fills them,
        # and that one may be without a core for a while.
        below = sum(move.visits for move in reading.moves)
        assert 0.9 * n_simulations <= below <= n_simulations
        assert check_tree(memory.tree) == reading.nodes


@pytest.mark.parametrize("wanders", [False, True])
def test_the_search_goes_on_while_workers_are_killed(wanders: bool) -> None:
    # The machine may have other work; `make soak` asks for a second.
    assert kill_workers(3, 4.0, SIZE, wanders, patience=4.0) > 40


def test_what_the_dead_had_taken_is_made_by_others() -> None:
    n_simulations = 60_000
    with Pool(2, 1, 64 * MEGABYTE, (SIZE,)) as pool:
        pool.change(0, set_game(SIZE))
        search = pool.searches[0]
        pool.begin(0, n_simulations)
        for n_before in (0, 10_000, 20_000, 40_000):
            step_until(pool, lambda n=n_before: search.n_simulations > n)  # type: ignore[misc]
            for pid in pool.pids:
                os.kill(pid, signal.SIGKILL)
        step_until(pool, lambda: pool.is_done(0))
        assert search.n_simulations == n_simulations
        assert sum(worker.deaths for worker in pool.workers()) == 8


def test_a_budget_that_died_with_its_worker_is_no_end() -> None:
    """As if it had taken all of it, and died before the first simulation."""
    with Pool(1, 1, 64 * MEGABYTE, (SIZE,)) as pool:
        pool.change(0, set_game(SIZE))
        pool.begin(0, 100)
        pool.searches[0].memory.tree.words[BUDGET] = 0
        assert not pool.is_done(0)
        step_until(pool, lambda: pool.is_done(0))
        assert pool.searches[0].n_simulations == 100


def test_a_small_slot_is_never_full() -> None:
    with Pool(2, 1, 3 * MEGABYTE, (SIZE,)) as pool:
        pool.change(0, set_game(SIZE))
        pool.run(0, 300_000)
        reading = pool.searches[0].read()
        assert reading.visits == reading.simulations == 300_000
        assert reading.nodes <= reading.capacity
        assert max(len(move.variation) for move in reading.moves) > 2
        check_tree(pool.searches[0].memory.tree)


def test_a_game_goes_on_in_the_same_tree() -> None:
    with Pool(2, 1, 64 * MEGABYTE, (SIZE,)) as pool:
        pool.change(0, set_game(SIZE))
        pool.run(0, 20_000)
        best = pool.searches[0].read().moves[0]
        game = Game(SIZE)
        game.play(BLACK, best.move)
        pool.begin(0)  # workers are in the tree when the move comes
        pool.change(0, lambda search: search.set_game(game, game.to_play))
        pool.end(0)
        step_until(pool, lambda: pool.is_done(0))
        reading = pool.searches[0].read()
        assert reading.visits >= best.visits
        check_tree(pool.searches[0].memory.tree)


def test_positions_are_found_again() -> None:
    with Pool(2, 1, 64 * MEGABYTE, (SIZE,)) as pool:
        search = pool.searches[0]
        pool.change(0, set_game(SIZE))
        pool.run(0, 20_000)
        before = search.read()
        game = Game(SIZE)
        game.play(BLACK, before.moves[0].move)
        pool.change(0, lambda search: search.set_game(game, game.to_play))
        pool.run(0, 30_000)
        replies = search.read()
        assert replies.visits == before.moves[0].visits + 30_000
        pool.change(0, set_game(SIZE))
        again = search.read()
        assert again.visits == 20_000
        assert {move.move: move.visits for move in again.moves} == {
            move.move: move.visits for move in before.moves
        }
        pool.run(0, 5000)
        assert search.read().visits == 25_000
        pool.change(0, lambda search: search.set_game(game, game.to_play))
        assert search.read().visits >= sum(move.visits for move in replies.moves)
        check_tree(search.memory.tree, roots=search.roots)


def test_nothing_is_lost_on_any_way_through_the_game() -> None:
    """In a slot that is full every now and then, with workers that are inside when it goes on."""
    wanderer = Wanderer(SIZE)
    n_collections = 0
    with Pool(2, 1, 6 * MEGABYTE, (SIZE,)) as pool:
        search = pool.searches[0]
        for _ in range(20):
            pool.change(0, wanderer)
            n_roots = len(search.roots)
            pool.run(0, 3000)
            n_collections += len(search.roots) < n_roots
            reading = search.read()
            assert reading.simulations >= 3000
            assert reading.visits == wanderer.kept + reading.simulations
            check_tree(search.memory.tree, roots=search.roots)
            pool.begin(0)
    assert n_collections > 0


def test_slots_are_searched_side_by_side() -> None:
    with Pool(2, 3, 32 * MEGABYTE, (SIZE,)) as pool:
        for slot, size in enumerate((5, 6, 7)):
            pool.change(slot, set_game(size))
            pool.begin(slot)
        ends = time.monotonic() + 2.0
        while time.monotonic() < ends:
            pool.step(0.02)
        for slot in range(3):
            pool.end(slot)
        step_until(pool, lambda: all(pool.is_done(slot) for slot in range(3)))
        simulations = [search.read().simulations for search in pool.searches]
        assert min(simulations) > 1000, simulations
        for search in pool.searches:
            check_tree(search.memory.tree)


def test_a_frozen_worker_is_replaced() -> None:
    with Pool(2, 1, 16 * MEGABYTE, (SIZE,)) as pool:
        pool.change(0, set_game(SIZE))
        pool.begin(0)
        step_until(pool, lambda: pool.searches[0].read().simulations > 1000)
        frozen = pool.pids[0]
        os.kill(frozen, signal.SIGSTOP)
        step_until(pool, lambda: frozen not in pool.pids)
        pool.change(0, set_game(SIZE))  # would wait for ever for someone who never leaves


def test_an_error_in_a_job_is_the_callers() -> None:
    def fail(search: Search) -> None:
        raise ValueError("this one")

    with Pool(1, 1, 4 * MEGABYTE, (SIZE,)) as pool:
        with pytest.raises(ValueError, match="this one"):
            pool.change(0, fail)
        pool.change(0, set_game(SIZE))
        pool.run(0, 100)
        assert pool.searches[0].read().visits == 100


def test_a_slot_without_a_game_is_not_searched() -> None:
    with Pool(1, 1, 4 * MEGABYTE) as pool, pytest.raises(ValueError, match="no game"):
        pool.begin(0)


def test_an_interrupted_change_leaves_an_empty_tree_and_an_open_gate() -> None:
    def interrupt(search: Search) -> None:
        raise KeyboardInterrupt

    with Pool(1, 1, 4 * MEGABYTE, (SIZE,)) as pool:
        pool.change(0, set_game(SIZE))
        pool.run(0, 100)
        with pytest.raises(KeyboardInterrupt):
            pool.change(0, interrupt)
        assert pool.searches[0].read().visits == 0
        pool.change(0, set_game(SIZE))
        pool.run(0, 100)
        assert pool.searches[0].read().visits == 100


def test_a_dead_zygote_is_the_end() -> None:
    with Pool(1, 1, 4 * MEGABYTE, (SIZE,)) as pool:
        pool.change(0, set_game(SIZE))
        step_until(pool, lambda: bool(pool.pids))
        os.kill(pool.zygote_pid, signal.SIGKILL)
        with pytest.raises(PoolFailed, match="zygote"):
            step_until(pool, lambda: False)
    assert own_segments() == []


# --- what stays behind: nothing -----------------------------------------------

OWNER = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
from daemon.pool import MEGABYTE, Pool
from goengine.rules.game import Game
def job(search):
    search.set_parameters(7)
    search.set_game(Game(7), 1)
with Pool(2, 1, 8 * MEGABYTE, (7,)) as pool:
    pool.change(0, job)
    pool.begin(0)
    while len(pool.pids) < 2 or pool.searches[0].read().simulations < 100:
        pool.step(0.01)
    print(pool.zygote_pid, *pool.pids, flush=True)
    if "normally" in sys.argv:
        sys.exit()
    if "exception" in sys.argv:
        raise RuntimeError("on purpose")
    while True:
        pool.step(0.1)
"""


def own_segments(pid: int | None = None) -> list[str]:
    return [path.name for path in SHM_DIRECTORY.glob(f"goengine.{pid or os.getpid()}.*")]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in ("Z", "X")


@pytest.mark.parametrize("ending", ["normally", "exception", "SIGTERM", "SIGINT", "SIGKILL"])
def test_nothing_is_left(ending: str) -> None:
    owner = start_owner(ending)
    assert owner.stdout
    pids = [int(pid) for pid in owner.stdout.readline().split()]
    assert len(pids) == 3
    if ending.startswith("SIG"):
        owner.send_signal(getattr(signal, ending))
    owner.communicate(timeout=20)
    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    wait_until(lambda: own_segments(owner.pid) == [])


def test_the_next_start_sweeps_what_a_killed_group_left() -> None:
    owner = start_owner("group")
    assert owner.stdout
    pids = [int(pid) for pid in owner.stdout.readline().split()]
    os.killpg(owner.pid, signal.SIGKILL)
    owner.communicate(timeout=20)
    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    assert len(own_segments(owner.pid)) == 2
    with Pool(1, 1, 4 * MEGABYTE):
        assert own_segments(owner.pid) == []


def start_owner(ending: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, ending],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
