"""Playouts in races and seki: what the first move sees, what comes first, what is left alone."""

from __future__ import annotations

import pytest

from tests.playouts.drawn import Drawn

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

# Two against two, and black to move.
TWO_AGAINST_TWO = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . O O X X . .
    O O X O X X .
    O . X O . X .
    O . X O . X .
"""
# White has put C1 to C3 in danger; D1 to D3 have E1 and E2 left.
TWO_IN_DANGER = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . O O X X . .
    . . X O X X .
    O . X O . X .
    O . X O . X .
"""
IN_SEKI = """
    . . . . . .
    . . . . . .
    X X X X X X
    X X . X X X
    O O O O O O
    . X X X . O
"""


@pytest.mark.parametrize(("rate", "is_first"), [(0, 1), (1, 0), (1, 1)])
def test_the_first_move_looks_everywhere(rate: int, is_first: int) -> None:
    drawn = Drawn(TWO_AGAINST_TWO, "w G7", first_look_rate=rate)
    found = set()
    for _ in range(20):
        drawn.notes.is_first = is_first
        found |= set(drawn.pachi(1))
    assert (found == {"E1", "E2"}) == (rate == is_first == 1)


def test_an_atari_that_takes_for_sure_comes_first() -> None:
    drawn = Drawn(TWO_IN_DANGER, "w B3", two_liberties_rate=1)
    assert set(drawn.pachi()) > {"E1", "E2"}
    drawn.set_rates(two_liberties_rate=1, sure_atari_rate=1)
    assert set(drawn.pachi()) <= {"E1", "E2"}


def test_a_seki_is_left_alone() -> None:
    never = Drawn(IN_SEKI, "b F6", seki_rate=1)
    assert set(never.permitted("A1")) == {"pass"}
    assert never.notes.refused.tolist() == [0, 0, 0]
    assert set(Drawn(IN_SEKI, "b F6", seki_rate=0).permitted("A1")) == {"A1"}
    assert set(Drawn(IN_SEKI, "b F6", seki_rate=0.5).permitted("A1")) == {"A1", "pass"}
