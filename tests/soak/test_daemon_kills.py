"""200 kills of the daemon at random moments of a game: nothing is lost, nothing doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.process.killing import play_while_daemons_die

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("seed", range(4))
def test_the_game_goes_on(tmp_path: Path, seed: int) -> None:
    assert play_while_daemons_die(tmp_path, n_kills=50, seed=seed) == 50
