"""Half an hour of chaos; CHAOS_SECONDS and CHAOS_SEED in the environment say otherwise."""

from __future__ import annotations

import os

import pytest

from tests.chaos.faults import FAULTS
from tests.chaos.test_chaos import run_chaos


@pytest.mark.soak
def test_half_an_hour_of_chaos() -> None:
    seconds = float(os.environ.get("CHAOS_SECONDS", "1800"))
    inflicted = run_chaos(seconds, int(os.environ.get("CHAOS_SEED", "1")))
    if seconds >= 600:
        assert inflicted >= {fault.name for fault in FAULTS if not fault.needs_small}
