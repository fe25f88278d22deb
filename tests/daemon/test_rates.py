"""The rate of requests: with a clock of our own."""

from __future__ import annotations

import random

import pytest

from daemon.rates import BURST, Bucket

pytestmark = pytest.mark.uncompiled


def test_a_burst_and_then_the_rate() -> None:
    now = 100.0
    bucket = Bucket(10, lambda: now)
    assert [bucket.take() for _ in range(25)] == 20 * [True] + 5 * [False]
    now += 0.5
    assert [bucket.take() for _ in range(10)] == 5 * [True] + 5 * [False]
    now += 3600
    assert sum(bucket.take() for _ in range(100)) == 20


def test_long_messages_count_for_several() -> None:
    bucket = Bucket(10, lambda: 0.0)
    assert bucket.take(9 << 16)
    assert [bucket.take() for _ in range(11)] == 10 * [True] + [False]
    bucket = Bucket(1, lambda: 0.0)
    assert bucket.take(4 << 20), "one that is longer than the bucket waits until that is full"
    assert not bucket.take()


@pytest.mark.parametrize("seed", range(5))
def test_never_more_than_the_rate_in_the_long_run(seed: int) -> None:
    rng, now, n = random.Random(seed), 0.0, 0

    def clock() -> float:
        return now

    rate = rng.choice([1, 7, 1000])
    bucket = Bucket(rate, clock)
    for _ in range(3000):
        now += rng.expovariate(2 * rate)
        n += bucket.take()
    assert 0.8 * rate * now <= n <= rate * (now + BURST) + 1
