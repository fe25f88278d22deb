"""Intrinsics: right in one process, exact between processes."""

from __future__ import annotations

import mmap
import multiprocessing
import os

import numpy as np
import pytest

from goengine.jit import (
    COMPILED,
    allocating_kernel,
    atomic_add,
    compare_exchange,
    cycle_counter,
    kernel,
    load_acquire,
    load_window,
    popcount,
    record_by_symbol,
    store_release,
    store_window,
    trailing_zeros,
)
from goengine.record_types import as_record

WORDS = [1, 2, 3, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x0123456789ABCDEF, 1 << 40]

pytestmark = pytest.mark.uncompiled


@kernel
def count_bits(word):
    return popcount(word), trailing_zeros(word)


@pytest.mark.parametrize("word", WORDS)
def test_bits(word):
    lowest = bin(word)[::-1].index("1")
    assert count_bits(np.uint64(word)) == (word.bit_count(), lowest)


@allocating_kernel
def sum_up_a_copy(words):
    return words.copy().sum()


@kernel
def sum_up_another_copy(words):
    return words.copy().sum()


def test_who_makes_arrays_must_say_so() -> None:
    words = np.arange(5)
    assert sum_up_a_copy(words) == 10
    if COMPILED:
        with pytest.raises(Exception, match="NRT required"):
            sum_up_another_copy(words)


@kernel
def move_window(words, source, target):
    value = load_window(words, source)
    store_window(words, target, value)
    return value


@pytest.mark.parametrize("byte", range(9))
def test_windows_at_any_byte(byte):
    words = np.arange(1, 25, dtype=np.uint8).view(np.uint64)
    value = move_window(words, np.uint64(byte), np.uint64(15 - byte))
    expected = bytearray(range(1, 25))
    expected[15 - byte : 23 - byte] = expected[byte : byte + 8]
    assert words.tobytes() == bytes(expected)
    assert value == int.from_bytes(bytes(range(byte + 1, byte + 9)), "little")


@kernel
def exercise_atomics(array):
    one = array.dtype.type(1)
    before = atomic_add(array, 1, one)
    refused = compare_exchange(array, 1, one + one + one, one)
    taken = compare_exchange(array, 1, before + one, one + one + one)
    store_release(array, 0, load_acquire(array, 1))
    return before, refused, taken


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64])
def test_atomics_in_one_process(dtype):
    array = np.array([7, 1, 9], dtype)
    assert exercise_atomics(array) == (1, False, True)
    assert array.tolist() == [3, 3, 9]


@pytest.mark.boundscheck
@pytest.mark.skipif(not os.environ.get("NUMBA_BOUNDSCHECK"), reason="needs bounds checks")
def test_bounds_checks_see_windows_and_atomics():
    words = np.zeros(3, np.uint64)
    for source, target in ((17, 0), (0, 17), (2**40, 0)):
        with pytest.raises(IndexError):
            move_window(words, np.uint64(source), np.uint64(target))
    with pytest.raises(IndexError):
        exercise_atomics(np.zeros(1, np.int64))


@kernel
def hammer(array, n_times):
    """Add to element 0, and to element 1 by exchange, `n_times`."""
    one = np.int64(1)
    for _ in range(n_times):
        atomic_add(array, 0, one)
    n_done = 0
    while n_done < n_times:
        seen = load_acquire(array, 1)
        if compare_exchange(array, 1, seen, seen + one):
            n_done += 1


@kernel
def send(array, n_messages):
    """Write a message to element 8, then announce it in element 0, and so on."""
    for message in range(1, n_messages + 1):
        array[8] = message
        store_release(array, 0, np.int64(message))


@kernel
def receive(array, n_messages):
    """Returns how often a message was older than its announcement."""
    n_stale = 0
    announced = np.int64(0)
    while announced < n_messages:
        announced = load_acquire(array, 0)
        n_stale += array[8] < announced
    return n_stale


def run_in_processes(*targets):
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=target, args=args) for target, *args in targets]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0


def shared_array() -> np.ndarray:
    return np.frombuffer(mmap.mmap(-1, 4096), np.int64)


@pytest.mark.skipif(not COMPILED, reason="the plain twins are for one process")
def test_no_update_is_lost_between_processes():
    array = shared_array()
    hammer(array, 1)
    run_in_processes(*[(hammer, array, 500_000)] * 4)
    assert array[:2].tolist() == [2_000_001, 2_000_001]


@pytest.mark.skipif(not COMPILED, reason="the plain twins are for one process")
def test_a_release_is_seen_whole_by_an_acquire():
    array = shared_array()
    receive(array, 0), send(array, 0)
    n_messages = 5_000_000

    def check_all():
        if receive(array, n_messages):
            raise SystemExit(1)

    run_in_processes((send, array, n_messages), (check_all,))


@kernel
def pass_time(n):
    started = cycle_counter()
    total = np.uint64(0)
    for number in range(n):
        total = (total * np.uint64(3) + np.uint64(number)) & np.uint64(0xFFFF)
    return cycle_counter() - started, total


def test_the_counter_counts():
    pass_time(1)
    few, many = (min(int(pass_time(n)[0]) for _ in range(5)) for n in (10, 10_000))
    assert 0 < few < many


RECORDS = np.zeros(2, as_record(np.dtype([("n", np.uint64), ("by_place", np.uint64, (4,))])))
the_record = record_by_symbol("tests.test_jit.records", RECORDS.view(np.recarray))


@kernel
def write_record(place):
    record = the_record()
    record.n += np.uint64(1)
    record.by_place[place] = record.n
    return the_record().n


def test_a_record_by_its_symbol():
    RECORDS[:] = np.zeros(2, RECORDS.dtype)
    assert write_record(np.uint64(2)) == 1
    assert write_record(np.uint64(3)) == 2
    assert RECORDS["n"].tolist() == [2, 0]
    assert RECORDS["by_place"].tolist() == [[0, 0, 1, 2], [0, 0, 0, 0]]
