"""Lines to requests, arguments to values, texts to replies."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.gtp import parsing
from goengine.gtp.registry import COMMANDS, Command, command
from goengine.gtp.replies import GtpError, format_failure, format_success, quote
from goengine.gtp_line import Request, parse_line
from goengine.points import PASS, parse_vertex

pytestmark = pytest.mark.uncompiled


@pytest.mark.parametrize(
    ("line", "request_id", "name", "arguments"),
    [
        ("name", "", "name", []),
        ("name\n", "", "name", []),
        ("name\r\n", "", "name", []),
        ("1 name", "1", "name", []),
        ("007 play b D4", "007", "play", ["b", "D4"]),
        ("  12   play\tb \t D4  ", "12", "play", ["b", "D4"]),
        ("play b D4 # a comment", "", "play", ["b", "D4"]),
        ("play b#D4", "", "play", ["b"]),
        ("na\x00m\x07e\x7f", "", "name", []),
        ("play\x0bb D4", "", "playb", ["D4"]),  # a control character separates nothing
        ("1abc x", "", "1abc", ["x"]),
        ("-1 name", "", "-1", ["name"]),
        ("12", "12", "", []),
        ("١ name", "", "١", ["name"]),  # only ASCII digits make an id
        ("echo ä\u00a0ö", "", "echo", ["ä\u00a0ö"]),  # only the space separates
        ("name\nquit", "", "name", []),
        ("9" * 5000 + " name", "9" * 5000, "name", []),
    ],
)
def test_parse_line(line: str, request_id: str, name: str, arguments: list[str]) -> None:
    assert parse_line(line) == Request(request_id, name, arguments)


@pytest.mark.parametrize("line", ["", "\n", "\r\n", "  \t ", "# comment", "  # 1 name", "\x00\x01"])
def test_lines_that_ask_for_nothing(line: str) -> None:
    assert parse_line(line) is None


@pytest.mark.parametrize(
    ("text", "color"),
    [("b", BLACK), ("B", BLACK), ("Black", BLACK), ("w", WHITE), ("WHITE", WHITE)],
)
def test_parse_color(text: str, color: int) -> None:
    assert parsing.parse_color(text) == color


@pytest.mark.parametrize("text", ["", "x", "bl", "blackk", "1", "ｂ"])
def test_parse_color_rejects(text: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: "):
        parsing.parse_color(text)


def test_parse_move() -> None:
    assert parsing.parse_move("d4", 9) == parse_vertex("D4", 9)
    assert parsing.parse_move("PASS", 9) == PASS
    for text in ["I5", "K1", "A10", "A0", "D", "4", "D٤", "resign", "D" + "4" * 9999]:
        with pytest.raises(GtpError, match=r"^syntax error: ") as failure:
            parsing.parse_move(text, 9)
        assert len(str(failure.value)) < 120


def test_parse_point_is_no_pass() -> None:
    with pytest.raises(GtpError, match="not a pass"):
        parsing.parse_point("pass", 9)
    with pytest.raises(GtpError, match="not a pass"):
        parsing.parse_colored_points(("b", "D4", "w", "pass"), 9)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("+7", 7),
        ("-7", -7),
        ("-0", 0),
        ("0" * 5000 + "7", 7),
        ("9" * 18, 10**18 - 1),
        ("9" * 19, 10**18),
        ("-" + "9" * 9999, -(10**18)),
    ],
)
def test_parse_integer(text: str, value: int) -> None:
    assert parsing.parse_integer(text) == value


@pytest.mark.parametrize("text", ["", "+", "7.0", "7e1", "1_0", "٧", "²", "--7", "0x7", "nan"])
def test_parse_integer_rejects(text: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: .* is not an integer$"):
        parsing.parse_integer(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("7.5", 7.5), ("-3", -3.0), ("+.5", 0.5), ("6.", 6.0), ("1e1", 10.0), ("0" * 999 + "1", 1.0)],
)
def test_parse_number(text: str, value: float) -> None:
    assert parsing.parse_number(text) == value


@pytest.mark.parametrize(
    "text", ["", ".", "nan", "inf", "-Infinity", "1e999", "9" * 999, "1_0", "7,5", "٧", "e5", "1e"]
)
def test_parse_number_rejects(text: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: .* is not a finite number$"):
        parsing.parse_number(text)


@pytest.mark.parametrize(
    ("request_id", "text", "reply"),
    [
        ("", "", "=\n\n"),
        ("3", "", "=3\n\n"),
        ("3", "D4", "=3 D4\n\n"),
        ("", "one\ntwo", "= one\ntwo\n\n"),
        ("", "\nboard\n", "=\nboard\n\n"),
        ("", "one\n\n \n\ntwo\n\n", "= one\ntwo\n\n"),
        ("", "a\rb\tc\x00\u2028d\ud800", "= a?b?c??d?\n\n"),
        ("", "säen 囲碁", "= säen 囲碁\n\n"),
    ],
)
def test_format_success(request_id: str, text: str, reply: str) -> None:
    assert format_success(request_id, text) == reply


def test_format_failure() -> None:
    assert format_failure("", "unknown command") == "? unknown command\n\n"
    assert format_failure("5", "illegal move") == "?5 illegal move\n\n"


def test_quote_is_short() -> None:
    assert quote("D4") == "'D4'"
    assert len(quote("x" * 10**6)) < 60


def test_a_command_is_described_by_its_signature() -> None:
    def example(session: object, color: str, n_moves: str = "1", *more: str) -> None: ...

    try:
        command("example")(example)
        assert COMMANDS["example"] == Command(
            "example", example, "example COLOR [N_MOVES] [MORE ...]", 1, None
        )
        with pytest.raises(ValueError, match="example"):
            command("example")(example)
    finally:
        del COMMANDS["example"]
