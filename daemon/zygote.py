"""The zygote: a process with everything loaded, which forks workers on request.

It outlives a supervisor that was killed for as long as cleaning up takes; workers
never outlive the zygote.
"""

from __future__ import annotations

import contextlib
import ctypes
import enum
import errno
import gc
import os
import select
import signal
import socket
import struct
import sys
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

# A terminal or systemd sends these to the whole group; what they mean is for the supervisor.
_FOR_THE_SUPERVISOR = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_CLOSE_TIMEOUT = 2.0  # seconds
_MESSAGE = struct.Struct("=iiii")  # kind, index, pid, status
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


class _Kind(enum.IntEnum):
    SPAWN = 1  # index
    KILL = 2  # pid
    GOODBYE = 3
    STARTED = 4  # index, pid
    DIED = 5  # index, pid, status


@dataclass(frozen=True)
class WorkerStarted:
    index: int
    pid: int


@dataclass(frozen=True)
class WorkerDied:
    index: int
    pid: int  # 0: it could not even be forked
    status: int  # its exit status; -9 after signal 9


@dataclass(frozen=True)
class ZygoteDied:
    """And all workers with it."""


Event = WorkerStarted | WorkerDied | ZygoteDied


class Zygote:
    """The supervisor's handle. What it asks for is reported by `receive`."""

    def __init__(self, pid: int, channel: socket.socket) -> None:
        """Only for `start_zygote`."""
        self.pid = pid
        self._channel = channel
        self._is_dead = False  # and nothing more will be reported
        self._is_closed = False

    def fileno(self) -> int:
        """Readable when `receive` has something; forever, once the zygote is dead."""
        return self._channel.fileno()

    def spawn(self, index: int) -> None:
        """Ask for a worker that runs `run_worker(index)`."""
        self._send(_Kind.SPAWN, index=index)

    def kill(self, pid: int) -> None:
        """Ask for the end of a worker. Nothing happens if it is no worker any more.

        The zygote knows which pids it has reaped; a kill from here could hit a stranger
        that was given the same pid.
        """
        self._send(_Kind.KILL, pid=pid)

    def receive(self, timeout: float | None = 0) -> list[Event]:
        """Return what happened, in order; waits up to `timeout` seconds for the first of it."""
        events: list[Event] = []
        if self._is_dead:
            return events
        _wait_readable(self.fileno(), timeout)
        while (message := _receive(self._channel)) is not None:
            if not message:
                self._is_dead = True
                return [*events, ZygoteDied()]
            kind, index, pid, status = _MESSAGE.unpack(message)
            if kind == _Kind.STARTED:
                events.append(WorkerStarted(index, pid))
            else:
                events.append(WorkerDied(index, pid, status))
        return events

    def close(self) -> None:
        """End all workers and the zygote, by force if it takes too long. May be repeated."""
        if self._is_closed:
            return
        self._is_closed = True
        self._send(_Kind.GOODBYE)
        # Whoever ignores SIGCHLD has no children to wait for.
        with contextlib.suppress(ChildProcessError, ProcessLookupError):
            process = os.pidfd_open(self.pid)
            try:
                if not _wait_readable(process, _CLOSE_TIMEOUT):
                    os.kill(self.pid, signal.SIGKILL)
            finally:
                os.close(process)
            os.waitpid(self.pid, 0)
        self._is_dead = True
        self._channel.close()

    def _send(self, kind: _Kind, index: int = 0, pid: int = 0) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._channel.send(_MESSAGE.pack(kind, index, pid, 0))


def start_zygote(
    run_worker: Callable[[int], None],
    on_orphaned: Callable[[], None],
    prepare: Callable[[], None] = lambda: None,
) -> Zygote:
    """Fork the zygote from this process, which must have neither threads nor ZeroMQ yet.

    Workers call `run_worker` with their index. `on_orphaned` is called in the zygote when
    this process dies without `close`, after all workers are gone. `prepare` is called in the
    zygote before any worker is forked: what it loads, all have.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    _flush()
    # Until the zygote ignores these, they must not run handlers of the supervisor in it.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _FOR_THE_SUPERVISOR)
    try:
        pid = os.fork()
        if pid == 0:
            _leave_after(lambda: _run_zygote(ours, theirs, mask, run_worker, on_orphaned, prepare))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    theirs.close()
    return Zygote(pid, ours)


def _run_zygote(
    supervisors_end: socket.socket,
    channel: socket.socket,
    mask: set[int | signal.Signals],
    run_worker: Callable[[int], None],
    on_orphaned: Callable[[], None],
    prepare: Callable[[], None],
) -> None:
    supervisors_end.close()
    for number in _FOR_THE_SUPERVISOR:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    prepare()
    gc.freeze()  # collections in workers would copy the pages that they share
    nursery = _Nursery(channel, run_worker)
    try:
        said_goodbye = nursery.serve()
    finally:
        nursery.end_all()
    if not said_goodbye:
        on_orphaned()


class _Nursery:
    """The workers, as the zygote sees them."""

    def __init__(self, channel: socket.socket, run_worker: Callable[[int], None]) -> None:
        self._channel = channel
        self._run_worker = run_worker
        self._index_of: dict[int, int] = {}  # by pid
        self._outbox: deque[bytes] = deque()
        self._wakeup, self._wakeup_writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakeup_writer, warn_on_full_buffer=False)

    def serve(self) -> bool:
        """Do what the supervisor asks until it goes. Returns whether it said goodbye."""
        while True:
            # A supervisor that does not read must not keep us from hearing that it died.
            poll = select.poll()
            poll.register(self._wakeup, select.POLLIN)
            poll.register(self._channel, select.POLLIN | (select.POLLOUT if self._outbox else 0))
            poll.poll()
            with contextlib.suppress(BlockingIOError):
                os.read(self._wakeup, 4096)
                self._reap()
            while (message := _receive(self._channel)) is not None:
                if not message:
                    return False
                kind, index, pid, _ = _MESSAGE.unpack(message)
                if kind == _Kind.SPAWN:
                    self._spawn(index)
                elif kind == _Kind.KILL and pid in self._index_of:
                    os.kill(pid, signal.SIGKILL)
                elif kind == _Kind.GOODBYE:
                    return True
            self._send_outbox()

    def end_all(self) -> None:
        for pid in self._index_of:
            os.kill(pid, signal.SIGKILL)
        for pid in self._index_of:
            os.waitpid(pid, 0)
        self._index_of.clear()

    def _spawn(self, index: int) -> None:
        zygote = os.getpid()
        _flush()
        try:
            pid = os.fork()
        except OSError as error:
            _report(error)
            self._outbox.append(_MESSAGE.pack(_Kind.DIED, index, 0, 1))
            return
        if pid == 0:
            _leave_after(lambda: self._become_worker(index, zygote))
        self._index_of[pid] = index
        self._outbox.append(_MESSAGE.pack(_Kind.STARTED, index, pid, 0))

    def _become_worker(self, index: int, zygote: int) -> None:
        if _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
        if os.getppid() != zygote:  # it died before it was told to take us along
            return
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(self._wakeup)
        os.close(self._wakeup_writer)
        self._channel.close()
        self._run_worker(index)

    def _reap(self) -> None:
        while self._index_of:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            code = os.waitstatus_to_exitcode(status)
            self._outbox.append(_MESSAGE.pack(_Kind.DIED, self._index_of.pop(pid), pid, code))

    def _send_outbox(self) -> None:
        # A supervisor that is gone is noticed when we read.
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            while self._outbox:
                self._channel.send(self._outbox[0], socket.MSG_DONTWAIT)
                self._outbox.popleft()


def _wait_readable(descriptor: int, timeout: float | None) -> bool:
    """By poll, since a server may have more descriptors than select can name."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if timeout is None else timeout * 1000))


def _receive(channel: socket.socket) -> bytes | None:
    """Return the next message, b"" if the other side is gone, None if there is none now."""
    while True:
        try:
            return channel.recv(_MESSAGE.size, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            # The other side went with unread messages of ours; its own last ones still come.
            if error.errno != errno.ECONNRESET:
                raise


def _leave_after(action: Callable[[], None]) -> NoReturn:
    """Run the action and end this process without a look at what its parent was doing."""
    status = 1
    try:
        action()
        status = 0
    except BaseException as error:
        _report(error)
    finally:
        _flush()
        os._exit(status)


def _report(error: BaseException) -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):
        traceback.print_exception(error)


def _flush() -> None:
    """So that a forked process has nothing to write twice."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()
