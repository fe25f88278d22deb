"""The keys that a client shows to a daemon: its own, and the one that it knows the daemon by."""

from __future__ import annotations

import os
from pathlib import Path

import zmq

from daemon.addresses import Address, ClientKeys
from daemon.keyring import (
    NAME,
    Key,
    KeyringError,
    client_directory,
    load_servers,
    parse_public,
    read_key,
)


def with_keys(address: Address, key: str | None, server_key: str | None) -> Address:
    """The address with the keys for it; as it is where none are used. Raises KeyringError.

    key         a name or a file (default: $GOENGINE_KEY, or the only one that there is)
    server_key  the daemon's public key (default: $GOENGINE_SERVER_KEY, or as it was trusted)
    """
    if not address.is_tcp:
        return address
    directory = client_directory()
    known = server_key or os.environ.get("GOENGINE_SERVER_KEY") or _trusted(directory, address)
    if not known:
        if address.is_elsewhere:
            raise KeyringError(
                f"{address.text} is on another machine, and its key is not known here. Ask for it "
                f"there (goengine keys server), then: goengine keys trust {address.text} KEY"
            )
        return address
    name, own = _own_key(directory, key or os.environ.get("GOENGINE_KEY", ""))
    keys = ClientKeys(name, own.public, own.secret, bytes.fromhex(parse_public(known)))
    return address._replace(keys=keys)


def explain_refusal(address: Address, event: int) -> str:
    """Why a handshake failed, and what helps; `event` is the one of the socket's monitor."""
    keys = address.keys
    if event & zmq.EVENT_HANDSHAKE_FAILED_AUTH and keys:
        return (
            f"it does not know our key {keys.name}, or no more. Where it runs, this lets us in: "
            f"goengine keys allow {keys.name} {keys.public.hex()}"
        )
    if keys:
        return (
            f"its key is not {keys.server.hex()}, or it uses none. Ask for it there (goengine keys "
            f"server), then: goengine keys trust {address.text} KEY"
        )
    # The daemon's end is often all that we see of the reason.
    is_sure = event & zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    full = "" if is_sure else "it has all the connections that it takes (max_clients), or "
    return (
        f"{full}it wants a key. Make one (goengine keys new NAME), have it let in where the daemon "
        f"runs, and tell us the daemon's: goengine keys trust {address.text} KEY"
    )


def _trusted(directory: Path, address: Address) -> str | None:
    return load_servers(directory).get(address.text)


def _own_key(directory: Path, wanted: str) -> tuple[str, Key]:
    if wanted and not NAME.fullmatch(wanted):
        return Path(wanted).stem, read_key(Path(wanted))
    names = [wanted] if wanted else sorted(path.stem for path in directory.glob("*.key"))
    if not names:
        raise KeyringError(f"no key in {directory}; make one: goengine keys new NAME")
    if len(names) > 1:
        raise KeyringError(f"which key: {', '.join(names)}? Say it with --key or $GOENGINE_KEY")
    return names[0], read_key(directory / f"{names[0]}.key")
