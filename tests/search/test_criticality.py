"""The published forms of criticality, and what each of them is."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from goengine.jit import COMPILED, kernel
from goengine.rules.game import Game
from goengine.search.criticality import (
    by_coulom,
    by_pachi,
    by_pellegrino,
    criticality_of,
    within_reach,
)
from goengine.search.simulation import sixth_in_turn
from tests.search.searches import PLAIN, OneWorker, digest_of

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]


@kernel
def criticality_kernel(stats, owned, is_black):
    return criticality_of(stats, owned, is_black)


@kernel
def sixth_kernel(count):
    return sixth_in_turn(count)


class Counts:
    """Simulations by winner and owner, `games[winner, owner]` of them; owner "-" is nobody."""

    def __init__(self, games: dict[tuple[str, str], int]) -> None:
        self.games = games
        self.n = sum(games.values())

    def share(self, winner: str, owner: str) -> float:
        """Of the simulations that one of these won and one of these owns the point of."""
        chosen = (self.games.get(pair, 0) for pair in product(winner, owner))
        return sum(chosen) / self.n

    def covariance(self, color: str) -> float:
        """Of winning and owning, E XY - E X E Y."""
        wins, owns = self.share(color, "bw-"), self.share("bw", color)
        return self.share(color, color) - wins * owns

    @property
    def winner_owns(self) -> float:
        return self.share("b", "b") + self.share("w", "w")

    def by_coulom(self) -> float:
        owns = (self.share("bw", color) for color in "bw")
        wins = (self.share(color, "bw-") for color in "bw")
        return by_coulom(self.winner_owns, *owns, *wins)

    def by_pachi(self) -> float:
        return by_pachi(self.winner_owns, self.share("bw", "b"), self.share("b", "bw-"))

    def by_pellegrino(self) -> float:
        return by_pellegrino(
            self.share("b", "b"), self.share("b", "w"), self.share("w", "w"), self.share("w", "b")
        )


def random_counts(owners: str) -> list[Counts]:
    random = Random(owners)
    return [
        Counts({pair: random.choice((1, random.randint(0, 99))) for pair in product("bw", owners)})
        for _ in range(300)
    ]


def test_all_forms_are_covariances_where_the_point_is_always_somebodys() -> None:
    for counts in random_counts("bw"):
        assert counts.covariance("b") == pytest.approx(counts.covariance("w"))
        assert counts.by_pellegrino() == pytest.approx(counts.covariance("b"))
        assert counts.by_coulom() == pytest.approx(2 * counts.covariance("b"))
        assert counts.by_pachi() == pytest.approx(counts.by_coulom())


def test_where_it_is_sometimes_nobodys_they_differ() -> None:
    n_apart = 0
    for counts in random_counts("bw-"):
        both = counts.covariance("b") + counts.covariance("w")
        assert counts.by_coulom() == pytest.approx(both)
        nobodys, white_wins = counts.share("bw", "-"), counts.share("w", "bw-")
        assert counts.by_pachi() == pytest.approx(counts.by_coulom() - nobodys * white_wins)
        n_apart += abs(2 * counts.by_pellegrino() - both) > 0.01
    assert n_apart > 0, "a determinant of four shares that do not sum to 1 is no covariance"


def test_exact_counts_are_within_reach() -> None:
    for counts in random_counts("bw"):
        owns = counts.share("bw", "b")
        assert within_reach(counts.by_pachi(), owns) == pytest.approx(counts.by_pachi())


@pytest.mark.parametrize(
    ("criticality", "black_owns", "expected"),
    [
        (0.3, 0.5, 0.3),
        (-0.3, 0.5, -0.3),
        (0.7, 0.5, 0.5),
        (-0.7, 0.5, -0.5),
        (0.02, 1.0, 0.0),  # always black's: value scaling alone
        (-0.5, 0.0, 0.0),  # nobody's
        (0.5, 1.01, 0.0),  # counts that were read at different times
    ],
)
def test_what_cannot_be_is_cut_off(criticality: float, black_owns: float, expected: float) -> None:
    assert within_reach(criticality, black_owns) == pytest.approx(expected)


def test_of_words() -> None:
    """Ten games: black wins six and then has the point five times; white always has it."""
    counts = Counts({("b", "b"): 5, ("b", "w"): 1, ("w", "w"): 4})
    owned = np.uint64(1 << 63 | 5 << 32 | 9)  # and the mark of a start that was left
    for is_black, wins in ((True, 6), (False, 4)):
        found = criticality_kernel(np.uint64(10 << 36 | wins * 256), owned, is_black)
        assert found == pytest.approx(counts.by_pachi())
    assert counts.by_pachi() == pytest.approx(0.4)
    assert criticality_kernel(np.uint64(0), np.uint64(0), True) == 0


@pytest.mark.parametrize("step", [1, 2, 3, 6, 7, 64])
def test_sixths_come_in_turn(step: int) -> None:
    """Also on every second count, on every third ..."""
    n = 600
    found = [int(sixth_kernel(np.uint64(count))) for count in range(0, step * n, step)]
    shares = [found.count(sixth) / n for sixth in range(6)]
    assert sum(shares) == 1
    assert max(abs(share - 1 / 6) for share in shares) < 0.02


@pytest.mark.parametrize("policy", ["rave", "ucb1", "ucb1-tuned"])
def test_a_search_with_criticality(policy: str) -> None:
    """The same tree twice, a sound one, and another than without or by local value."""
    digests = []
    for changes in ({}, {"criticality": 1}, {"criticality": 1}, {"criticality_local": "on"}):
        settings = {"expand_visits": 1, "criticality_visits": 5, "policy": policy, **PLAIN}
        search = OneWorker(Game(5, komi=24.5), n_nodes=100_000, **settings, **changes)
        search.simulate(2000 if COMPILED else 20)
        search.check()
        digests.append(digest_of(search))
    assert digests[1] == digests[2]
    assert len(set(digests)) == 3 or not COMPILED
