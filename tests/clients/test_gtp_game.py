"""The game that a client holds through GTP, against scripted sessions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clients.gtp_game import GtpGame, Move, Refused


class Scripted:
    """A session that answers each line as `replies` says, and any other one with success."""

    on_progress: Callable[[float | None], None] | None = None
    win_rate: float | None = None
    extra_komi = 0.0
    territory: list[float] = []  # noqa: RUF012  tests replace it

    def __init__(self, **replies: str) -> None:
        self.replies = {command.replace("_", " "): text for command, text in replies.items()}
        self.lines: list[str] = []

    def run_line(self, line: str) -> str:
        self.lines.append(line)
        return self.replies.get(line.replace("_", " "), "=") + "\n\n"


def game_with(*, handicap: int = 0, **replies: str) -> tuple[GtpGame, Scripted]:
    session = Scripted(**replies)
    return GtpGame(session, size=9, handicap=handicap), session


def test_turns_alternate() -> None:
    game, session = game_with(genmove_white="= C3")
    game.play("D4")
    game.play_engine_move()
    assert game.moves == [Move("black", "D4"), Move("white", "C3")]
    assert game.to_play == "black"
    assert session.lines == ["play black D4", "genmove white"]


def test_white_begins_with_handicap() -> None:
    game, session = game_with(handicap=3)
    game.start()
    assert session.lines == ["clear_board", "fixed_handicap 3"]
    assert game.to_play == "white"


def test_refused_move_is_not_a_move() -> None:
    game, _ = game_with(play_black_D4="? illegal move: D4 is occupied")
    with pytest.raises(Refused, match=r"^illegal move: D4 is occupied$"):
        game.play("D4")
    assert game.moves == []


def test_two_passes_end_the_game() -> None:
    game, _ = game_with(genmove_white="= pass", final_score="= W+2.5")
    game.play("pass")
    assert not game.is_over
    game.play_engine_move()
    assert game.is_over
    assert game.score() == "White wins by 2.5 points"


def test_engine_resigns_and_the_person_takes_back() -> None:
    game, session = game_with(genmove_white="= resign")
    game.play("D4")
    game.play_engine_move()
    assert game.is_over
    assert game.score() == "Black wins by resignation"
    assert game.take_back("black")
    assert not game.is_over
    assert game.moves == []
    assert session.lines.count("undo") == 1


def test_a_resignation_can_be_taken_back() -> None:
    game, session = game_with()
    game.play("D4")
    game.resigned = "black"
    assert game.take_back("black")
    assert not game.is_over
    assert game.moves == [Move("black", "D4")]
    assert "undo" not in session.lines


def test_take_back_reaches_the_own_move() -> None:
    game, session = game_with(genmove_white="= C3")
    assert not game.take_back("black")
    game.play("D4")
    game.play_engine_move()
    assert game.take_back("black")
    assert game.moves == []
    assert session.lines.count("undo") == 2


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("= B+8.0", "Black wins by 8 points"),
        ("= W+0.5", "White wins by 0.5 points"),
        ("= B+1.0", "Black wins by 1 point"),
        ("= 0", "A draw"),
    ],
)
def test_score(reply: str, words: str) -> None:
    game, _ = game_with(final_score=reply)
    assert game.score() == words


def test_position_and_captures() -> None:
    game, _ = game_with(handicap=2, list_stones_black="= A1 J9 C3", list_stones_white="= D4")
    for vertex in ("D4", "pass", "E5", "C3"):
        game.play(vertex)
    position = game.position()
    assert position.black == {(0, 0), (8, 8), (2, 2)}
    assert position.white == {(3, 3)}
    assert position.last_move == (2, 2)
    assert game.n_captured(position, "white") == 1
    assert game.n_captured(position, "black") == 0


def test_owners() -> None:
    game, session = game_with()
    assert game.owners() == {}
    session.territory = [1000, *79 * [500], 0]
    owners = game.owners()
    assert owners[8, 0] == 1  # the top left
    assert owners[0, 8] == -1
    assert owners[4, 4] == 0
    session.territory = [1000]
    assert game.owners() == {}
