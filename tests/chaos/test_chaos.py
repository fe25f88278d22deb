"""A minute of chaos, always the same; `make soak` has half an hour of it."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys

import pytest

from tests.chaos.faults import FAULTS
from tests.chaos.players import Trouble
from tests.chaos.runner import schedule
from tests.process.daemons import ROOT

SECONDS, SEED = 60, 9  # all kinds come early
LATE = 200  # seconds for what was begun: the last fault, and kernels to compile


def run_chaos(seconds: float, seed: int) -> set[str]:
    """The faults that were inflicted. Fails, with all that was printed, if anything was lost."""
    command = [sys.executable, "-m", "tests.chaos", "--seconds", str(seconds), "--seed", str(seed)]
    runner = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that all of it can be ended together
    )
    try:
        output, _ = runner.communicate(timeout=seconds + LATE)
    except subprocess.TimeoutExpired:
        os.killpg(runner.pid, signal.SIGKILL)
        pytest.fail(f"{' '.join(command)} hangs:\n{runner.communicate()[0]}")
    assert runner.returncode == 0, f"{' '.join(command)}\n{output}"
    assert "nothing lost" in output
    print(output)
    return {fault.name for fault in FAULTS if f"{fault.name}  " in output}


@pytest.mark.timeout(SECONDS + LATE + 30)
def test_a_minute_of_chaos() -> None:
    assert len(run_chaos(SECONDS, SEED)) >= 8, "slow machines get through fewer than all"


@pytest.mark.uncompiled
def test_all_kinds_come_in_an_order_of_the_seed() -> None:
    def names(seed: int, n: int) -> list[str]:
        return [fault.name for fault in itertools.islice(schedule(seed, FAULTS), n)]

    assert names(1, 40) == names(1, 40)
    assert names(1, 40) != names(2, 40)
    assert sorted(names(3, len(FAULTS))) == sorted(fault.name for fault in FAULTS)


@pytest.mark.uncompiled
def test_trouble_loses_some_messages_and_doubles_some() -> None:
    trouble = Trouble("seed")
    assert {trouble.copies() for _ in range(100)} == {1}
    trouble.is_on = True
    assert {trouble.copies() for _ in range(100)} == {0, 1, 2}
    assert {trouble.brings_back() for _ in range(100)} == {True, False}
