"""The daemon's configuration: one table of keys, read from a TOML file and the command line.

What a key means, its unit, its range and its default stand in its field of `Config` and
nowhere else: checks, `--help` and the printed file are made from them.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from daemon import defaults
from daemon.addresses import Address, parse_address, user_directory
from daemon.config_values import (
    ADDRESS,
    DIRECTORY,
    GROUP,
    METRICS,
    PARAMETERS,
    RULES,
    SIZES,
    TCP,
    Kind,
    ParameterValue,
    number,
    number_or_text,
    shown,
    whole,
    word,
)
from daemon.protocol import MAX_BYTES
from daemon.toml_file import TomlError, TomlFile, read_toml
from goengine import __version__
from goengine.points import CAPACITIES

SYSTEM_FILE = Path("/etc/goengine/goengined.toml")


class ConfigError(ValueError):
    """Something in the configuration is wrong; the text says where, what, and what is right."""


class OptionError(ConfigError):
    """The same, said on the command line."""


# --- the table --------------------------------------------------------------------


class Key(NamedTuple):
    group: str
    kind: Kind
    meaning: str
    unit: str = ""
    origin: str = ""  # of a default that is found when the daemon starts
    is_live: bool = False  # can change while the daemon runs


def _default(value: Any, key: Key) -> Any:
    """A field; `value` is its default, or makes it."""
    if callable(value):
        return dataclasses.field(default_factory=value, metadata={"key": key})
    return dataclasses.field(default=value, metadata={"key": key})


def _live(value: Any, key: Key) -> Any:
    """The same, for a key that can change while the daemon runs."""
    return _default(value, key._replace(is_live=True))


def _from_systemd(variable: str) -> str:
    """A directory that it made for us; the first where it made several."""
    return os.environ.get(variable, "").partition(":")[0]


def _listen() -> str:
    return f"ipc://{_from_systemd('RUNTIME_DIRECTORY') or user_directory()}"


def _state_directory() -> str:
    if ours := _from_systemd("STATE_DIRECTORY"):
        return ours
    base = os.environ.get("XDG_STATE_HOME", "")
    return str(Path(base if base.startswith("/") else "~/.local/state") / "goengine")


_LISTENING, _SEARCHING, _PLAYING = "where it listens", "searching", "playing"
_LIMITS, _RUNNING = "limits", "files and log"


@dataclasses.dataclass(frozen=True)
class Config:
    """What a daemon is started with; every value is checked. Raises ConfigError."""

    # fmt: off
    listen: str = _default(_listen, Key(_LISTENING, ADDRESS,
        "The address that clients connect to: ipc:// and a directory for the sockets, or "
        "tcp://HOST:PORT, which takes that port and the two after it.",
        origin="$RUNTIME_DIRECTORY, or else the directory goengine in $XDG_RUNTIME_DIR"))
    listen_tcp: str = _default("", Key(_LISTENING, TCP,
        "A second address, for other machines: tcp://*:7460 is every network that this one is in."))
    tcp_keys: str = _default("auto", Key(_LISTENING, word("auto", "always"),
        "Where tcp takes only clients whose keys are allowed (`goengine keys`): auto is on every "
        "address but loopback's, always is there too."))
    socket_mode: str = _default("0600", Key(_LISTENING, word("0600", "0660"),
        "Who may connect to ipc sockets: 0600 is the daemon's user, 0660 also the group."))
    group: str = _default("", Key(_LISTENING, GROUP,
        "The group that the ipc sockets and their new directory are given to; nothing leaves them "
        "as they are."))
    metrics: str = _default("", Key(_LISTENING, METRICS,
        "Where Prometheus finds metrics, under /metrics and readable by whoever can reach it; a "
        "port alone is on 127.0.0.1, nothing is nowhere."))

    workers: int = _default(lambda: len(os.sched_getaffinity(0)), Key(_SEARCHING, whole(1, 1024),
        "Processes that search; more than there are cores make nothing faster.",
        origin="the cores that the daemon may use"))
    slots: int = _default(16, Key(_SEARCHING, whole(1, 4096),
        "Search trees in memory, so many games can be searched at the same time."))
    slot_megabytes: int = _default(64, Key(_SEARCHING, whole(8, 1 << 20),
        "Memory of one slot; all slots together have to fit into shared memory.", "megabytes"))
    turn_seconds: float = _live(0.2, Key(_SEARCHING, number(0.01, 60),
        "How long a worker stays at a search when there are more searches than workers.",
        "seconds"))
    slot_seconds: float = _live(2.0, Key(_SEARCHING, number(0.1, 3600),
        "How long an analysis keeps its slot when others wait for one.", "seconds"))
    pondering_share: float = _live(1.0, Key(_SEARCHING, number(0, 1),
        "Part of the workers that may ponder, in all games together; one always may, as long as "
        "nobody else needs it.", "of 1"))
    warm_sizes: tuple[int, ...] = _default((), Key(_SEARCHING, SIZES,
        "Board sizes whose kernels are loaded before the daemon says that it is ready; others "
        "are loaded when the first game needs them.", "points a side"))

    rules: str = _live(defaults.RULES, Key(_PLAYING, RULES,
        "The rules of a game whose client does not choose any."))
    playouts: int = _live(defaults.PLAYOUTS, Key(_PLAYING, whole(1, 10**12),
        "Playouts for a move when no clock runs.", "playouts"))
    seconds: float = _live(0.0, Key(_PLAYING, number(0, 86400),
        "At most so long for a move when no clock runs; 0 is no limit by time.", "seconds"))
    pondering: str = _live("auto", Key(_PLAYING, word("auto", "on", "off"),
        "Whether new games are searched while the opponent thinks; auto is where moves are "
        "limited by time alone."))
    pondering_seconds: float = _live(300.0, Key(_PLAYING, number(0, 86400),
        "How long a game is pondered after its last command; 0 is not at all.", "seconds"))

    max_games: int = _live(10_000, Key(_LIMITS, whole(1, 10**6),
        "Games that are open at the same time; a new one beyond that is refused.", "games"))
    max_clients: int = _live(1000, Key(_LIMITS, whole(1, 10**5),
        "Clients at the same time; a new one beyond that is refused.", "clients"))
    user_games: int = _live(1000, Key(_LIMITS, whole(1, 10**6),
        "Games of one user, who is a uid on ipc and a key on tcp.", "games"))
    user_searches: int = _live(1000, Key(_LIMITS, whole(1, 10**6),
        "Searches of one user at a time, each with a slot's memory; more are refused.", "searches"))
    user_connections: int = _live(200, Key(_LIMITS, whole(1, 10**5),
        "Connections of one user at the same time; on others every request is refused.",
        "connections"))
    requests_per_second: int = _live(1000, Key(_LIMITS, whole(1, 10**6),
        "Requests that one connection may make, twice as many at once after a pause; more are "
        "refused. A long one counts for several, one for each 64 KB; an admin's are not counted.",
        "requests a second"))
    max_message_bytes: int = _live(MAX_BYTES, Key(_LIMITS, whole(1 << 10, MAX_BYTES),
        "The longest request; game records come in one.", "bytes"))
    unread_answers: int = _default(200, Key(_LIMITS, whole(64, 10**5),
        "Answers that wait for a client which does not read them; with more it is disconnected.",
        "answers"))
    orphan_seconds: float = _live(600.0, Key(_LIMITS, number(0, 31_536_000),
        "How long a game without a name stays after its client vanished.", "seconds"))

    state_directory: Path = _default(_state_directory, Key(_RUNNING, DIRECTORY,  # noqa: RUF009
        "Where the journal of all games is kept; ~ is the home of the daemon's user.",
        origin="$STATE_DIRECTORY, or else goengine in $XDG_STATE_HOME or ~/.local/state"))
    log_level: str = _live("info", Key(_RUNNING, word("debug", "info", "warning", "error"),
        "The least important messages that are still written to stderr."))

    # The last one: in TOML nothing can follow a table without being in it.
    parameters: Mapping[str, ParameterValue] = _live(dict, Key("parameters", PARAMETERS,
        "Search parameters of every new game, by name; the others stay at their defaults."))
    # fmt: on

    def __post_init__(self) -> None:
        for name in KEYS:
            value = _checked(name, getattr(self, name), functools.partial(str, name))
            object.__setattr__(self, name, value)

    @property
    def address(self) -> Address:
        return parse_address(self.listen)

    @property
    def addresses(self) -> list[Address]:
        """All, the main one first."""
        return [self.address, *([parse_address(self.listen_tcp)] if self.listen_tcp else [])]

    def needs_key(self, address: Address) -> bool:
        """Must a client have one to connect there?"""
        return address.is_elsewhere or (address.is_tcp and self.tcp_keys == "always")

    @property
    def keys_directory(self) -> Path:
        return self.state_directory / "keys"

    @property
    def metrics_place(self) -> tuple[str, int]:
        """Host and port."""
        host, _, port = self.metrics.rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def pondering_workers(self) -> int:
        """That may ponder at most: one at least, whole ones."""
        return max(1, math.floor(self.pondering_share * self.workers + 1e-9))

    @property
    def socket_permissions(self) -> int:
        return int(self.socket_mode, 8)


KEYS: dict[str, Key] = {field.name: field.metadata["key"] for field in dataclasses.fields(Config)}


# --- reading ----------------------------------------------------------------------


def find_config() -> Path | None:
    """The file that is read when the command line names none: the first that exists."""
    named = os.environ.get("GOENGINE_CONFIG", "")
    base = os.environ.get("XDG_CONFIG_HOME", "")
    user = Path(base if base.startswith("/") else "~/.config") / "goengine" / SYSTEM_FILE.name
    for path in (*([Path(named)] if named else []), user, SYSTEM_FILE):
        try:
            if path.expanduser().exists():
                return path.expanduser()
        except (OSError, RuntimeError):  # hidden from this user; a user without a home
            continue
    return None


def load_config(path: Path | None, overrides: Mapping[str, str]) -> Config:
    """The defaults, changed by the file, changed by `overrides`: text by key.

    A search parameter is overridden as "parameters.NAME". Raises ConfigError.
    """
    values: dict[str, Any] = {} if path is None else _read_file(path)
    for name, text in overrides.items():
        key, _, parameter = name.partition(".")
        if key not in KEYS:
            raise OptionError(f"there is no option {option(key)}{did_you_mean(key, KEYS)}")
        try:
            raw = {parameter: number_or_text(text)} if parameter else KEYS[key].kind.parse(text)
            _add(values, key, _checked(key, raw, functools.partial(option, key)))
        except ConfigError as error:
            raise OptionError(str(error)) from None
    return Config(**values)


def option(name: str) -> str:
    """The command line option that overrides the key."""
    return "--set" if name == "parameters" else f"--{name.replace('_', '-')}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a wrong name; empty if nothing is near."""
    near = get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _read_file(path: Path) -> dict[str, Any]:
    try:
        file = read_toml(path)
    except TomlError as error:
        raise ConfigError(str(error)) from None
    values: dict[str, Any] = {}
    for name, raw in file.table.items():
        if name not in KEYS:
            hint = did_you_mean(name, KEYS) or "; `goengined --print-config` lists all keys"
            raise ConfigError(f"{file.place(name)}: there is no key {name!r}{hint}")
        if name != "parameters" or not isinstance(raw, dict):
            place = functools.partial(_place_of_key, file, name)
            _add(values, name, _checked(name, raw, place))
            continue
        for parameter, value in raw.items():
            place = functools.partial(file.place, name, parameter)
            if parameter in KEYS:
                raise ConfigError(f"{place()}: {parameter} belongs above the line [parameters]")
            _add(values, name, _checked(name, {parameter: value}, place))
    return values


def _place_of_key(file: TomlFile, name: str) -> str:
    return f"{file.place(name)}: {name}"


def _add(values: dict[str, Any], name: str, value: Any) -> None:
    values[name] = {**values.get(name, {}), **value} if name == "parameters" else value


def _checked(name: str, raw: object, place: Callable[[], str]) -> Any:
    """Raises ConfigError, which begins with the place."""
    kind = KEYS[name].kind
    try:
        return kind.check(raw)
    except ValueError as error:
        reason = str(error) or f"{shown(raw)} is not {kind.wanted}"
        raise ConfigError(f"{place()}: {reason}") from None


# --- writing ----------------------------------------------------------------------


def describe(name: str) -> str:
    """What may be set, and the default, in half a sentence."""
    key = KEYS[name]
    unit = f", {key.unit}" if key.unit else ""
    default = format_value(_default_of(name))
    where = f"{key.origin}, here {default}" if key.origin else default
    return f"{key.kind.wanted}{unit}; default: {where}"


def print_config(config: Config) -> str:
    """A TOML file of all keys, explained, that loads as `config` again.

    Defaults that were found here, such as the number of cores, are commented out: elsewhere
    others are right.
    """
    lines = [f"# The configuration of goengined {__version__}: every key, with the value it has."]
    group = ""
    for name, key in KEYS.items():
        value = getattr(config, name)
        if key.group != group:
            group = key.group
            lines += ["", "", f"# --- {group} ".ljust(80, "-")]
        lines += ["", *_comment(key.meaning)]
        if name == "parameters":
            lines += ["", "[parameters]", *_parameter_lines(value)]
            continue
        silent = "# " if key.origin and value == _default_of(name) else ""
        live = " A reload changes it." if key.is_live else ""
        about = f"{_sentence(describe(name))}{live}"
        lines += [*_comment(about), f"{silent}{name} = {format_value(value)}"]
    return "\n".join(lines) + "\n"


def format_value(value: object) -> str:
    """As TOML writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(format_value, value))}]"
    if isinstance(value, str | Path):
        text = str(value).encode(errors="replace").decode()  # a refused default may be anything
        return json.dumps(text, ensure_ascii=False)
    return repr(value).removesuffix(".0")


def _default_of(name: str) -> Any:
    """Checked like every value; as it is where what was found here would be refused."""
    field = next(field for field in dataclasses.fields(Config) if field.name == name)
    find = field.default_factory
    value = field.default if find is dataclasses.MISSING else find()
    try:
        return KEYS[name].kind.check(value)
    except ValueError:
        return value


def _parameter_lines(changed: Mapping[str, ParameterValue]) -> Iterator[str]:
    from goengine.search import parameters  # brings numpy

    for parameter in parameters.PARAMETERS:
        low, high = parameter.format(parameter.minimum), parameter.format(parameter.maximum)
        kind = "a whole number" if parameter.is_whole else "a number"
        wanted = (
            f"one of {', '.join(parameter.words)}"
            if parameter.words
            else f"{kind} from {low} to {high}, {parameter.unit}"
        )
        usual = list(dict.fromkeys(parameter.default_for(size) for size in CAPACITIES))
        default = " or ".join(map(parameter.format, usual))
        by_size = ", by the size of the board" if len(usual) > 1 else ""
        example = parameter.format(usual[0]) if parameter.words else usual[0]
        silent = "" if parameter.name in changed else "# "
        value = format_value(changed.get(parameter.name, example))
        yield ""
        yield from _comment(_sentence(parameter.meaning))
        yield from _comment(_sentence(f"{wanted}; default: {default}{by_size}"))
        yield f"{silent}{parameter.name} = {value}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _comment(text: str) -> list[str]:
    lines = textwrap.wrap(text, 90, break_long_words=False, break_on_hyphens=False)
    return [f"# {line}" for line in lines]
