"""Twenty seconds of killing, with few workers and with many."""

from __future__ import annotations

import pytest

from tests.daemon.pools import kill_workers


@pytest.mark.soak
@pytest.mark.parametrize(("n_workers", "size"), [(2, 9), (4, 9), (8, 9), (2, 19), (8, 19)])
def test_the_search_goes_on_while_workers_are_killed(n_workers: int, size: int) -> None:
    assert kill_workers(n_workers, seconds=20.0, size=size) > 200
