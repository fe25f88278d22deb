"""Which positions can lie in one tree, and how one comes from one to the other."""

from __future__ import annotations

from typing import Any

import pytest

from goengine.board import BLACK, WHITE
from goengine.points import PASS, format_vertex, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.position import Restriction
from goengine.search.spots import Spot, moves_between, spot_of
from tests.diagrams import COLORS, KO, game_on, play_all

pytestmark = pytest.mark.uncompiled

AVOIDED = [Restriction(BLACK, frozenset({PASS}), 2)]


def at(moves: str, color: str, rules: str = "chinese", avoided: Any = (), **settings: Any) -> Spot:
    """On 5x5. A move `turn` hands the turn over."""
    game = Game(5, find_rules(rules), settings.get("komi", 7))
    if "stones" in settings:
        stones = [parse_vertex(settings["stones"], 5)]
        game.set_up(stones, [], BLACK, settings.get("prisoners", (0, 0)))
    words = moves.split()
    while words:
        if words[0] == "turn":
            game.to_play = 3 - game.to_play
            words = words[1:]
        else:
            play_all(game, " ".join(words[:2]))
            words = words[2:]
    return spot_of(game, COLORS[color], avoided)


# from where, to where, the moves between; None: no tree has both
PAIRS = [
    (at("", "b"), at("", "b"), ""),
    (at("", "b"), at("", "w"), None),
    (at("", "b"), at("b A1", "w"), "A1"),
    (at("", "b"), at("b A1", "b"), None),
    (at("", "w"), at("b A1", "w"), None),
    (at("", "b"), at("w A1", "b"), None),
    (at("", "w"), at("w A1", "b"), "A1"),
    (at("b A1", "w"), at("", "b"), None),
    (at("b A1", "w"), at("b B1", "w"), None),
    (at("b A1", "w"), at("b A1 w B1 b pass w C3", "b"), "B1 pass C3"),
    (at("b A1", "w"), at("b A1 w B1 w C3", "b"), None),
    (at("b A1 w B1", "b"), at("b A1", "w"), None),
    (at("b A1", "w"), at("w A1", "w"), None),
    (at("", "b"), at("", "b", komi=6), None),
    (at("", "b"), at("", "b", "japanese"), None),
    (at("", "b", stones="C3"), at("", "b"), None),
    (at("", "b", stones="C3"), at("b A1", "w", stones="C3"), "A1"),
    (at("", "b", stones="C3"), at("", "b", stones="C3", prisoners=(0, 1)), None),
    # Restrictions count from where they were made.
    (at("", "b", avoided=AVOIDED), at("", "b", avoided=AVOIDED), ""),
    (at("", "b", avoided=AVOIDED), at("", "b"), None),
    (at("", "b"), at("", "b", avoided=AVOIDED), None),
    (at("", "b", avoided=AVOIDED), at("b A1", "w", avoided=AVOIDED), None),
    # A turn that was handed over, and one that came back.
    (at("b A1", "b"), at("b A1 turn", "b"), ""),
    (at("b A1", "w"), at("b A1 turn turn", "w"), ""),
    (at("", "b"), at("b A1 turn turn", "w"), None),
    (at("b A1", "b", "japanese"), at("b A1 turn b B1", "w", "japanese"), "B1"),
    (at("b A1", "b"), at("b A1 turn b B1", "w"), None),  # handicap stones, which white is paid for
    (at("", "w"), at("turn w A1", "b"), None),
    (at("turn", "w"), at("turn w A1", "b"), "A1"),
    # Where superko asks who was to play, that is another past.
    (at("b A1", "w", "aga"), at("b A1 w B1", "b", "aga"), "B1"),
    (at("b A1", "w", "aga"), at("b A1 turn turn", "w", "aga"), None),
    (at("b A1", "w", "aga"), at("b A1 turn turn w B1", "b", "aga"), None),
    (at("b A1 turn turn", "w", "aga"), at("b A1 turn turn w B1", "b", "aga"), "B1"),
    (at("b A1", "w", "tromp-taylor"), at("b A1 turn turn w B1", "b", "tromp-taylor"), "B1"),
]


@pytest.mark.parametrize(("root", "spot", "line"), PAIRS)
def test_the_way_from_one_to_the_other(root: Spot, spot: Spot, line: str | None) -> None:
    found = moves_between(root, spot)
    assert (found if found is None else " ".join(format_vertex(m, 5) for m in found)) == line


def test_a_ko_that_is_lifted_is_another_position() -> None:
    game = game_on(KO)
    before = spot_of(game, BLACK)
    play_all(game, "b C3")
    banned = spot_of(game, WHITE)
    assert banned.ko != 0
    game.to_play = BLACK
    game.to_play = WHITE
    lifted = spot_of(game, WHITE)
    assert lifted.ko == 0
    assert moves_between(banned, lifted) is None
    assert moves_between(before, banned) == [parse_vertex("C3", 5)]
    assert moves_between(before, lifted) is None
    play_all(game, "w A1")
    assert moves_between(banned, spot_of(game, BLACK)) == [parse_vertex("A1", 5)]


def test_a_spot_does_not_change_with_its_game() -> None:
    game = Game(5)
    spot = spot_of(game, BLACK)
    game.play(BLACK, parse_vertex("A1", 5))
    assert spot == spot_of(Game(5), BLACK)
    assert len({spot, spot_of(Game(5), BLACK), spot_of(game, WHITE)}) == 2
