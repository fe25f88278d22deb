"""Games in the manner of CGOS through controllers that others wrote: no complaint, no loss on
time, and what is counted as it stands is what GNU Go makes of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.process.cgos_games import (
    CONTROLLERS,
    gnugo_command,
    gnugo_margin,
    our_command,
    play_games,
)
from tests.process.daemons import running_daemon

pytestmark = pytest.mark.soak

GAMES = 10  # of each kind; twenty through each controller
SECONDS = 20  # a side


@pytest.mark.parametrize("opponent", ["itself", "gnugo"])
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_games(
    controller: str,
    opponent: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = CONTROLLERS[controller](tmp_path)
    gnugo = gnugo_command()
    with running_daemon(tmp_path_factory.mktemp("d"), workers=1) as daemon:
        ours = our_command("--connect", daemon.address)
        other = ours if opponent == "itself" else gnugo
        report, outcomes = play_games(run, {"goengine": ours, "other": other}, GAMES, SECONDS)
    n_won = 0
    with capsys.disabled():
        print(f"\n{controller}, {opponent}: {len(outcomes)} games, {report.commands} commands")
        for game, outcome in zip(report.games, outcomes, strict=True):
            judged = gnugo_margin(game.moves)
            sign = 1 if game.black == "goengine" else -1
            n_won += sign * outcome.margin > 0
            print(
                f"black {game.black:8} {len(game.moves):3} moves, {outcome.margin:+5.1f} for black "
                f"(GNU Go: {judged:+5.1f}); seconds: black {outcome.black_seconds:4.1f}, "
                f"white {outcome.white_seconds:4.1f}, longest {max(game.seconds):.1f}",
            )
            assert (outcome.margin > 0) == (judged > 0), game
            assert (outcome.margin < 0) == (judged < 0), game
        print(f"goengine won {n_won}")
