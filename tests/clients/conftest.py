"""What the tests of clients share."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.fake_daemon import FakeDaemon


@pytest.fixture
def fake() -> Iterator[FakeDaemon]:
    """A daemon without an engine; its path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="goengine-test-", dir="/tmp") as directory:
        daemon = FakeDaemon(Path(directory))
        yield daemon
        daemon.kill()
