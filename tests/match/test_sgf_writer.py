"""Games as SGF: everything that was said comes back, whatever it was."""

from __future__ import annotations

from typing import Any

import pytest
from sgfmill import sgf

from clients.match.game_record import GameRecord, MoveRecord
from clients.match.sgf_writer import sgf_of
from clients.match.time_settings import Clock
from goengine.points import format_vertex, point_at
from tests.match.example_games import HOSTILE, example_game, example_pairing

PAIRING = example_pairing()


def read(record: GameRecord) -> sgf.Sgf_game:
    return sgf.Sgf_game.from_bytes(sgf_of(record))


def moves_in(game: sgf.Sgf_game) -> list[tuple[str, str]]:
    found = []
    for node in game.get_main_sequence()[1:]:
        color, place = node.get_move()
        vertex = "pass" if place is None else format_vertex(point_at(place[0], place[1], 9), 9)
        found.append((color, vertex))
    return found


def comments_in(game: sgf.Sgf_game) -> list[str]:
    return [node.get("C") if node.has_property("C") else "" for node in game.get_main_sequence()]


def test_game_reads_back():
    record = example_game(PAIRING)
    game = read(record)
    vertices = [*record.opening, *(move.vertex for move in record.moves)]
    assert moves_in(game) == list(zip("bwbwbwbwbwb", vertices, strict=True))
    root = game.get_root()
    assert (game.get_size(), game.get_komi(), game.get_handicap()) == (9, 7.5, None)
    assert (game.get_player_name("b"), game.get_player_name("w")) == ("new", "old")
    assert (root.get("RE"), root.get("RU"), root.get("DT")) == ("B+3.5", "chinese", "2026-01-02")
    assert "Black's engine 1" in root.get("C")
    assert "White's engine 2" in root.get("C")


@pytest.mark.parametrize(
    ("clock", "main", "overtime", "words"),
    [
        (Clock(main=60), 60.0, None, "Time: 1 min for all moves."),
        (Clock(main=60, period=9, moves=5), 60.0, "5/9 Canadian", "then 9 s for each 5 moves."),
        (Clock(period=0.5, periods=3), 0.0, "3x0.5 byo-yomi", "Time: 3 periods of 0.5 s."),
        (Clock(main=5.5, increment=2), 5.5, "2 fischer", "Time: 5.5 s, and 2 s more after each"),
    ],
)
def test_the_clock_is_told(clock, main, overtime, words):
    root = read(example_game(PAIRING, clock=clock)).get_root()
    assert root.get("TM") == main
    assert (root.get("OT") if root.has_property("OT") else None) == overtime
    assert words in root.get("C")


def test_each_move_has_what_its_player_told():
    comments = comments_in(read(example_game(PAIRING)))
    assert comments[1] == "Opening, move 1 of 2"
    assert comments[2] == "Opening, move 2 of 2"
    assert comments[3] == "Black: 60.0 %, 1,000 playouts, 1.2 s"
    assert comments[4] == "White: 30.0 %, 900 playouts, 0.50 s"
    assert comments[6] == "White: 0.50 s"


def test_last_node_tells_the_end():
    last = comments_in(read(example_game(PAIRING, detail="243 moves were played")))[-1]
    assert last.startswith("Black: 95.0 %")
    for told in ("Black wins by 3.5 points.", "same dead stones", "Dead: J9.", "243 moves were"):
        assert told in last


@pytest.mark.parametrize(
    ("given", "result", "told"),
    [
        ({"winner": "white", "ending": "resignation"}, "W+R", "White wins: Black resigned."),
        ({"winner": "black", "ending": "time"}, "B+T", "White ran out of time."),
        (
            {"winner": "white", "ending": "forfeit", "offence": "hang"},
            "W+F",
            "Black forfeits (hang).",
        ),
        ({"winner": None, "margin": 0.0}, "0", "A draw."),
    ],
)
def test_ends(given, result, told):
    usual: dict[str, Any] = {"margin": None, "scored_by": None, "dead": []}
    game = read(example_game(PAIRING, **{**usual, **given}))
    assert game.get_root().get("RE") == result
    assert told in comments_in(game)[-1]


def test_handicap():
    record = example_game(
        PAIRING, handicap=["C3", "G7"], opening=[], moves=[MoveRecord("E5", 1.0)], dead=[]
    )
    game = read(record)
    assert game.get_handicap() == 2
    assert game.get_root().get("AB") == {(2, 2), (6, 6)}
    assert moves_in(game) == [("w", "E5")]


@pytest.mark.parametrize("vertex", ["D4", "Z99", "resign", HOSTILE])
def test_what_is_no_move_is_told_in_the_last_comment(vertex):
    moves = [MoveRecord("D4", 1.0), MoveRecord(vertex, 2.0), MoveRecord("E5", 1.0)]
    game = read(example_game(PAIRING, opening=[], moves=moves))
    assert moves_in(game) == [("b", "D4")]
    assert "White: 2.0 s" in comments_in(game)[-1]
    if vertex.isascii() and vertex.isprintable():
        assert f": {vertex}\n" in comments_in(game)[-1]


def test_game_without_a_move():
    game = read(example_game(PAIRING, opening=[], moves=[], detail="it did not start"))
    assert moves_in(game) == []
    assert "it did not start" in comments_in(game)[0]


def test_odd_text_stays_where_it_belongs():
    record = example_game(
        PAIRING,
        black=HOSTILE,
        white="a]\\",
        engines=(HOSTILE, "\\"),
        detail=f"{HOSTILE}\nsecond line\\",
        rules="new-zealand",
        started=HOSTILE,
        host=HOSTILE,
        dead=[HOSTILE],
    )
    game = read(record)
    assert len(moves_in(game)) == 11
    assert game.get_player_name("w") == "a]\\"
    assert game.get_player_name("b").startswith("</title><script>alert('x')</script>&\"]\\")
    assert game.get_root().get("RU") == "NZ"
    assert not game.get_root().has_property("DT")
    assert comments_in(game)[-1].endswith("\nsecond line\\")
    assert all(
        character.isprintable() or character == "\n" for character in sgf_of(record).decode()
    )
