"""The games on disk: each as it was after its last acknowledged command.

SQLite in WAL mode. What is written before a reply survives the death of the daemon at any
moment; a power failure may cost the last moments, never the file. A file that was damaged by
other means is noticed when it is opened: daemon/salvage.py.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from daemon.salvage import COLUMNS, Damaged, check, checksum, is_damage, salvage

LAYOUT = 2  # 1 had neither users nor checksums
KEPT_REPLIES = 64  # of each client in a game; as many as it may have open

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL,        -- the client that may play
    keep INTEGER NOT NULL,      -- 0: goes when its client is gone
    size INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    changed REAL NOT NULL,      -- seconds since 1970
    record BLOB NOT NULL,       -- JSON: goengine/gtp/snapshot.py
    user TEXT NOT NULL,         -- whose it is: daemon/rights.py
    checksum INTEGER            -- of all but `changed`; NULL: not known
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS replies (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    client TEXT NOT NULL,
    id TEXT NOT NULL,
    game TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (client, game, id)
);
CREATE INDEX IF NOT EXISTS replies_by_game ON replies (game);
"""

_log = logging.getLogger(__name__)


class JournalError(Exception):
    """The journal cannot be used; the text says which file and why."""

    def __init__(self, text: str, is_disk_full: bool = False) -> None:
        super().__init__(text)
        self.is_disk_full = is_disk_full


class Entry(NamedTuple):
    name: str
    owner: str
    keep: bool
    size: int
    moves: int
    changed: float
    user: str


class Reply(NamedTuple):
    client: str
    id: str
    text: str


class Journal:
    def __init__(self, path: Path, heir: str) -> None:
        """What is damaged is set aside, and what can be read of it goes on. Raises JournalError.

        heir: the user whose games are those of a time without users.
        """
        self.n_errors = 0
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                self._db = _open(path, heir)
            except Damaged as damage:
                _mend(path, heir, str(damage))
                self._db = _open(path, heir)
        except (sqlite3.Error, Damaged, OSError) as error:
            hint = "; does another daemon use it?" if "locked" in str(error) else ""
            raise JournalError(f"{path}: {error}{hint}") from None

    def close(self) -> None:
        self._db.close()

    def games(self) -> list[Entry]:
        """Raises JournalError, as all that follows."""
        rows = self._read("SELECT name, owner, keep, size, moves, changed, user FROM games")
        return [Entry._make(row)._replace(keep=bool(row[2])) for row in rows]

    def load(self, name: str) -> bytes | None:
        """The game's record."""
        rows = self._read("SELECT record FROM games WHERE name = ?", name)
        return bytes(rows[0][0]) if rows else None

    def replies(self, game: str) -> list[Reply]:
        """What was answered in the game, the oldest first."""
        query = "SELECT client, id, text FROM replies WHERE game = ? ORDER BY number"
        return [Reply(*row) for row in self._read(query, game)]

    def _read(self, query: str, *values: str) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def save(self, entry: Entry, record: bytes, reply: Reply | None = None) -> None:
        """The game as it is now and the reply that says so, or neither."""
        fields = (entry.name, entry.owner, entry.user, int(entry.keep), entry.size, entry.moves)
        with self._transaction():
            self._db.execute(
                f"INSERT OR REPLACE INTO games ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*fields, time.time(), record, checksum(fields, record)),
            )
            if reply is not None:
                self._keep(reply, entry.name)

    def _keep(self, reply: Reply, game: str) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO replies (client, id, game, text) VALUES (?, ?, ?, ?)",
            (reply.client, reply.id, game, reply.text),
        )
        self._db.execute(
            "DELETE FROM replies WHERE client = ? AND game = ? AND number <= ("
            "SELECT number FROM replies WHERE client = ? AND game = ?"
            " ORDER BY number DESC LIMIT 1 OFFSET ?)",
            (reply.client, game, reply.client, game, KEPT_REPLIES),
        )

    def drop(self, name: str) -> None:
        """Forget the game and what was said in it."""
        with self._transaction():
            self._db.execute("DELETE FROM games WHERE name = ?", (name,))
            self._db.execute("DELETE FROM replies WHERE game = ?", (name,))

    def check(self) -> None:
        """Write what is there already, to see that it can be done."""
        with self._transaction():
            self._db.execute(f"PRAGMA user_version={LAYOUT}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing."""
        try:
            self._db.execute("BEGIN")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):  # some errors end the transaction themselves
                self._db.execute("ROLLBACK")
            raise self._failure(error) from None

    def _failure(self, error: sqlite3.Error) -> JournalError:
        self.n_errors += 1
        code = getattr(error, "sqlite_errorcode", None)  # what Python itself refuses has none
        helps = "; a daemon that is started anew goes on with what can be read"
        text = f"{self._path}: {error}{helps if is_damage(error) else ''}"
        return JournalError(text, code == sqlite3.SQLITE_FULL)


def _open(path: Path, heir: str) -> sqlite3.Connection:
    """A new file gets its tables, into another nothing is written.

    Raises Damaged, JournalError, sqlite3.Error and OSError.
    """
    db = sqlite3.connect(path, isolation_level=None)
    try:
        path.chmod(0o600)
        # One daemon, one journal. Said first, nothing has to be shared, and there is no third file.
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("BEGIN IMMEDIATE")
        (layout,) = db.execute("PRAGMA user_version").fetchone()
        if layout not in (0, 1, LAYOUT):
            raise JournalError(f"{path} was written by another release (layout {layout})")
        if layout == 1:
            db.execute("ALTER TABLE games ADD COLUMN user TEXT NOT NULL DEFAULT ''")
            db.execute("UPDATE games SET user = ?", (heir,))
            db.execute("ALTER TABLE games ADD COLUMN checksum INTEGER")
        elif layout == 0:
            for statement in _SCHEMA.split(";\n"):
                db.execute(statement)
        if layout != LAYOUT:
            db.execute(f"PRAGMA user_version={LAYOUT}")
        db.execute("COMMIT")
        check(db)
    except BaseException as error:
        db.close()
        if is_damage(error):
            raise Damaged(str(error)) from None
        raise
    return db


def _mend(path: Path, heir: str, damage: str) -> None:
    """Raises sqlite3.Error and OSError."""
    found = salvage(path, lambda fresh: _open(fresh, heir), heir)
    lost = f"; lost: {', '.join(found.lost)}" if found.lost else ""
    _log.error(
        "%s was damaged (%s). It is kept as %s; %d games could be read and go on%s",
        path,
        damage,
        found.aside,
        found.n_games,
        lost,
    )
