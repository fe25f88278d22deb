"""Packages of others for tests: fetched once a machine, kept outside of this repository."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

PATIENCE = 120  # seconds for an installation


def from_shelf(name: str, install: Callable[[Path], None]) -> Path:
    """Where the package is: from an earlier run, or installed now into an empty directory."""
    shelf = Path(tempfile.gettempdir()) / f"goengine-packages-{os.getuid()}"
    shelf.mkdir(mode=0o700, exist_ok=True)
    if shelf.stat().st_uid != os.getuid():
        pytest.skip(f"{shelf} is somebody else's")
    place = shelf / name
    if not place.is_dir():
        with tempfile.TemporaryDirectory(dir=shelf) as scratch:
            whole = Path(scratch) / "whole"
            whole.mkdir()
            install(whole)
            if not place.is_dir():  # another run may have been quicker
                whole.rename(place)
    return place
