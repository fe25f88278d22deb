"""Claims: the living are told from the dead, over all incarnations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goengine.tree.claims import (
    INCARNATION,
    MAX_WORKERS,
    WORKER_WORDS,
    claim_of,
    is_abandoned,
    is_claim,
    new_worker_table,
)
from goengine.tree.columns import MAX_NODES, NO_CHILDREN

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N_INCARNATIONS = 1 << 21


def table_with(n_workers: int, worker: int, incarnation: int) -> Any:
    workers = new_worker_table(n_workers)
    workers[worker * WORKER_WORDS + INCARNATION] = incarnation
    return workers


def claim_by(worker: int, incarnation: int) -> np.uint64:
    return np.uint64(claim_of(table_with(worker + 1, worker, incarnation), np.uint64(worker)))


@pytest.mark.parametrize("worker", [0, 1, 7, MAX_WORKERS - 1])
@pytest.mark.parametrize("incarnation", [0, 1, 1000, N_INCARNATIONS - 1])
def test_a_claim_holds_for_one_incarnation(worker: int, incarnation: int) -> None:
    claim = claim_by(worker, incarnation)
    assert int(claim) < 1 << 32, "it fits first_child"
    assert is_claim(claim)
    assert not is_abandoned(table_with(worker + 1, worker, incarnation), claim)
    for other in (incarnation + 1, incarnation + 2, incarnation ^ 1, incarnation + (1 << 20)):
        assert is_abandoned(table_with(worker + 1, worker, other), claim)


@pytest.mark.parametrize("incarnation", [N_INCARNATIONS, N_INCARNATIONS + 5, (1 << 64) - 1])
def test_incarnations_past_21_bits_go_round(incarnation: int) -> None:
    claim = claim_by(3, incarnation)
    assert claim == claim_by(3, incarnation % N_INCARNATIONS)
    assert not is_abandoned(table_with(4, 3, incarnation), claim)
    before, after = incarnation - 1, (incarnation + 1) % (1 << 64)
    assert is_abandoned(table_with(4, 3, before), claim)
    assert is_abandoned(table_with(4, 3, after), claim)


def test_no_two_claims_are_the_same() -> None:
    claims = {int(claim_by(worker, age)) for worker in range(12) for age in range(12)}
    assert len(claims) == 144


def test_a_worker_that_never_was_has_abandoned_its_claim() -> None:
    claim = claim_by(5, 0)
    assert is_abandoned(new_worker_table(5), claim)
    assert not is_abandoned(new_worker_table(6), claim)
    assert is_abandoned(new_worker_table(0), claim)


@pytest.mark.parametrize("word", [NO_CHILDREN, 2, 1000, MAX_NODES])
def test_rows_are_no_claims(word: int) -> None:
    assert not is_claim(np.uint64(word))


def test_the_table_lies_over_what_it_is_given() -> None:
    buffer = bytearray(b"\x01" * (3 * WORKER_WORDS * 8 + 5))
    table = new_worker_table(3, buffer)
    assert len(table) == 3 * WORKER_WORDS
    assert (table == 0x0101010101010101).all(), "it does not clear the buffer"
    table[0] = 7
    assert buffer[0] == 7


@pytest.mark.parametrize("n_workers", [MAX_WORKERS + 1, 5000])
def test_more_workers_than_claims_can_name_are_refused(n_workers: int) -> None:
    """Worker 1,024 would claim in the name of worker 0, another incarnation."""
    with pytest.raises(ValueError, match=str(MAX_WORKERS)):
        new_worker_table(n_workers)
