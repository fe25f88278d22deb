"""A GTP engine as a process that is not trusted: whatever it does, it costs nobody else a game."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from clients.match.game_record import Offence

_MOST_REPLY = 1 << 20  # bytes of one reply; more is a flood
_CHUNK = 1 << 16
_SECONDS_TO_END = 2.0
_TRANSCRIPT_LINES = 5000
_TRANSCRIPT_WIDTH = 500
_MOST_ERROR_LINES = 500  # in the transcript, of stderr between two questions
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


class Misbehaved(Exception):
    """The engine did what it must not do; it is not to be used any more."""

    def __init__(self, offence: Offence, detail: str) -> None:
        super().__init__(detail)
        self.offence: Offence = offence
        self.detail = detail


class Refused(Exception):
    """The engine answered with an error; the text is its message."""


class Answer(NamedTuple):
    text: str
    seconds: float


class EngineProcess:
    """One engine. Ask it one thing at a time.

    Its stdout is read all the time: what it says without being asked is found at the next
    question, or by `check`. Its process ends with ours, however that happens.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._started = time.monotonic()
        self._transcript: deque[str] = deque(maxlen=_TRANSCRIPT_LINES)
        self._n_asked = 0
        self._n_bytes = 0  # of stdout since the last question
        self._n_error_lines = 0  # of stderr since then
        self._waiting: asyncio.Future[str] | None = None
        self._fault: Misbehaved | None = None
        self._reply: list[str] = []
        self._last_error_line = ""
        self._readers = [
            asyncio.create_task(self._read_stdout()),
            asyncio.create_task(self._read_stderr()),
        ]

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        cores: Sequence[int] = (),
    ) -> EngineProcess:
        """On the given cores alone, if any are given. Raises Misbehaved."""
        ours = os.getpid()

        def prepare() -> None:
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != ours:  # we died before that was in force
                os._exit(1)
            if cores:
                os.sched_setaffinity(0, cores)

        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=directory,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
                preexec_fn=prepare,
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Misbehaved("start", f"{command[0]} cannot be started: {reason}") from None
        return cls(process)

    @property
    def transcript(self) -> str:
        return "".join(f"{line}\n" for line in self._transcript)

    def check(self) -> None:
        """Raises Misbehaved for what it did since the last question."""
        if self._fault:
            raise self._fault

    async def ask(self, command: str, patience: float) -> Answer:
        """Raises Refused, and Misbehaved, also when the answer takes longer than `patience`."""
        self.check()
        self._n_asked += 1
        self._n_bytes = self._n_error_lines = 0
        self._waiting = asyncio.get_running_loop().create_future()
        asked = time.monotonic()
        self._note(">", f"{self._n_asked} {command}")
        try:
            async with asyncio.timeout(patience):
                assert self._process.stdin
                self._process.stdin.write(f"{self._n_asked} {command}\n".encode())
                with contextlib.suppress(ConnectionError):  # its end is seen on its stdout
                    await self._process.stdin.drain()
                reply = await self._waiting
        except TimeoutError:
            self._blame("hang", f"no answer to {command!r} within {patience:g} s")
            assert self._fault
            raise self._fault from None
        finally:
            self._waiting = None
        seconds = time.monotonic() - asked
        text = reply[1:].removeprefix(str(self._n_asked)).strip()
        if reply.startswith("?"):
            raise Refused(text)
        return Answer(text, seconds)

    async def close(self) -> None:
        """Let it quit if it behaves; leave nothing of it behind in any case."""
        if self._fault is None and self._process.returncode is None:
            with contextlib.suppress(Misbehaved, Refused):
                await self.ask("quit", _SECONDS_TO_END)
            await self._has_ended(_SECONDS_TO_END)
        self._kill()
        await self._has_ended(_SECONDS_TO_END)
        self._process._transport.close()  # type: ignore[attr-defined]  # others may hold its pipes
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def _read_stdout(self) -> None:
        assert self._process.stdout
        rest = b""
        while chunk := await self._process.stdout.read(_CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._take(line.decode("utf-8", "replace").rstrip())
            self._n_bytes += len(chunk)
            if self._n_bytes > _MOST_REPLY:
                self._blame("flood", f"more than {_MOST_REPLY} bytes in one answer")
        await self._has_ended(_SECONDS_TO_END)
        await asyncio.sleep(0.05)  # its last words may be in the other pipe still
        status = self._process.returncode
        if status is None:
            how = "the engine closed its stdout"
        else:
            how = f"the engine ended with {'signal' if status < 0 else 'exit status'} {abs(status)}"
        words = f"; its last words: {self._last_error_line}" if self._last_error_line else ""
        self._blame("crash", how + words)

    async def _has_ended(self, seconds: float) -> bool:
        """Wait for its end. `Process.wait` also waits for all who have inherited its pipes."""
        latest = time.monotonic() + seconds
        while self._process.returncode is None and time.monotonic() < latest:
            await asyncio.sleep(0.01)
        return self._process.returncode is not None

    def _take(self, line: str) -> None:
        """One line of stdout. A reply ends with an empty line."""
        if self._fault:
            return
        if line:
            self._note("<", line)
        if self._reply:
            if line:
                self._reply.append(line)
                return
            reply = "\n".join(self._reply)
            self._reply = []
            if self._waiting and not self._waiting.done():
                self._waiting.set_result(reply)
        elif line.startswith(("=", "?")):
            number = line[1:].split(" ", 1)[0].split("\t", 1)[0]
            if not self._waiting or self._waiting.done() or number != str(self._n_asked):
                self._blame("out of turn", f"an answer that nobody asked for: {line[:200]}")
            else:
                self._reply = [line]
        elif line.strip():
            self._blame("junk", f"a line that is no answer: {line[:200]}")

    async def _read_stderr(self) -> None:
        assert self._process.stderr
        rest = b""
        while chunk := await self._process.stderr.read(_CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[-_TRANSCRIPT_WIDTH:]
            for line in lines[-_MOST_ERROR_LINES:]:
                self._take_error_line(line)
        if rest:
            self._take_error_line(rest)

    def _take_error_line(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip()[:_TRANSCRIPT_WIDTH]
        self._last_error_line = text or self._last_error_line
        self._n_error_lines += 1
        if self._n_error_lines <= _MOST_ERROR_LINES:
            self._note("!", text)

    def _blame(self, offence: Offence, detail: str) -> None:
        if self._fault is None:
            self._fault = Misbehaved(offence, detail)
            self._note("*", f"{offence}: {detail}")
            self._kill()
        if self._waiting and not self._waiting.done():
            self._waiting.set_exception(self._fault)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _note(self, sign: str, text: str) -> None:
        since = time.monotonic() - self._started
        self._transcript.append(f"{since:9.3f} {sign} {text[:_TRANSCRIPT_WIDTH]}")
