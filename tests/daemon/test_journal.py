"""The journal: what it has written is there, whole, whatever happens next."""

from __future__ import annotations

import contextlib
import os
import resource
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
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


def test_a_directory_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
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


def test_a_journal_of_a_later_release(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(JournalError, match="another release"):
        Journal(path, "uid:7")
    assert list(tmp_path.iterdir()) == [path]


def test_a_journal_of_before_there_were_checksums(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    write_games(path, ["a", "b"])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("ALTER TABLE games DROP COLUMN checksum")
        db.execute("ALTER TABLE games DROP COLUMN user")
        db.execute("PRAGMA user_version=1")
    journal = Journal(path, "uid:7")
    assert journal.load("a") == record_of("a")
    journal.save(entry("b"), b"{}")
    journal.close()
    journal = Journal(path, "uid:7")
    assert (journal.load("a"), journal.load("b")) == (record_of("a"), b"{}")
    journal.close()


def test_a_full_disk_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    journal = Journal(path, "uid:7")
    journal.save(entry("a", moves=1), b"before", Reply("me", "1", "="))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    n_bytes = max(file.stat().st_size for file in tmp_path.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, limits[1]))
    try:
        for number in range(10):
            with pytest.raises(JournalError, match="disk"):
                journal.save(entry("a", moves=2), 10**5 * b"x", Reply("me", str(number), "="))
        with pytest.raises(JournalError, match="disk"):
            journal.save(entry("b"), 10**5 * b"x")
        assert journal.load("a") == b"before"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [found.moves for found in journal.games()] == [1]
    assert journal.replies("a") == [Reply("me", "1", "=")]
    journal.save(entry("a", moves=2), b"after", Reply("me", "2", "="))
    journal.close()
    journal = Journal(path, "uid:7")
    assert journal.load("a") == b"after"
    journal.close()


# --- damage -----------------------------------------------------------------------

PAGE = 4096
NAMES = [f"game-{number:02}" for number in range(16)]


def record_of(name: str) -> bytes:
    """Short for some games, on pages of its own for others."""
    return f"{{{name}}}".encode() * (5 if name[-1] in "02468" else 700)


def write_games(path: Path, names: list[str]) -> None:
    journal = Journal(path, "uid:7")
    for name in names:
        journal.save(entry(name), record_of(name), Reply("me", "1", f"= {name}\n\n"))
    journal.close()


def can_be_read(path: Path, name: str) -> bool:
    """By SQLite, whatever it thinks of the rest."""
    try:
        with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
            query = "SELECT record FROM games WHERE name = ?"
            return db.execute(query, (name,)).fetchall() == [(record_of(name),)]
    except sqlite3.Error:
        return False


@pytest.mark.parametrize("fill", [b"\0", b"\xa5"])
def test_a_damaged_page_costs_what_stood_in_it(
    tmp_path: Path, fill: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path, whole = tmp_path / "games.sqlite", tmp_path / "whole"
    write_games(path, NAMES)
    whole.write_bytes(path.read_bytes())
    n_pages = whole.stat().st_size // PAGE
    n_lost = []
    for page in range(n_pages):
        broken = bytearray(whole.read_bytes())
        broken[page * PAGE : (page + 1) * PAGE] = PAGE * fill
        path.write_bytes(broken)
        expected = [name for name in NAMES if page == 0 or can_be_read(path, name)]
        caplog.clear()
        journal = Journal(path, "uid:7")
        found = {name for name in NAMES if journal.load(name) == record_of(name)}
        assert found >= set(expected), f"page {page}"
        assert {game.name for game in journal.games()} == found, "and nothing half"
        journal.save(entry("new"), b"{}")
        journal.close()
        (aside,) = tmp_path.glob("*.damaged-*")
        assert str(aside) in caplog.text
        assert f"{len(found)} games could be read" in caplog.text
        assert aside.read_bytes() == broken
        aside.unlink()
        Journal(path, "uid:7").close()
        assert sorted(tmp_path.iterdir()) == [path, whole], "and then it is whole"
        n_lost.append(len(NAMES) - len(found))
    assert n_lost[0] == 0, "the first page tells nothing that is not known"
    assert sorted(n_lost)[n_pages // 2] <= 1


def test_a_damaged_index_does_not_keep_games_from_being_dropped(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    write_games(path, ["first-game", "second-game"])
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'replies_by_game'"
        (page,) = db.execute(query).fetchone()
    content = path.read_bytes()
    in_index = content.index(b"second-game", (page - 1) * PAGE, page * PAGE)
    path.write_bytes(content[:in_index] + b"SECOND" + content[in_index + 6 :])
    journal = Journal(path, "uid:7")
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1
    journal.drop("second-game")
    assert [game.name for game in journal.games()] == ["first-game"]
    journal.close()


def test_a_record_that_is_not_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    write_games(path, ["a", "b"])
    content = path.read_bytes()
    assert content.count(record_of("b")[:12]) >= 1
    path.write_bytes(content.replace(record_of("b")[:12], b"{B}" + record_of("b")[3:12]))
    journal = Journal(path, "uid:7")
    assert journal.load("a") == record_of("a")
    assert journal.load("b") is None
    assert journal.replies("a") == [Reply("me", "1", "= a\n\n")]
    assert journal.replies("b") == []
    journal.close()
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_what_is_no_database_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    text = "not a database, but long enough to be taken for one" * 100
    path.write_text(text)
    journal = Journal(path, "uid:7")
    assert journal.games() == []
    journal.close()
    (aside,) = tmp_path.glob("*.damaged-*")
    assert aside.read_text() == text
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600


# --- death ------------------------------------------------------------------------

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
