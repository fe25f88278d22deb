"""Bad game records: each is refused by an error that names the file and the property."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.points import parse_vertex
from goengine.rules.game import Move
from goengine.sgf import MAX_BYTES, MAX_MARKS, MAX_NODES, MAX_SETUPS, SgfError, parse_sgf

# data, the complaint behind the file's name
BAD = [
    (b"", "not SGF: no SGF data found"),
    (b"\x00\xff\xfe" * 100, "not SGF: no SGF data found"),
    ("(;B[aa])".encode("utf-16"), "not SGF: no SGF data found"),
    (b"()", "not SGF: no SGF data found"),
    (b"(;", "not SGF: unexpected end of SGF data"),
    (b"(;B[aa", "not SGF: unexpected end of SGF data"),
    (b"(;B)", "not SGF: property with no values"),
    (b"(;SZ[40])", "SZ[40]: board size 40 is not between 2 and 25"),
    (b"(;SZ[1])", "SZ[1]: board size 1 is not between 2 and 25"),
    (b"(;SZ[-19])", "SZ[-19]: board size -19 is not between 2 and 25"),
    (b"(;SZ[13:9])", "SZ[13:9]: the board is not square"),
    (b"(;SZ[9:])", "SZ[9:]: not a board size"),
    (b"(;SZ[big])", "SZ[big]: not a board size"),
    (b"(;SZ[" + b"9" * 10_000 + b"])", "SZ[" + "9" * 60 + "]: not a board size"),
    (b"(;GM[2])", "GM[2]: not a game of Go, which is GM[1]"),
    (b"(;GM[Go])", "GM[Go]: not a number"),
    (b"(;KM[much])", "KM[much]: komi is not a finite number"),
    (b"(;KM[1e999])", "KM[1e999]: komi is not a finite number"),
    (b"(;KM[nan])", "KM[nan]: komi is not a finite number"),
    (b"(;KM[6.5][7.5])", "KM[6.5][7.5]: komi is not a finite number"),
    (b"(;HA[two])", "HA[two]: not a number of handicap stones"),
    (b"(;HA[-2])", "HA[-2]: not a number of handicap stones"),
    (b"(;PL[green])", "PL[green]: neither B nor W"),
    (b"(;AB[zz])", "AB[zz]: no point or rectangle on a 19x19 board"),
    (b"(;AB[tt])", "AB[tt]: no point or rectangle on a 19x19 board"),
    (b"(;SZ[9]AW[cc:aa])", "AW[cc:aa]: no point or rectangle on a 9x9 board"),
    (b"(;SZ[9]AB[aa:ba]AW[ba])", "AW[ba] before move 1: B9 is set twice"),
    (b"(;SZ[9];B[ee];AB[aa]AE[aa])", "AE[aa] after move 1: A9 is set twice"),
    (
        b"(;SZ[9]AB[ab][ba]AW[aa])",
        "AB, AW, AE before move 1: set-up stone A9 has no liberty",
    ),
    (b"(;SZ[2]AB[aa:bb])", "AB, AW, AE before move 1: set-up stone A1 has no liberty"),
    (b"(;SZ[9]AB" + b"[aa]" * 200 + b")", "AB[aa] before move 1: more points than the board has"),
    (b"(;B[aa];W[zz])", "W[zz] at move 2: not on a 19x19 board"),
    (b"(;SZ[9]" + b";B[];W[]" * 6 + b";B[jj])", "B[jj] at move 13: not on a 9x9 board"),
    (b"(;B[q])", "B[q] at move 1: not on a 19x19 board"),
    (b"(;B[AA])", "B[AA] at move 1: not on a 19x19 board"),
    (b"(;B[\xff\xfe])", "B[\ufffd\ufffd] at move 1: not on a 19x19 board"),
    (b"(;B[a\nb\x07])", "B[a?b?] at move 1: not on a 19x19 board"),
    (b"(;B[" + b"a" * 100_000 + b"])", "B[" + "a" * 60 + "] at move 1: not on a 19x19 board"),
    (b"(;B[aa][bb])", "B[aa][bb] at move 1: more than one value"),
    (
        b"(;B[" + b"a" * 40 + b"][" + b"b" * 40 + b"])",
        "B[" + "a" * 40 + "][" + "b" * 15 + "...] at move 1: more than one value",
    ),
    (b"(;B[aa]W[bb])", "B and W in one node at move 1"),
    (b"(;SZ[9];B[aa];W[aa])", "W[aa] at move 2: illegal move: A9 is occupied"),
    (
        b"(;SZ[9]AB[ab][ba];W[aa])",
        "W[aa] at move 1: illegal move: A9 is suicide",
    ),
    (
        b"(;SZ[5]AB[bb][ac][bd]AW[cb][bc][dc][cd];B[cc];W[bc])",
        "W[bc] at move 2: illegal move: B3 takes back a ko",
    ),
    (
        b"(;SZ[5]RU[NZ]AB[bb][ac][bd]AW[cb][bc][dc][cd];B[cc];W[];B[];W[bc])",
        "W[bc] at move 4: illegal move: B3 repeats a position",
    ),
    (b" " * (MAX_BYTES + 1), f"longer than {MAX_BYTES} bytes"),
    (b"(" + b";" * MAX_MARKS + b")", f"more than {MAX_MARKS} nodes and values"),
    (b"(" + b";" * (MAX_NODES + 1) + b")", f"more than {MAX_NODES} nodes in the main line"),
    (
        b"(" + b";AB[aa]" * (MAX_SETUPS + 1) + b")",
        f"AB, AW, AE in more than {MAX_SETUPS} nodes of the main line",
    ),
]


@pytest.mark.parametrize(("data", "complaint"), BAD, ids=[complaint for _, complaint in BAD])
def test_bad_records_are_refused_by_name(data, complaint):
    with pytest.raises(SgfError) as error:
        parse_sgf(data, "game.sgf")
    assert str(error.value) == f"game.sgf: {complaint}"


@pytest.mark.parametrize("move_number", [0, -1])
def test_moves_count_from_one(move_number):
    with pytest.raises(SgfError, match=f"x: move number {move_number} is not 1 or more"):
        parse_sgf(b"(;)", "x", move_number)


def test_what_comes_after_the_wanted_position_need_not_be_right():
    data = b"(;SZ[9];B[aa];W[aa];B[zz])"
    assert parse_sgf(data, move_number=2).moves == [Move(BLACK, parse_vertex("A9", 9))]


@pytest.mark.parametrize("nested", [b"(;" * 100_000 + b")" * 100_000, b"(;" * 200_000])
def test_deep_nesting_is_refused_and_no_more(nested):
    with pytest.raises(SgfError):
        parse_sgf(nested)


def test_deep_nesting_off_the_main_line_is_no_trouble():
    nested = b"(;W[bb]" * 50_000 + b")" * 50_000
    game = parse_sgf(b"(;SZ[9];B[aa](;W[cc])" + nested + b")")
    assert game.moves == [Move(BLACK, parse_vertex("A9", 9)), Move(WHITE, parse_vertex("C7", 9))]
