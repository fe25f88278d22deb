"""Game records: SGF to a game and back, through sgfmill.

Reading follows the main line, the first variation everywhere. Any bytes
whatever give a new game or an SgfError that names the file and the property;
there is no game in progress here that could suffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from sgfmill import sgf, sgf_grammar, sgf_properties

import goengine
from goengine.board import BLACK, EMPTY, WHITE
from goengine.points import (
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    format_vertex,
    parse_sgf_letters,
    point_at,
    row_column,
)
from goengine.rules.game import Game, IllegalMove
from goengine.rules.rulesets import DEFAULT_RULES, RULESETS, Rules, parse_rules, rules_to_json

# Far beyond any game record. Within them, the worst file takes seconds and 300 MB.
MAX_BYTES = 4_000_000
MAX_MARKS = 500_000  # opening brackets and semicolons in the file
MAX_NODES = 5_000  # in the main line
MAX_SETUPS = 500  # nodes in the main line that set up stones

_DEFAULT_SIZE = 19
_MOVE_COLORS = {"B": BLACK, "W": WHITE}
_SETUP_COLORS = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
_COLOR_LETTERS = {BLACK: "b", WHITE: "w"}
# The Fox server counts komi in hundredths, of stones under Chinese rules.
_KOMI_OF_FOX = {275.0: 5.5, 325.0: 6.5, 375.0: 7.5, 550.0: 5.5, 650.0: 6.5, 750.0: 7.5}
# The words that the format itself knows; other rules go by our names.
_RULES_IN_SGF = {"aga": "AGA", "japanese": "Japanese", "new-zealand": "NZ"}


class SgfError(ValueError):
    """A record that cannot be read or written; says which file, which property, and why."""


# A node as sgfmill parses it: for each property, its raw values, of which there is one at least.
_Node = dict[str, list[bytes]]


def read_file(path: str | Path) -> bytes:
    """Return what is in a file, for `parse_sgf`. Raises SgfError."""
    path = Path(path)
    with _naming_file(path), path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def load_sgf(
    path: str | Path,
    move_number: int | None = None,
    rules: Rules = DEFAULT_RULES,
    komi: float | None = None,
) -> Game:
    """Return the game in a file, up to the position before move `move_number`.

    Moves count from 1; without a number, or past the end, all of them are
    played. What the file does not say is as in `parse_sgf`. Raises SgfError.
    """
    return parse_sgf(read_file(path), str(path), move_number, rules, komi)


def board_size(data: bytes, name: str = "SGF") -> int:
    """Rows of the board that SGF data is about. Raises SgfError."""
    try:
        return _size_of(_main_line(data)[0])
    except SgfError as error:
        raise SgfError(f"{_printable(name)}: {error}") from None


def parse_sgf(
    data: bytes,
    name: str = "SGF",
    move_number: int | None = None,
    rules: Rules = DEFAULT_RULES,
    komi: float | None = None,
) -> Game:
    """Return the game in SGF data; `name` stands for the file in errors.

    Without SZ the board is 19x19. `rules` hold without RU or where it means
    nothing here, `komi` without KM; None is the komi of the rules. Set-up in
    mid-game begins a new history: undo and superko do not reach behind it.
    Raises SgfError.
    """
    try:
        if move_number is not None and move_number < 1:
            raise SgfError(f"move number {move_number} is not 1 or more")
        nodes = _main_line(data)
        root = nodes[0]
        _check_game_type(root)
        game = Game(_size_of(root), _rules_of(root, rules), _komi_of(root, komi))
        game.declared_handicap = _handicap_of(root)
        return _replay(game, nodes, move_number)
    except SgfError as error:
        raise SgfError(f"{_printable(name)}: {error}") from None


def format_sgf(game: Game, black: str = "", white: str = "", result: str = "") -> str:
    """Return the game as SGF text, with the players' names and a result such as ``B+3.5``.

    SGF has no word for prisoners from before a set-up: these are lost.
    """
    record = sgf.Sgf_game(game.size)
    root = record.get_root()
    root.set("AP", (goengine.__name__, goengine.__version__))
    root.set("RU", _format_rules(game.rules))
    root.set("KM", game.komi)
    for identifier, text in (("PB", black), ("PW", white), ("RE", result)):
        if text:
            root.set(identifier, _one_line(text))
    if game.n_handicap or game.declared_handicap is not None:
        root.set("HA", game.n_handicap)
    root.set_setup_stones(
        [row_column(point, game.size) for point in game.setup_black],
        [row_column(point, game.size) for point in game.setup_white],
    )
    presumed = game.moves[0].color if game.moves else BLACK
    if root.has_setup_stones() or game.first_to_play != presumed:
        root.set("PL", _COLOR_LETTERS[game.first_to_play])
    node = root
    for color, point in game.moves:
        node = node.new_child()
        place = None if point == PASS else row_column(point, game.size)
        node.set_move(_COLOR_LETTERS[color], place)
    serialised: bytes = record.serialise()
    return serialised.decode("utf-8")


def save_sgf(
    game: Game, path: str | Path, black: str = "", white: str = "", result: str = ""
) -> None:
    """Write the game to a file, as `format_sgf` has it. Raises SgfError."""
    text = format_sgf(game, black, white, result)
    with _naming_file(Path(path)):
        Path(path).write_text(text, encoding="utf-8")


@contextmanager
def _naming_file(path: Path) -> Iterator[None]:
    """Turn what reading or writing the file raises into an SgfError."""
    try:
        # Opening a pipe would wait for somebody at its other end.
        if path.exists() and not path.is_file():
            raise OSError(None, "not a regular file")
        yield
    except OSError as error:
        raise SgfError(f"{_printable(str(path))}: {error.strerror or error}") from None
    except ValueError:
        raise SgfError(f"{_printable(str(path))}: not a file name") from None


def _main_line(data: bytes) -> list[_Node]:
    """The nodes of the main line, the root first."""
    if len(data) > MAX_BYTES:
        raise SgfError(f"longer than {MAX_BYTES} bytes")
    if sum(data.count(mark) for mark in (b"(", b";", b"[")) > MAX_MARKS:
        raise SgfError(f"more than {MAX_MARKS} nodes and values")
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise SgfError(f"not SGF: {error}") from None
    nodes = list(islice(sgf_grammar.main_sequence_iter(tree), MAX_NODES + 1))
    if len(nodes) > MAX_NODES:
        raise SgfError(f"more than {MAX_NODES} nodes in the main line")
    if sum(not _SETUP_COLORS.keys().isdisjoint(node) for node in nodes) > MAX_SETUPS:
        raise SgfError(f"AB, AW, AE in more than {MAX_SETUPS} nodes of the main line")
    return nodes


def _replay(game: Game, nodes: list[_Node], move_number: int | None) -> Game:
    """Apply set-up and moves to `game`; return it, or the game that set-up made of it."""
    n_moves = 0
    has_told_turn = False
    for node in nodes:
        identifier = _move_identifier(node, n_moves + 1)
        if identifier and n_moves + 1 == move_number:
            game.to_play = _MOVE_COLORS[identifier]
            break
        game = _set_up(game, node, n_moves)
        has_told_turn = has_told_turn or _has(node, "PL")
        if identifier:
            if not (game.moves or has_told_turn):
                game.to_play = _MOVE_COLORS[identifier]
            n_moves += 1
            _play(game, identifier, node[identifier], n_moves)
    return game


def _play(game: Game, identifier: str, values: list[bytes], n_moves: int) -> None:
    place = f"{_shown(identifier, values)} at move {n_moves}"
    if len(values) > 1:
        raise SgfError(f"{place}: more than one value")
    try:
        point = parse_sgf_letters(values[0].decode("latin-1"), game.size)
    except ValueError:
        raise SgfError(f"{place}: not on a {game.size}x{game.size} board") from None
    try:
        game.play(_MOVE_COLORS[identifier], point)
    except IllegalMove as error:
        raise SgfError(f"{place}: {error}") from None


def _set_up(game: Game, node: _Node, n_moves: int) -> Game:
    """Return the game with the stones and the player that a node sets up."""
    when = f"after move {n_moves}" if n_moves else "before move 1"
    changes = _setup_changes(node, game.size, when)
    if any(game.board.color[point] != color for point, color in changes.items()):
        color_of = {point: color for color, point in game.stones()} | changes
        black = [point for point, color in color_of.items() if color == BLACK]
        white = [point for point, color in color_of.items() if color == WHITE]
        game = _game_with_stones(game, black, white, when)
        if not n_moves and len(black) == game.n_handicap and not white:
            game.to_play = WHITE
    if _has(node, "PL"):
        game.to_play = _MOVE_COLORS[_interpret("PL", node["PL"], "neither B nor W").upper()]
    return game


def _setup_changes(node: _Node, size: int, when: str) -> dict[int, int]:
    """The new colour, or EMPTY, of each point that the node sets."""
    changes: dict[int, int] = {}
    n_named = 0
    for identifier, color in _SETUP_COLORS.items():
        for value in node.get(identifier, []):
            fault = f"no point or rectangle on a {size}x{size} board"
            places = _interpret(identifier, [value], fault, size)
            shown = f"{_shown(identifier, [value])} {when}"
            n_named += len(places)
            if n_named > 2 * size * size:
                raise SgfError(f"{shown}: more points than the board has")
            for row, column in sorted(places):
                point = point_at(row, column, size)
                if changes.setdefault(point, color) != color:
                    raise SgfError(f"{shown}: {format_vertex(point, size)} is set twice")
    return changes


def _game_with_stones(game: Game, black: list[int], white: list[int], when: str) -> Game:
    """A game that goes on from other stones, under the same rules and with the same prisoners."""
    edited = Game(game.size, game.rules, game.komi)
    prisoners = game.captures(BLACK), game.captures(WHITE)
    try:
        edited.set_up(black, white, game.to_play, prisoners)
    except ValueError as error:
        raise SgfError(f"AB, AW, AE {when}: {error}") from None
    edited.declared_handicap = game.n_handicap or game.declared_handicap
    return edited


def _move_identifier(node: _Node, number: int) -> str:
    """B, W, or "" if there is no move in the node."""
    found = [identifier for identifier in _MOVE_COLORS if identifier in node]
    if len(found) > 1:
        raise SgfError(f"B and W in one node at move {number}")
    return found[0] if found else ""


def _check_game_type(root: _Node) -> None:
    if _has(root, "GM") and _interpret("GM", root["GM"], "not a number") != 1:
        raise SgfError(f"{_shown('GM', root['GM'])}: not a game of Go, which is GM[1]")


def _size_of(root: _Node) -> int:
    if not _has(root, "SZ"):
        return _DEFAULT_SIZE
    shown = _shown("SZ", root["SZ"])
    columns, is_rectangle, rows = root["SZ"][0].partition(b":")
    try:
        size, n_rows = int(columns), int(rows if is_rectangle else columns)
    except ValueError:
        raise SgfError(f"{shown}: not a board size") from None
    if size != n_rows:
        raise SgfError(f"{shown}: the board is not square")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise SgfError(f"{shown}: board size {size} is not between {MIN_SIZE} and {MAX_SIZE}")
    return size


def _komi_of(root: _Node, default: float | None) -> float | None:
    if not _has(root, "KM"):
        return default
    komi = float(_interpret("KM", root["KM"], "komi is not a finite number"))
    return _KOMI_OF_FOX.get(komi, komi)


def _handicap_of(root: _Node) -> int | None:
    """The number of handicap stones; 0 also for a single one, which is just the first move.

    None where the record does not say.
    """
    if not _has(root, "HA"):
        return None
    n_stones = int(_interpret("HA", root["HA"], "not a number of handicap stones"))
    if n_stones < 0:
        raise SgfError(f"{_shown('HA', root['HA'])}: not a number of handicap stones")
    return n_stones if n_stones > 1 else 0


def _rules_of(root: _Node, default: Rules) -> Rules:
    """The format leaves RU to everyone's fancy: words that mean nothing here are no error."""
    if not _has(root, "RU"):
        return default
    text = sgf_grammar.simpletext_value(root["RU"][0]).decode("utf-8", "replace")
    try:
        return parse_rules(text)
    except ValueError:
        return default


def _format_rules(rules: Rules) -> str:
    if RULESETS.get(rules.name) != rules:
        return rules_to_json(rules)
    return _RULES_IN_SGF.get(rules.name, rules.name)


def _has(node: _Node, identifier: str) -> bool:
    """Is the property there and not blank? Some programs write what they do not know as KM[]."""
    return identifier in node and node[identifier][0].strip() != b""


def _interpret(identifier: str, values: list[bytes], fault: str, size: int = MAX_SIZE) -> Any:
    """What sgfmill makes of a property; `size` matters to points alone."""
    try:
        return sgf_properties.Presenter(size, "UTF-8").interpret(identifier, values)
    except ValueError:
        raise SgfError(f"{_shown(identifier, values)}: {fault}") from None


def _shown(identifier: str, values: list[bytes]) -> str:
    """A property as it stands in the file, as far as it fits into a line."""
    text = "][".join(value[:60].decode("utf-8", "replace") for value in values[:3])
    if len(text) > 60:
        text = text[:57] + "..."
    return f"{identifier}[{_printable(text)}]"


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)


def _one_line(text: str) -> str:
    return " ".join(text.split()).encode("utf-8", "replace").decode("utf-8")
