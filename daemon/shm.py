"""Segments of shared memory: the only place that creates, adopts and unlinks them.

A segment is a file in /dev/shm, mapped shared. `multiprocessing.shared_memory` is not used:
its resource tracker is a process of its own, which unlinks segments behind our back.

Whoever may write to a segment holds a lock on its file: the owner who opened it, and all who
were forked with it. The kernel lets go of it when the last of them is dead, however they died.
A segment without a lock is an orphan. It is swept, unless its header names an heir: then it
waits for a process of that name for a while.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import fcntl
import mmap
import os
import re
import secrets
import stat
import struct
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

SHM_DIRECTORY = Path("/dev/shm")
HEADER_BYTES = 4 * 4096  # whole pages; the payload follows
LAYOUT = 2  # raise it when the header or the meaning of a payload changes
HEIRS_TIME = 600.0  # seconds that an orphan waits for its heir

_MAGIC = b"goshmseg"
# layout, state, fingerprint, heir, payload bytes, the note's bytes and checksum
_FIELDS = struct.Struct("=II64s32sQII")
_STATE = struct.Struct("=I")
_NOTE = struct.Struct("=II")
_FIELDS_AT = len(_MAGIC)
_STATE_AT = _FIELDS_AT + 4
_HEADER_END = _FIELDS_AT + _FIELDS.size
_NOTE_AT = _HEADER_END - _NOTE.size
MAX_NOTE = HEADER_BYTES - _HEADER_END
_NAME = re.compile(
    r"goengine\.[1-9][0-9]*\.[0-9a-f]+\.(?P<label>[A-Za-z0-9_-]+)(\.kept)?", re.ASCII
)
_TOO_MUCH = (errno.ENOSPC, errno.EFBIG, errno.ENOMEM)


class NoRoom(OSError):
    """The directory of segments has not the room that was asked for; the text says what to do."""


class BadSegment(ValueError):
    """It is no segment that this program can use; the text says why."""


class InUse(BadSegment):
    """Somebody lives who may write to it."""


class State(enum.IntEnum):
    """Whether the payload can be trusted after everything died."""

    WHOLE = 1
    CHANGING = 2  # somebody rewrites it in place


class Kind(NamedTuple):
    """What a segment must be to be adopted.

    fingerprint     of the kernels that use it, at most 64 bytes
    heir            who may adopt it when its owner is no more, at most 32 bytes; empty: nobody
    """

    n_bytes: int
    fingerprint: str
    heir: str = ""


class Segment:
    """A piece of memory that processes share, with a header that says what it is.

    Forked children use it as it is. As a context manager it closes, and does not unlink.
    """

    def __init__(self, path: Path, descriptor: int, mapping: mmap.mmap, kind: Kind) -> None:
        """Only for `create` and `adopt`."""
        self._path = path
        self._descriptor = descriptor
        self._mapping = mapping
        self.kind = kind
        self.payload = memoryview(mapping)[HEADER_BYTES : HEADER_BYTES + kind.n_bytes]  # writable

    @classmethod
    def create(cls, label: str, kind: Kind, directory: Path = SHM_DIRECTORY) -> Self:
        """Make a segment of zeros, WHOLE, that this process owns; its name has the label.

        All of the memory is taken at once, so that a full directory is an error here and not
        a SIGBUS later. Raises NoRoom.
        """
        # Releases that know no heirs sweep no names that end so.
        ending = ".kept" if kind.heir else ""
        path = directory / f"goengine.{os.getpid()}.{secrets.token_hex(8)}.{label}{ending}"
        if not label or label_in(path.name) != label:
            raise ValueError(f"a label has letters, digits, _ and - only, not {label!r}")
        if kind.n_bytes < 1:
            raise ValueError(f"a segment has at least 1 byte, not {kind.n_bytes}")
        fields = (_encode(kind.fingerprint, 64), _encode(kind.heir, 32), kind.n_bytes, 0, 0)
        descriptor = _create_locked(path)
        try:
            _allocate(descriptor, HEADER_BYTES + kind.n_bytes, directory)
            mapping = mmap.mmap(descriptor, HEADER_BYTES + kind.n_bytes)
        except BaseException:
            path.unlink()
            os.close(descriptor)
            raise
        _FIELDS.pack_into(mapping, _FIELDS_AT, LAYOUT, State.WHOLE, *fields)
        mapping[:_FIELDS_AT] = _MAGIC
        return cls(path, descriptor, mapping, kind)

    @classmethod
    def adopt(cls, path: Path, descriptor: int, kind: Kind, patience: float = 0.0) -> Self:
        """Own a segment whose owner is no more, with all that is in it.

        path        where it is, or was
        descriptor  of the file; it stays the caller's
        patience    seconds to wait for processes that are about to end

        Raises BadSegment.
        """
        if not _is_ours(os.fstat(descriptor)):
            raise BadSegment("it is not a file of our own")
        # Opened again: a lock belongs to what was opened, and others may have this one too.
        own = os.open(f"/proc/self/fd/{descriptor}", os.O_RDWR)
        try:
            _lock(own, patience)
            _check_header(own, kind)
            mapping = mmap.mmap(own, HEADER_BYTES + kind.n_bytes)
        except BaseException:
            os.close(own)
            raise
        return cls(path, own, mapping, kind)

    @property
    def name(self) -> str:
        return self._path.name

    @property
    def state(self) -> State:
        return State(_STATE.unpack_from(self._mapping, _STATE_AT)[0])

    @state.setter
    def state(self, state: State) -> None:
        _STATE.pack_into(self._mapping, _STATE_AT, state)

    @property
    def note(self) -> bytes:
        """What the owner says of the payload, in its own words. Raises BadSegment."""
        n_bytes, checksum = _NOTE.unpack_from(self._mapping, _NOTE_AT)
        note = self._mapping[_HEADER_END : _HEADER_END + min(n_bytes, MAX_NOTE)]
        if n_bytes > MAX_NOTE or zlib.crc32(note) != checksum:
            raise BadSegment("its note is damaged")
        return note

    @note.setter
    def note(self, note: bytes) -> None:
        """One that is too long is left out."""
        note = note if len(note) <= MAX_NOTE else b""
        self._mapping[_HEADER_END : _HEADER_END + len(note)] = note
        _NOTE.pack_into(self._mapping, _NOTE_AT, len(note), zlib.crc32(note))

    def touch(self) -> None:
        """The owner lives: from now on an orphan's time counts."""
        os.utime(self._descriptor)

    @contextlib.contextmanager
    def reopened(self) -> Iterator[int]:
        """A descriptor for somebody who shall have the memory, and not our lock on it."""
        descriptor = os.open(f"/proc/self/fd/{self._descriptor}", os.O_RDWR | os.O_CLOEXEC)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Give the mapping back; while arrays still look into it, it stays until they go."""
        if self._descriptor >= 0:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
            os.close(self._descriptor)
            self._descriptor = -1
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


def sweep(
    directory: Path = SHM_DIRECTORY, heirs_time: float = HEIRS_TIME, heir: str = ""
) -> list[str]:
    """Unlink the orphans of this user that no heir has come for in time; returns their names.

    Those of `heir`, who has taken all that it wants, go at once.
    """
    of_heir = _encode(heir, 32)
    swept = []
    for path in _own_files(directory):
        # Another sweep may be faster, at any of these steps.
        with contextlib.suppress(FileNotFoundError, InUse), _opened(path) as descriptor:
            _lock(descriptor)
            age = time.time() - os.fstat(descriptor).st_mtime
            wanted_by = _heir_in(descriptor)
            if not wanted_by or age > heirs_time or (heir and wanted_by == of_heir):
                path.unlink()
                swept.append(path.name)
    return swept


def left_for(heir: str, directory: Path = SHM_DIRECTORY) -> dict[str, int]:
    """Descriptors, for the caller to close, of all segments that name the heir, by their names.

    Their owners may live.
    """
    found = {}
    for path in _own_files(directory):
        with contextlib.suppress(FileNotFoundError), _opened(path) as descriptor:
            if _heir_in(descriptor) == _encode(heir, 32):
                found[path.name] = os.dup(descriptor)
    return found


def label_in(name: str) -> str:
    """Of a segment; empty if it is the name of none."""
    found = _NAME.fullmatch(name)
    return found["label"] if found else ""


def _own_files(directory: Path) -> list[Path]:
    """Of this user, with names of segments."""
    found = []
    for path in sorted(directory.glob("goengine.*")):
        with contextlib.suppress(FileNotFoundError):
            if label_in(path.name) and _is_ours(path.lstat()):
                found.append(path)
    return found


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _create_locked(path: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)  # somebody swept it before it was locked


def _lock(descriptor: int, patience: float = 0.0) -> None:
    """Raises InUse."""
    ends = time.monotonic() + patience
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= ends:
                raise InUse("somebody uses it") from None
            time.sleep(0.01)


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


def _check_header(descriptor: int, kind: Kind) -> None:
    """Raises BadSegment."""
    header = os.pread(descriptor, _HEADER_END, 0)
    if len(header) < _HEADER_END:
        raise BadSegment("it is too short for a header")
    if header[:_FIELDS_AT] != _MAGIC:
        raise BadSegment("it is no segment: wrong magic")
    layout, state, fingerprint, heir, n_bytes, _, _ = _FIELDS.unpack_from(header, _FIELDS_AT)
    if layout != LAYOUT:
        raise BadSegment(f"it has layout {layout}, this program {LAYOUT}")
    wanted = _encode(kind.fingerprint, 64), _encode(kind.heir, 32)
    if fingerprint != wanted[0]:
        raise BadSegment(f"it is of other kernels: {_text(fingerprint)}, not {_text(wanted[0])}")
    if heir != wanted[1]:
        raise BadSegment(f"it is for another heir: {_text(heir)}, not {_text(wanted[1])}")
    if state != State.WHOLE:
        raise BadSegment(f"it was left in the middle of a change: state {state}")
    if n_bytes != kind.n_bytes or os.fstat(descriptor).st_size != HEADER_BYTES + n_bytes:
        raise BadSegment(f"it has a payload of {n_bytes} bytes, not {kind.n_bytes}")


def _heir_in(descriptor: int) -> bytes:
    """Empty where the header is damaged, or not written yet."""
    header = os.pread(descriptor, _HEADER_END, 0)
    if len(header) < _HEADER_END or header[:_FIELDS_AT] != _MAGIC:
        return b""
    heir: bytes = _FIELDS.unpack_from(header, _FIELDS_AT)[3]
    return heir if heir.strip(b"\0") else b""


def _is_ours(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid()


def _encode(text: str, n_bytes: int) -> bytes:
    encoded = text.encode()
    if len(encoded) > n_bytes:
        raise ValueError(f"{text!r} has more than {n_bytes} bytes")
    return encoded.ljust(n_bytes, b"\0")


def _text(field: bytes) -> str:
    return repr(field.rstrip(b"\0").decode(errors="replace"))
