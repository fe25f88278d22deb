"""A daemon without an engine: two ROUTER sockets in a thread that speak the protocol.

It keeps what a real one keeps over a restart, the answers that it gave, and forgets what it
was doing. Its commands:

    analyze         a reply in parts that any next line ends
    think           silence that only `# interrupt` ends
    silent          never answered, as if it were lost; answered when it is sent again
    printsgf        a game record
    bad             refused with a GTP error
    dropped         a Failure: no-game
    report X        a report, a notice, and a reply
    anything else   comes back as a reply
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import zmq

from daemon.addresses import Address, parse_address
from daemon.protocol import (
    Answer,
    Close,
    End,
    Failure,
    Gtp,
    Open,
    Part,
    Request,
    Stop,
    Working,
    decode_control,
    decode_request,
    encode,
)
from goengine.gtp_line import Request as GtpLine
from goengine.gtp_line import parse_line

RECORD = "(;FF[4]SZ[9]\n;B[dd])"
_POLL = 5  # ms


class Death(Exception):
    """For `answer`: the daemon ends in the middle of its work, and must be started again."""


class FakeDaemon:
    """Listens from the start. Tests look at `received` and change the rest.

    fail_open   the Failure for an Open, without its id
    answer      overrides the reply to a command line: return None for the usual one
    status      what a Status request gets
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(exist_ok=True)
        self.address: Address = parse_address(f"ipc://{directory}")
        self.received: list[Request] = []
        self.controls: list[Any] = []
        self.executed: dict[tuple[str, str], End | Failure] = {}  # by client and id; survives
        self.n_starts = 0
        self.fail_open: tuple[str, str] | None = None
        self.answer: Callable[[GtpLine, Gtp], str | None] = lambda line, request: None
        self.status: Any = {}
        self.version = 1
        self._parts: list[Part] = []
        self.start()

    def start(self) -> None:
        self.n_starts += 1
        self._running: Gtp | None = None
        self._behind: list[Gtp] = []
        self._ignored: set[str] = set()
        self._ending = threading.Event()
        self._orders: queue.Queue[Callable[[], None]] = queue.Queue()
        is_bound = threading.Event()
        self._thread = threading.Thread(target=self._run, args=[is_bound], daemon=True)
        self._thread.start()
        assert is_bound.wait(5)

    def kill(self) -> None:
        self._ending.set()
        self._thread.join()

    def lines(self) -> list[str]:
        """Every line that came, also those that came again."""
        return [request.line for request in self.received if isinstance(request, Gtp)]

    def say(self, text: str) -> None:
        """Add a part to the reply that is being given."""
        self._orders.put(lambda: self._send(Part(id=self._current(), text=text)))

    def later(self, part: Part) -> None:
        """Send a part, whatever its id, at the beginning of the next `think`."""
        self._parts.append(part)

    def _current(self) -> str:
        assert self._running
        return self._running.id

    def stop_thinking(self) -> None:
        self._orders.put(lambda: self._go_on(is_stopped=True))

    def _run(self, is_bound: threading.Event) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._requests = context.socket(zmq.ROUTER)
        control = context.socket(zmq.ROUTER)
        self._requests.bind(self.address.requests)
        control.bind(self.address.control)
        is_bound.set()
        poller = zmq.Poller()
        poller.register(self._requests, zmq.POLLIN)
        poller.register(control, zmq.POLLIN)
        try:
            while not self._ending.is_set():
                ready = dict(poller.poll(_POLL))
                if self._requests in ready:
                    self._peer, frame = self._requests.recv_multipart()
                    self._take(decode_request(frame))
                if control in ready:
                    peer, frame = control.recv_multipart()
                    control.send_multipart([peer, encode(self._control(frame))])
                while not self._orders.empty():
                    self._orders.get()()
        except Death:
            pass
        finally:
            context.destroy(linger=0)

    def _control(self, frame: bytes) -> Answer:
        request = decode_control(frame)
        self.controls.append(request)
        if isinstance(request, Stop) and request.game == "nobody":
            return Failure(id=request.id, code="no-game", text="there is no game 'nobody'")
        return End(v=self.version, id=request.id, data=self.status)

    def _send(self, answer: Answer) -> None:
        answer.v = self.version
        self._requests.send_multipart([self._peer, encode(answer)])

    def _finish(self, request: Request, answer: End | Failure) -> None:
        self.executed[request.client, request.id] = answer
        self._send(answer)

    def _take(self, request: Request) -> None:
        self.received.append(request)
        is_known = self._running is not None and self._running.id == request.id
        key = request.client, request.id
        if key in self.executed:
            self._send(self.executed[key])
        elif is_known or any(request.id == other.id for other in self._behind):
            self._send(Working(id=request.id))
        elif isinstance(request, Open) and self.fail_open:
            code, text = self.fail_open
            self._finish(request, Failure(id=request.id, code=code, text=text))  # type: ignore[arg-type]
        elif isinstance(request, Open | Close):
            self._finish(request, End(id=request.id))
        else:
            self._behind.append(request)
            self._go_on()

    def _go_on(self, is_stopped: bool = False) -> None:
        """End what the newest line ends, and answer what has become first."""
        if self._running and (self._behind or is_stopped):
            if self._running.line.strip().endswith("analyze"):
                self._finish(self._running, End(id=self._running.id, text="\n"))
                self._running = None
            elif is_stopped or any("# interrupt" in request.line for request in self._behind):
                id = (parse_line(self._running.line) or GtpLine("", "", [])).id
                self._finish(self._running, End(id=self._running.id, text=f"={id} C3\n\n"))
                self._running = None
        while self._behind and self._running is None:
            self._do(self._behind.pop(0))

    def _do(self, request: Gtp) -> None:
        line = parse_line(request.line)
        if line is None:
            self._finish(request, End(id=request.id))
            return
        text = self.answer(line, request)
        if text is not None:
            self._finish(request, End(id=request.id, text=text))
        elif line.command in ("analyze", "think"):
            self._running = request
            while self._parts and line.command == "think":
                self._send(msgspec.structs.replace(self._parts.pop(0), id=request.id))
            if line.command == "analyze":
                self._send(Part(id=request.id, text=f"={line.id}\n"))
                self._send(Part(id=request.id, text=f"info start {self.n_starts}\n"))
            if self._behind:
                self._go_on()
        elif line.command == "silent" and request.id not in self._ignored:
            self._ignored.add(request.id)
        elif line.command == "dropped":
            failure = Failure(id=request.id, code="no-game", text="there is no game\nhere")
            self._finish(request, failure)
        else:
            self._finish(request, End(id=request.id, text=self._plain(line, request)))

    def _plain(self, line: GtpLine, request: Gtp) -> str:
        if line.command == "printsgf":
            return f"={line.id} {RECORD}\n\n"
        if line.command == "bad":
            return f"?{line.id} unknown command\n\n"
        if line.command == "loadsgf":
            return f"={line.id} {len(request.file or '')}\n\n"
        if line.command == "report":
            self._send(Part(id=request.id, stream="report", text='{"frame": {}}\n'))
            self._send(Part(id=request.id, stream="notice", text="compiling"))
        text = " ".join([line.command, *line.arguments])
        return f"={line.id} {text}\n\n"
