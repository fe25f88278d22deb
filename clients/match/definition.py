"""A match as its file declares it: players, pairings, and under which conditions they play.

Every key is a field below; docs/match.md shows them at work. What a pairing does not say is
taken from [game]. `Pairing.key` names its conditions: change them, and its games are others.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta

from clients.match.time_settings import Clock, RandomClock, Seconds, wrong_with
from daemon.toml_file import TomlError, TomlFile, read_toml
from goengine.points import MAX_SIZE, MIN_SIZE
from goengine.rules.handicap import fixed_handicap
from goengine.rules.rulesets import Rules, find_rules

Positive = Annotated[int, Meta(ge=1, le=10**12)]
Size = Annotated[int, Meta(ge=MIN_SIZE, le=MAX_SIZE)]
Text = Annotated[str, Meta(min_length=1, max_length=1000)]
Colors = Literal["alternate", "first is black", "first is white"]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=-]{0,63}")
_PLACE = re.compile(r" - at `\$(.*)`$")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")


_OUR_KEYS = ("playouts", "seconds", "workers", "parameters", "daemon", "pondering")


class MatchError(ValueError):
    """The file does not declare a match; the text says where and what would be right."""


class Sprt(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Games end when it is clear enough whether the first player is `elo1` or `elo0` stronger."""

    elo0: Annotated[float, Meta(ge=-1000, le=1000)]
    elo1: Annotated[float, Meta(ge=-1000, le=1000)]
    alpha: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    beta: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05


class Openings(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where games start; each is played with both colours.

    file    SGF files by a pattern, or one file with a line of vertices an opening
    moves   or so many random moves, `count` openings from `seed`, each judged to be even
            by our engine: its win rate is from `balance` to 1 - `balance`
    """

    file: Text | None = None
    moves: Annotated[int, Meta(ge=1, le=40)] | None = None
    count: Annotated[int, Meta(ge=1, le=10_000)] = 50
    seed: Annotated[int, Meta(ge=0)] = 1
    balance: Annotated[float, Meta(ge=0, lt=0.5)] = 0.35


class Player(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Any program that speaks GTP (`command`), or our engine (`engine`) with its options.

    daemon       "own": a private one for each game's player; "shared": one for the match; or
                 the address of one that runs
    setup        GTP commands before every game
    """

    command: Text | None = None
    directory: Text | None = None
    environment: dict[str, str] = {}

    engine: Text | None = None
    playouts: Positive | None = None
    seconds: Seconds | None = None
    workers: Annotated[int, Meta(ge=1, le=1024)] | None = None
    parameters: dict[str, str | int | float] = {}
    daemon: Text = "own"
    pondering: bool | msgspec.UnsetType = msgspec.UNSET  # unset, it is not part of a key

    setup: list[Text] = []


class Conditions(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What [game] and each pairing may say; None is "as [game] says", there "as usual"."""

    size: Size | None = None
    rules: Text | None = None
    komi: Annotated[float, Meta(ge=-1000, le=1000)] | None = None
    handicap: Annotated[int, Meta(ge=0, le=9)] | None = None
    clock: Clock | None = None
    patience: Seconds | None = None
    most_moves: Positive | None = None
    openings: Openings | None = None
    colors: Colors | None = None
    games: Positive | None = None
    sprt: Sprt | None = None


class PairingTable(Conditions, forbid_unknown_fields=True, frozen=True, kw_only=True):
    players: Annotated[list[Text], Meta(min_length=2, max_length=2)]
    name: Annotated[str, Meta(min_length=1, max_length=150)] | None = None  # a folder has it
    published: Text | None = None


class Published(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where the figures beside ours come from."""

    source: Text
    note: str = ""


class MatchTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    players: Annotated[dict[str, Player], Meta(min_length=1)]
    pairings: Annotated[list[PairingTable], Meta(min_length=1)]
    title: Text | None = None
    results: Text | None = None
    games_at_once: Annotated[int, Meta(ge=1, le=1024)] | None = None
    cores: list[Annotated[int, Meta(ge=0)]] | None = None
    pin: bool = False
    forfeits_in_a_row: Annotated[int, Meta(ge=0)] = 5
    game: Conditions = Conditions()
    published: Published | None = None


_TABLES: dict[str, type[msgspec.Struct]] = {
    "": MatchTable, "players": Player, "pairings": PairingTable, "game": Conditions,
    "clock": Clock, "random": RandomClock, "sprt": Sprt, "openings": Openings,
    "published": Published,
}  # fmt: skip


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """Two players and all that is agreed between them.

    patience    seconds for a reply where no clock limits it
    openings_digest     names what is in the file of openings, if there is one
    games       so many, or with `sprt` at most so many
    """

    name: str
    first: str
    second: str
    players: tuple[Player, Player]
    size: int
    rules: str
    komi: float
    handicap: int
    clock: Clock | None
    patience: float
    most_moves: int
    openings: Openings | None
    openings_digest: str = ""
    colors: Colors
    games: int
    sprt: Sprt | None
    published: str | None

    @property
    def key(self) -> str:
        """Names folder and games: the pairing, and eight letters for what its games are."""
        parts = (self.players, self.size, self.rules, self.komi, self.handicap, self.clock,
                 self.patience, self.most_moves, self.openings, self.openings_digest,
                 self.colors)  # fmt: skip
        digest = hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()
        return f"{_folder_name(self.name)}-{digest[:8]}"

    @property
    def ruleset(self) -> Rules:
        return find_rules(self.rules)

    def first_is_black(self, number: int) -> bool:
        """Games are numbered from 1; each opening is played by both before the next."""
        return self.colors != "first is white" and (
            self.colors == "first is black" or number % 2 == 1
        )

    def turn_of(self, number: int) -> int:
        """Which opening and which clock: two games with both colours have the same."""
        return (number - 1) // 2 if self.colors == "alternate" else number - 1


class Match(msgspec.Struct, frozen=True, kw_only=True):
    path: Path
    title: str
    results: Path
    players: dict[str, Player]
    pairings: list[Pairing]
    games_at_once: int | None
    cores: list[int] | None
    pin: bool
    forfeits_in_a_row: int
    published: Published | None


Table = TypeVar("Table", bound=msgspec.Struct)


def read_match(path: Path) -> Match:
    """Raises MatchError."""
    return _checked(*read_table(path, MatchTable, _TABLES))


def read_table(
    path: Path, kind: type[Table], tables: Mapping[str, type[msgspec.Struct]]
) -> tuple[TomlFile, Table]:
    """A file as a structure, and where each of its keys stands. Raises MatchError."""
    try:
        file = read_toml(path)
    except TomlError as error:
        raise MatchError(str(error)) from None
    try:
        return file, msgspec.convert(file.table, kind)
    except msgspec.ValidationError as error:
        raise MatchError(explain(file, str(error), tables)) from None


def _checked(file: TomlFile, table: MatchTable) -> Match:
    for name, player in table.players.items():
        if not _NAME.fullmatch(name):
            raise MatchError(
                f"{file.place('players', name)}: {name!r} is no name of up to 64 letters, "
                "digits and . _ + = -"
            )
        check_player(file, ("players", name), player)
    pairings = []
    for number, given in enumerate(table.pairings, 1):
        try:
            pairing = make_pairing(given, table.game, table.players)
            digest = openings_digest(pairing.openings, file.path.parent)
            pairings.append(msgspec.structs.replace(pairing, openings_digest=digest))
        except (OSError, ValueError) as error:
            raise MatchError(f"{file.path}: pairing {number}: {error}") from None
    names = [_folder_name(pairing.name) for pairing in pairings]
    for pairing, name in zip(pairings, names, strict=True):
        if names.count(name) > 1:
            raise MatchError(
                f"{file.path}: two pairings are called {pairing.name!r}, or the same in the "
                "letters that a folder may have; give one another name"
            )
    return Match(
        path=file.path,
        title=table.title or file.path.stem,
        results=file.path.parent / (table.results or f"{file.path.stem}.results"),
        players=table.players,
        pairings=pairings,
        games_at_once=table.games_at_once,
        cores=table.cores,
        pin=table.pin,
        forfeits_in_a_row=table.forfeits_in_a_row,
        published=table.published,
    )


def opening_files(pattern: str, base: Path) -> list[Path]:
    """Raises ValueError if there are none."""
    anchor = Path(pattern).anchor
    try:
        paths = sorted(Path(anchor or base).glob(pattern[len(anchor) :]))
    except (IndexError, NotImplementedError):  # pathlib's words for a bad pattern
        paths = []
    if not paths:
        raise ValueError(f"there are no openings in {base / pattern}")
    return paths


def openings_digest(openings: Openings | None, base: Path) -> str:
    """Names what is in the files; empty if there are none. Raises OSError and ValueError."""
    if openings is None or openings.file is None:
        return ""
    digest = hashlib.sha256()
    for path in opening_files(openings.file, base):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def check_player(file: TomlFile, place: tuple[str, ...], player: Player) -> None:
    """`place` is the key of its table in the file. Raises MatchError."""
    if (player.command is None) == (player.engine is None):
        raise MatchError(f"{file.place(*place)}: {place[-1]} needs either a command or an engine")
    _check_command(file, place, player)
    given = file.table
    for part in place:
        given = given[part]
    for key in _OUR_KEYS if player.engine is None else ("directory",):
        if key in given:
            kind = "a command" if player.engine is None else "an engine of ours"
            raise MatchError(f"{file.place(*place, key)}: {kind} has no {key}")


def _check_command(file: TomlFile, place: tuple[str, ...], player: Player) -> None:
    if player.command is None:
        return
    line = file.place(*place, "command")
    try:
        words = shlex.split(player.command)
    except ValueError as error:
        raise MatchError(f"{line}: the command cannot be split into words: {error}") from None
    if not words:
        raise MatchError(f"{line}: the command is empty")


def make_pairing(given: PairingTable, usual: Conditions, players: dict[str, Player]) -> Pairing:
    """What it does not say is `usual`. Raises ValueError."""
    first, second = given.players
    for name in given.players:
        if name not in players:
            raise ValueError(f"there is no player {name!r}; there are {', '.join(players)}")

    def value(key: str, default: Any) -> Any:
        said = getattr(given, key)
        said = getattr(usual, key) if said is None else said
        return default if said is None else said

    rules = find_rules(value("rules", "chinese"))
    size, handicap, clock = value("size", 9), value("handicap", 0), value("clock", None)
    openings, sprt = value("openings", None), value("sprt", None)
    if handicap == 1:
        raise ValueError("handicap is 0, or 2 to 9 stones")
    if handicap:
        fixed_handicap(handicap, size)
    if clock and (wrong := wrong_with(clock)):
        raise ValueError(wrong)
    if clock and (hasty := [name for name in given.players if players[name].playouts]):
        raise ValueError(f"the clock says how long {hasty[0]} searches; leave its playouts out")
    if openings and (openings.file is None) == (openings.moves is None):
        raise ValueError("openings are given by a file, or made by a number of moves")
    if openings and handicap:
        raise ValueError("a game starts with handicap stones or with an opening")
    if sprt and sprt.elo0 >= sprt.elo1:
        raise ValueError(f"elo0 = {sprt.elo0:g} has to be less than elo1 = {sprt.elo1:g}")
    return Pairing(
        name=given.name or f"{first} vs {second}",
        first=first,
        second=second,
        players=(players[first], players[second]),
        size=size,
        rules=rules.name,
        komi=value("komi", rules.komi),
        handicap=handicap,
        clock=clock,
        patience=value("patience", 120.0),
        most_moves=value("most_moves", 3 * size * size),
        openings=openings,
        colors=value("colors", "alternate"),
        games=value("games", 20_000 if sprt else 100),
        sprt=sprt,
        published=given.published,
    )


def _folder_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._+=-]+", "-", name)


def explain(file: TomlFile, message: str, tables: Mapping[str, type[msgspec.Struct]]) -> str:
    """What msgspec says, with the place in the file instead of its path, and what is right.

    `tables` are what may stand in the file, by the key that they stand at.
    """
    found = _PLACE.search(message)
    text = message[: found.start()] if found else message
    keys = re.findall(r"[A-Za-z_]\w*", found[1]) if found else []
    right = ""
    if unknown := _UNKNOWN.fullmatch(text):
        text = f"there is no key {unknown[1]!r}"
        right = f"; there are {', '.join(tables[keys[-1] if keys else ''].__struct_fields__)}"
    elif keys[-1:] == ["colors"]:
        right = f"; there are {', '.join(get_args(Colors))}"
    inside = f" in {' '.join(keys)}" if keys else ""
    return f"{file.path}: {text[0].lower()}{text[1:]}{inside}{right}"
