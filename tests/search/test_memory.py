"""A search over one buffer: parts side by side, each on its own cache lines."""

from __future__ import annotations

import itertools
import mmap
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK
from goengine.points import CAPACITIES
from goengine.rules.game import Game
from goengine.search.memory import SearchMemory, memory_for, memory_over
from goengine.search.search import Search
from goengine.search.seat import Seat
from goengine.tree.claims import new_worker_table
from goengine.tree.columns import ROOT, bytes_for

pytestmark = pytest.mark.uncompiled


def parts_of(memory: SearchMemory) -> dict[str, Any]:
    parts = memory._asdict()
    for nested in (parts.pop("situation"), parts.pop("tree")):
        parts |= {
            f"{type(nested).__name__} {name}": part for name, part in nested._asdict().items()
        }
    return parts


def bounds_of(part: Any, start: int) -> tuple[int, int]:
    first = int(part.__array_interface__["data"][0]) - start
    return first, first + part.nbytes


@pytest.mark.parametrize("n_workers", [1, 2, 7])
@pytest.mark.parametrize("n_nodes", [2, 100, 1001])
def test_parts_do_not_overlap(n_nodes: int, n_workers: int) -> None:
    buffer = mmap.mmap(-1, memory_for(n_nodes, n_workers))
    memory = memory_over(buffer, n_workers)
    start = int(np.frombuffer(buffer, np.uint8).__array_interface__["data"][0])
    bounds = sorted(bounds_of(part, start) for part in parts_of(memory).values())
    assert bounds[0][0] == 0
    for (_, end), (first, _) in itertools.pairwise(bounds):
        assert end <= first
        assert first % 64 == 0
    assert bounds[-1][1] <= len(buffer)
    assert memory.n_workers == n_workers
    assert memory.tree.capacity >= n_nodes


def test_workers_do_not_share_rows() -> None:
    memory = memory_over(bytearray(memory_for(10, 3)), 3)
    for part in (memory.tallies, memory.ownerships, memory.deltas, memory.situation.counts):
        part[1] = 1
        assert not part[0].any()
        assert not part[2].any()
        assert part[1].all()
        assert part[0].nbytes % 64 == 0, "rows of two workers share no cache line"


@pytest.mark.parametrize("n_bytes", [0, 1, 64, 5000, memory_for(0, 1) - bytes_for(0) - 1])
def test_too_small_a_buffer(n_bytes: int) -> None:
    with pytest.raises(ValueError, match="bytes are too few for a search with 1 workers"):
        memory_over(bytearray(n_bytes), 1)


def test_no_room_for_the_tree() -> None:
    for n_bytes in (memory_for(0, 1), memory_for(2, 1) - 1):
        with pytest.raises(ValueError, match="too few for a tree"):
            memory_over(bytearray(n_bytes), 1)
    assert memory_over(bytearray(memory_for(2, 1)), 1).tree.capacity >= 2


def test_laying_out_changes_nothing_and_is_the_same_again() -> None:
    buffer = bytearray(b"\x11" * memory_for(100, 2))
    memory = memory_over(buffer, 2)
    assert set(buffer) == {0x11}
    memory.tree.stats[ROOT] = 77
    memory.position[0].komi = 6.5
    again = memory_over(buffer, 2)
    assert int(again.tree.stats[ROOT]) == 77
    assert float(again.position[0].komi) == 6.5


@pytest.mark.parametrize("capacity", CAPACITIES)
def test_boards_of_any_size_fit(capacity: int) -> None:
    memory = memory_over(bytearray(memory_for(100, 1)), 1)
    boards = memory.root(capacity).boards
    assert len(boards) == 1
    boards[0] = Game(capacity).board
    assert int(boards[0].rows) == capacity
    assert not memory.position.view(np.uint8).any()


def test_a_buffer_of_words_is_as_good_as_one_of_bytes() -> None:
    """`memoryview(buffer)[offset:]` counts elements, not bytes."""
    n_bytes = -(-memory_for(100, 1) // 8) * 8
    words = memory_over(np.zeros(n_bytes // 8, np.uint64), 1)
    plain = memory_over(bytearray(n_bytes), 1)
    assert words.tree.capacity == plain.tree.capacity


def test_two_views_of_one_buffer_are_one_search() -> None:
    """As the supervisor and a worker have them."""
    buffer = mmap.mmap(-1, memory_for(5000, 2))
    search = Search(memory_over(buffer, 2), seed=5)
    search.set_parameters(3)
    search.set_game(Game(3), BLACK)
    seat = Seat(memory_over(buffer, 2), new_worker_table(2), 1)
    seat.load()
    assert seat.run(5) == 5
    reading = search.read()
    assert (reading.visits, reading.simulations) == (5, 5)
    assert not search.memory.tallies[0].any()
