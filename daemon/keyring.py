"""Keys on disk: a daemon's own and those that it lets in; a client's own and those it trusts.

    STATE/keys/server.key           the daemon's secret key
    STATE/keys/allowed              lines: NAME PUBLIC-KEY [GRANT ...]
    ~/.config/goengine/keys/NAME.key    a client's secret key
    ~/.config/goengine/keys/servers     lines: ADDRESS PUBLIC-KEY

STATE is the daemon's `state_directory`. Keys are 64 hexadecimal digits, here and wherever people
see them: ZeroMQ's own form has signs that a shell takes for its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

import zmq
from zmq.utils import z85

from daemon.rights import GRANTS, User

SERVER_KEY = "server.key"
ALLOWED = "allowed"
SERVERS = "servers"
NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PUBLIC = re.compile(r"[0-9a-fA-F]{64}")

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


class KeyringError(Exception):
    """A key that is missing, wrong or not safe; the text says which, and what to do."""


class Key(NamedTuple):
    secret: bytes
    public: bytes

    @property
    def text(self) -> str:
        """The public one, for people."""
        return self.public.hex()


class AllowedKey(NamedTuple):
    name: str
    public: str
    grants: frozenset[str] = frozenset()

    @property
    def user(self) -> User:
        return User(f"key:{self.name}", self.grants, self.public)


def client_directory(environment: Mapping[str, str] = os.environ) -> Path:
    base = environment.get("XDG_CONFIG_HOME", "")
    return Path(base if base.startswith("/") else "~/.config").expanduser() / "goengine" / "keys"


def parse_public(text: str) -> str:
    """Raises KeyringError."""
    if not _PUBLIC.fullmatch(text):
        raise KeyringError(f"{text!r} is no public key: that is 64 digits from 0-9 and a-f")
    return text.lower()


# --- secret keys ------------------------------------------------------------------


def make_key(path: Path) -> Key:
    """A new one, in a file that nobody else can read. Raises KeyringError if there is one."""
    secret = z85.decode(zmq.curve_keypair()[1])
    try:
        _make_directory(path.parent)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{secret.hex()}\n")
            os.fsync(descriptor)
        _give_to_owner(path)
    except FileExistsError:
        raise KeyringError(f"{path} is there already; remove it first to have a new one") from None
    except OSError as error:
        raise KeyringError(f"{path}: {error.strerror}") from None
    return _key(secret)


def read_key(path: Path) -> Key:
    """Raises KeyringError, also for a file that others can read."""
    try:
        with path.open(encoding="ascii") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise KeyringError(f"others can read {path}: chmod 600 {path}, or make a new key")
            text = file.read(1000).strip()
    except OSError as error:
        raise KeyringError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        text = ""
    if not _PUBLIC.fullmatch(text):
        raise KeyringError(f"{path} has no key in it; remove it and make a new one")
    return _key(bytes.fromhex(text))


def _key(secret: bytes) -> Key:
    return Key(secret, z85.decode(zmq.curve_public(z85.encode(secret))))


# --- lists of public keys ---------------------------------------------------------


def parse_allowed(line: str) -> AllowedKey:
    """Raises KeyringError."""
    words = line.split()
    if len(words) < 2:
        raise KeyringError(f"{line!r} is not NAME PUBLIC-KEY GRANT ...")
    name, public, *grants = words
    if not NAME.fullmatch(name):
        raise KeyringError(f"{name!r} is no name of letters, digits, dots, hyphens, underscores")
    for grant in grants:
        if grant not in GRANTS:
            raise KeyringError(f"there is no grant {grant!r}; there are {', '.join(GRANTS)}")
    return AllowedKey(name, parse_public(public), frozenset(grants))


def format_allowed(key: AllowedKey) -> str:
    return " ".join((key.name, key.public, *sorted(key.grants)))


def load_allowed(directory: Path) -> dict[str, AllowedKey]:
    """By name. Raises KeyringError."""
    return {key.name: key for key in _parse(directory / ALLOWED, parse_allowed)}


def load_servers(directory: Path) -> dict[str, str]:
    """Public keys by address. Raises KeyringError."""

    def parse(line: str) -> tuple[str, str]:
        address, _, public = line.partition(" ")
        return address, parse_public(public.strip())

    return dict(_parse(directory / SERVERS, parse))


def change_allowed(directory: Path, change: Callable[[dict[str, AllowedKey]], None]) -> None:
    """Raises KeyringError, and what `change` raises; then all stays as it was."""
    with _locked(directory):
        keys = load_allowed(directory)
        change(keys)
        _replace(directory / ALLOWED, [format_allowed(key) for key in keys.values()])


def trust_server(directory: Path, address: str, public: str) -> None:
    """Raises KeyringError."""
    with _locked(directory):
        servers = load_servers(directory) | {address: parse_public(public)}
        _replace(directory / SERVERS, [f"{address} {key}" for address, key in servers.items()])


class AllowList:
    """The keys that a daemon lets in, as the file has them at this moment.

    The daemon looks at every message, so that a key which is taken out is out at once.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._seen: object = None  # of the file
        self._by_public: dict[str, AllowedKey] = {}

    def __len__(self) -> int:
        self._look()
        return len(self._by_public)

    def find(self, public: str) -> User | None:
        self._look()
        key = self._by_public.get(public)
        return key and key.user

    def _look(self) -> None:
        """A line that cannot be read lets nobody in, and keeps nobody else out."""
        path = self._directory / ALLOWED
        try:
            entry = path.stat()
            seen: object = (entry.st_ino, entry.st_mtime_ns, entry.st_size)
        except OSError as error:
            seen = str(error)
        if seen != self._seen:
            self._seen = seen
            keys = _parse(path, parse_allowed, lambda error: _log.error("%s", error))
            self._by_public = {key.public: key for key in keys}


# --- files ------------------------------------------------------------------------


def _raise(error: KeyringError) -> None:
    raise error


def _parse(
    path: Path,
    parse: Callable[[str], _T],
    on_error: Callable[[KeyringError], None] = _raise,
) -> list[_T]:
    """What the lines say, but for comments; nothing where there is no file."""
    found: list[_T] = []
    try:
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    except OSError as error:
        on_error(KeyringError(f"{path}: {error.strerror}"))
        text = ""
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            if line.strip() and not line.startswith("#"):
                found.append(parse(line.strip()))
        except KeyringError as error:
            on_error(KeyringError(f"{path}:{number}: {error}"))
    return found


def _make_directory(directory: Path) -> None:
    """Raises OSError."""
    if not directory.is_dir():
        directory.mkdir(parents=True, mode=0o700)
        directory.chmod(0o700)
        _give_to_owner(directory)


def _give_to_owner(path: Path) -> None:
    """What root makes belongs to whom the directory around it does, as a daemon's user."""
    if os.geteuid() == 0:
        around = path.parent.stat()
        os.chown(path, around.st_uid, around.st_gid)


def _replace(path: Path, lines: list[str]) -> None:
    """All of the new file or all of the old. Raises KeyringError."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(descriptor)
        _give_to_owner(new)
        new.replace(path)
    except OSError as error:
        raise KeyringError(f"{path}: {error.strerror}") from None


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Two that change a list do so one after the other. Raises KeyringError."""
    try:
        _make_directory(directory)
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise KeyringError(f"{directory}: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
