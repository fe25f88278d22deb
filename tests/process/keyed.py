"""Daemons that want keys, on loopback, and clients that have some."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import zmq

from daemon.addresses import Address, ClientKeys, parse_address
from daemon.keyring import AllowedKey, Key, change_allowed, make_key
from tests.process.daemons import Client, Daemon, running_daemon


def free_ports() -> int:
    """The first of three in a row; others may run the same tests at the same time."""
    for port in random.sample(range(20_000, 30_000, 3), 100):
        try:
            for offset in range(3):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port + offset))
        except OSError:
            continue
        return port
    raise AssertionError("no port is free")


class KeyedDaemon:
    """A daemon on ipc, for whoever runs the tests, and on tcp for those with keys."""

    def __init__(self, daemon: Daemon, server: Key, address: Address) -> None:
        self.daemon = daemon
        self.server = server
        self.address = address
        self.keys = daemon.directory / "keys"
        self._secrets = daemon.directory / "clients"

    def make(self, name: str) -> ClientKeys:
        """A key that is not allowed yet."""
        key = make_key(self._secrets / f"{name}.key")
        return ClientKeys(name, key.public, key.secret, self.server.public)

    def allow(self, keys: ClientKeys, *grants: str) -> ClientKeys:
        new = AllowedKey(keys.name, keys.public.hex(), frozenset(grants))
        change_allowed(self.keys, lambda known: known.update({new.name: new}))
        return keys

    def revoke(self, name: str) -> None:
        change_allowed(self.keys, lambda known: known.pop(name) and None)

    def client(self, keys: ClientKeys | None, game: str = "", socket: str = "requests") -> Client:
        return Client(self.daemon, game, socket, address=self.address._replace(keys=keys))

    def ask_control(self, keys: ClientKeys | None, **fields: Any) -> dict[str, Any]:
        with self.client(keys, socket="control") as client:
            return client.ask(**fields)[-1]


@contextmanager
def keyed_daemon(directory: Path, **settings: object) -> Iterator[KeyedDaemon]:
    server = make_key(directory / "keys" / "server.key")
    change_allowed(directory / "keys", lambda keys: None)
    address = parse_address(f"tcp://127.0.0.1:{free_ports()}")
    options = {"listen_tcp": address.text, "tcp_keys": "always", "playouts": 100} | settings
    with running_daemon(directory, **options) as daemon:
        yield KeyedDaemon(daemon, server, address)


def events_of(client: Client) -> zmq.Socket[bytes]:
    """A socket that has an event when the client's connection ends or is refused."""
    return client.socket.get_monitor_socket(
        zmq.EVENT_DISCONNECTED
        | zmq.EVENT_HANDSHAKE_FAILED_AUTH
        | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
        | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    )
