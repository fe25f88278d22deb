"""Commands: the conversations of conversations.txt, and what a conversation cannot show."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

import goengine
from goengine.board import BLACK, WHITE
from goengine.engines import make_engine
from goengine.gtp import GtpSession
from goengine.gtp.clock import Clock, Lag, TimeLeft
from goengine.points import PASS
from goengine.rules.game import Game
from tests.gtp.engines_for_tests import (
    BrokenEngine,
    FirstLegalEngine,
    ScriptedEngine,
    vertices,
)

pytestmark = pytest.mark.uncompiled


def open_session() -> GtpSession:
    return GtpSession(engine=FirstLegalEngine())


def text_of(session: GtpSession, line: str) -> str:
    """The text of a successful reply."""
    reply = session.run_line(line)
    assert reply is not None
    assert reply.startswith("="), reply
    assert reply.endswith("\n\n")
    return reply[1:].strip()


def read_conversations() -> dict[str, str]:
    """Title: what is said."""
    text = (Path(__file__).parent / "conversations.txt").read_text()
    parts = [part.partition("\n") for part in text.split("\n% ")[1:]]
    return {title: said.strip() for title, _, said in parts}


@pytest.mark.parametrize("said", read_conversations().values(), ids=read_conversations().keys())
def test_conversation(said: str) -> None:
    session = open_session()
    for exchange in said.removeprefix("> ").split("\n> "):
        line, reply = exchange.split("\n", 1)
        assert session.run_line(line) == reply + "\n\n", line


def test_blank_lines_have_no_reply() -> None:
    session = open_session()
    assert session.run_line("") is None
    assert session.run_line("  # interrupt\n") is None


def test_quit_ends_the_session() -> None:
    session = open_session()
    assert not session.ended
    assert session.run_line("9 quit\r\n") == "=9\n\n"
    assert session.ended


def test_name_and_version_can_be_chosen() -> None:
    assert text_of(open_session(), "version") == goengine.__version__
    session = GtpSession(engine=FirstLegalEngine(), name="KataGo", version="1.20")
    assert text_of(session, "name") == "KataGo"
    assert text_of(session, "version") == "1.20"


def test_every_listed_command_is_known_and_the_required_ones_are_listed() -> None:
    session = open_session()
    listed = text_of(session, "list_commands").split("\n")
    assert all(text_of(session, f"known_command {name}") == "true" for name in listed)
    required = (
        "protocol_version name version known_command list_commands quit "
        "boardsize clear_board komi play genmove"
    )
    assert set(required.split()) <= set(listed)
    assert "kgs-chat" not in listed  # crashes some versions of kgsGtp


@pytest.mark.parametrize("n_stones", [2, 3, 9, 10, 25, 80])
def test_free_handicap_has_as_many_stones_as_asked_for(n_stones: int) -> None:
    session = open_session()
    text_of(session, "boardsize 9")
    chosen = text_of(session, f"place_free_handicap {n_stones}").split()
    assert len(set(chosen)) == n_stones
    assert set(text_of(session, "list_stones b").split()) == set(chosen)
    assert session.game.to_play == WHITE


def test_kgs_chinese_rules_have_superko() -> None:
    session = open_session()
    assert json.loads(text_of(session, "kata-get-rules"))["ko"] == "SIMPLE"
    text_of(session, "kgs-rules Chinese")
    assert json.loads(text_of(session, "kata-get-rules"))["ko"] == "POSITIONAL"


SETTINGS = {
    "time_settings 0 1 0": Clock(),
    "time_settings 300 0 0": Clock("absolute", 300),
    "time_settings 300 0 5": Clock("absolute", 300),
    "time_settings 300 60 25": Clock("canadian", 300, 60, 25),
    "kgs-time_settings none": Clock(),
    "kgs-time_settings absolute 300": Clock("absolute", 300),
    "kgs-time_settings canadian 300 60 25": Clock("canadian", 300, 60, 25),
    "kgs-time_settings byoyomi 300 30 5": Clock("byoyomi", 300, 30, 5),
    "kata-time_settings byoyomi 0 2.5 1": Clock("byoyomi", 0, 2.5, 1),
    "kata-time_settings byoyomi 300 0 1": Clock("absolute", 300),
    "kata-time_settings canadian 300 30 0": Clock("absolute", 300),
    "kata-time_settings fischer 120.5 5": Clock("fischer", 120.5, 5),
    "kata-time_settings fischer-capped 120 5 240 30": Clock("fischer", 120, 5, 0, 240, 30),
    "kata-time_settings fischer-capped 86400 3600 172800 -1": Clock(
        "fischer", 86400, 3600, 0, 172800
    ),
}


def without_lag(clock: Clock) -> Clock:
    """Only its settings, and what is left."""
    return msgspec.structs.replace(clock, black_lag=Lag(), white_lag=Lag())


@pytest.mark.parametrize("line", SETTINGS)
def test_settings_of_the_clock(line: str) -> None:
    session = open_session()
    text_of(session, "time_settings 1 2 3")
    text_of(session, "time_left b 1 3")
    text_of(session, line)
    assert without_lag(session.clock) == SETTINGS[line]
    assert session.clock.lag(BLACK).is_told


def test_the_clock_is_kept() -> None:
    session = open_session()
    assert session.clock == Clock()
    text_of(session, "time_settings 300 0 0")
    text_of(session, "time_left b 290.5 0")
    text_of(session, "time_left w 7 3")
    assert session.clock.black == TimeLeft(290.5, 0)
    assert session.clock.white == TimeLeft(7, 3)
    text_of(session, "clear_board")
    assert without_lag(session.clock) == Clock("absolute", 300)


def test_a_move_is_charged() -> None:
    session = open_session()
    text_of(session, "time_settings 300 0 0")
    text_of(session, "reg_genmove b")
    assert session.clock.black is None
    text_of(session, "genmove b")
    assert session.clock.black is not None
    assert 299 < session.clock.black.seconds < 300
    assert session.clock.white is None


def test_a_whole_game() -> None:
    session = GtpSession(engine=make_engine("random", seed=3, playouts=1), game=Game(5))
    while not session.game.is_over:
        assert len(session.game.moves) < 400
        text_of(session, f"genmove {'bw'[len(session.game.moves) % 2]}")
    assert re.fullmatch(r"[BW]\+[0-9]+\.5", text_of(session, "final_score"))


def test_an_engine_may_pass() -> None:
    session = GtpSession(engine=ScriptedEngine([PASS, PASS]))
    assert text_of(session, "genmove b") == "pass"
    assert text_of(session, "reg_genmove w") == "pass"
    assert len(session.game.moves) == 1


def test_an_engine_that_plays_illegally_is_our_fault_and_not_the_clients() -> None:
    session = GtpSession(engine=ScriptedEngine(vertices("A1 A1", 9)), game=Game(9))
    assert text_of(session, "genmove b") == "A1"
    reply = session.run_line("3 genmove w")
    assert reply == "?3 internal error: IllegalMove: illegal move: A1 is occupied\n\n"
    assert len(session.game.moves) == 1


def test_an_exception_becomes_a_reply(caplog: pytest.LogCaptureFixture) -> None:
    session = GtpSession(engine=BrokenEngine(), game=Game(9))
    text_of(session, "play b A1")
    before = session.game
    reply = session.run_line("6 genmove w")
    assert reply == "?6 internal error: ZeroDivisionError: no\nmove\n\n"
    assert session.game is before
    assert "genmove" in caplog.text  # with its traceback, for whoever mends it


def test_a_failure_half_way_leaves_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    session = open_session()
    text_of(session, "play b A1")
    before = session.game
    play = Game.play

    def play_then_fail(game: Game, color: int, point: int) -> None:
        play(game, color, point)
        raise MemoryError

    monkeypatch.setattr(Game, "play", play_then_fail)
    for line in ["play w B1", "genmove w", "gogui-play_sequence w B1 b C1"]:
        reply = session.run_line(line)
        assert reply is not None
        assert reply.startswith("? internal error: MemoryError")
        assert session.game is before
        assert text_of(session, "list_stones w") == ""


def test_a_game_goes_through_sgf(tmp_path: Path) -> None:
    session = open_session()
    for line in ["boardsize 9", "komi 5.5", "fixed_handicap 2", "play w E5", "play b pass"]:
        text_of(session, line)
    shown = text_of(session, "showboard")
    file = tmp_path / "a game.sgf"
    assert text_of(session, f"printsgf {file}") == ""
    assert file.read_text().strip() == text_of(session, "printsgf")
    text_of(session, "boardsize 19")
    text_of(session, f"loadsgf {file}")
    assert text_of(session, "showboard") == shown
    text_of(session, f"loadsgf {file} 1")
    assert text_of(session, "list_stones b") == "C3 G7"
    assert text_of(session, "list_stones w") == ""
    assert session.game.to_play == WHITE


@pytest.mark.parametrize("content", [None, "", "(;", "(;GM[1]SZ[99])", "(;SZ[9];B[zz])"])
def test_a_file_that_cannot_be_loaded(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "bad.sgf"
    if content is not None:
        file.write_text(content)
    session = open_session()
    text_of(session, "play b A1")
    before = session.game
    reply = session.run_line(f"2 loadsgf {file}")
    assert reply is not None
    assert reply.startswith("?2 cannot load file: ")
    assert "bad.sgf" in reply
    assert session.game is before


def test_a_file_that_cannot_be_saved(tmp_path: Path) -> None:
    reply = open_session().run_line(f"printsgf {tmp_path / 'nowhere' / 'x.sgf'}")
    assert reply is not None
    assert reply.startswith("? cannot save file: ")
