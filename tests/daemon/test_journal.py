"""The journal: what it has written is there, whole, whatever happens next."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from daemon.journal import KEPT_REPLIES, Entry, Journal, JournalError, Reply

pytestmark = pytest.mark.uncompiled

ROOT = Path(__file__).parent.parent.parent


def entry(name: str, moves: int = 0) -> Entry:
    return Entry(name, "me", True, 9, moves, 0.0, "key:lisa")


def test_what_is_saved_is_there(tmp_path: Path) -> None:
    path = tmp_path / "state" / "games.sqlite"
    journal = Journal(path, "uid:7")
    journal.save(entry("a"), b"{}", Reply("me", "1", "= D4\n\n"))
    journal.save(entry("b"), b"[]")
    journal.save(entry("a", moves=1), b"{1}", Reply("me", "2", "=\n\n"))
    journal.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    journal = Journal(path, "uid:7")
    assert [(e.name, e.moves) for e in journal.games()] == [("a", 1), ("b", 0)]
    assert journal.load("a") == b"{1}"
    assert journal.load("c") is None
    assert journal.replies("a") == [Reply("me", "1", "= D4\n\n"), Reply("me", "2", "=\n\n")]
    assert journal.replies("b") == []
    journal.drop("a")
    assert journal.load("a") is None
    assert journal.replies("a") == []
    journal.close()


def test_only_the_last_replies_are_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.sqlite", "uid:7")
    for number in range(KEPT_REPLIES + 10):
        journal.save(entry("a"), b"{}", Reply("me", str(number), f"={number}\n\n"))
    kept = [reply.id for reply in journal.replies("a")]
    assert kept == [str(number) for number in range(10, KEPT_REPLIES + 10)]
    journal.close()


LAYOUT_1 = """
CREATE TABLE games (name TEXT PRIMARY KEY, owner TEXT NOT NULL, keep INTEGER NOT NULL,
    size INTEGER NOT NULL, moves INTEGER NOT NULL, changed REAL NOT NULL, record BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE replies (number INTEGER PRIMARY KEY AUTOINCREMENT, client TEXT NOT NULL,
    id TEXT NOT NULL, game TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (client, game, id));
INSERT INTO games VALUES ('old', 'me', 1, 9, 3, 0.0, x'7b7d');
INSERT INTO replies (client, id, game, text) VALUES ('me', '1', 'old', '=');
PRAGMA user_version=1;
"""


def test_a_journal_without_users_is_brought_up(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.executescript(LAYOUT_1)
    for heir in ("uid:7", "nobody"):  # only the first inherits
        journal = Journal(path, heir)
        assert journal.games()[0] == Entry("old", "me", True, 9, 3, 0.0, "uid:7")
        assert journal.load("old") == b"{}"
        assert journal.replies("old") == [Reply("me", "1", "=")]
        journal.close()
    journal = Journal(path, "uid:7")
    journal.save(entry("new"), b"{}")
    assert {e.name: e.user for e in journal.games()} == {"old": "uid:7", "new": "key:lisa"}
    journal.close()


def test_one_daemon_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    journal = Journal(path, "uid:7")
    code = "import sys; from pathlib import Path; from daemon.journal import Journal\n"
    other = subprocess.run(
        [sys.executable, "-c", f"{code}Journal(Path(sys.argv[1]), 'me')", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert "does another daemon use it?" in other.stderr
    journal.close()


def test_files_that_are_no_journal(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("not a database, but long enough to be taken for one" * 100)
    with pytest.raises(JournalError, match="not a database"):
        Journal(tmp_path / "x", "uid:7")
    with pytest.raises(JournalError):
        Journal(tmp_path / "x" / "y", "uid:7")


def test_a_check_that_can_fail(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.sqlite", "uid:7")
    before = (tmp_path / "games.sqlite-wal").stat().st_size
    journal.check()
    assert (tmp_path / "games.sqlite-wal").stat().st_size > before, "it does write"
    journal._db.execute("PRAGMA query_only=1")
    with pytest.raises(JournalError, match="readonly") as caught:
        journal.check()
    assert not caught.value.is_disk_full
    journal.close()


def test_a_full_disk_is_known_as_one(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.sqlite", "uid:7")
    journal._db.execute("PRAGMA max_page_count=8")
    with pytest.raises(JournalError, match="full") as caught:
        journal.save(Entry("a", "me", True, 9, 0, 0.0, "uid:7"), bytes(100_000))
    assert caught.value.is_disk_full
    journal.close()


WRITER = """
import sys
from pathlib import Path
from daemon.journal import Entry, Journal, Reply
journal = Journal(Path(sys.argv[1]), "uid:7")
for number in range(10**9):
    entry = Entry("a", "me", True, 9, number, 0.0, "key:lisa")
    journal.save(entry, str(number).encode(), Reply("me", str(number), "="))
    print(number, flush=True)
"""


def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    for _ in range(5):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        for _ in range(200):
            line = writer.stdout.readline()
        os.kill(writer.pid, 9)
        said = int((writer.communicate()[0].split() or [line])[-1])
        journal = Journal(path, "uid:7")
        (found,) = journal.games()
        assert found.moves in (said, said + 1), "the next one may be written and not yet told"
        assert journal.load("a") == str(found.moves).encode()
        assert journal.replies("a")[-1] == Reply("me", str(found.moves), "=")
        journal.close()
