"""The daemon's three sockets: where they listen, whom they let in, and what goes through them."""

from __future__ import annotations

import logging
import os
import resource
import shutil
from collections.abc import Callable
from typing import Any

import zmq

from daemon import protocol, zap
from daemon.addresses import SOCKETS, Address, ClientKeys
from daemon.config import Config
from daemon.connections import Connections, hang_up
from daemon.doors import Caller, Door
from daemon.keyring import ALLOWED, SERVER_KEY, AllowList, Key, KeyringError, read_key
from daemon.ports import Port
from daemon.protocol import Answer, encode
from daemon.rights import User, identify, local_user, uid_name
from daemon.subscriptions import Subscriptions

HEARTBEAT = 500  # ms
HEARTBEAT_TIMEOUT = 1500  # ms until a client that does not answer is gone
HANDSHAKE = 5000  # ms that one may take
RECEIVE_QUEUE = 16  # messages of one client that libzmq takes in before they are looked at
SEND_BUFFER = 1 << 18  # bytes of answers that the kernel holds for one client
BACKLOG = 1024  # connections that wait for the kernel to hand them over
MAX_SHORT_BYTES = 1 << 12  # of a message about the daemon itself, and of a topic

_log = logging.getLogger(__name__)


def find_key(config: Config) -> Key | None:
    """The daemon's, for addresses where clients need one; None if there is no such address.

    Raises KeyringError.
    """
    address = next(filter(config.needs_key, config.addresses), None)
    if address is None:
        return None
    directory = config.keys_directory
    if not (directory / SERVER_KEY).exists() or not (directory / ALLOWED).exists():
        reason = "can be reached from other machines" if address.is_elsewhere else "has tcp_keys"
        tool = f"goengine keys --directory {directory}"
        raise KeyringError(
            f"{address.text} {reason}, so it is for clients with keys, and {directory} has none. "
            f"Run `{tool} server` here, then `{tool} allow NAME PUBLIC-KEY` for each client; "
            "docs/security.md shows all of it. ipc, and tcp on 127.0.0.1, do without keys"
        )
    if not len(AllowList(directory)):
        _log.warning("nobody can use %s yet: `goengine keys allow` lets clients in", address.text)
    return read_key(directory / SERVER_KEY)


class Sockets:
    """
    inherited   descriptors of sockets of the main address that systemd listens at
    receive     takes a message about a game, `answer` answers one about the daemon
    lose        is told of descriptors by which no more requests come
    """

    def __init__(
        self,
        config: Config,
        key: Key | None,
        inherited: dict[str, int],
        receive: Callable[[Caller, memoryview], None],
        answer: Callable[[Caller, memoryview], Answer],
        lose: Callable[[int], None],
    ) -> None:
        self._config = config
        self._key = key
        self._inherited = inherited
        self._receive = receive
        self._answer = answer
        self._allowed = AllowList(config.keys_directory)
        self._has_plain_tcp = any(
            address.is_tcp and not config.needs_key(address) for address in config.addresses
        )
        self._subscriptions = Subscriptions(uid_name(os.getuid()))
        _allow_descriptors(3 * config.max_clients)
        self._context = zmq.Context()
        self._context.set(zmq.MAX_SOCKETS, 8 * 1024)
        self._requests = self._socket(zmq.ROUTER, protocol.MAX_BYTES)
        self._control = self._socket(zmq.ROUTER, MAX_SHORT_BYTES)
        self._analysis = self._socket(zmq.XPUB, MAX_SHORT_BYTES)
        self._analysis.setsockopt(zmq.XPUB_MANUAL, 1)
        self._request_door = self._door(self._requests, self._take_request, lose)
        self._control_door = self._door(self._control, self._take_control, _ignore)
        self._analysis_door = self._door(
            self._analysis, self._take_subscription, self._subscriptions.forget
        )
        self._doors = (self._control_door, self._analysis_door, self._request_door)
        self.connections = self._request_door.connections  # by which requests come

    def open(self) -> None:
        """Listen, in a running loop. Raises ZMQError."""
        gatekeeper = self._context.socket(zmq.REP)
        gatekeeper.bind(zap.ENDPOINT)
        self._gate = Port(gatekeeper, lambda frames: self._let_in(gatekeeper, frames))
        self._bind()
        for door in self._doors:
            door.open()

    def close_requests(self) -> None:
        """Take no more of them; answers can still be sent."""
        self._request_door.close_messages()

    def close(self) -> None:
        for door in self._doors:
            door.close()
        self._gate.close()
        self._context.destroy(linger=500)
        directory = self._config.address.directory
        if directory is not None and not self._inherited:
            for name in SOCKETS:
                (directory / name).unlink(missing_ok=True)

    @property
    def own_address(self) -> Address:
        """Where the daemon itself can connect, with what it needs for that."""
        for address in self._config.addresses:
            if not self._config.needs_key(address):
                return address
        assert self._key is not None
        keys = ClientKeys("", self._key.public, self._key.secret, self._key.public)
        return self._config.address._replace(keys=keys)

    def configure(self, config: Config) -> None:
        """For connections from now on, as far as libzmq can."""
        self._config = config
        for door in self._doors:
            door.connections.configure(
                config.max_clients, config.user_connections, config.requests_per_second
            )

    def send(self, route: bytes, answer: Answer) -> None:
        self._request_door.send(route, encode(answer))

    def publish(self, user: str, game: str, text: str) -> None:
        self._analysis_door.send(self._subscriptions.topic(user, game), text.encode())

    def is_watched(self, user: str, game: str) -> bool:
        return self._subscriptions.is_watched(user, game)

    def end_outdated(self) -> None:
        """End what users with a key have open who may no longer; to be called every second."""
        for door in (self._control_door, self._request_door):  # grants are asked with each message
            door.end_outdated(lambda user: self._now(user).name == user.name)
        self._analysis_door.end_outdated(lambda user: self._now(user) == user)

    # --- set up ---------------------------------------------------------------

    def _socket(self, kind: int, max_bytes: int) -> Any:
        socket = self._context.socket(kind)
        socket.setsockopt(zmq.LINGER, 500)
        socket.setsockopt(zmq.SNDHWM, self._config.unread_answers)
        socket.setsockopt(zmq.SNDBUF, SEND_BUFFER)
        socket.setsockopt(zmq.RCVHWM, RECEIVE_QUEUE)
        socket.setsockopt(zmq.MAXMSGSIZE, max_bytes)
        socket.setsockopt(zmq.BACKLOG, BACKLOG)
        socket.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT)
        socket.setsockopt(zmq.HANDSHAKE_IVL, HANDSHAKE)
        socket.setsockopt(zmq.IPV6, 1)
        if kind == zmq.ROUTER:
            socket.setsockopt(zmq.ROUTER_MANDATORY, 1)  # to be told of one that does not read
        return socket

    def _door(
        self,
        socket: Any,
        receive: Callable[[Caller | None, list[zmq.Frame]], None],
        lose: Callable[[int], None],
    ) -> Door:
        config = self._config
        connections = Connections(
            config.max_clients, config.user_connections, config.requests_per_second
        )
        return Door(socket, connections, self._identify, receive, lose)

    def _bind(self) -> None:
        """Raises ZMQError."""
        previous = os.umask(0o777 & ~self._config.socket_permissions)
        try:
            # libzmq copies a socket's options when it binds: the address without keys comes first.
            for address in sorted(self._config.addresses, key=self._config.needs_key):
                if self._config.needs_key(address):
                    self._want_keys()
                self._bind_to(address)
        finally:
            os.umask(previous)

    def _bind_to(self, address: Address) -> None:
        """Raises ZMQError."""
        inherited = self._inherited if address == self._config.address else {}
        sockets = {
            "control": self._control,
            "analysis": self._analysis,
            "requests": self._requests,  # last: who finds it finds all three
        }
        for name, socket in sockets.items():
            place = getattr(address, name)
            socket.setsockopt(zmq.USE_FD, inherited.get(name, -1))
            socket.bind(place)
            if self._config.group and not address.is_tcp and not inherited:
                shutil.chown(place.removeprefix("ipc://"), group=self._config.group)

    def _want_keys(self) -> None:
        assert self._key is not None
        for socket in (self._control, self._analysis, self._requests):
            socket.setsockopt(zmq.CURVE_SERVER, 1)
            socket.setsockopt(zmq.CURVE_SECRETKEY, self._key.secret)
            socket.setsockopt(zmq.ZAP_DOMAIN, zap.DOMAIN)
            socket.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)  # nobody there to ask: nobody comes in

    # --- who it is ------------------------------------------------------------

    def _let_in(self, gatekeeper: Any, frames: list[zmq.Frame]) -> None:
        """Who has no key that is allowed does not even get a connection."""
        question = [frame.bytes for frame in frames]
        gatekeeper.send_multipart(zap.answer(question, lambda key: self._find(key) is not None))

    def _identify(self, key: str, peer: str) -> User | None:
        return identify(key, peer, self._find, os.getuid(), self._has_plain_tcp)

    def _find(self, key: str) -> User | None:
        """Who has the daemon's own secret key is the daemon's own user."""
        if self._key and key == self._key.text:
            return local_user(os.getuid())._replace(key=key)
        return self._allowed.find(key)

    def _now(self, user: User) -> User:
        """The one that the user's key is for by now, or nobody."""
        return (self._find(user.key) or User("")) if user.key else user

    # --- what comes in --------------------------------------------------------

    def _take_request(self, caller: Caller | None, frames: list[zmq.Frame]) -> None:
        if caller and len(frames) == 2:
            self._receive(caller, frames[1].buffer)

    def _take_control(self, caller: Caller | None, frames: list[zmq.Frame]) -> None:
        if caller and len(frames) == 2:
            answer = self._answer(caller, frames[1].buffer)
            self._control_door.send(caller.route, encode(answer))

    def _take_subscription(self, caller: Caller | None, frames: list[zmq.Frame]) -> None:
        verb, topic = frames[0].bytes[:1], frames[0].bytes[1:]
        if verb == b"\x01" and caller:
            if not self._subscriptions.count(caller.descriptor, 1):
                hang_up(caller.descriptor)
            elif self._subscriptions.add(caller.user, topic):
                self._analysis.setsockopt(zmq.SUBSCRIBE, topic)
        elif verb == b"\x00":
            if caller:
                self._subscriptions.count(caller.descriptor, -1)
            if self._subscriptions.remove(topic):
                self._analysis.setsockopt(zmq.UNSUBSCRIBE, topic)


def _allow_descriptors(number: int) -> None:
    """So many for connections, and some for the rest, as far as the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number + 1000
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _ignore(descriptor: int) -> None:
    pass
