"""The table of ratings: exact sums, the right one makes room, and nothing half done."""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import time
from random import Random
from typing import Any

import numpy as np
import pytest

from goengine.jit import COMPILED, kernel
from goengine.ratings import (
    MAX_COUNT,
    N_RATINGS,
    RATINGS_DTYPE,
    blank_ratings,
    count_of,
    mixed,
    rating_for,
    sum_of,
    tell_rating,
)

N_BUCKETS = N_RATINGS // 8
_CONTEXT = multiprocessing.get_context("fork")


@kernel
def ask_rating(ratings, key):
    return rating_for(ratings, key)


@kernel
def ask_mixed(word):
    return mixed(word)


@kernel
def tell_many(ratings, keys, generation, n_rounds):
    """Tell each key its lowest bits, modulo 7, again and again."""
    for _ in range(n_rounds):
        for index in range(len(keys)):
            key = keys[index]
            tell_rating(ratings, key, generation, key % np.uint64(7))


def tell(table: Any, key: int, value: int, generation: int = 0) -> None:
    tell_rating(table, np.uint64(key), np.uint64(generation), np.uint64(value))


def rating(table: Any, key: int) -> tuple[int, int]:
    """Count and sum."""
    word = np.uint64(ask_rating(table, np.uint64(key)))
    return int(count_of(word)), int(sum_of(word))


def key_in(bucket: int, check: int) -> int:
    """The bits between bucket and check say nothing."""
    return check << 33 | 1 << 20 | bucket


def random_keys(n: int, seed: int = 1) -> Any:
    return np.random.Generator(np.random.PCG64(seed)).integers(0, 2**64, n, dtype=np.uint64)


class NaiveTable:
    """Buckets as lists of [check, age, count, sum]."""

    def __init__(self) -> None:
        self.buckets: dict[int, list[list[int]]] = {}

    def tell(self, key: int, value: int, generation: int) -> None:
        bucket = self.buckets.setdefault(key % N_BUCKETS, [])
        age = generation % 64
        for entry in bucket:
            if entry[0] == key >> 33:
                break
        else:
            if len(bucket) < 8:
                bucket.append(entry := [0, 0, 0, 0])
            else:
                idle = [((age - each[1]) % 64, -each[2]) for each in bucket]
                entry = bucket[max(range(8), key=lambda place: (idle[place], place))]
            entry[:] = [key >> 33, age, 0, 0]
        if entry[2] == 4095:
            entry[2:] = [2047, min(entry[3] // 2, 2047 * 6)]
        entry[1:] = [age, entry[2] + 1, entry[3] + value]

    def rating(self, key: int) -> tuple[int, int]:
        for check, _, count, total in self.buckets.get(key % N_BUCKETS, []):
            if check == key >> 33:
                return count, total
        return 0, 0


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize(("n_buckets", "n_checks"), [(1, 5), (1, 20), (3, 9), (N_BUCKETS, 1000)])
def test_the_same_as_a_plain_table(n_buckets: int, n_checks: int) -> None:
    """With few buckets they overflow all the time."""
    random = Random(f"{n_buckets} {n_checks}")
    table, naive = blank_ratings()[0], NaiveTable()
    keys = [
        key_in(random.randrange(n_buckets), random.randrange(n_checks) if n % 9 else n)
        for n in range(60)
    ]
    for n in range(4000 if COMPILED else 800):
        key = keys[int(random.expovariate(0.1)) % len(keys)]
        value, generation = random.randint(0, 6), n // 40
        tell(table, key, value, generation)
        naive.tell(key, value, generation)
        other = random.choice(keys)
        assert rating(table, key) == naive.rating(key)
        assert rating(table, other) == naive.rating(other)


@pytest.mark.uncompiled
@pytest.mark.boundscheck
def test_nothing_is_known_at_first_and_keys_do_not_mix() -> None:
    table = blank_ratings()[0]
    assert rating(table, 0) == rating(table, 2**64 - 1) == (0, 0)
    tell(table, 0, 0)
    tell(table, 2**64 - 1, 6)
    tell(table, 2**64 - 1, 3)
    assert (rating(table, 0), rating(table, 2**64 - 1)) == ((1, 0), (2, 9))
    assert rating(table, 1 << 33) == (0, 0), "the same bucket"
    assert rating(table, 1) == (0, 0), "the same check"


@pytest.mark.uncompiled
@pytest.mark.boundscheck
@pytest.mark.parametrize("value", [0, 5, 6])
def test_a_full_count_is_halved_with_its_sum(value: int) -> None:
    table, key = blank_ratings()[0], key_in(7, 3)
    most = int(MAX_COUNT)
    table.words[7 * 8] = np.uint64(3 << 33 | most << 15 | most * value)
    assert rating(table, key) == (most, most * value)
    tell(table, key, value)
    count, total = rating(table, key)
    assert count == most // 2 + 1
    assert abs(total - count * value) <= 3
    assert total <= 6 * count
    assert not table.words[: 7 * 8].any(), "nothing ran over"


@pytest.mark.uncompiled
@pytest.mark.boundscheck
def test_who_was_idle_longest_makes_room_and_then_who_has_least() -> None:
    table = blank_ratings()[0]
    keys = [key_in(5, check) for check in range(1, 9)]
    for key in keys:
        for _ in range(3):
            tell(table, key, 6, generation=10)
    for key in keys[:6]:
        tell(table, key, 6, generation=11)  # two are left in generation 10
    tell(table, keys[6], 6, generation=10)  # and the last has least
    tell(table, key_in(5, 100), 1, generation=12)
    assert [rating(table, key)[0] for key in keys] == [4] * 7 + [0]
    tell(table, key_in(5, 101), 1, generation=12)
    assert [rating(table, key)[0] for key in keys] == [4] * 6 + [0, 0]


@pytest.mark.uncompiled
def test_bits_are_stirred() -> None:
    random = Random(1)
    differing = []
    for _ in range(300):
        word, bit = random.getrandbits(64), random.randrange(64)
        one, other = ask_mixed(np.uint64(word)), ask_mixed(np.uint64(word ^ 1 << bit))
        differing.append((int(one) ^ int(other)).bit_count())
    assert 28 < np.mean(differing) < 36
    assert min(differing) > 8
    small = [int(ask_mixed(np.uint64(word))) for word in range(5000)]
    assert len({word >> 33 for word in small}) == len({word % 2**31 for word in small}) == 5000


# --- several processes ----------------------------------------------------------


def shared_table() -> Any:
    buffer = mmap.mmap(-1, RATINGS_DTYPE.itemsize)
    return np.frombuffer(buffer, RATINGS_DTYPE).view(np.recarray)[0]


def start(table: Any, keys: Any, n_rounds: int, n: int = 3) -> list[Any]:
    tell_many(blank_ratings()[0], keys[:1], np.uint64(1), 1)  # loaded before the fork
    arguments = (table, keys, np.uint64(1), n_rounds)
    processes = [_CONTEXT.Process(target=tell_many, args=arguments) for _ in range(n)]
    for process in processes:
        process.start()
    return processes


@pytest.mark.skipif(not COMPILED, reason="plain twins are for one process")
def test_no_result_is_lost_between_processes() -> None:
    table = shared_table()
    keys = random_keys(40)  # in as many buckets, all of them fought for
    for process in (processes := start(table, keys, 1000)):
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 3
    for key in map(int, keys):
        assert rating(table, key) == (3000, 3000 * (key % 7))


@pytest.mark.skipif(not COMPILED, reason="plain twins are for one process")
def test_the_dead_leave_no_wrong_rating() -> None:
    """Also where ratings take each other's places all the time."""
    table = shared_table()
    keys = np.array([key_in(3 * (n % 2), n + 1) for n in range(24)], np.uint64)
    for _ in range(10):
        processes = start(table, keys, 10**9)
        time.sleep(0.03)
        for process in processes:
            os.kill(process.pid, signal.SIGKILL)
        for process in processes:
            process.join(60)
    n_known = 0
    for key in map(int, keys):
        count, total = rating(table, key)
        n_known += count > 0
        assert total == count * (key % 7) or count >= 2047, "halves may be rounded"
        assert abs(total - count * (key % 7)) <= 6
    assert n_known == 16
    tell(table, int(keys[0]), 6, generation=2)
    assert rating(table, int(keys[0]))[0] >= 1
