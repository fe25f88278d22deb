"""Whatever a client sends, it gets a well-formed reply, soon, and the game stays sound."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from goengine import sgf
from goengine.gtp import GtpSession
from goengine.gtp.registry import COMMANDS
from goengine.gtp_line import parse_line
from goengine.points import CAPACITIES
from goengine.rules.game import Game
from tests.gtp.engines_for_tests import CarelessEngine

N_LINES = 100_000
SLOWEST_REPLY = 3.0  # seconds, on a busy machine, with all kernels compiled
WELL_FORMED = re.compile(r"[=?][0-9]*( [^\n]+)?(\n[^\n]+)*\n\n")

SMALL_SIZES = ["2", "3", "5", "7", "9"]
COLORS = ["b", "w", "black", "white", "B", "W"]
NUMBERS = ["0", "1", "2", "3", "5", "7.5", "-1", "25", "600"]
WORDS = ["alive", "dead", "chinese", "japanese", "tromp-taylor", "aga", "new_zealand", "name"]
VALUES = ["SIMPLE", "situational", "true", "FALSE", "AREA", "TERRITORY", "NONE"]
RULES = ['{"ko":"SIMPLE"}', '{"suicide": true, "ko": "POSITIONAL"}', '{"tax":"ALL"}', "{", "{}"]
KINDS = ["none", "absolute", "canadian", "byoyomi", "fischer", "fischer-capped"]
PARAMETERS = ["policy", "playouts", "seconds", "exploration", "hot_visits", "maxVisits", "polcy"]
SETTINGS = ["rave", "ucb1", "none", "0.5", "100", "2000", "1e400", "true"]
OBJECTS = ['{"policy":"ucb1"}', '{"playouts": 7, "seconds": null}', '{"seconds":[]}', "{", "{}"]
FLAGS = ["rootInfo", "ownership", "ownershipStdev", "movesOwnership", "pvVisits", "pvEdgeVisits"]
SEARCHES = [
    "lz-analyze", "kata-analyze", "analyze", "lz-genmove_analyze", "kata-genmove_analyze",
    "genmove_analyze", "kata-search_analyze", "kata-search_analyze_cancellable",
]  # fmt: skip
FILES = ["game.sgf", "broken.sgf", "missing.sgf", ".", "game.sgf 2", "game.sgf 99"]
NASTY = [
    "nan", "inf", "-inf", "1e999", "-1e-999", "9" * 30, "-" + "9" * 400, "0" * 50, "٣", "²", "Ⅷ",
    "\u2028", "\u0085", "\x00", "\x1b[2J", "\t", "\r", "\n", "#", "\ud800", "\ufeff", "ÄÖ", "碁",
    "🎲", "=", "?", "!", "\\", '"', "'", "{", "[" * 300, "pass", "resign", "i5", "A0", "Z99",
    "D4D4", "%s%n", "../../x", "~", "/dev/null", "None", "True", "0x10", "1_0", "+5", "--", ";",
    "x" * 300,
]  # fmt: skip

GAME = "(;GM[1]SZ[5]KM[0.5]AB[aa]AW[ee];B[bb];W[cc];B[];W[dd](;B[ab])(;B[ba]))"


class LineMaker:
    """Makes lines: sound ones, sound ones with damage, and noise."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.templates: list[tuple[str, list[Callable[[], str]]]] = []
        self._teach()

    def next_line(self) -> str:
        kind = self.random.random()
        if kind < 0.45:
            return self._sound_line()
        if kind < 0.9:
            return self._damaged(self._sound_line())
        return self._noise()

    def _teach(self) -> None:
        """Every form of every command; what keeps a game going comes more often."""
        color, vertex, number = self._from(COLORS), self._vertex, self._from(NUMBERS)
        size, word, value = self._from(SMALL_SIZES), self._from(WORDS), self._from(VALUES)
        forms: list[tuple[str, list[Callable[[], str]]]] = [
            *[("play", [color, vertex])] * 24,
            *[("genmove", [color])] * 8,
            *[("undo", [])] * 2,
            ("boardsize", [size]),
            ("gg-undo", [number]),
            ("reg_genmove", [color]),
            ("komi", [number]),
            ("fixed_handicap", [number]),
            ("place_free_handicap", [number]),
            ("set_free_handicap", [vertex, vertex, vertex]),
            ("gogui-play_sequence", [color, vertex, color, vertex, color, vertex]),
            ("gogui-setup", [color, vertex, color, vertex]),
            ("gogui-setup_player", [color]),
            ("set_position", [color, vertex, color, vertex]),
            ("time_settings", [number, number, number]),
            ("time_left", [color, number, number]),
            *[("kgs-time_settings", [self._from(KINDS[:4]), *[number] * n]) for n in range(4)],
            *[("kata-time_settings", [self._from(KINDS), *[number] * n]) for n in range(5)],
            *[(name, [self._analysis]) for name in SEARCHES],
            ("kata-search", [color]),
            ("kata-search_cancellable", [color]),
            ("goengine-param", [self._from(PARAMETERS)]),
            ("goengine-param", [self._from(PARAMETERS), self._from(SETTINGS)]),
            ("kata-get-param", [self._from(PARAMETERS)]),
            ("kata-set-param", [self._from(PARAMETERS), self._from(SETTINGS)]),
            ("kata-set-params", [self._from(OBJECTS)]),
            ("lz-setoption", [self._from(["name visits value", "name x value"]), number]),
            ("goengine-report", [self._from(["json", "none"])]),
            ("pachi-result", []),
            ("known_command", [word]),
            ("list_stones", [color]),
            ("kgs-rules", [word]),
            ("kata-set-rules", [word]),
            ("kata-set-rules", [self._from(RULES)]),
            ("kata-set-rule", [self._from(["ko", "suicide", "scoring", "tax"]), value]),
            ("loadsgf", [self._from(FILES)]),
            ("printsgf", [self._from(FILES)]),
        ]
        covered = {name for name, _ in forms}
        self.templates = forms + [(name, []) for name in sorted(COMMANDS) if name not in covered]

    def _from(self, choices: list[str]) -> Callable[[], str]:
        return lambda: self.random.choice(choices)

    def _vertex(self) -> str:
        if self.random.random() < 0.1:
            return "pass"
        return self.random.choice("ABCDEFGabcde") + self.random.choice("1234567")

    def _analysis(self) -> str:
        """Arguments of an analysis, flags also where the dialect has none."""
        color, number, flag = (self._from(each) for each in (COLORS, NUMBERS, FLAGS))
        parts: list[Callable[[], str]] = [
            lambda: f"interval {number()}",
            lambda: f"minmoves {number()}",
            lambda: f"maxmoves {number()}",
            lambda: f"avoid {color()} {self._vertex()},{self._vertex()} {number()}",
            lambda: f"allow {color()} {self._vertex()},{self._vertex()} {number()}",
            lambda: f"{flag()} true",
        ]
        words = [color()] * self.random.randint(0, 1) + [number()] * self.random.randint(0, 1)
        chosen = self.random.choices(parts, k=self.random.choice([0, 0, 1, 1, 2, 5]))
        return " ".join([*words, *(part() for part in chosen)])

    def _sound_line(self) -> str:
        name, arguments = self.random.choice(self.templates)
        request_id = str(self.random.randrange(10**6)) if self.random.random() < 0.3 else ""
        ending = self.random.choice(["", "\n", "\r\n", "  # comment"])
        words = [request_id, name, *(argument() for argument in arguments)]
        return " ".join(word for word in words if word) + ending

    def _damaged(self, line: str) -> str:
        for _ in range(self.random.randint(1, 3)):
            line = self._damage(line)
        return line

    def _damage(self, line: str) -> str:
        random = self.random
        at = random.randint(0, len(line))
        words = line.split(" ")
        match random.randrange(8):
            case 0:
                return line[:at] + line[at + 1 :]
            case 1:
                return line[:at] + random.choice(NASTY) + line[at:]
            case 2:
                return line[:at] + chr(random.randrange(0x250)) + line[at + 1 :]
            case 3:
                return line[:at]
            case 4:
                words[random.randrange(len(words))] = random.choice(NASTY)
            case 5:
                words.insert(random.randint(0, len(words)), random.choice(NASTY + NUMBERS))
            case 6:
                random.shuffle(words)
            case 7:
                words += words * random.choice([1, 1, 1, 30])
        return " ".join(words)

    def _noise(self) -> str:
        length = self.random.choice([1, 3, 10, 100])
        return "".join(chr(self.random.randrange(0x110000)) for _ in range(length))


def check_reply(line: str, reply: str | None) -> None:
    request = parse_line(line)
    if request is None:
        assert reply is None, line
        return
    assert reply is not None, line
    assert WELL_FORMED.fullmatch(reply), (line, reply)
    assert reply[1:].startswith(request.id), (line, reply)
    assert reply[0] == "=" or len(reply.split(" ", 1)) == 2, (line, reply)
    assert reply.replace("\n", "").isprintable(), (line, reply)
    assert "internal error" not in reply, (line, reply)


@pytest.fixture(scope="module", autouse=True)
def _compiled_kernels() -> None:
    """Compile before a clock runs: each capacity, with and without superko."""
    session = GtpSession(engine=CarelessEngine(seed=2))
    for size in CAPACITIES:
        for line in [f"boardsize {size}", "play b A1", "kata-set-rules aga", "genmove w", "undo"]:
            session.run_line(line)


@pytest.fixture
def _small_files_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory of its own, and write nothing at all: a path may be damaged, too."""
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text(GAME)
    Path("broken.sgf").write_text(GAME[:-9])
    monkeypatch.setattr(sgf, "save_sgf", lambda game, path, *names: sgf.format_sgf(game, *names))


@pytest.mark.usefixtures("_small_files_only")
def test_any_line_gets_a_sound_reply() -> None:
    session = GtpSession(engine=CarelessEngine(seed=2), game=Game(5))
    maker = LineMaker(seed=1)
    slowest = (0.0, "")
    for _ in range(N_LINES):
        line = maker.next_line()
        game, n_moves = session.game, len(session.game.moves)
        began = time.perf_counter()
        reply = session.run_line(line)
        slowest = max(slowest, (time.perf_counter() - began, line))
        check_reply(line, reply)
        assert len(game.moves) == n_moves, line  # a game is replaced, never changed
        if reply is None or reply[0] == "?":
            assert session.game is game, line
    assert slowest[0] < SLOWEST_REPLY, slowest


@pytest.mark.usefixtures("_small_files_only")
@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_garbage_is_refused(name: str) -> None:
    """By every command; but any word may be looked up, and any word may name a file."""
    session = GtpSession(engine=CarelessEngine(seed=2), game=Game(5))
    for arguments in ["%&/", "%&/ x", "%&/ x x", "-1 x", "x " * 50]:
        line = f"{name} {arguments}"
        reply = session.run_line(line)
        check_reply(line, reply)
        assert reply is not None
        if name not in ("known_command", "printsgf"):
            assert reply.startswith("?"), (line, reply)


STORMS = {
    "a long game": "gogui-play_sequence" + " b pass w pass" * 10_000,
    "a long game with a fault": "gogui-play_sequence b A1" + " w pass" * 10_000 + " w A1",
    "one undo of many": "gg-undo " + "9" * 10**6,
    "a long word": "x" * 10**6,
    "a long id": "1" * 10**6 + " name",
    "a long number": "komi 0." + "1" * 10**6,
    "a long size": "boardsize " + "0" * 10**6 + "5",
    "not quite a number": "boardsize " + "0" * 10**6 + "x",
    "a long vertex": "play b A" + "1" * 10**6,
    "many arguments": "play b A1" + " A2" * 10**5,
    "many stones": "set_position" + " b A1" * 10**5,
    "many handicap stones": "set_free_handicap" + " A1" * 10**5,
    "deep rules": "kata-set-rules " + '{"ko":' * 10**5,
    "deep values": 'kata-set-rules {"ko":' + "[" * 900 + "]" * 900 + "}",
    "deep parameters": "kata-set-params " + '{"policy":' * 10**5,
    "many parameters": 'kata-set-params {"policy":"rave"' + ',"policy":"rave"' * 10**5 + "}",
    "a long parameter": "goengine-param " + "x" * 10**6,
    "a long value": "goengine-param policy " + "x" * 10**6,
    "a long option": "lz-setoption name " + "x " * 10**5 + " value 3",
    "many words of an analysis": "kata-analyze b" + " ownership true" * 10**5,
    "many moves to avoid": "lz-analyze b avoid b " + "A1," * 10**5 + "A1 9",
    "many times avoided": "lz-analyze b" + " avoid b A1 9" * 10**4,
    "many periods": "kgs-time_settings byoyomi 1 1e-300 " + "9" * 30,
    "a deep directory": "loadsgf " + "a/" * 10**5,
    "spaces": "name" + " " * 10**6,
    "control characters": "\x07" * 10**6 + "name",
}


@pytest.mark.usefixtures("_small_files_only")
@pytest.mark.parametrize("title", STORMS)
def test_storm(title: str) -> None:
    session = GtpSession(engine=CarelessEngine(seed=2), game=Game(5))
    session.run_line("play b B2")
    for line in [STORMS[title], "undo", "showboard"]:
        began = time.perf_counter()
        check_reply(line, session.run_line(line))
        assert time.perf_counter() - began < SLOWEST_REPLY


def test_undo_storm() -> None:
    session = GtpSession(engine=CarelessEngine(seed=2), game=Game(9))
    for _ in range(150):
        session.run_line("genmove b")
        session.run_line("genmove w")
    replies = [session.run_line("undo") for _ in range(400)]
    assert replies == ["=\n\n"] * 300 + ["? cannot undo: 1 of 0 moves\n\n"] * 100
    assert session.game.is_empty
