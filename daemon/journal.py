"""The games on disk: each as it was after its last acknowledged command.

SQLite in WAL mode. What is written before a reply survives the death of the daemon at any
moment; a power failure may cost the last moments, never the file.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

LAYOUT = 2
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
    user TEXT NOT NULL          -- whose it is: daemon/rights.py
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
        """heir: the user whose games are those of a time without users. Raises JournalError."""
        self.n_errors = 0
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._db = sqlite3.connect(path, isolation_level=None)
            path.chmod(0o600)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")  # one daemon, one journal
            self._db.execute("BEGIN IMMEDIATE")
            (layout,) = self._db.execute("PRAGMA user_version").fetchone()
            if layout not in (0, 1, LAYOUT):
                raise JournalError(f"{path} was written by another release (layout {layout})")
            if layout == 1:
                self._db.execute("ALTER TABLE games ADD COLUMN user TEXT NOT NULL DEFAULT ''")
                self._db.execute("UPDATE games SET user = ?", (heir,))
            for statement in _SCHEMA.split(";\n"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version={LAYOUT}")
            self._db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
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
        with self._transaction():
            self._db.execute(
                "INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*entry[:2], int(entry.keep), *entry[3:5], time.time(), record, entry.user),
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
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise self._failure(error) from None

    def _failure(self, error: sqlite3.Error) -> JournalError:
        self.n_errors += 1
        code = getattr(error, "sqlite_errorcode", None)  # what Python itself refuses has none
        return JournalError(f"{self._path}: {error}", code == sqlite3.SQLITE_FULL)
