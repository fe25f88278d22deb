"""Games on the clock, with a real daemon: nothing is lost on time, and the time is used."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.process.daemons import Client, Daemon, running_daemon

MAIN = 6.0  # seconds


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("d")) as daemon:
        yield daemon


@pytest.mark.parametrize("is_told", [True, False])
def test_a_fast_game_of_sudden_death(daemon: Daemon, is_told: bool) -> None:
    with Client(daemon) as client:
        client.open()
        for line in ("boardsize 7", "goengine-param resign_below 0", "genmove b", "clear_board"):
            assert client.gtp(line).startswith("=")  # the first search loads kernels
        client.gtp(f"time_settings {MAIN:.0f} 0 0")
        left = {"b": MAIN, "w": MAIN}
        vertices: list[str] = []
        while vertices[-2:] != ["pass", "pass"] and len(vertices) < 150:
            color = "bw"[len(vertices) % 2]
            if is_told:
                client.gtp(f"time_left {color} {int(left[color])} 0")
            started = time.monotonic()
            vertices.append(client.gtp(f"genmove {color}")[2:].strip().lower())
            left[color] -= time.monotonic() - started
            assert left[color] > 0, vertices
    # An early end saves time for moves that may not come.
    assert min(left.values()) < 0.5 * MAIN


def test_a_period_of_one_move_is_used_up_but_not_more(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open()
        client.gtp("boardsize 7")
        client.gtp("genmove b")
        client.gtp("kgs-time_settings byoyomi 0 1 1")
        for color in "wbwb":
            started = time.monotonic()
            client.gtp(f"genmove {color}")
            assert 0.7 < time.monotonic() - started < 1.0
