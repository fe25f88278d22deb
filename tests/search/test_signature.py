"""One number for what the search does: the same today and tomorrow, compiled or not."""

from __future__ import annotations

import pytest

from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.local import LocalSearch
from goengine.search.parameters import POLICIES
from goengine.search.signature import main, signature
from tests.search.searches import digest_of

# A commit that is meant to change play changes these two, and says so.
SIGNATURE_9 = "5720b9df17e9698a"
SMALL_TREES = {
    "rave": "6ee5c45f71cccea39261940a4e299191",
    "ucb1": "ca4c748f8aece6c479ec48480fb40d83",
    "ucb1-tuned": "3d703e831e3877b4dcef94089fae1e49",
}


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_tree_in_every_way_of_running(policy: str) -> None:
    """Compiled, as plain Python and with bounds checks, bit for bit; the collector included."""
    search = LocalSearch(120, seed=7)
    search.set_parameters(3, {"policy": policy, "expand_visits": 1})
    game = Game(3, find_rules("aga"), 1)
    digests = []
    for _ in range(2):
        search.set_game(game, game.to_play)
        search.run(30)
        digests.append(digest_of(search))
        game.play(game.to_play, search.read().moves[0].move)
    assert "".join(digests) == SMALL_TREES[policy]
    assert search.n_collections > 0


def test_twice_the_same() -> None:
    assert signature(9, 300) == signature(9, 300)
    assert signature(9, 300) != signature(9, 301)
    assert signature(7, 300) != signature(9, 300)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sizes", "2", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["2x2", "5x5"]
    assert lines[0].split()[1] == signature(2)


def test_signature_of_9x9() -> None:
    assert signature(9) == SIGNATURE_9
