"""Priors that add up, that are too large, and the pass."""

from __future__ import annotations

import numpy as np
import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import kernel
from goengine.points import PASS
from goengine.search.parameters import PARAMETERS
from goengine.search.priors import prior_of
from goengine.tactics.notes import blank_notes
from goengine.tree.columns import ROOT
from tests.diagrams import game_on
from tests.search.known_priors import (
    ONE,
    chain_in_atari,
    known_by,
    priors_of,
)
from tests.search.searches import PLAIN, PRIORS, OneWorker, children_of

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

EYES = """
    . X . . .
    X X . X X
    O O X X .
    . O X . X
    O O . X .
"""


# --- together -------------------------------------------------------------------

# Something for most priors but the ladder, which takes the place of another one.
EVERYTHING = """
    . . . . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . . . . . X O . .
    . . . . . . . . .
    O . . . . . . . .
    . X X X . . O . .
    . X . X . O . O .
"""
MOVES = {WHITE: "b C7 w J9 b H5", BLACK: "b C7 w J9 b H5 w J8"}


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_all_of_it_adds_up(to_play: int) -> None:
    visits = {name: 1 + place for place, name in enumerate(PRIORS) if name != "ladder_prior"}
    changes = {**PLAIN, "even_visits": 6, **visits}
    found = priors_of(EVERYTHING, MOVES[to_play], to_play, **changes)
    expected = {vertex: [3.0, 3.0] for vertex in found}
    n_speaking = 0
    for name, amount in visits.items():
        known = known_by(name, amount, EVERYTHING, MOVES[to_play], to_play)
        n_speaking += bool(known)
        for vertex, (n_won, n_lost) in known.items():
            expected[vertex][0] += n_won
            expected[vertex][1] += n_lost
    assert found == {vertex: tuple(known) for vertex, known in expected.items()}
    assert n_speaking > 7


def test_without_priors_a_node_starts_even() -> None:
    found = priors_of(EVERYTHING, **{**PLAIN, "even_visits": 14})
    assert set(found.values()) == {(7, 7)}
    found = priors_of(EVERYTHING, **{**PLAIN, "even_visits": 0})
    assert set(found.values()) == {(0, 0)}


def test_one_factor_weighs_all_priors_but_the_even_one() -> None:
    changes = {**PLAIN, **{name: 8 for name in PRIORS if name != "model_prior"}, "even_visits": 6}
    once, twice, never = (
        priors_of(EVERYTHING, MOVES[BLACK], BLACK, **changes, prior_weight=weight)
        for weight in (1, 2, 0)
    )
    assert twice == {
        vertex: (2 * n_won - 3, 2 * n_lost - 3) for vertex, (n_won, n_lost) in once.items()
    }
    assert len(set(once.values())) == 5
    assert set(never.values()) == {(3, 3)}
    assert set(once) - set(never) == {"C1"}  # an own eye


def test_an_own_eye_is_a_move_but_a_bad_one() -> None:
    eyes = {"A5", "E3", "D2", "E1"}
    found = priors_of(EYES, **{**PLAIN, "even_visits": 14, "eye_prior": 14})
    assert eyes < set(found)
    for vertex, known in found.items():
        assert known == ((7, 21) if vertex in eyes else (7, 7))
    assert not eyes & set(priors_of(EYES, **PLAIN))
    for policy in ("ucb1", "ucb1-tuned"):
        others = priors_of(EYES, policy=policy, playout="light")
        assert not eyes & set(others)
        assert set(others.values()) == {(0, 0)}


@pytest.mark.parametrize("playout", ["mogo", "light"])
def test_the_playouts_change_nothing_about_priors(playout: str) -> None:
    found = [
        priors_of(EVERYTHING, MOVES[BLACK], BLACK, playout=each) for each in ("pachi", playout)
    ]
    assert found[0] == found[1]
    assert len(set(found[0].values())) > 5


# --- too much -------------------------------------------------------------------


@kernel
def ask_prior(notes, move):
    return prior_of(notes, move)


@pytest.mark.parametrize("visits", [0, 1, 32, 65_535, 65_536, 65_537, 100_000, 4_000_000])
@pytest.mark.parametrize("share", [0, 0.1, 0.5, 1])
def test_large_priors_are_capped_and_keep_their_mean(visits: int, share: float) -> None:
    notes = blank_notes()[0]
    wins = int(visits * share)
    notes.prior_visits[17], notes.prior_wins[17] = visits, wins
    word = int(ask_prior(notes, np.uint64(17)))
    found_visits, found_wins = word >> 16, word & 0xFFFF
    assert found_visits == min(visits, 65_535)
    assert found_wins <= found_visits
    if visits <= 65_535:
        assert found_wins == wins
    else:
        assert found_wins / found_visits == pytest.approx(wins / visits, abs=1 / 65_535)


def test_all_priors_as_large_as_they_may_be() -> None:
    factors = {*PRIORS, "prior_weight"}
    most = {each.name: each.maximum for each in PARAMETERS if each.name in factors}
    text, vertex = chain_in_atari(16)
    found = priors_of(text, "w G7", BLACK, **{**PLAIN, "even_visits": 1000, **most})
    assert found[vertex][0] + found[vertex][1] == 65_535 / ONE
    assert found[vertex][0] > 1900
    assert all(n_won + n_lost <= 65_535 / ONE for n_won, n_lost in found.values())


# --- the pass -------------------------------------------------------------------


@pytest.mark.parametrize(("n_open", "is_tried"), [(4, True), (5, False)])
def test_a_pass_is_worth_a_try_where_little_is_left(n_open: int, is_tried: bool) -> None:
    """Fewer open points than rows; own eyes are none of them."""
    text = """
        . X X X .
        X X X X X
        O O O O O
        O . . . .
        O {} O O O
    """.format("." if n_open == 5 else "O")
    search = OneWorker(game_on(text, BLACK), **{**PLAIN, "even_visits": 14, "eye_prior": 14})
    search.simulate(1)
    tree = search.tree
    words = {int(tree.move[each]): int(tree.prior[each]) for each in children_of(tree, ROOT)}
    assert len(words) == n_open + 3
    even = 14 * ONE << 16 | 7 * ONE
    assert words[PASS] == (ONE << 16 | ONE if is_tried else even)
