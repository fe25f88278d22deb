"""One number for what the search does: the same today and tomorrow, compiled or not."""

from __future__ import annotations

import hashlib
import sys
from itertools import product

import pytest

from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.local import LocalSearch
from goengine.search.parameters import PLAYOUTS, POLICIES
from goengine.search.signature import main, signature
from tests.search.searches import digest_of

# A commit that is meant to change play changes these two, and says so.
SIGNATURE_9 = "f7f13ebe8507a74d"
SMALL_TREES = {
    (3, "pachi"): "2e4b532a0c70f7d9",
    (3, "mogo"): "66fa6cde96ad1c7f",
    (3, "light"): "fce5c343517f4210",
    (9, "pachi"): "d5d7c563c86cd74e",
    (9, "mogo"): "e4b0dfd2cddb0060",
    (9, "light"): "a214b8826974f7a4",
}
# By size: nodes, so few that the collector is at work too, and simulations a move.
SIZES = {3: (120, 30), 9: (200, 5)}


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize(("size", "playout"), SMALL_TREES)
def test_the_same_tree_in_every_way_of_running(size: int, playout: str) -> None:
    """Compiled, as plain Python and with bounds checks, bit for bit."""
    n_nodes, n_simulations = SIZES[size]
    digests, n_collections = [], 0
    for policy in POLICIES:
        search = LocalSearch(n_nodes, seed=7)
        search.set_parameters(size, {"policy": policy, "playout": playout, "expand_visits": 1})
        game = Game(size, find_rules("aga"), 1)
        for _ in range(2):
            search.set_game(game, game.to_play)
            search.forget_others()
            search.run(n_simulations)
            digests.append(digest_of(search))
            game.play(game.to_play, search.read().moves[0].move)
        n_collections += search.n_collections
    assert n_collections > 0
    found = hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16]
    assert found == SMALL_TREES[size, playout]


def test_twice_the_same() -> None:
    assert signature(9, 300) == signature(9, 300)
    assert signature(9, 300) != signature(9, 301)
    assert signature(7, 300) != signature(9, 300)


def test_every_kind_of_search_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each policy with each kind of playouts makes a tree of its own."""
    module = sys.modules["goengine.search.signature"]
    found = set()
    for policy, playout in product(POLICIES, PLAYOUTS):
        monkeypatch.setattr(module, "POLICIES", (policy,))
        monkeypatch.setattr(module, "PLAYOUTS", (playout,))
        found.add(signature(5, 100))
    assert len(found) == len(POLICIES) * len(PLAYOUTS)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sizes", "2", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["2x2", "5x5"]
    assert lines[0].split()[1] == signature(2)


def test_signature_of_9x9() -> None:
    assert signature(9) == SIGNATURE_9
