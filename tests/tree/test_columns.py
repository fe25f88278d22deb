"""The columns over a buffer: as many nodes as fit, none over another."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import pytest

from goengine.tree import columns
from goengine.tree.columns import (
    BUDGET,
    BYTES_PER_NODE,
    FULL,
    GATE,
    GENERATION,
    N_WORDS,
    ROOT,
    START,
    START_VISITS,
    USED,
    Tree,
    bytes_for,
    clear_tree,
    new_tree,
    tree_over,
)

pytestmark = pytest.mark.uncompiled


def offset_of(column: Any, buffer: Any) -> int:
    start = int(np.frombuffer(buffer, np.uint8).__array_interface__["data"][0])
    return int(column.__array_interface__["data"][0]) - start


def test_a_node_is_small() -> None:
    """56 bytes a node with everything, or 4 million nodes would not be 224 MB."""
    assert BYTES_PER_NODE <= 56
    n_nodes = 100_000
    assert bytes_for(n_nodes) / n_nodes <= 56
    tree = new_tree(n_nodes)
    assert sum(column.itemsize for column in tree[:-1]) == BYTES_PER_NODE


def test_the_largest_tree_that_fits() -> None:
    smallest = bytes_for(ROOT + 1)
    for n_bytes in [*range(smallest, 2000), 4096, 10_000, 65_536, 65_599, 1_000_000]:
        tree = tree_over(bytearray(n_bytes))
        assert bytes_for(tree.capacity) <= n_bytes < bytes_for(tree.capacity + 1)
        assert {len(column) for column in tree[:-1]} == {tree.capacity}
        assert len(tree.words) == N_WORDS


@pytest.mark.parametrize("n_bytes", [0, 1, 511, 512, bytes_for(0), bytes_for(2) - 1])
def test_too_small_a_buffer(n_bytes: int) -> None:
    with pytest.raises(ValueError, match=f"^{n_bytes} bytes are too few for a tree$"):
        tree_over(bytearray(n_bytes))


@pytest.mark.parametrize("n_nodes", [2, 3, 7, 64, 1001])
def test_columns_lie_side_by_side(n_nodes: int) -> None:
    buffer = bytearray(bytes_for(n_nodes))
    tree = tree_over(buffer)
    assert tree.capacity >= n_nodes
    ends = []
    for name in Tree._fields:
        for column in tree:
            column[:] = 0
        column = getattr(tree, name)
        column[:] = ~column.dtype.type(0)
        changed = {other for other in Tree._fields if getattr(tree, other).any()}
        assert changed == {name}
        offset = offset_of(column, buffer)
        assert offset % 64 == 0, name
        assert sum(buffer) == 255 * column.nbytes
        ends.append(offset + column.nbytes)
    assert max(ends) <= len(buffer)


def test_control_words_have_a_cache_line_each() -> None:
    places = [USED, GATE, BUDGET, GENERATION, FULL, START, START_VISITS]
    assert len({place // 8 for place in places}) == len(places)
    assert max(places) < N_WORDS


def test_a_tree_changes_the_buffer_and_nothing_else_does() -> None:
    buffer = mmap.mmap(-1, 10_000)
    buffer[:] = b"\x5a" * 10_000
    tree = tree_over(buffer)
    assert buffer[:] == b"\x5a" * 10_000, "tree_over changes nothing"
    tree.stats[ROOT] = 1
    assert tree_over(buffer).stats[ROOT] == 1


def test_a_cleared_tree_is_a_root_without_visits() -> None:
    buffer = bytearray(b"\xff" * bytes_for(100))
    tree = tree_over(buffer)
    tree.words[GENERATION], tree.words[BUDGET], tree.words[GATE] = 7, 8, 1
    clear_tree(tree)
    assert tree.n_used == ROOT + 1
    assert int(tree.words[FULL]) == 0
    assert tree.start == ROOT
    assert [int(tree.words[place]) for place in (GENERATION, BUDGET, GATE)] == [7, 8, 1]
    for name in ("stats", "amaf", "owned", "first_child", "prior", "move"):
        assert int(getattr(tree, name)[ROOT]) == 0, name


def test_rows_in_use_never_pass_the_capacity() -> None:
    tree = new_tree(10)
    assert tree.n_used == 2
    tree.words[USED] = tree.capacity + 1000
    assert tree.n_used == tree.capacity


def test_any_node_number_fits_beside_a_claim() -> None:
    assert columns.MAX_NODES < 1 << 31
    assert np.iinfo(np.uint16).max > 26 * 27, "moves fit on the largest board"
