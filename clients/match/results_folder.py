"""The results of a match on disk: one file a game, written whole, by any number of machines.

    games/KEY/00007.json             the game; once it is there, it counts and never changes
    games/KEY/00007.sgf              made from it
    games/KEY/00007.transcript.txt   what a forfeiting engine said and was told
    games/KEY/00007.claim            somebody plays it now

KEY names a pairing with its conditions. A claim is only there to save work: if two machines
play the same game after all, the first to finish counts.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path
from typing import NamedTuple

from clients.match.definition import Pairing
from clients.match.game_record import BadRecord, GameRecord, decode_record, encode_record
from clients.match.sgf_writer import sgf_of

HEARTBEAT = 5.0  # seconds between two signs of life of a claim
_STALE = 60.0  # seconds without one after which a claim of another machine is void


class Claim(NamedTuple):
    key: str
    number: int


class ResultsFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._records: dict[Path, GameRecord] = {}
        self._claims_seen: dict[Path, tuple[int, float]] = {}  # its time stamp, and since when
        self.unreadable: dict[Path, str] = {}

    def records(self, pairing: Pairing) -> dict[int, GameRecord]:
        """All games of the pairing so far, by number; files are read once."""
        found = {}
        for path in sorted(self._folder(pairing.key).glob("[0-9]*.json")):
            if path not in self._records and path not in self.unreadable:
                self._read(path)
            if record := self._records.get(path):
                found[record.number] = record
        return found

    def other_keys(self, pairings: list[Pairing]) -> list[str]:
        """Folders with games of other conditions than today's."""
        known = {pairing.key for pairing in pairings}
        return sorted(
            folder.name
            for folder in self.path.glob("games/*")
            if folder.name not in known and any(folder.glob("[0-9]*.json"))
        )

    def unreadable_numbers(self, key: str) -> set[int]:
        folder = self._folder(key)
        stems = [path.stem for path in self.unreadable if path.parent == folder]
        return {int(stem) for stem in stems if stem.isdecimal()}

    def add(self, key: str, record: GameRecord, transcript: str = "") -> bool:
        """Keep a game for ever. False if another machine was first; then nothing is changed."""
        path = self._folder(key) / f"{record.number:05d}.json"
        if path.exists():
            return False
        if transcript:
            replace_whole(path.with_suffix(".transcript.txt"), transcript.encode())
        if not create_whole(path, encode_record(record)):
            return False
        self._records[path] = record
        self._write_sgf(path)
        return True

    def complete(self, pairings: list[Pairing]) -> None:
        """Do what somebody who was killed had left to do: write an SGF, withdraw a claim."""
        for pairing in pairings:
            self.records(pairing)
        for path in self._records:
            if not path.with_suffix(".sgf").exists():
                self._write_sgf(path)
            path.with_suffix(".claim").unlink(missing_ok=True)

    def claim(self, key: str, number: int) -> Claim | None:
        """None if somebody plays this game, or has played it."""
        path = self._claim_path(Claim(key, number))
        if self._is_held(path):
            return None
        path.unlink(missing_ok=True)
        if not create_whole(path, _owner(os.getpid()).encode()):
            return None
        if path.with_suffix(".json").exists():
            path.unlink()
            return None
        return Claim(key, number)

    def is_claimed(self, key: str, number: int) -> bool:
        return self._is_held(self._claim_path(Claim(key, number)))

    def refresh(self, claim: Claim) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.utime(self._claim_path(claim))

    def release(self, claim: Claim) -> None:
        self._claim_path(claim).unlink(missing_ok=True)

    def _is_held(self, path: Path) -> bool:
        """Is there a claim whose owner lives? Other machines' clocks are not trusted."""
        try:
            stamp, text = path.stat().st_mtime_ns, path.read_text("utf-8", "replace")
        except FileNotFoundError:
            return False
        machine, _, process = text.partition(" ")
        if machine == _machine():
            pid = process.partition(" ")[0]
            return not pid.isdecimal() or text == _owner(int(pid))
        seen, since = self._claims_seen.get(path, (0, 0.0))
        if stamp != seen:
            self._claims_seen[path] = (stamp, time.monotonic())
            return True
        return time.monotonic() - since < _STALE

    def _read(self, path: Path) -> None:
        try:
            record = decode_record(path.read_bytes())
            if record.number != int(path.stem):
                raise BadRecord(f"it is game {record.number}")
        except (BadRecord, OSError, ValueError) as error:
            self.unreadable[path] = str(error)
        else:
            self._records[path] = record

    def _write_sgf(self, path: Path) -> None:
        replace_whole(path.with_suffix(".sgf"), sgf_of(self._records[path]))

    def _folder(self, key: str) -> Path:
        return self.path / "games" / key

    def _claim_path(self, claim: Claim) -> Path:
        return self._folder(claim.key) / f"{claim.number:05d}.claim"


def replace_whole(path: Path, data: bytes) -> None:
    """The file has its old content or all of the new one, whatever happens."""
    write_draft(path, data).replace(path)


def create_whole(path: Path, data: bytes) -> bool:
    """False if the file is there already; then nothing is changed."""
    draft = write_draft(path, data)
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    return True


def write_draft(path: Path, data: bytes) -> Path:
    """A file beside `path` with the data on disk, to be linked or renamed to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return draft


def _machine() -> str:
    """Names what process numbers are told apart in: a boot of a machine, or a container."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"


def _owner(pid: int) -> str:
    """The process with its start, so that a number that is used again is another owner.

    Empty if it has ended, also if nobody has asked for its exit status yet.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    state, *numbers = stat.rpartition(b")")[2].decode().split()
    return "" if state in "ZX" else f"{_machine()} {pid} {numbers[18]}"
