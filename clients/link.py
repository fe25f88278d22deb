"""A line to a daemon: requests go out, answers come back, also when it is started anew.

A request that hears nothing is sent again under its old id. A connection that breaks is
replaced by a new socket on which everything unanswered is sent first, in its order: were the
old socket to connect again by itself, what was sent late could arrive before what was lost.
"""

from __future__ import annotations

import itertools
import math
import os
import struct
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass

import zmq

from clients.credentials import explain_refusal
from daemon.addresses import Address
from daemon.protocol import (
    MAX_BYTES,
    VERSION,
    Answer,
    BadMessage,
    Close,
    Control,
    End,
    Failure,
    Gtp,
    Open,
    Part,
    Request,
    Settings,
    Working,
    decode_answer,
    encode,
)

RESEND_AFTER = 1.0  # seconds without a word about a request
PATIENCE = 2.0  # seconds of silence until a daemon counts as gone
TICK = 0.25  # seconds; nothing that waits is looked at less often
_FIRST_RETRY = 0.01  # seconds until a new connection is tried; then twice as long each time
_LAST_RETRY = {"ipc": 0.1, "tcp": 0.5}

_UP = zmq.EVENT_HANDSHAKE_SUCCEEDED
_DOWN = (
    zmq.EVENT_DISCONNECTED
    | zmq.EVENT_CLOSED  # nobody listens
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
)
# Keys that do not fit, or one where none is used.
_REFUSED = zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
_MOST_BREAKS = 8  # handshakes in a row that end without a reason; one may be a daemon's death
_MONITOR_EVENT = struct.Struct("=Hi")  # the event and its value

# What comes back for a request, in this order: parts, then one of the other two.
Reaction = Part | End | Failure


class LinkError(Exception):
    """There is no talking to this daemon."""


class NoAnswer(LinkError):
    """Nobody answered in time."""


class Failed(Exception):
    """The daemon refused a request; `code` as in `daemon.protocol.Failure`."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.is_usage = code in ("bad-message", "settings")  # the user can put it right


class TooLong(ValueError):
    """A message that the daemon would not take."""


@dataclass
class _Waiting:
    frame: bytes
    last_word: float  # when it was sent, or something about it was heard


class Link:
    """Everything that one client says about one game, and hears.

    on_notice   gets a line when the daemon has gone, and one when it is back
    patience    seconds that the daemon may be silent before its first word
    """

    def __init__(
        self,
        address: Address,
        game: str,
        on_notice: Callable[[str], None] = lambda text: None,
        patience: float = PATIENCE,
    ) -> None:
        self.game = game
        self.is_gone = False
        self._address = address
        self._client = os.urandom(16).hex()
        self._on_notice = on_notice
        self._patience = patience
        self._ids = itertools.count(1)
        self._waiting: dict[str, _Waiting] = {}  # by id, the oldest first
        self._quiet_since = time.monotonic()  # last word from the daemon, or first to it
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._sockets: tuple[zmq.Socket[bytes], zmq.Socket[bytes]] | None = None  # with monitor
        self._is_connected = False
        self._is_again = False  # is the next connection not the first?
        self._greetings: set[str] = set()  # ids of lines by which the daemon knows us again
        self._n_breaks = 0
        self._retry = _FIRST_RETRY
        self._dial_at = 0.0
        self._dial()

    def open(self, settings: Settings, *, watch: bool = False, keep: bool = False) -> str:
        """Ask for the game and return the request's id."""
        return self._send(
            Open(
                v=VERSION,
                id=self._new_id(),
                client=self._client,
                game=self.game,
                settings=settings,
                watch=watch,
                keep=keep,
            )
        )

    def gtp(self, line: str, file: str | None = None) -> str:
        """Send a line and return its id. Raises TooLong."""
        id = self._new_id()
        return self._send(
            Gtp(v=VERSION, id=id, client=self._client, game=self.game, line=line, file=file)
        )

    def forget_game(self) -> None:
        """Let the daemon forget the game; if it does not answer soon, it finds out itself."""
        self._send(Close(v=VERSION, id=self._new_id(), client=self._client, game=self.game))
        deadline = time.monotonic() + PATIENCE
        while self._waiting and time.monotonic() < deadline:
            self.wait(timeout=TICK)

    def wait(
        self, fds: Collection[int] = (), timeout: float | None = None
    ) -> tuple[list[Reaction], set[int]]:
        """Wait until something happens; return what came and which of `fds` can be read.

        Comes back without either from time to time while something is awaited.
        Raises LinkError.
        """
        self._tend(time.monotonic())
        poller = zmq.Poller()
        for fd in fds:
            poller.register(fd, zmq.POLLIN)
        for socket in self._sockets or ():
            poller.register(socket, zmq.POLLIN)
        waits = [seconds for seconds in (timeout, self._longest_wait()) if seconds is not None]
        ready = dict(poller.poll(math.ceil(1000 * min(waits)) if waits else None))
        reactions = list(self._receive())
        self._follow_connection()
        return reactions, {fd for fd in fds if fd in ready}

    def finish(
        self,
        id: str,
        on_part: Callable[[Part], None] = lambda part: None,
        between: Callable[[], None] = lambda: None,
    ) -> End:
        """Wait for the end of one request; what belongs to others is lost.

        `between` is called several times a second. Raises Failed and LinkError.
        """
        while True:
            between()
            for reaction in self.wait(timeout=TICK)[0]:
                if reaction.id != id:
                    continue
                if isinstance(reaction, Part):
                    on_part(reaction)
                elif isinstance(reaction, Failure):
                    raise Failed(reaction.code, reaction.text)
                else:
                    return reaction

    def seconds_of_silence(self) -> float:
        """How long the daemon has not answered; 0 if it owes nothing."""
        return time.monotonic() - self._quiet_since if self._is_expecting() else 0.0

    def close(self) -> None:
        self._hang_up()
        self._context.destroy(linger=0)

    def _new_id(self) -> str:
        return str(next(self._ids))

    def _send(self, request: Request) -> str:
        frame = encode(request)
        if len(frame) > MAX_BYTES:
            raise TooLong(f"longer than {MAX_BYTES} bytes")
        now = time.monotonic()
        if not self._is_expecting():
            self._quiet_since = now
        self._waiting[request.id] = _Waiting(frame, now)
        if self._sockets:
            self._transmit(frame)
        return request.id

    def _transmit(self, frame: bytes) -> None:
        assert self._sockets
        with suppress(zmq.Again):  # the queue is full: it is sent again later
            self._sockets[0].send(frame, zmq.NOBLOCK)

    def _receive(self) -> Iterator[Reaction]:
        while self._sockets:
            try:
                frames = self._sockets[0].recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            answer = self._decode(frames[-1])
            if answer is None:
                continue
            self._hear()
            if answer.id not in self._waiting:
                continue  # answered before, and now again
            self._waiting[answer.id].last_word = self._quiet_since
            if isinstance(answer, End | Failure):
                del self._waiting[answer.id]
            if not isinstance(answer, Working) and answer.id not in self._greetings:
                yield answer

    def _decode(self, frame: bytes) -> Answer | None:
        try:
            answer = decode_answer(frame)
        except BadMessage as error:
            if error.code == "version":
                raise LinkError(f"the daemon at {self._address.text}: {error}") from None
            return None
        if isinstance(answer, Failure) and (not answer.id or answer.code == "version"):
            raise LinkError(f"the daemon at {self._address.text}: {answer.text}")
        return answer

    def _hear(self) -> None:
        self._quiet_since = time.monotonic()
        self._patience = PATIENCE
        if self.is_gone:
            self.is_gone = False
            self._on_notice("the daemon is back")

    def _is_expecting(self) -> bool:
        return bool(self._waiting) or not self._is_connected

    def _longest_wait(self) -> float | None:
        """Seconds until there is something to do that no socket tells."""
        if not self._sockets:
            return max(0.0, self._dial_at - time.monotonic())
        return TICK if self._is_expecting() else None

    def _tend(self, now: float) -> None:
        """Connect, send again and complain, each when its time has come."""
        if not self._sockets and now >= self._dial_at:
            self._dial()
        if self._is_connected:
            for waiting in self._waiting.values():
                if now - waiting.last_word > RESEND_AFTER:
                    waiting.last_word = now
                    self._transmit(waiting.frame)
        if not self.is_gone and self.seconds_of_silence() > self._patience:
            self.is_gone = True
            self._on_notice("the daemon does not answer; waiting for it")

    def _dial(self) -> None:
        socket = _dealer(self._context, self._address)
        monitor = socket.get_monitor_socket(_UP | _DOWN | _REFUSED)
        self._sockets = socket, monitor
        socket.connect(self._address.requests)
        for waiting in self._waiting.values():
            waiting.last_word = time.monotonic()
            self._transmit(waiting.frame)

    def _hang_up(self) -> None:
        if self._sockets:
            self._sockets[0].disable_monitor()
            self._sockets[0].close(linger=0)
            self._sockets = None

    def _follow_connection(self) -> None:
        """Look at what the socket's monitor saw; dial again if the connection is no more."""
        while self._sockets:
            try:
                frames = self._sockets[1].recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            event, _ = _MONITOR_EVENT.unpack(frames[0])
            if event & _UP:
                self._is_connected = True
                self._retry = _FIRST_RETRY
                self._n_breaks = 0
                if not self._waiting:
                    self._hear()
                    if self._is_again:
                        self._greetings.add(self.gtp(""))
                self._is_again = True
            elif event & _REFUSED:
                raise _refused(self._address, event)
            elif event & _DOWN:
                self._n_breaks += bool(event & zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL)
                if self._n_breaks > _MOST_BREAKS:
                    raise _refused(self._address, event)
                if not self._is_expecting():
                    self._quiet_since = time.monotonic()
                self._is_connected = False
                self._hang_up()
                self._dial_at = time.monotonic() + self._retry
                slowest = _LAST_RETRY[self._address.text.partition(":")[0]]
                self._retry = min(2 * self._retry, slowest)


def ask_control(address: Address, request: Control, timeout: float) -> End:
    """Send one request about the daemon itself and wait for its answer, `timeout` in seconds.

    Raises Failed, NoAnswer and LinkError.
    """
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        socket = _dealer(context, address)
        monitor = socket.get_monitor_socket(_REFUSED | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL)
        socket.connect(address.control)
        socket.send(encode(request))
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        poller.register(monitor, zmq.POLLIN)
        ready = dict(poller.poll(int(1000 * timeout)))
        if monitor in ready:
            raise _refused(address, _MONITOR_EVENT.unpack(monitor.recv_multipart()[0])[0])
        if not ready:
            raise NoAnswer(f"the daemon at {address.text} does not answer")
        answer = decode_answer(socket.recv_multipart()[-1])
    except BadMessage as error:
        raise LinkError(f"the daemon at {address.text}: {error}") from None
    finally:
        context.destroy(linger=0)
    if isinstance(answer, Failure):
        raise Failed(answer.code, answer.text)
    if not isinstance(answer, End):
        raise LinkError(f"the daemon at {address.text} gave half an answer")
    return answer


def _refused(address: Address, event: int) -> LinkError:
    return LinkError(f"the daemon at {address.text} refuses us: {explain_refusal(address, event)}")


def _dealer(context: zmq.Context[zmq.Socket[bytes]], address: Address) -> zmq.Socket[bytes]:
    socket = context.socket(zmq.DEALER)
    if address.keys:
        socket.curve_publickey, socket.curve_secretkey = address.keys.public, address.keys.secret
        socket.curve_serverkey = address.keys.server
    socket.linger = 0
    socket.reconnect_ivl = -1  # never by itself
    socket.connect_timeout = 3000  # ms
    socket.heartbeat_ivl = 500  # ms
    socket.heartbeat_timeout = 1500  # ms
    socket.maxmsgsize = 16 * MAX_BYTES  # of what a daemon says; none has a reason for more
    return socket
