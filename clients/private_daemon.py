"""The daemon that a client talks to: one that runs already, or an own one that ends with it.

Imports little: an own daemon is to be started before the client loads what it needs itself.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from daemon.addresses import Address, find_daemon, is_listening, parse_address

START_PATIENCE = 20.0  # seconds until an own daemon that says nothing is worth a word
COMMAND = [sys.executable, "-m", "daemon.main"]
_PREFIX = "goengine-private-"
_SECONDS_TO_END = 5.0
_MOST_STARTS = 5  # a minute
_HOPELESS = (os.EX_USAGE, os.EX_CONFIG, os.EX_OSERR, os.EX_CANTCREAT)
_ROOT = Path(__file__).parent.parent  # where the daemon's package lies

OnLine = Callable[[str], None]


class NoDaemon(Exception):
    """There is no daemon to talk to; the text is for the user."""


class PrivateDaemon:
    """A daemon of this client alone.

    It lives at the other end of a pipe that it never reads from: when this process ends,
    however that happens, the pipe does too, and so does the daemon.

    arguments   for the daemon's command line
    on_line     gets what the daemon writes to stderr, from a thread; without it that goes to
                our own
    """

    def __init__(self, arguments: Sequence[str] = (), on_line: OnLine | None = None) -> None:
        _sweep()
        self.directory = _make_directory()
        self.address = parse_address(f"ipc://{self.directory}")
        self._on_line = on_line
        self._lifeline, self._our_end = os.pipe()
        self._arguments = arguments
        self._starts: deque[float] = deque(maxlen=_MOST_STARTS)
        self._process = self._start()

    def check(self) -> None:
        """Start it again if it has ended; its journal is still there. Raises NoDaemon."""
        exit_code = self._process.poll()
        if exit_code is None:
            return
        if exit_code in _HOPELESS:  # it said why, and would say it again
            raise NoDaemon(f"the daemon does not start: exit status {exit_code}")
        recent = [start for start in self._starts if time.monotonic() - start < 60]
        if len(recent) == _MOST_STARTS:
            raise NoDaemon(
                f"the daemon ended {_MOST_STARTS} times in a minute, the last time with "
                f"exit status {exit_code}"
            )
        self._process = self._start()

    def close(self) -> None:
        """End it, and leave nothing behind."""
        for end in (self._our_end, self._lifeline):
            os.close(end)
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _start(self) -> subprocess.Popen[bytes]:
        self._starts.append(time.monotonic())
        process = subprocess.Popen(
            [
                *[*COMMAND, "--private", str(self.directory), "--lifeline", str(self._lifeline)],
                *["--log-level", "warning"],
                *self._arguments,
            ],
            cwd=_ROOT,  # which -m puts first on the path: no other package is taken for ours
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if self._on_line else _own_stderr(),
            pass_fds=(self._lifeline,),
            start_new_session=True,  # Ctrl-C is for us
        )
        if process.stderr:
            threading.Thread(target=self._pass_on, args=[process.stderr], daemon=True).start()
        return process

    def _pass_on(self, stderr: IO[bytes]) -> None:
        assert self._on_line
        with stderr:
            for line in stderr:
                self._on_line(line.decode(errors="replace").rstrip())


@contextlib.contextmanager
def attach_or_start(
    options: argparse.Namespace, on_line: OnLine | None = None
) -> Iterator[tuple[Address, PrivateDaemon | None]]:
    """Give the daemon that the options name, else the one that runs here, else an own one.

    An own one ends with the context. Raises NoDaemon.
    """
    address = None
    if not options.embedded:
        address = named_or_found(options.connect, options.key, options.server_key)
    if address:
        yield address, None
        return
    arguments = ["--workers", str(options.workers)] if options.workers else []
    daemon = PrivateDaemon(arguments, on_line)
    try:
        yield daemon.address, daemon
    finally:
        daemon.close()


def named_or_found(
    connect: str | None, key: str | None = None, server_key: str | None = None
) -> Address | None:
    """The daemon at an address that the user gave, or else one that runs here.

    The keys are as in `clients.credentials`. Raises NoDaemon if nobody listens where the user
    says, or a key for it is missing.
    """
    text = connect or os.environ.get("GOENGINE_CONNECT")
    if not text:
        return find_daemon()
    try:
        address = parse_address(text)
    except ValueError as error:
        raise NoDaemon(f"GOENGINE_CONNECT: {error}") from None
    if not is_listening(address):
        raise NoDaemon(f"no daemon at {address.text}; start one with goengined")
    if not address.is_tcp:
        return address
    from clients.credentials import with_keys  # brings zmq
    from daemon.keyring import KeyringError

    try:
        return with_keys(address, key, server_key)
    except KeyringError as error:
        raise NoDaemon(str(error)) from None


def _own_stderr() -> int:
    try:
        os.fstat(2)
    except OSError:
        return subprocess.DEVNULL
    return 2


def _runtime_directories() -> list[Path]:
    named = os.environ.get("XDG_RUNTIME_DIR")
    return [*([Path(named)] if named else []), Path("/tmp")]


def _make_directory() -> Path:
    """A new directory that only we can look into, short enough for sockets."""
    reason: Exception | None = None
    for base in _runtime_directories():
        try:
            parse_address(f"ipc://{base / _PREFIX}12345678")
            directory = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
            (directory / "pid").write_text(f"{os.getpid()}\n", encoding="ascii")
        except (OSError, ValueError) as error:
            reason = error
        else:
            return directory
    raise NoDaemon(f"no place for the sockets of a daemon: {reason}")


def _sweep() -> None:
    """Remove the directories of clients that are no more."""
    for base in _runtime_directories():
        for directory in base.glob(f"{_PREFIX}*"):
            with contextlib.suppress(OSError, ValueError, OverflowError):
                entry = directory.lstat()
                if entry.st_uid != os.getuid() or not stat.S_ISDIR(entry.st_mode):
                    continue
                if not _is_alive(int((directory / "pid").read_text(encoding="ascii"))):
                    shutil.rmtree(directory, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
