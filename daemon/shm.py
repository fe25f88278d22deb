"""Segments of shared memory: the only place that creates, attaches and unlinks them.

A segment is a file in /dev/shm, mapped shared. `multiprocessing.shared_memory` is not used:
its resource tracker is a process of its own, which unlinks segments behind our back.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import mmap
import os
import re
import secrets
import stat
import struct
from pathlib import Path
from typing import Self

SHM_DIRECTORY = Path("/dev/shm")
HEADER_BYTES = 4096  # a page; the payload follows
LAYOUT = 1  # raise it when the header or the meaning of a payload changes

_MAGIC = b"goshmseg"
# layout, state, fingerprint, owner's pid, owner's start time, payload bytes
_FIELDS = struct.Struct("=II64sQQQ")
_STATE = struct.Struct("=I")
_FIELDS_AT = len(_MAGIC)
_STATE_AT = _FIELDS_AT + 4
_HEADER_END = _FIELDS_AT + _FIELDS.size
_NAME = re.compile(r"goengine\.(?P<pid>[1-9][0-9]*)\.[0-9a-f]+\.[A-Za-z0-9_-]+", re.ASCII)
_TOO_MUCH = (errno.ENOSPC, errno.EFBIG, errno.ENOMEM)


class NoRoom(OSError):
    """The directory of segments has not the room that was asked for; the text says what to do."""


class BadSegment(ValueError):
    """There is no segment of that name that this program can use; the text says why."""


class State(enum.IntEnum):
    """Whether the payload can be trusted after everything died."""

    WHOLE = 1
    CHANGING = 2  # somebody rewrites it in place


class Segment:
    """A piece of memory that processes share, with a header that says whose it is.

    Forked children use it as it is. As a context manager it closes, and does not unlink.
    """

    def __init__(self, path: Path, mapping: mmap.mmap, n_bytes: int) -> None:
        """Only for `create` and `attach`."""
        self._path = path
        self._mapping = mapping
        self.payload = memoryview(mapping)[HEADER_BYTES : HEADER_BYTES + n_bytes]  # writable

    @classmethod
    def create(
        cls, label: str, n_bytes: int, fingerprint: str, directory: Path = SHM_DIRECTORY
    ) -> Self:
        """Make a segment of zeros, WHOLE, that this process owns; `label` ends its name.

        `fingerprint` tells the kernels that use it, at most 64 bytes. All of the memory is
        taken at once, so that a full directory is an error here and not a SIGBUS later.
        Raises NoRoom.
        """
        path = directory / f"goengine.{os.getpid()}.{secrets.token_hex(8)}.{label}"
        if not _NAME.fullmatch(path.name):
            raise ValueError(f"a label has letters, digits, _ and - only, not {label!r}")
        if n_bytes < 1:
            raise ValueError(f"a segment has at least 1 byte, not {n_bytes}")
        encoded = _encode_fingerprint(fingerprint)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _allocate(descriptor, HEADER_BYTES + n_bytes, directory)
            mapping = mmap.mmap(descriptor, HEADER_BYTES + n_bytes)
        except BaseException:
            path.unlink()
            raise
        finally:
            os.close(descriptor)
        _FIELDS.pack_into(
            mapping,
            _FIELDS_AT,
            LAYOUT,
            State.WHOLE,
            encoded,
            os.getpid(),
            _start_time(os.getpid()) or 0,
            n_bytes,
        )
        # Last: who sweeps at this moment sees a header without magic, and asks the name.
        mapping[:_FIELDS_AT] = _MAGIC
        return cls(path, mapping, n_bytes)

    @classmethod
    def attach(cls, name: str, fingerprint: str, directory: Path = SHM_DIRECTORY) -> Self:
        """Map a segment that exists; its owner does not change. Raises BadSegment."""
        path = directory / name
        if not _NAME.fullmatch(name):
            raise BadSegment(f"{name!r} is not the name of a segment")
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            raise BadSegment(f"{path} is not there") from None
        except OSError as error:
            raise BadSegment(f"{path} cannot be opened: {error.strerror}") from None
        try:
            if not _is_ours(os.fstat(descriptor)):
                raise BadSegment(f"{path} is not a file of our own")
            n_bytes = _check_header(descriptor, path, _encode_fingerprint(fingerprint))
            mapping = mmap.mmap(descriptor, HEADER_BYTES + n_bytes)
        finally:
            os.close(descriptor)
        return cls(path, mapping, n_bytes)

    @property
    def name(self) -> str:
        return self._path.name

    @property
    def state(self) -> State:
        return State(_STATE.unpack_from(self._mapping, _STATE_AT)[0])

    @state.setter
    def state(self, state: State) -> None:
        _STATE.pack_into(self._mapping, _STATE_AT, state)

    def close(self) -> None:
        """Give the mapping back; while arrays still look into it, it stays until they go."""
        with contextlib.suppress(BufferError):
            self.payload.release()
            self._mapping.close()

    def unlink(self) -> None:
        """Take the name away, if it is still there; mappings stay. Only for owner and zygote."""
        self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def sweep(directory: Path = SHM_DIRECTORY) -> list[str]:
    """Unlink the segments of this user whose owner no longer lives; returns their names."""
    swept = []
    for path in sorted(directory.glob("goengine.*")):
        # Another sweep may be faster, at any of these steps.
        with contextlib.suppress(FileNotFoundError):
            if _NAME.fullmatch(path.name) and _is_ours(path.lstat()) and not _has_owner(path):
                path.unlink()
                swept.append(path.name)
    return swept


def _allocate(descriptor: int, n_bytes: int, directory: Path) -> None:
    """Raises NoRoom."""
    try:
        os.posix_fallocate(descriptor, 0, n_bytes)
    except (OSError, OverflowError) as error:
        if isinstance(error, OSError) and error.errno not in _TOO_MUCH:
            raise
        room = os.statvfs(directory)
        free = room.f_bavail * room.f_frsize / 2**20
        raise NoRoom(
            f"no room for {n_bytes / 2**20:.1f} MiB of shared memory: {directory} has "
            f"{free:.1f} MiB free. Ask for a smaller tree, or make {directory} larger: "
            f"mount -o remount,size=... {directory}"
        ) from None


def _check_header(descriptor: int, path: Path, fingerprint: bytes) -> int:
    """Return the payload's bytes. Raises BadSegment."""
    header = os.pread(descriptor, _HEADER_END, 0)
    if len(header) < _HEADER_END:
        raise BadSegment(f"{path} is too short for a header")
    if header[:_FIELDS_AT] != _MAGIC:
        raise BadSegment(f"{path} is no segment: wrong magic")
    layout, state, found, _, _, n_bytes = _FIELDS.unpack_from(header, _FIELDS_AT)
    if layout != LAYOUT:
        raise BadSegment(f"{path} has layout {layout}, this program {LAYOUT}")
    if found != fingerprint:
        raise BadSegment(f"{path} is of other kernels: {_text(found)}, not {_text(fingerprint)}")
    if state not in list(State):
        raise BadSegment(f"{path} has an unknown state: {state}")
    if n_bytes < 1 or os.fstat(descriptor).st_size < HEADER_BYTES + n_bytes:
        raise BadSegment(f"{path} is too short for a payload of {n_bytes} bytes")
    return int(n_bytes)


def _has_owner(path: Path) -> bool:
    """The header knows its owner best; one that is not written yet, or damaged, has the name's."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        header = os.pread(descriptor, _HEADER_END, 0)
    finally:
        os.close(descriptor)
    if len(header) == _HEADER_END and header[:_FIELDS_AT] == _MAGIC:
        _, _, _, pid, start_time, _ = _FIELDS.unpack_from(header, _FIELDS_AT)
        return _start_time(pid) == int(start_time)
    name = _NAME.fullmatch(path.name)
    return name is not None and _start_time(int(name["pid"])) is not None


def _start_time(pid: int) -> int | None:
    """When a process started, in clock ticks since boot; None if none of that pid lives.

    With it a pid that was given out again is not mistaken for the process before.
    """
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The second field, the program's name, is in parentheses and may contain anything.
    fields = status.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[22 - 3])


def _is_ours(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid()


def _encode_fingerprint(fingerprint: str) -> bytes:
    encoded = fingerprint.encode()
    if len(encoded) > 64:
        raise ValueError(f"a fingerprint has at most 64 bytes, not {len(encoded)}")
    return encoded.ljust(64, b"\0")


def _text(fingerprint: bytes) -> str:
    return repr(fingerprint.rstrip(b"\0").decode(errors="replace"))
