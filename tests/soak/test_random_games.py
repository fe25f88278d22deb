"""200,000 random games; resumes nothing, but prints how far it is."""

import time

import pytest

from tests.twins.random_games import RandomGame

GAMES = {5: 80_000, 9: 70_000, 13: 35_000, 19: 15_000}


@pytest.mark.soak
@pytest.mark.parametrize("size", GAMES)
def test_random_games(size: int, capsys: pytest.CaptureFixture[str]) -> None:
    shown = time.monotonic()
    for seed in range(GAMES[size]):
        RandomGame(size, 2_000_000 + seed).run()
        if time.monotonic() - shown > 10:
            shown = time.monotonic()
            with capsys.disabled():
                print(f"\r{size}x{size}: {seed + 1:,} games ", end="", flush=True)
