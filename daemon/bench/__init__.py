"""`goengine bench`: how fast, in numbers that stand beside a yardstick of the same run."""

from __future__ import annotations

from daemon.bench.command import main

__all__ = ["main"]
