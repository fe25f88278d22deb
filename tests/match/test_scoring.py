"""Games that end with two passes: who says which stones are dead, and what the score is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from clients.match import arbiter
from clients.match.arbiter import Arbiter, CannotDecide
from clients.match.engine_process import Misbehaved
from clients.match.game_record import GameRecord
from clients.match.places import Place
from clients.match.players import Seat
from clients.match.referee import Referee
from clients.match.table import Table
from goengine.rules.rulesets import find_rules
from tests.match.matches import make, new_mark, player, processes_with

# . X . O .
# . X . O .
# O X . O .    The stone at A3 is dead, if anybody says so.
# . X . O .
# . X . O .
OPENING = ["B1", "D1", "B2", "D2", "B3", "D3", "B4", "D4", "B5", "D5", "pass", "A3"]


def play(first: str, second: str, **given: Any) -> GameRecord:
    pairing = make(player(first), player(second), patience=10.0, **given)

    async def play_one() -> GameRecord:
        table = Table((), None)
        try:
            record, _ = await table.play(pairing, 1, OPENING)
        finally:
            await table.close()
        return record

    return asyncio.run(play_one())


@pytest.fixture
def is_asked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """An arbiter that says D1 is dead. It notes the komi of those who asked."""
    asked = []

    async def dead_stones(_: Arbiter, referee: Referee, komi: float) -> set[Place]:
        asked.append(komi)
        return {place for _, place in referee.board.list_occupied_points()} & {(0, 3)}

    monkeypatch.setattr(Arbiter, "dead_stones", dead_stones)
    return asked


@pytest.mark.parametrize(
    ("said", "dead", "by_area", "by_territory"),
    [
        ("dead=", [], "W+6.5", "W+5.5"),
        ("dead=A3", ["A3"], "W+0.5", "B+0.5"),
        ("dead=A3,D1", ["A3", "D1", "D2", "D3", "D4", "D5"], "B+24.5", "B+25.5"),
    ],
)
def test_agreement(
    said: str, dead: list[str], by_area: str, by_territory: str, is_asked: list[float]
) -> None:
    record = play(said, said)
    assert (record.ending, record.scored_by) == ("score", "agreement")
    assert (record.dead, record.result) == (dead, by_area)
    assert play(said, said, rules="japanese").result == by_territory
    assert is_asked == []


def test_agreement_on_stones_of_one_chain_is_agreement_on_the_chain() -> None:
    record = play("dead=D1", "dead=D5,D2")
    assert record.scored_by == "agreement"
    assert record.dead == ["D1", "D2", "D3", "D4", "D5"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("dead=", "dead=A3"),
        ("undecided", "dead=A3"),
        ("dead=A3", "undecided"),
        ("dead=A1", "dead=A1"),
        ("dead=Z9", "dead=Z9"),
        ("refuse@final_status_list", "dead="),
        ("exit_0@final_status_list", "dead="),
    ],
)
def test_without_agreement_the_arbiter_is_asked(
    first: str, second: str, is_asked: list[float]
) -> None:
    record = play(first, second)
    assert is_asked == [0.5]
    assert (record.scored_by, record.offence) == ("playing out", None)
    assert record.dead == ["D1"]


def test_who_ends_after_its_last_move_is_there_for_the_next_game(is_asked: list[float]) -> None:
    pairing = make(player("exit_0@final_status_list"), player("dead="))

    async def play_two() -> list[str]:
        table = Table((), None)
        try:
            return [(await table.play(pairing, number, []))[0].ending for number in (1, 2)]
        finally:
            await table.close()

    assert asyncio.run(play_two()) == ["score", "score"]
    assert is_asked == [0.5, 0.5]


def test_too_many_moves_are_for_the_arbiter(is_asked: list[float]) -> None:
    record = play("dead=", "dead=", most_moves=1)
    assert [move.vertex for move in record.moves] == ["pass"]
    assert (record.scored_by, record.dead) == ("playing out", ["D1"])
    assert record.detail == "1 moves were played"


def test_an_arbiter_that_cannot_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    async def seat(*_: object, seed: int) -> Seat:
        raise Misbehaved("start", "no engine here")

    monkeypatch.setattr(arbiter, "seat", seat)
    record = play("undecided", "undecided")
    assert (record.scored_by, record.dead, record.result) == ("as it stands", [], "W+6.5")
    assert record.detail == "playing out failed: no engine here"


def test_handicap_stones_are_white_s_points_where_rules_say_so() -> None:
    async def margins() -> list[float | None]:
        table = Table((), None)
        found = []
        try:
            for rules in ("chinese", "aga", "tromp-taylor"):
                both = player("dead=", "-")
                pairing = make(both, both, size=9, handicap=3, komi=0.0, rules=rules)
                record, _ = await table.play(pairing, 1, [])
                assert record.winner == "black"
                found.append(record.margin)
        finally:
            await table.close()
        return found

    assert asyncio.run(margins()) == [81 - 3, 81 - 2, 81]


def test_our_engine_plays_out() -> None:
    record = play("undecided", "undecided")
    assert (record.scored_by, record.dead, record.result) == ("playing out", ["A3"], "W+0.5")
    assert [move.vertex for move in record.moves] == ["pass", "pass"]


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("hang@boardsize", "no answer to 'boardsize 5' within 0.5 s"),
        ("refuse@komi", "'komi 0.5' is refused"),
        ("exit_3@clear_board", "exit status 3"),
    ],
)
def test_an_engine_that_fails_the_arbiter_goes(
    mode: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = new_mark()
    monkeypatch.setattr(arbiter, "_PLAYER", player(mode, mark))
    monkeypatch.setattr(arbiter, "_PATIENCE", 0.5)

    async def ask() -> None:
        judge = Arbiter()
        empty = Referee(5, find_rules("chinese"))
        with pytest.raises(CannotDecide, match=reason):
            await judge.dead_stones(empty, 0.5)
        assert processes_with(mark) == []
        await judge.close()

    asyncio.run(ask())
