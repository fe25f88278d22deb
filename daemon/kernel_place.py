"""The cache of compiled kernels, seen from outside: nothing is made, loaded or compiled."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from goengine.kernel_cache import PACKAGE, fingerprint, mark_of, places
from goengine.points import CAPACITIES


class KernelPlace(msgspec.Struct, frozen=True):
    """
    directory   where kernels are kept, or would be
    can_write   by this process; also where it does not exist yet and could be made
    warm        capacities whose kernels are all there
    """

    directory: str
    can_write: bool
    warm: list[int]


def find_kernels() -> KernelPlace:
    """What a daemon that is started here and now would use."""
    found = [look_at_kernels(place / fingerprint(PACKAGE)) for place in places()]
    return next((place for place in found if place.can_write), found[0])


def look_at_kernels(directory: Path) -> KernelPlace:
    warm = [capacity for capacity in CAPACITIES if mark_of(directory, capacity).exists()]
    return KernelPlace(str(directory), _can_be_written(directory), warm)


def _can_be_written(directory: Path) -> bool:
    existing = next(path for path in (directory, *directory.parents) if path.exists())
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
