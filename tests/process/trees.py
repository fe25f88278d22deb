"""Trees in the memory that daemons share."""

from __future__ import annotations

from pathlib import Path

from daemon.shm import HEADER_BYTES
from goengine.search.memory import memory_over
from goengine.tree.columns import Tree


def tree_in(segment: Path, n_workers: int) -> Tree:
    """A copy of what is there, however that came about."""
    return memory_over(segment.read_bytes()[HEADER_BYTES:], n_workers).tree
