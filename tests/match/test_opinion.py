"""What engines say of their moves, sense and nonsense."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from clients.match.definition import Player
from clients.match.game_record import PonderedRecord
from clients.match.opinion import Opinion, parse_opinion
from clients.match.players import command_line
from tests.match.example_games import example_pairing

pytestmark = pytest.mark.uncompiled


@pytest.mark.parametrize(
    ("text", "opinion"),
    [
        ("", ()),
        ("what is it", ()),
        ("black D4 2000 0.53", (0.53, 2000)),
        ("black D4 2000 0.53 0.0", (0.53, 2000)),
        ("black D4 2000 0.53 0.0 81", (0.53, 2000, 81)),
        ("black D4 2000 0.53 0.0 no", (0.53, 2000)),
        ("black D4 2000 0.53 0.0 -5", (0.53, 2000)),
        (f"black D4 2000 0.53 0.0 {'9' * 5000}", (0.53, 2000)),
        ("black D4 2000 0.53 0.0 81 7 50 expected", (0.53, 2000, 81, PonderedRecord(7, 50, True))),
        ("black D4 2 0.5 0.0 81 0 5 unexpected", (0.5, 2, 81, PonderedRecord(0, 5, False))),
        ("black D4 2000 0.53 0.0 81 7 50", (0.53, 2000, 81)),
        ("black D4 2000 0.53 0.0 81 50 7 expected", (0.53, 2000, 81)),
        ("black D4 2000 0.53 0.0 81 x 7 expected", (0.53, 2000, 81)),
        ("black D4 2000 0.53 -7.5", (0.53, 2000, None, None, -7.5)),
        ("black D4 2000 0.53 12.0 81", (0.53, 2000, 81, None, 12)),
        ("black D4 2000 0.53 nan", (0.53, 2000)),
        ("black D4 2000 0.53 1e9", (0.53, 2000)),
        ("black D4 2000 0.53 komi", (0.53, 2000)),
    ],
)
def test_opinions(text: str, opinion: tuple[Any, ...]) -> None:
    assert parse_opinion(text) == Opinion(*opinion)


@pytest.mark.parametrize(
    ("given", "option"), [({}, "--no-ponder"), ({"pondering": False}, "--no-ponder"),
                          ({"pondering": True}, "--ponder")]
)  # fmt: skip
def test_our_engine_ponders_where_it_is_told_to(given: dict[str, Any], option: str) -> None:
    words = command_line(Player(engine="mcts", seconds=1, **given), None)
    assert {"--ponder", "--no-ponder"} & set(words) == {option}


def test_games_of_players_who_were_not_told_to_ponder_keep_their_key() -> None:
    plain, other = Player(engine="mcts"), Player(command="gnugo --mode gtp")
    assert "pondering" not in msgspec.to_builtins(plain), "of which keys are made"
    keys = [
        example_pairing(players=(player, other)).key
        for player in (plain, msgspec.structs.replace(plain, pondering=True))
    ]
    assert keys[0] != keys[1]
