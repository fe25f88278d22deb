"""Searches in slots whose workers are made of paper."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest

from daemon.searches import Assignment, Searches
from goengine.board import BLACK
from goengine.rules.game import Game
from goengine.search.orders import Limits, Order, Purpose
from goengine.search.search import Search

pytestmark = pytest.mark.uncompiled


class PaperPool:
    """One slot; jobs are done at once and find nothing."""

    searches = (None,)

    def __init__(self) -> None:
        self.begun: list[bool] = []  # in the background?
        self.jobs: list[Any] = []

    def submit(self, slot: int, job: Any) -> Future[Any]:
        self.jobs.append(job)
        done: Future[Any] = Future()
        done.set_result(0)
        return done

    def begin(
        self, slot: int, n: int | None, weight: float, most: int, is_background: bool
    ) -> None:
        self.begun.append(is_background)

    def end(self, slot: int) -> None:
        pass


def pondering(key: str, seconds: float = 60.0) -> Assignment:
    order = Order(BLACK, Purpose.PONDERING, Limits(seconds=seconds), lambda found: "")
    return Assignment(key, Game(5), order, {}, time.monotonic())


def run(scene: Any) -> PaperPool:
    """`scene` gets searches; it must not take long."""
    pool = PaperPool()

    async def play() -> None:
        async with asyncio.timeout(5.0):
            await scene(Searches(pool, 1.0))  # type: ignore[arg-type]

    asyncio.run(play())
    return pool


def test_pondering_that_is_stopped_ends_without_a_result() -> None:
    async def scene(searches: Searches) -> None:
        search = pondering("a")
        task = asyncio.create_task(searches.ponder(search))
        await asyncio.sleep(0.01)
        assert searches.running == {"a": search}
        search.stop()
        await task
        assert searches.running == {}

    assert run(scene).begun == [True]


def test_pondering_waits_for_a_slot_no_longer_than_it_may() -> None:
    async def scene(searches: Searches) -> None:
        searches.table.want("b", Purpose.MOVE, 0.0)
        await searches.ponder(pondering("a", seconds=0.05))
        assert searches.table.waiting == []

    assert run(scene).begun == []


def test_who_has_to_give_up_a_slot_before_it_has_noticed_that_it_has_one() -> None:
    async def scene(searches: Searches) -> None:
        before, search, move = pondering("before"), pondering("a"), pondering("move")
        move.order = replace(move.order, purpose=Purpose.MOVE)

        async def leave_and_let_a_move_come() -> None:
            await searches.ponder(before)
            await searches.run(move)

        others = asyncio.create_task(leave_and_let_a_move_come())
        await asyncio.sleep(0.01)
        task = asyncio.create_task(searches.ponder(search))
        await asyncio.sleep(0.01)
        before.stop()
        await task
        others.cancel()

    assert run(scene).begun[:2] == [True, True]


def test_a_tree_that_does_not_count_any_more_is_nobodys() -> None:
    """At once, or when its search has ended: a daemon that comes later must not find it."""

    async def scene(searches: Searches) -> None:
        search = pondering("a")
        task = asyncio.create_task(searches.ponder(search))
        await asyncio.sleep(0.01)
        searches.forget("a")
        search.stop()
        await task
        searches.table.restore(0, "b")
        searches.forget("another")
        searches.forget("b")

    assert [job is Search.forget for job in run(scene).jobs] == [False, False, True, True]
