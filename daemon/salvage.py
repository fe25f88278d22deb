"""A journal that is damaged: how one knows, and what can still be read of it.

SQLite finds pages that are no pages; it does not know what ought to stand in them. So every
game has a checksum, and one that does not fit is as lost as one that cannot be read.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

COLUMNS = "name, owner, user, keep, size, moves, changed, record, checksum"
_REPLY_COLUMNS = "number, client, id, game, text"
_TYPES = (str, str, str, int, int, int, float, bytes)  # of a game's columns
_TRACES = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file

Row = tuple[Any, ...]


class Damaged(Exception):
    """The file is no journal any more; the text says what was found."""


class Salvaged(NamedTuple):
    aside: Path  # the damaged file as it was
    n_games: int  # that could be read
    lost: list[str]  # games of which only the name could be read


def checksum(fields: Sequence[object], record: bytes) -> int:
    """Of a game; the fields are those up to its number of moves."""
    return zlib.crc32(record, zlib.crc32("\0".join(map(str, fields)).encode()))


def is_damage(error: BaseException) -> bool:
    """Does it come from a file that is not, or no longer, what it should be?"""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    no_table = sqlite3.SQLITE_ERROR
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, no_table)


def check(db: sqlite3.Connection) -> None:
    """Raises Damaged, and what SQLite raises where it cannot read at all."""
    # Not quick_check: where an index does not fit its table, nothing could be deleted any more.
    (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise Damaged(found)
    for row in db.execute(f"SELECT {COLUMNS} FROM games"):
        if not _is_whole(row):
            raise Damaged(f"the record of game {row[0]} is not what was written")


def salvage(path: Path, make: Callable[[Path], sqlite3.Connection], heir: str) -> Salvaged:
    """Set the file aside, and put one in its place that has all that can be read of it.

    `make` makes an empty journal; `heir` has the games of a time without users. Whatever goes
    wrong on the way, the file is still there, and the next start begins anew. Raises OSError and
    sqlite3.Error.
    """
    aside = _name_beside(path)
    _copy(path, aside)
    fresh = path.with_name(f"{path.name}.new")
    _remove(fresh)
    with closing(make(fresh)) as new:
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _mend_first_page(path, fresh.read_bytes())
        games, replies, lost = _read(path, heir)
        new.execute("BEGIN")
        new.executemany(f"INSERT INTO games ({COLUMNS}) VALUES ({_marks(COLUMNS)})", games)
        new.executemany(
            f"INSERT OR IGNORE INTO replies ({_REPLY_COLUMNS}) VALUES ({_marks(_REPLY_COLUMNS)})",
            replies,
        )
        new.execute("COMMIT")
    _flush(fresh)
    for trace in _TRACES:  # these belong to the old file, and would be taken for the new one's
        path.with_name(path.name + trace).unlink(missing_ok=True)
    fresh.replace(path)
    return Salvaged(aside, len(games), lost)


def _mend_first_page(path: Path, empty: bytes) -> None:
    """Where SQLite finds no tables, give the file the first page of an empty journal.

    It says where the tables are, and all journals have them in the same places.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as db:
        db.execute("SELECT name FROM games LIMIT 0")
        return
    page_bytes = int.from_bytes(empty[16:18], "big")
    page = bytearray(empty[:page_bytes])
    n_pages = path.stat().st_size // page_bytes
    page[28:32] = n_pages.to_bytes(4, "big")
    with path.open("r+b") as file:
        file.write(page)


def _read(path: Path, heir: str) -> tuple[list[Row], list[Row], list[str]]:
    """Games, replies with the newest first, and names of games that are lost."""
    games: dict[str, Row] = {}
    replies: dict[int, Row] = {}
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.text_factory = lambda text: text.decode(errors="replace")
        known = {name for (name,) in _rows(db, "SELECT name FROM pragma_table_info('games')")}
        names_in_order = COLUMNS.split(", ")
        columns = ", ".join(name if name in known else "NULL" for name in names_in_order)
        # Up to the damage from either side: what lies behind it is not lost.
        for order in ("ASC", "DESC"):
            for row in _rows(db, f"SELECT {columns} FROM games ORDER BY name {order}"):
                games[row[0]] = _with_user(row, heir)
            query = f"SELECT {_REPLY_COLUMNS} FROM replies NOT INDEXED ORDER BY number {order}"
            for row in _rows(db, query):
                replies[row[0]] = row
        names = {row[3] for row in replies.values() if isinstance(row[3], str)}
        for name in names - games.keys():
            for row in _rows(db, f"SELECT {columns} FROM games WHERE name = ?", name):
                games[name] = _with_user(row, heir)
    whole = {name: row for name, row in games.items() if _is_whole(row)}
    kept = [row for _, row in sorted(replies.items(), reverse=True) if row[3] in whole]
    lost = sorted(str(name) for name in (names | games.keys()) - whole.keys())
    return list(whole.values()), kept, lost


def _with_user(row: Row, heir: str) -> Row:
    name, owner, user, *rest = row
    return (name, owner, heir if user is None else user, *rest)


def _rows(db: sqlite3.Connection, query: str, *values: str) -> Iterator[Row]:
    """As many as can be read."""
    with suppress(sqlite3.Error):
        yield from db.execute(query, values)


def _is_whole(row: Row) -> bool:
    """A game of before there were checksums has to be believed."""
    *fields, _, record, expected = row
    is_sound = tuple(map(type, row[:-1])) == _TYPES
    return is_sound and expected in (None, checksum(fields, record))


def _marks(columns: str) -> str:
    return ", ".join("?" for _ in columns.split(","))


def _name_beside(path: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (path.with_name(f"{path.stem}.damaged-{stamp}-{n}{path.suffix}") for n in range(10**6))
    return next(name for name in names if not name.exists())


def _copy(path: Path, to: Path) -> None:
    for trace in ("", "-wal"):
        source = path.with_name(path.name + trace)
        if source.exists():
            copy = to.with_name(to.name + trace)
            shutil.copyfile(source, copy)
            copy.chmod(0o600)


def _remove(path: Path) -> None:
    for trace in ("", *_TRACES):
        path.with_name(path.name + trace).unlink(missing_ok=True)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
