"""Records that can be analysed, and what is said of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from clients.analyse.record import RecordError, parse_record, read_record
from tests.analyse.records import EVERYTHING, PLAIN

pytestmark = pytest.mark.uncompiled

ERRORS = {
    b"": "game.sgf is not a game record in SGF: no SGF data found",
    b"\x00\xff what": "game.sgf is not a game record in SGF: no SGF data found",
    b"(;B[aa]": "game.sgf is not a game record in SGF: error parsing game 0: unexpected end of SGF "
    "data",
    b"(;SZ[9])": "game.sgf has no moves in its main line: there is nothing to analyse",
    b"(;B[aa])(;B[bb])": "game.sgf has 2 games: say with --game-number 1 to 2 which one",
    b"(;SZ[37];B[aa])": "game.sgf is a game on 37x37: boards of 2 to 25 lines can be analysed",
    b"(;SZ[9:13];B[aa])": "game.sgf: SZ[9:13]: only square boards can be analysed",
    b"(;SZ[big];B[aa])": "game.sgf: SZ[big] is not a board size",
    b"(;GM[3];B[aa])": "game.sgf is not a game of Go: GM is 3, not 1",
    b"(;SZ[9];B[aa];W[zz])": "game.sgf: move 2 is W[zz], which is not on a 9x9 board",
    b"(;SZ[9];B[aa]W[bb])": "game.sgf: B and W in one node at move 1",
}


@pytest.mark.parametrize("data", ERRORS)
def test_what_cannot_be_analysed(data: bytes) -> None:
    with pytest.raises(RecordError) as error:
        parse_record(data, "game.sgf")
    assert str(error.value) == ERRORS[data]


def test_files(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no file"):
        read_record(tmp_path / "none.sgf")
    with pytest.raises(RecordError, match="is not a file"):
        read_record(tmp_path)
    path = tmp_path / "a.sgf"
    path.write_bytes(b"mail header\n" + PLAIN + PLAIN.replace(b"KM[0]", b"KM[9]"))
    assert "KM[9]" in read_record(path, 2).engine_sgf()
    with pytest.raises(RecordError, match="has no game 3: it has 2"):
        read_record(path, 3)
    path.write_bytes(b" " * 4_000_001)
    with pytest.raises(RecordError, match="longer than"):
        read_record(path)


def test_main_line_with_everything() -> None:
    record = parse_record(EVERYTHING, "game.sgf")
    assert record.size == 5
    assert [(move.color[0], move.vertex, move.is_after_setup) for move in record.moves] == [
        ("w", "C3", True),
        ("b", "C2", False),
        ("w", "pass", False),
        ("b", "pass", False),
        ("w", "E1", True),
        ("b", "E2", False),
    ]
    assert record.player("black") == "本因坊 ] 秀策 (black)"
    assert record.player("white") == "Ängström (white)"


@pytest.mark.parametrize(
    ("head", "arguments", "expected"),
    [
        (b"KM[6.5]", (None, None), "KM[6.5]"),
        (b"KM[6.5]", (0.5, None), "KM[0.5]"),
        (b"HA[2]AB[aa][bb]", (None, None), "KM[0.5]"),
        (b"HA[2]KM[5]AB[aa][bb]", (None, None), "KM[5]"),
        (b"RU[AGA]", (None, "japanese"), "RU[japanese]"),
        (b"C[secret]PB[me]KM[1]", (None, None), "KM[1]SZ[9]"),
    ],
)
def test_what_the_engine_is_told(head: bytes, arguments: tuple[None, None], expected: str) -> None:
    record = parse_record(b"(;SZ[9]" + head + b";B[cc]C[no](;W[dd])(;W[ee]))", "game.sgf")
    text = record.engine_sgf(*arguments)
    assert expected in text
    assert text.endswith(";B[cc];W[dd])\n")
    assert "C[" not in text


@pytest.mark.parametrize(
    "data",
    [
        EVERYTHING,
        "(;CA[big5]SZ[9]C[許功蓋];B[aa]C[功\\]])".encode("big5"),
        "(;CA[Shift_JIS]SZ[9]C[表示ソ];B[aa])".encode("shift_jis"),
        "(;CA[GBK]SZ[9]PB[围棋誠]C[誠\\]];B[aa]C[許功蓋])".encode("gbk"),
        b"(;CA[no such set]SZ[9:9]C[\xff\xfe];B[])",
        b"(;C[\xc3\xa9];B[aa])",
        b"(;KM[];B[tt])",
    ],
)
def test_all_bytes_stay(data: bytes) -> None:
    record = parse_record(data, "game.sgf")
    before = sorted(data.replace(b"9:9", b"9").replace(b"\n", b""))
    assert sorted(record.serialise().replace(b"\n", b"")) == before


def test_names_in_other_character_sets() -> None:
    for charset in ("gbk", "big5", "utf-8"):
        data = f"(;CA[{charset}]PB[許功];B[aa])".encode(charset)
        assert parse_record(data, "game.sgf").player("black") == "許功 (black)"
    data = "(;CA[latin-1]PB[Gößl];B[aa])".encode("latin-1")
    assert parse_record(data, "game.sgf").player("black") == "Gößl (black)"
    assert parse_record(b"(;B[aa])", "game.sgf").player("white") == "White"
