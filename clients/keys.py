"""`goengine keys`: keys for daemons that other machines use, and for their clients."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from clients.options import address_text
from daemon.keyring import (
    ALLOWED,
    NAME,
    SERVER_KEY,
    AllowedKey,
    KeyringError,
    change_allowed,
    client_directory,
    load_allowed,
    load_servers,
    make_key,
    parse_public,
    read_key,
    trust_server,
)
from daemon.rights import GRANTS

EXIT_FAILURE = 1
_SYSTEM_STATE = Path("/var/lib/goengine")  # of the service


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    try:
        run: Callable[[argparse.Namespace], None] = options.run
        run(options)
    except KeyringError as error:
        print(f"goengine keys: {error}", file=sys.stderr)
        return EXIT_FAILURE
    return 0


def _server_directory(options: argparse.Namespace) -> Path:
    """Where the daemon's keys are: as its configuration says, and for root the service's.

    Raises KeyringError.
    """
    if options.directory:
        return Path(options.directory)
    from daemon.config import SYSTEM_FILE, ConfigError, find_config, load_config

    path = find_config()
    if os.geteuid() == 0 and path in (None, SYSTEM_FILE) and _SYSTEM_STATE.is_dir():
        os.environ.setdefault("STATE_DIRECTORY", str(_SYSTEM_STATE))  # as systemd does
    try:
        return load_config(path, {}).keys_directory
    except ConfigError as error:
        raise KeyringError(str(error)) from None


def _new(options: argparse.Namespace) -> None:
    directory = Path(options.directory) if options.directory else client_directory()
    key = make_key(directory / f"{options.name}.key")
    print(
        f"made {directory / options.name}.key. On the daemon's machine let it in:", file=sys.stderr
    )
    print(f"goengine keys allow {options.name} {key.text}")


def _server(options: argparse.Namespace) -> None:
    directory = _server_directory(options)
    path = directory / SERVER_KEY
    key = read_key(path) if path.exists() else make_key(path)
    change_allowed(directory, lambda keys: None)  # the list is there from now on
    print("the daemon's public key. On clients' machines, with its name for HOST:", file=sys.stderr)
    print(f"goengine keys trust tcp://HOST:7460 {key.text}")


def _allow(options: argparse.Namespace) -> None:
    directory = _server_directory(options)
    new = AllowedKey(options.name, parse_public(options.key), frozenset(options.grant))

    def change(keys: dict[str, AllowedKey]) -> None:
        other = next((key for key in keys.values() if key.public == new.public), new)
        if other.name != new.name:
            raise KeyringError(f"this is the key of {other.name} already")
        if keys.get(new.name, new).public != new.public:
            raise KeyringError(f"{new.name} has another key; revoke that first")
        keys[new.name] = new

    change_allowed(directory, change)
    grants = f", with the grant {' and '.join(sorted(new.grants))}" if new.grants else ""
    print(f"{new.name} is let in{grants}")


def _revoke(options: argparse.Namespace) -> None:
    def change(keys: dict[str, AllowedKey]) -> None:
        if keys.pop(options.name, None) is None:
            known = ", ".join(keys) or "nobody"
            raise KeyringError(f"{options.name} is not allowed; there are: {known}")

    change_allowed(_server_directory(options), change)
    print(f"{options.name} is let in no more, and what it had open ends")


def _trust(options: argparse.Namespace) -> None:
    directory = Path(options.directory) if options.directory else client_directory()
    trust_server(directory, options.address, options.key)
    print(f"{options.address} is known by this key")


def _list(options: argparse.Namespace) -> None:
    ours = Path(options.directory) if options.directory else client_directory()
    own = [path for path in sorted(ours.glob("*.key")) if path.name != SERVER_KEY]
    _print_table(f"own keys, in {ours}", [(path.stem, read_key(path).text) for path in own])
    _print_table("daemons that are trusted", list(load_servers(ours).items()))
    theirs = _server_directory(options)
    if (theirs / ALLOWED).exists():
        _print_table(f"the daemon here, in {theirs}", [("", read_key(theirs / SERVER_KEY).text)])
        rows = [
            (key.name, key.public, *sorted(key.grants)) for key in load_allowed(theirs).values()
        ]
        _print_table("clients that it lets in", rows)


def _print_table(title: str, rows: Sequence[tuple[str, ...]]) -> None:
    if rows:
        width = max(len(row[0]) for row in rows)
        print(f"{title}:")
        for first, *rest in rows:
            print(f"  {first:{width}}  {' '.join(rest)}".rstrip())


def _name(text: str) -> str:
    if not NAME.fullmatch(text) or f"{text}.key" == SERVER_KEY:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a name of up to 64 letters, digits, dots, hyphens and underscores "
            "other than server"
        )
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="goengine keys", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    parser.add_argument(
        "--directory",
        metavar="DIRECTORY",
        help="where the keys are (default: as docs/security.md says)",
    )

    def add(name: str, run: Callable[..., None], purpose: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=purpose, description=purpose)
        command.set_defaults(run=run)
        return command

    new = add("new", _new, "make a key for a client, on its own machine")
    trust = add("trust", _trust, "know a daemon on another machine by its public key")
    trust.add_argument("address", type=address_text, metavar="ADDRESS")
    add("server", _server, "the key of the daemon on this machine, made if there is none")
    allow = add("allow", _allow, "let a client in, or change what it may; needs no restart")
    revoke = add("revoke", _revoke, "let a client in no more; what it has open ends")
    for command in (new, allow, revoke):
        command.add_argument("name", type=_name, metavar="NAME")
    for command in (trust, allow):
        command.add_argument("key", metavar="PUBLIC-KEY")
    allow.add_argument(
        "--grant",
        choices=GRANTS,
        action="append",
        default=[],
        help="; ".join(f"{grant}: {meaning}" for grant, meaning in GRANTS.items()),
    )
    add("list", _list, "own keys, trusted daemons, and who is let in here")
    return parser
