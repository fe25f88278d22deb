"""A game through each controller that others wrote; `make soak` has twenty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.process.cgos_games import CONTROLLERS, our_command, play_games
from tests.process.daemons import running_daemon

SECONDS = 4  # a side


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_a_game(controller: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    run = CONTROLLERS[controller](tmp_path)
    with running_daemon(tmp_path_factory.mktemp("d"), workers=1) as daemon:
        command = our_command("--connect", daemon.address)
        report, _ = play_games(run, {"one": command, "two": command}, 1, SECONDS)
    assert report.commands > 100
