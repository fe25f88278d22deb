"""A session saved and restored is the same session."""

from __future__ import annotations

import random

import pytest

from goengine.gtp import GtpSession
from goengine.gtp.snapshot import restore_session, save_session
from tests.gtp.engines_for_tests import CarelessEngine

LOOKS = (
    "showboard", "printsgf", "kata-get-rules", "goengine-param", "name", "get_komi",
)  # fmt: skip

LINES = [
    "boardsize 5", "boardsize 9", "komi 3.5", "kata-set-rules japanese",
    "kata-set-rules tromp-taylor", "fixed_handicap 2", "set_free_handicap C3 D4 E5",
    "gogui-setup b A1 w B2", "gogui-setup_player w", "gogui-setup_player b", "undo",
    "play b pass", "play w pass", "play b A1", "play b E5",
    "genmove b", "genmove w", "genmove b", "genmove w", "genmove b", "genmove w",
    "set_position b A1 w C3 b B2", "time_settings 60 10 3", "time_left b 17 2",
    "kgs-time_settings byoyomi 60 10 3", "goengine-param expand_visits 5", "goengine-report json",
    "goengine-param pondering on", "goengine-param pondering off",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_random_sessions(seed: int) -> None:
    rng = random.Random(seed)
    session = GtpSession(engine=CarelessEngine(seed))
    session.run_line("boardsize 5")
    for _ in range(120):
        session.run_line(rng.choice(LINES))
        saved = save_session(session)
        again = restore_session(saved)
        assert save_session(again) == saved
        assert [again.run_line(line) for line in LOOKS] == [
            session.run_line(line) for line in LOOKS
        ]
        assert again.game.to_play == session.game.to_play
        assert again.clock == session.clock
        for color in (1, 2):
            legal = [session.game.is_legal(color, point) for point in points_of(session)]
            assert [again.game.is_legal(color, point) for point in points_of(again)] == legal


def points_of(session: GtpSession) -> list[int]:
    from goengine.points import all_points

    return list(all_points(session.game.size))


def test_what_is_no_session() -> None:
    for record in (b"", b"{}", b'{"size": 9}', b"[1]", b"\xff"):
        with pytest.raises(ValueError, match="not a session"):
            restore_session(record)
