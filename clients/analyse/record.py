"""A game record that is to be analysed: its main line, and what an engine must know of it.

Bytes stay bytes: whatever the record has in comments, in whichever character set, is neither
decoded nor written anew. Only in some sets of East Asia may half of a character look like a
bracket or a backslash; such records are UTF-8 while they are worked on.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from sgfmill import sgf, sgf_grammar

from clients.gtp_lines import MAX_FILE_BYTES
from daemon.plain_text import plain
from goengine.points import MAX_SIZE, MIN_SIZE, format_vertex, parse_sgf_letters

Color = Literal["black", "white"]

OPPONENT: dict[Color, Color] = {"black": "white", "white": "black"}
HANDICAP_KOMI = 0.5  # if the record has none: the custom, as in `goengine play`
MAX_MOVES = 5_000

_COLORS: dict[str, Color] = {"B": "black", "W": "white"}
_SETUP = ("AB", "AW", "AE", "PL")
_FOR_THE_ENGINE = ("GM", "SZ", "RU", "KM", "HA", *_SETUP, *_COLORS)
_DEFAULT_SIZE = 19
_CHARSET = re.compile(rb"\bCA\s*\[([A-Za-z0-9_.:-]+)\]")
_AMBIGUOUS = ("gbk", "gb18030", "big5", "cp950", "big5hkscs", "shift_jis", "cp932")


class RecordError(Exception):
    """A record that cannot be analysed; the text says why, and what to do."""


class RecordedMove(NamedTuple):
    number: int  # from 1 on
    color: Color
    vertex: str  # D4 or pass
    node: sgf.Tree_node
    is_after_setup: bool  # were stones set up since the move before, or in its node?


@dataclass(frozen=True)
class Record:
    """One game; `game` has all of it, as it was read."""

    name: str  # of the file
    game: sgf.Sgf_game
    size: int
    moves: tuple[RecordedMove, ...]
    charset: str | None = None  # what it has in place of the UTF-8 in `game`

    def player(self, color: Color) -> str:
        """The name, or the colour if there is none."""
        name = self._text("PB" if color == "black" else "PW")
        return f"{name} ({color})" if name else color.capitalize()

    def engine_sgf(self, komi: float | None = None, rules: str | None = None) -> str:
        """The main line for an engine, with another komi or other rules if they are given."""
        nodes = [
            {
                identifier: node.get_raw_list(identifier)
                for identifier in _FOR_THE_ENGINE
                if node.has_property(identifier)
            }
            for node in self.game.get_main_sequence()
        ]
        root = nodes[0]
        if komi is not None:
            root["KM"] = [f"{komi:g}".encode()]
        elif "HA" in root and root["HA"][0].strip() not in (b"", b"0") and "KM" not in root:
            root["KM"] = [f"{HANDICAP_KOMI:g}".encode()]
        if rules is not None:
            root["RU"] = [rules.translate({92: "\\\\", 93: "\\]"}).encode()]
        tree = sgf_grammar.Coarse_game_tree()
        tree.sequence = nodes
        data: bytes = sgf_grammar.serialise_game_tree(tree)
        return data.decode("utf-8", "replace")

    def serialise(self) -> bytes:
        """Every value as it was read, whatever its character set."""
        tree = sgf_grammar.make_coarse_game_tree(
            self.game.get_root(), lambda node: node, sgf.Node.get_raw_property_map
        )
        data: bytes = sgf_grammar.serialise_game_tree(tree)
        return data.decode("utf-8").encode(self.charset) if self.charset else data

    def _text(self, identifier: str) -> str:
        """A line of the root, in the record's character set or the likeliest one."""
        root = self.game.get_root()
        if not root.has_property(identifier):
            return ""
        raw = sgf_grammar.simpletext_value(root.get_raw(identifier))
        has_told = root.has_property("CA") and not self.charset
        told = [root.get_raw("CA").decode("ascii", "replace")] if has_told else []
        for encoding in [*told, "utf-8"]:
            try:
                return _one_line(raw.decode(encoding))
            except (UnicodeDecodeError, LookupError):
                continue
        return _one_line(raw.decode("latin-1"))


def read_record(path: Path, number: int | None = None) -> Record:
    """The game in a file, or one of several, counted from 1. Raises RecordError."""
    return parse_record(_read(path), path.name, number)


def parse_record(data: bytes, name: str, number: int | None = None) -> Record:
    """The same for bytes; `name` stands for the file in errors."""
    charset = _ambiguous_charset(data)
    if charset:
        data = data.decode(charset).encode("utf-8")
    try:
        trees = sgf_grammar.parse_sgf_collection(data)
    except ValueError as error:
        raise RecordError(f"{name} is not a game record in SGF: {error}") from None
    if number is None and len(trees) > 1:
        raise RecordError(
            f"{name} has {len(trees)} games: say with --game-number 1 to {len(trees)} which one"
        )
    if number is not None and number > len(trees):
        raise RecordError(f"{name} has no game {number}: it has {len(trees)}")
    tree = trees[(number or 1) - 1]
    size = _size_of(tree.sequence[0], name)
    game = _game_from(tree, size)
    moves = _moves_of(game, size, name)
    if not moves:
        raise RecordError(f"{name} has no moves in its main line: there is nothing to analyse")
    if len(moves) > MAX_MOVES:
        raise RecordError(f"{name} has {len(moves)} moves, more than the {MAX_MOVES} of any game")
    return Record(name, game, size, tuple(moves), charset)


def _ambiguous_charset(data: bytes) -> str | None:
    """The set that the record names, if its bytes cannot be told apart without it."""
    found = _CHARSET.search(data)
    try:
        name = codecs.lookup(found[1].decode("ascii")).name if found else ""
        name = "gbk" if name == "gb2312" else name  # which many programs call it
        if name in _AMBIGUOUS and data.decode(name).encode(name) == data:
            return name
    except (LookupError, UnicodeError):
        pass
    return None


def _read(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise RecordError(f"{path} is not a file")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise RecordError(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        raise RecordError(f"{path} cannot be read: {error}") from None
    if len(data) > MAX_FILE_BYTES:
        raise RecordError(f"{path} is longer than {MAX_FILE_BYTES:,} bytes")
    return data


def _size_of(root: dict[str, list[bytes]], name: str) -> int:
    game_type = root.get("GM", [b"1"])[0].strip()
    if game_type not in (b"", b"1"):
        raise RecordError(f"{name} is not a game of Go: GM is {_shown(game_type)}, not 1")
    value = root.get("SZ", [b""])[0].strip() or str(_DEFAULT_SIZE).encode()
    columns, _, rows = value.partition(b":")
    try:
        sides = {int(columns), int(rows or columns)}
    except ValueError:
        raise RecordError(f"{name}: SZ[{_shown(value)}] is not a board size") from None
    if len(sides) > 1:
        raise RecordError(f"{name}: SZ[{_shown(value)}]: only square boards can be analysed")
    size = sides.pop()
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise RecordError(
            f"{name} is a game on {size}x{size}: boards of {MIN_SIZE} to {MAX_SIZE} lines can be "
            "analysed"
        )
    if "SZ" in root:
        root["SZ"] = [str(size).encode()]  # 19:19 is 19
    return size


def _game_from(tree: sgf_grammar.Coarse_game_tree, size: int) -> sgf.Sgf_game:
    """sgfmill is told that every byte is a character, and the record's CA stays."""
    root = tree.sequence[0]
    told = root.get("CA")
    game = sgf.Sgf_game.from_coarse_game_tree(tree, override_encoding="ISO-8859-1")
    assert game.get_size() == size
    if told is None:
        game.get_root().unset("CA")
    else:
        game.get_root().set_raw_list("CA", told)
    return game


def _moves_of(game: sgf.Sgf_game, size: int, name: str) -> list[RecordedMove]:
    moves: list[RecordedMove] = []
    is_after_setup = False
    for node in game.get_main_sequence():
        identifiers = [each for each in _COLORS if node.has_property(each)]
        has_setup = any(node.has_property(each) for each in _SETUP)
        number = len(moves) + 1
        if len(identifiers) > 1:
            raise RecordError(f"{name}: B and W in one node at move {number}")
        if identifiers:
            vertex = _vertex(node, identifiers[0], size, f"{name}: move {number}")
            color = _COLORS[identifiers[0]]
            moves.append(RecordedMove(number, color, vertex, node, is_after_setup))
            is_after_setup = False
        is_after_setup = is_after_setup or has_setup
    return moves


def _vertex(node: sgf.Tree_node, identifier: str, size: int, place: str) -> str:
    letters = node.get_raw(identifier).decode("latin-1").strip()
    try:
        return format_vertex(parse_sgf_letters(letters, size), size)
    except ValueError:
        shown = _shown(letters.encode("latin-1"))
        raise RecordError(
            f"{place} is {identifier}[{shown}], which is not on a {size}x{size} board"
        ) from None


def _shown(value: bytes) -> str:
    return plain(value[:20].decode("utf-8", "replace"))


def _one_line(text: str) -> str:
    return " ".join(plain(text).split())
