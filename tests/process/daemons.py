"""Real daemons and plain clients for tests."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, Self

import zmq

from daemon.addresses import Address, ClientKeys, is_listening, parse_address
from daemon.shm import SHM_DIRECTORY

ROOT = Path(__file__).parent.parent.parent
_numbers = itertools.count(1)


class Daemon:
    """A `goengined` in a directory of its own; may be killed and started again."""

    def __init__(self, directory: Path, **settings: object) -> None:
        self.directory = directory
        self.options = {"workers": 2, "slots": 4, "slot_megabytes": 32} | settings
        self.log = directory / "log"
        self.pids: list[int] = []  # of all that were started
        self.start()

    def start(self) -> None:
        options = [
            word
            for name, value in self.options.items()
            for word in (f"--{name.replace('_', '-')}", str(value))
        ]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "daemon.main", "--private", str(self.directory), *options],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.pids.append(self.process.pid)

    @property
    def address(self) -> str:
        return str(self.options.get("listen", f"ipc://{self.directory}"))

    def wait(self) -> None:
        """Until it listens."""
        address = parse_address(self.address)
        wait_until(lambda: is_listening(address), seconds=30)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def kill_group(self) -> None:
        """With its workers, as systemd does it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def segments(self) -> list[Path]:
        """Of all that were started."""
        return segments_of(self.pids)

    def end(self) -> int:
        """Ask it to end. Returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)

    def status(self) -> dict[str, Any]:
        with Client(self, socket="control") as client:
            data = client.ask(do="status")[-1]["data"]
            assert isinstance(data, dict)
            return data

    def resident_bytes(self) -> int:
        """Without what it shares."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def running_daemon(directory: Path, **settings: object) -> Iterator[Daemon]:
    daemon = Daemon(directory, **settings)
    try:
        daemon.wait()
        yield daemon
    finally:
        if daemon.process.poll() is None:
            assert daemon.end() == 0, daemon.log.read_text()
            assert daemon.segments() == []
        for left in daemon.segments():  # by one that was killed, for a next one that never came
            left.unlink(missing_ok=True)


def segments_of(pids: list[int]) -> list[Path]:
    """Files in shared memory."""
    return [path for pid in pids for path in SHM_DIRECTORY.glob(f"goengine.{pid}.*")]


class Listening(Protocol):
    @property
    def address(self) -> str: ...


class Client:
    """Speaks the protocol and nothing else."""

    def __init__(
        self,
        daemon: Listening,
        game: str = "",
        socket: str = "requests",
        name: str = "",
        address: Address | None = None,
    ) -> None:
        self.game = game or f"game-{next(_numbers)}"
        self.name = name or f"client-{next(_numbers)}"
        self._is_control = socket == "control"
        self._context = zmq.Context()
        self._context.linger = 0  # a test that fails must not wait for a daemon that is gone
        self.socket = self._context.socket(zmq.DEALER)
        self.socket.reconnect_ivl = 10
        address = address or parse_address(daemon.address)
        if address.keys:
            show_keys(self.socket, address.keys)
        self.socket.connect(getattr(address, socket))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._context.destroy(linger=0)

    def send(self, id: str | None = None, **fields: Any) -> str:
        """Returns the id."""
        id = str(next(_numbers)) if id is None else id
        message: dict[str, object] = {"v": 1, "id": id}
        if not self._is_control:
            message |= {"client": self.name, "game": self.game}
        self.socket.send(json.dumps(message | fields).encode())
        return id

    def receive(self, timeout: float = 60.0) -> dict[str, Any]:
        assert self.socket.poll(round(timeout * 1000)), "no answer"
        answer = json.loads(self.socket.recv())
        assert isinstance(answer, dict)
        return answer

    def answers(self, id: str, timeout: float = 60.0) -> list[dict[str, Any]]:
        """All answers up to the one that ends the request."""
        found: list[dict[str, Any]] = []
        while not found or found[-1]["kind"] not in ("end", "error"):
            answer = self.receive(timeout)
            if answer["id"] == id:
                found.append(answer)
        return found

    def ask(self, **fields: Any) -> list[dict[str, Any]]:
        return self.answers(self.send(**fields))

    def open(self, watch: bool = False, keep: bool = False, **settings: Any) -> dict[str, Any]:
        return self.ask(do="open", settings=settings, watch=watch, keep=keep)[-1]

    def gtp(self, line: str, **fields: Any) -> str:
        """The whole reply."""
        answers = self.ask(do="gtp", line=line, **fields)
        assert answers[-1]["kind"] == "end", answers[-1]
        return "".join(a["text"] for a in answers if a.get("stream", "reply") == "reply")

    def begin(self, line: str) -> str:
        """Send a line and do not wait. Returns its id."""
        return self.send(do="gtp", line=line)


def show_keys(socket: Any, keys: ClientKeys) -> None:
    socket.curve_publickey, socket.curve_secretkey = keys.public, keys.secret
    socket.curve_serverkey = keys.server


def wait_until(is_so: Any, seconds: float = 10.0) -> float:
    """Returns how long it took."""
    started = time.monotonic()
    while not is_so():
        assert time.monotonic() - started < seconds, "waited in vain"
        time.sleep(0.01)
    return time.monotonic() - started
