"""How often and how long a slot's workers had to wait outside."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Pauses:
    """How often and how long workers were kept out of a slot, in seconds."""

    n: int = 0
    total: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        self.n += 1
        self.total += seconds
        self.longest = max(self.longest, seconds)
