"""Which engines stay at a table when another pairing has its turn; ours on a short clock."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from clients.match.definition import Player
from clients.match.table import Table
from clients.match.time_settings import Clock
from tests.match.matches import make, new_mark, player, processes_with


@pytest.mark.parametrize("keeps_engines", [True, False])
def test_engines_stay_if_nothing_but_their_setup_changes(keeps_engines: bool) -> None:
    mark = new_mark()
    pairing = make(player("good", mark), player("pass", mark))
    first, second = pairing.players
    other_setup = msgspec.structs.replace(first, setup=["name"])
    other_engine = msgspec.structs.replace(second, environment={"OTHER": "1"})

    async def engines_of_three_pairings() -> list[set[int]]:
        table = Table((), None, keeps_engines=keeps_engines)
        found = []
        try:
            for players in [(first, second), (other_setup, second), (first, other_engine)]:
                another = msgspec.structs.replace(pairing, players=players)
                record, _ = await table.play(another, 1, [])
                assert record.ending == "score"
                found.append(set(processes_with(mark)))
        finally:
            await table.close()
        return found

    start, after_setup, after_engine = asyncio.run(engines_of_three_pairings())
    assert [len(start), len(after_setup), len(after_engine)] == [2, 2, 2]
    assert len(start & after_setup) == (2 if keeps_engines else 0)
    assert len(after_setup & after_engine) == (1 if keeps_engines else 0)
    assert processes_with(mark) == []


def test_nobodys_clock_runs_while_our_workers_load_their_kernels() -> None:
    """They search once before; the other one ends, so that there is a transcript."""
    ours, other = Player(engine="mcts", workers=1), player("exit_0@genmove#1")
    pairing = make(ours, other, clock=Clock(period=1, periods=1))

    async def transcript() -> str:
        table = Table((), None)
        try:
            return (await table.play(pairing, 1, []))[1].partition("white:")[0]
        finally:
            await table.close()

    said = asyncio.run(transcript())
    assert 0 < said.index("info move") < said.index("kgs-time_settings byoyomi 0 1 1")
