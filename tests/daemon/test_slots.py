"""Who gets a slot, on paper."""

from __future__ import annotations

import random

import pytest

from daemon.slots import RANK, Evict, Give, SlotTable
from goengine.search.orders import Purpose

pytestmark = pytest.mark.uncompiled

MOVE, ANALYSIS, PONDERING = Purpose.MOVE, Purpose.ANALYSIS, Purpose.PONDERING


def test_a_game_comes_back_to_its_slot() -> None:
    table = SlotTable(2, turn=1.0)
    assert table.want("a", MOVE, 0.0) == [Give("a", 0, True)]
    assert table.want("b", MOVE, 0.0) == [Give("b", 1, True)]
    assert table.leave("b", 1.0) == []
    assert table.leave("a", 2.0) == []
    assert table.want("a", MOVE, 3.0) == [Give("a", 0, False)]


def test_the_slot_that_rested_longest_is_taken() -> None:
    table = SlotTable(2, turn=1.0)
    for game, ended in (("a", 5.0), ("b", 4.0)):
        table.want(game, MOVE, 0.0)
        table.leave(game, ended)
    assert table.want("c", MOVE, 6.0) == [Give("c", 1, True)]
    assert table.slot_of("b") is None
    table.leave("c", 7.0)
    assert table.want("b", MOVE, 8.0) == [Give("b", 0, True)], "a has rested longer than c"


def test_moves_wait_for_moves() -> None:
    table = SlotTable(1, turn=1.0)
    table.want("a", MOVE, 0.0)
    assert table.want("b", MOVE, 1.0) == []
    assert table.decide(100.0) == []
    assert table.leave("a", 101.0) == [Give("b", 0, True)]


def test_a_clock_comes_first() -> None:
    table = SlotTable(2, turn=1.0)
    table.want("thinker", PONDERING, 0.0)
    table.want("student", ANALYSIS, 0.0)
    assert table.want("player", MOVE, 0.1) == [Evict("thinker")]
    assert table.want("rival", MOVE, 0.2) == [Evict("student")]
    assert table.decide(0.3) == [], "both slots are on their way"
    assert table.leave("student", 0.4) == [Give("player", 1, True)]
    assert table.leave("thinker", 0.5) == [Give("rival", 0, True)]


def test_analyses_take_turns() -> None:
    table = SlotTable(1, turn=1.0)
    table.want("a", ANALYSIS, 0.0)
    assert table.want("b", ANALYSIS, 0.5) == []
    assert table.decide(1.0) == [Evict("a")]
    assert table.leave("a", 1.1) == [Give("b", 0, True)]
    assert table.want("a", ANALYSIS, 1.1) == []
    assert table.decide(2.2) == [Evict("b")]


def test_pondering_takes_no_turns() -> None:
    """Whoever had to leave would have pondered for nothing."""
    table = SlotTable(1, turn=1.0)
    table.want("a", PONDERING, 0.0)
    assert table.want("b", PONDERING, 5.0) == []
    assert table.decide(100.0) == []
    assert table.want("c", ANALYSIS, 101.0) == [Evict("a")]
    assert table.leave("a", 101.1) == [Give("c", 0, True)]
    assert table.want("a", PONDERING, 101.1) == []
    assert table.leave("c", 102.0) == [Give("b", 0, True)], "who has waited longest"


def test_who_gives_up_waiting_is_forgotten() -> None:
    table = SlotTable(1, turn=1.0)
    table.want("a", MOVE, 0.0)
    table.want("b", MOVE, 0.0)
    table.leave("b", 1.0)
    assert table.leave("a", 2.0) == []
    table.forget("a")
    assert table.slot_of("a") is None
    assert table.want("b", MOVE, 3.0) == [Give("b", 0, True)]


@pytest.mark.parametrize("seed", range(20))
def test_random_histories(seed: int) -> None:
    """No slot has two games, no game two slots, and nobody waits for ever."""
    rng = random.Random(seed)
    n_slots = rng.randint(1, 4)
    table = SlotTable(n_slots, turn=1.0)
    purposes: dict[str, Purpose] = {}  # of those that wait or search
    searching: dict[str, int] = {}
    evicted: set[str] = set()
    waits: dict[str, float] = {}
    now = 0.0

    def obey(decisions: list[Give | Evict]) -> None:
        for decision in decisions:
            if isinstance(decision, Give):
                assert decision.game in purposes
                assert decision.slot not in searching.values()
                searching[decision.game] = decision.slot
                del waits[decision.game]
            else:
                assert decision.game in searching
                assert purposes[decision.game] is not MOVE
                evicted.add(decision.game)

    for _ in range(2000):
        now += rng.random() * 0.2
        game = f"game{rng.randrange(8)}"
        if game not in purposes:
            purposes[game] = rng.choice(list(RANK))
            waits[game] = now
            obey(table.want(game, purposes[game], now))
        elif game in searching and rng.random() < 0.5:
            was_evicted = game in evicted
            purpose = purposes.pop(game)
            del searching[game]
            evicted.discard(game)
            obey(table.leave(game, now))
            if was_evicted:
                purposes[game], waits[game] = purpose, now
                obey(table.want(game, purpose, now))
        obey(table.decide(now))
        assert len(searching) <= n_slots
        if len(purposes) > len(searching) + len(evicted):
            assert len(searching) == n_slots, "nobody waits while a slot is free"
