"""The iterations of a tuning on disk: one file each, written whole, never changed.

    KEY/iterations/00012.json       where it started, what was tried, what came of it
    KEY/games/iteration-12-.../     its games, as a match keeps them
    KEY/lock                        held by the process that works here

The last iteration says where the next one starts, so that nothing else has to be kept.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

import msgspec

from clients.match.intervals import Tally
from clients.match.results_folder import create_whole
from clients.tune.definition import Tuning
from clients.tune.parameters import Values, start_values

FORMAT = 1


class IterationRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One iteration.

    before, after           values, as they are: not rounded to what engines can be told
    plus, minus             what the two sides played with
    wins, losses, draws     of `plus`
    gain, perturbation      a_k and c_k, in steps
    engine                  name and version as it told them; several are joined by ", "
    finished                UTC, ISO 8601
    seconds                 it took; less than that of others if it was interrupted
    """

    format: int = FORMAT
    number: int
    before: Values
    plus: Values
    minus: Values
    wins: int
    losses: int
    draws: int
    after: Values
    gain: float
    perturbation: float
    engine: str
    finished: str
    seconds: float

    @property
    def tally(self) -> Tally:
        return Tally(self.wins, self.losses, self.draws)


class HistoryError(Exception):
    """The folder cannot be worked with; the text says what to do."""


_decoder = msgspec.json.Decoder(IterationRecord)


def read_history(tuning: Tuning) -> list[IterationRecord]:
    """All iterations in their order. Raises HistoryError."""
    paths = sorted(_folder(tuning).glob("[0-9]*.json"), key=lambda path: (len(path.name), path))
    return [_read(path, number) for number, path in enumerate(paths, 1)]


def add_iteration(tuning: Tuning, record: IterationRecord) -> None:
    """Once it is there, it counts. Raises HistoryError if somebody else has been here."""
    path = _folder(tuning) / f"{record.number:05d}.json"
    data = msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"
    if not create_whole(path, data):
        raise HistoryError(f"{path} is there already; start the same command again to go on")


def values_now(tuning: Tuning, records: list[IterationRecord]) -> Values:
    return records[-1].after if records else start_values(tuning.parameters)


@contextlib.contextmanager
def held(tuning: Tuning) -> Iterator[None]:
    """The folder is ours until the end, however we end. Raises HistoryError."""
    tuning.folder.mkdir(parents=True, exist_ok=True)
    path = tuning.folder / "lock"
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise HistoryError(
                f"another goengine tune works in {tuning.folder}; wait for it or end it, or look "
                "at it with --show"
            ) from None
        yield


def _folder(tuning: Tuning) -> Path:
    return tuning.folder / "iterations"


def _read(path: Path, number: int) -> IterationRecord:
    cure = "remove it and those after it, and tuning goes on from there"
    try:
        record = _decoder.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise HistoryError(f"{path} cannot be read: {error}; {cure}") from None
    if record.format != FORMAT:
        raise HistoryError(
            f"{path} has format {record.format}, and this version reads {FORMAT}; {cure}"
        )
    if not number == record.number == int(path.stem):
        raise HistoryError(f"{path} stands where iteration {number} should be; {cure}")
    return record
