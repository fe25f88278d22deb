"""How many requests a connection may make: a bucket of tokens that fills with time."""

from __future__ import annotations

import time
from collections.abc import Callable

BURST = 2.0  # seconds of requests that may come at once
_BYTES_A_TOKEN = 1 << 16  # a long message counts for several


class Bucket:
    """Full at first.

    rate    tokens a second
    clock   in seconds
    """

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._tokens = self._most = max(1.0, BURST * rate)
        self._at = clock()

    def take(self, n_bytes: int = 0) -> bool:
        """Is there enough for a message of this length? Then it is taken."""
        now = self._clock()
        self._tokens = min(self._most, self._tokens + (now - self._at) * self._rate)
        self._at = now
        wanted = min(1 + n_bytes // _BYTES_A_TOKEN, self._most)  # none is too long for ever
        if self._tokens < wanted:
            return False
        self._tokens -= wanted
        return True
