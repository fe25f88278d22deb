"""Conversations: what a client sends after `>`, and the reply it must get, word for word."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest

import goengine
from goengine.board import BLACK, WHITE
from goengine.engines import make_engine
from goengine.gtp import GtpSession
from goengine.gtp.clock import TimeLeft, TimeSettings
from goengine.points import PASS, RESIGN
from goengine.rules.game import Game
from tests.gtp.engines_for_tests import (
    BrokenEngine,
    FirstLegalEngine,
    ScriptedEngine,
    vertices,
)

pytestmark = pytest.mark.uncompiled

CONVERSATIONS = {
    "who are you": """
        > 1 protocol_version
        =1 2
        > 2 name
        =2 goengine
        > known_command play
        = true
        > known_command Play
        = false
        > known_command
        ? syntax error: usage: known_command COMMAND_NAME
        > 77 foo
        ?77 unknown command
        > 12
        ?12 unknown command
        > name please
        ? syntax error: usage: name
    """,
    "playing": """
        > 1 boardsize 7
        =1
        > 2 play black C3
        =2
        > 3 play w D3
        =3
        > 5 play black C3
        ?5 illegal move: C3 is occupied
        > play b c4
        =
        > play b pass
        =
        > play b PASS
        =
        > play w Z9
        ? syntax error: 'Z9' is not a vertex on 7x7
        > play x C3
        ? syntax error: 'x' is not a colour: b, w, black or white
        > play b
        ? syntax error: usage: play COLOR VERTEX
        > play b A1 A2
        ? syntax error: usage: play COLOR VERTEX
        > list_stones b
        = C3 C4
        > list_stones white
        = D3
    """,
    "a ko may not be taken back at once": """
        > boardsize 5
        =
        > gogui-play_sequence b B1 w C1 b A2 w D2 b B3 w C3 b C2 w B2
        =
        > play b C2
        ? illegal move: C2 takes back a ko
        > list_stones w
        = C1 B2 D2 C3
        > play b E5
        =
        > play w E4
        =
        > play b C2
        =
        > list_stones w
        = C1 D2 C3 E4
    """,
    "suicide and superko": """
        > boardsize 5
        =
        > set_position b A2 b B1
        =
        > play w A1
        ? illegal move: A1 is suicide
        > set_position b A3 b B2 b C1 w A2
        =
        > play w B1
        =
        > play w A1
        ? illegal move: A1 is suicide
        > kata-set-rules tromp-taylor
        =
        > play w A1
        =
        > list_stones w
        =
        > play w A2
        ? illegal move: A2 repeats a position
        > kata-set-rule ko SIMPLE
        =
        > play w A2
        =
    """,
    "sizes": """
        > boardsize 2
        =
        > boardsize 25
        =
        > play b Z25
        =
        > boardsize 1
        ? unacceptable size: it must be from 2 to 25
        > boardsize 26
        ? unacceptable size: it must be from 2 to 25
        > boardsize -9
        ? unacceptable size: it must be from 2 to 25
        > boardsize 99999999999999999999
        ? unacceptable size: it must be from 2 to 25
        > boardsize nine
        ? syntax error: 'nine' is not an integer
        > boardsize 9 9
        ? syntax error: usage: boardsize SIZE
        > list_stones b
        = Z25
    """,
    "komi": """
        > get_komi
        = 7.5
        > komi -3
        =
        > get_komi
        = -3.0
        > boardsize 9
        =
        > clear_board
        =
        > get_komi
        = -3.0
        > komi nan
        ? syntax error: 'nan' is not a finite number
        > komi inf
        ? syntax error: 'inf' is not a finite number
        > komi 1e999
        ? syntax error: '1e999' is not a finite number
        > komi
        ? syntax error: usage: komi NEW_KOMI
        > get_komi
        = -3.0
    """,
    "undo": """
        > boardsize 5
        =
        > undo
        ? cannot undo: 1 of 0 moves
        > gogui-play_sequence b A1 w B1 b C1
        =
        > undo
        =
        > list_stones b
        = A1
        > gg-undo 3
        ? cannot undo: 3 of 2 moves
        > gg-undo 0
        ? cannot undo: 0 of 2 moves
        > gg-undo -1
        ? cannot undo: -1 of 2 moves
        > gg-undo two
        ? syntax error: 'two' is not an integer
        > gg-undo 2
        =
        > gg-undo
        ? cannot undo: 1 of 0 moves
        > fixed_handicap 2
        ? invalid number of stones: there are no fixed handicap stones on 5x5
    """,
    "a captured stone comes back": """
        > boardsize 3
        =
        > gogui-play_sequence b A1 w A2 b C3 w B1
        =
        > list_stones b
        = C3
        > undo
        =
        > list_stones b
        = A1 C3
    """,
    "fixed handicap": """
        > boardsize 9
        =
        > fixed_handicap 5
        = C3 G7 C7 G3 E5
        > fixed_handicap 2
        ? board not empty
        > undo
        ? cannot undo: 1 of 0 moves
        > clear_board
        =
        > fixed_handicap 10
        ? invalid number of stones: 10 is not a number of fixed handicap stones on 9x9: from 2 to 9
        > fixed_handicap 1
        ? invalid number of stones: 1 is not a number of fixed handicap stones on 9x9: from 2 to 9
        > fixed_handicap many
        ? syntax error: 'many' is not an integer
        > boardsize 19
        =
        > fixed_handicap 9
        = D4 Q16 D16 Q4 K10 D10 Q10 K4 K16
    """,
    "free handicap": """
        > boardsize 9
        =
        > set_free_handicap C3 C3
        ? bad vertex list: handicap stone C3 is given twice
        > set_free_handicap C3
        ? bad vertex list: 1 is not a number of handicap stones on 9x9: from 2 to 80
        > set_free_handicap C3 pass
        ? bad vertex list: syntax error: a vertex such as D4 is needed, not a pass
        > set_free_handicap C3 T19
        ? bad vertex list: syntax error: 'T19' is not a vertex on 9x9
        > list_stones b
        =
        > set_free_handicap C3 G7
        =
        > list_stones b
        = C3 G7
        > set_free_handicap A1 B1
        ? board not empty
        > place_free_handicap 2
        ? board not empty
        > clear_board
        =
        > place_free_handicap 1
        ? invalid number of stones: 1 is not a number of handicap stones on 9x9: from 2 to 80
        > place_free_handicap 81
        ? invalid number of stones: 81 is not a number of handicap stones on 9x9: from 2 to 80
    """,
    "the board": """
        > boardsize 7
        =
        > gogui-play_sequence b A1 w A2 b E4 w B1
        =
        > showboard
        =
           A B C D E F G
         7 . . . . . . .  7
         6 . . . . . . .  6
         5 . . + . + . .  5
         4 . . . . X . .  4
         3 . . + . + . .  3
         2 O . . . . . .  2
         1 .(O). . . . .  1
           A B C D E F G
        Black X has captured 0, white O has captured 1
        Rules chinese, komi 7.5
        Move 5: black to play (last: white B1)
        > play b pass
        =
        > 8 showboard
        =8
           A B C D E F G
         7 . . . . . . .  7
         6 . . . . . . .  6
         5 . . + . + . .  5
         4 . . . . X . .  4
         3 . . + . + . .  3
         2 O . . . . . .  2
         1 . O . . . . .  1
           A B C D E F G
        Black X has captured 0, white O has captured 1
        Rules chinese, komi 7.5
        Move 6: white to play (last: black pass)
    """,
    "the last move on the edge of the diagram": """
        > boardsize 2
        =
        > play w B2
        =
        > showboard
        =
           A B
         2 .(O) 2
         1 . .  1
           A B
        Black X has captured 0, white O has captured 0
        Rules chinese, komi 7.5
        Move 2: black to play (last: white B2)
    """,
    "the score is that of the position as it stands": """
        > boardsize 5
        =
        > komi 0
        =
        > final_score
        = 0
        > gogui-play_sequence b C1 b C2 b C3 b C4 b C5
        =
        > final_score
        = B+25.0
        > gogui-play_sequence w D1 w D2 w D3 w D4 w D5
        =
        > final_score
        = B+5.0
        > komi 7.5
        =
        > final_score
        = W+2.5
        > kata-set-rules japanese
        =
        > final_score
        = W+2.5
        > play w A1
        =
        > final_score
        = W+12.5
    """,
    "rules": """
        > kata-set-rules {"ko": "SIMPLE", "scoring": "TERRITORY", "suicide": false}
        =
        > kata-set-rule ko SITUATIONAL
        =
        > kata-set-rule ko NONE
        ? syntax error: ko 'NONE' is not one of SIMPLE, POSITIONAL, SITUATIONAL
        > kata-set-rule colour blue
        ? syntax error: no rule is called 'colour'; there are friendlyPassOk, hasButton, ko, \
scoring, suicide, tax, whiteHandicapBonus
        > kata-set-rules
        ? syntax error: no rules are called ''; there are chinese, chinese-ogs, chinese-kgs, \
tromp-taylor, japanese, korean, aga, bga, new-zealand
        > kata-set-rules {"ko": "SIMPLE"
        ? syntax error: rules '{"ko": "SIMPLE"' are not JSON
        > kata-get-rules
        = {"friendlyPassOk":false,"hasButton":false,"ko":"SITUATIONAL","scoring":"TERRITORY",\
"suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}
        > get_komi
        = 7.5
        > kgs-rules new_zealand
        =
        > kgs-rules ing
        ? syntax error: 'ing' is not one of chinese, aga, japanese, new_zealand
        > kgs-game_over
        =
    """,
    "set_position is all or nothing": """
        > boardsize 3
        =
        > play b C3
        =
        > set_position b A1 w B2 b A1
        ? syntax error: a vertex is named twice
        > set_position b A1 w B1 w A2
        ? illegal position: set-up stone A1 has no liberty
        > set_position b A1 w
        ? syntax error: 'w' has no partner: pairs such as b D4
        > set_position b pass
        ? syntax error: a vertex such as D4 is needed, not a pass
        > list_stones b
        = C3
        > set_position w A1 b B2
        =
        > list_stones b
        = B2
        > undo
        ? cannot undo: 1 of 0 moves
        > set_position
        =
        > list_stones b
        =
    """,
    "gogui-setup": """
        > boardsize 3
        =
        > gogui-setup b A1 w B2
        =
        > gogui-setup w A1 b C3
        =
        > gogui-setup_player w
        =
        > showboard
        =
           A B C
         3 . . X  3
         2 . O .  2
         1 O . .  1
           A B C
        Black X has captured 0, white O has captured 0
        Rules chinese, komi 7.5
        Move 1: white to play
        > gogui-setup_player grey
        ? syntax error: 'grey' is not a colour: b, w, black or white
        > play w A3
        =
        > gogui-setup b C1
        ? board not empty: stones can be set up before the first move only
    """,
    "gogui-play_sequence is all or nothing": """
        > boardsize 3
        =
        > gogui-play_sequence b A1 w pass b B1
        =
        > gogui-play_sequence b C1 w A1 b C3
        ? illegal move: A1 is occupied
        > gogui-play_sequence b C1 w
        ? syntax error: 'w' has no partner: pairs such as b D4
        > list_stones b
        = A1 B1
        > gogui-play_sequence
        =
    """,
    "engine moves": """
        > boardsize 2
        =
        > reg_genmove b
        = A1
        > list_stones b
        =
        > genmove b
        = A1
        > genmove black
        = B1
        > 4 genmove w
        =4 A2
        > genmove
        ? syntax error: usage: genmove COLOR
        > genmove green
        ? syntax error: 'green' is not a colour: b, w, black or white
        > undo
        =
        > list_stones w
        =
        > clear_cache
        =
    """,
    "clocks": """
        > time_settings 0 1 0
        =
        > time_settings 600 0 0
        =
        > time_settings 600 30 25
        =
        > time_left b 12 0
        =
        > time_left white -1 3
        =
        > time_settings 600 30
        ? syntax error: usage: time_settings MAIN_TIME BYO_YOMI_TIME STONES
        > time_settings 600 30 -1
        ? syntax error: times and stones cannot be negative
        > time_settings nan 30 1
        ? syntax error: 'nan' is not a finite number
        > time_left b 10 x
        ? syntax error: 'x' is not an integer
        > time_left b 10 -1
        ? syntax error: stones cannot be negative
    """,
    "no file": """
        > loadsgf
        ? cannot load file: no file name given
    """,
}


def open_session() -> GtpSession:
    return GtpSession(engine=FirstLegalEngine())


def text_of(session: GtpSession, line: str) -> str:
    """The text of a successful reply."""
    reply = session.run_line(line)
    assert reply is not None
    assert reply.startswith("="), reply
    assert reply.endswith("\n\n")
    return reply[1:].strip()


@pytest.mark.parametrize("title", CONVERSATIONS)
def test_conversation(title: str) -> None:
    session = open_session()
    for exchange in dedent(CONVERSATIONS[title]).strip().removeprefix("> ").split("\n> "):
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


def test_the_clock_is_kept() -> None:
    session = open_session()
    assert session.time_settings is None
    text_of(session, "time_settings 0 1 0")
    assert session.time_settings == TimeSettings(0, 1, 0)
    text_of(session, "time_settings 300 0 0")
    assert session.time_settings == TimeSettings(300, 0, 0)
    text_of(session, "time_left b 290.5 0")
    text_of(session, "time_left w 7 3")
    assert session.time_left == {BLACK: TimeLeft(290.5, 0), WHITE: TimeLeft(7, 3)}
    text_of(session, "clear_board")
    assert session.time_left == {}
    assert session.time_settings == TimeSettings(300, 0, 0)


def test_a_whole_game() -> None:
    session = GtpSession(engine=make_engine("random", seed=3, playouts=1), game=Game(5))
    while not session.game.is_over:
        assert len(session.game.moves) < 400
        text_of(session, f"genmove {'bw'[len(session.game.moves) % 2]}")
    assert re.fullmatch(r"[BW]\+[0-9]+\.5", text_of(session, "final_score"))


def test_an_engine_may_pass_and_resign() -> None:
    session = GtpSession(engine=ScriptedEngine([PASS, RESIGN, RESIGN]))
    assert text_of(session, "genmove b") == "pass"
    assert text_of(session, "genmove w") == "resign"
    assert text_of(session, "reg_genmove w") == "resign"
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
