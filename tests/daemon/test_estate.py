"""What the next daemon takes of what one has left, and what it frees."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.estate import Estate, Left, heir_of
from daemon.shm import Kind, Segment, State
from goengine.rules.game import Game
from goengine.search.memory import memory_for, memory_over
from goengine.search.resuming import note_of
from goengine.search.search import Search
from goengine.tree.columns import clear_tree

N_WORKERS = 2
KIND = Kind(memory_for(2000, N_WORKERS), "kernels", "heir")


def new_slot(directory: Path, number: int, game: str = "", kind: Kind = KIND) -> Segment:
    """With the search of a game, if it has a name."""
    segment = Segment.create(f"slot{number}", kind, directory)
    search = Search(memory_over(segment.payload, N_WORKERS), number)
    clear_tree(search.memory.tree)
    if game:
        search.start_over(number, 0, game)
        search.set_parameters(5)
        search.set_game(Game(5), 1)
    segment.note = note_of(search)
    return segment


def leave(directory: Path, number: int, game: str = "", kind: Kind = KIND) -> Path:
    segment = new_slot(directory, number, game, kind)
    segment.close()
    return directory / segment.name


def labels(left: list[Left]) -> list[str]:
    return [search.label for _, search in left]


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What it hears."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listener


def test_slots_come_in_the_order_they_had(tmp_path: Path) -> None:
    for number in (10, 2, 0):
        leave(tmp_path, number, f"game{number}")
    left = Estate("heir", directory=tmp_path).take(8, KIND, N_WORKERS)
    assert labels(left) == ["game0", "game2", "game10"]
    assert [segment.state for segment, _ in left] == [State.WHOLE] * 3
    assert Estate("heir", directory=tmp_path).take(8, KIND, N_WORKERS) == [], "they are in use"
    assert len(list(tmp_path.iterdir())) == 3


def test_what_is_not_used_is_freed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    leave(tmp_path, 0)  # nobody's
    for number in (1, 2, 3):
        leave(tmp_path, number, f"game{number}")
    left = Estate("heir", directory=tmp_path).take(2, KIND, N_WORKERS)
    assert labels(left) == ["game1", "game2"]
    assert {path.name for path in tmp_path.iterdir()} == {segment.name for segment, _ in left}
    assert not caplog.records


@pytest.mark.parametrize(
    ("kind", "n_workers", "why"),
    [
        (KIND._replace(fingerprint="others"), N_WORKERS, "of other kernels"),
        (KIND._replace(n_bytes=KIND.n_bytes + 1), N_WORKERS, "payload of"),
        (KIND, N_WORKERS - 1, "another number of workers"),
    ],
)
def test_what_does_not_fit_is_freed_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: Kind, n_workers: int, why: str
) -> None:
    leave(tmp_path, 3, "game")
    with caplog.at_level(logging.WARNING):
        assert Estate("heir", directory=tmp_path).take(1, kind, n_workers) == []
    assert "slot3: its tree is not usable" in caplog.text
    assert why in caplog.text
    assert list(tmp_path.iterdir()) == []


def test_a_change_that_was_cut_off(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with new_slot(tmp_path, 0, "game") as segment:
        segment.state = State.CHANGING
    assert Estate("heir", directory=tmp_path).take(1, KIND, N_WORKERS) == []
    assert "in the middle of a change" in caplog.text


def test_others_are_not_touched(tmp_path: Path) -> None:
    leave(tmp_path, 0, "game", KIND._replace(heir="another"))
    leave(tmp_path, 0, "game", KIND._replace(heir=""))
    with new_slot(tmp_path, 0, "game"):
        assert Estate("heir", directory=tmp_path).take(1, KIND, N_WORKERS) == []
    assert Estate("", directory=tmp_path).take(1, KIND, N_WORKERS) == []
    assert len(list(tmp_path.iterdir())) == 3


def test_what_somebody_held_is_freed_later(tmp_path: Path, systemd: socket.socket) -> None:
    """As a worker that was frozen when its daemon died does."""
    held, another = new_slot(tmp_path, 0, "held"), leave(tmp_path, 1, "x", KIND._replace(heir="y"))
    estate = Estate("heir", directory=tmp_path)
    assert estate.take(1, KIND, N_WORKERS) == []
    mine = new_slot(tmp_path, 0, "mine")
    estate.free_leftovers()
    assert (tmp_path / held.name).exists(), "it still is"
    held.close()
    estate.free_leftovers()
    assert not (tmp_path / held.name).exists()
    assert systemd.recv(1000) == f"FDSTOREREMOVE=1\nFDNAME={held.name}".encode()
    assert (tmp_path / mine.name).exists()
    assert another.exists(), "another heir may come"
    mine.close()


def test_systemd_keeps_it(tmp_path: Path, systemd: socket.socket) -> None:
    directory = tmp_path / "segments"
    directory.mkdir()
    with new_slot(directory, 0, "game") as segment:
        Estate("", directory=directory).keep(segment)
        Estate("heir", directory=directory).keep(segment)
        segment.unlink()
    message, (kept,), *_ = socket.recv_fds(systemd, 1000, 4)
    assert message.decode() == f"FDSTORE=1\nFDNAME={segment.name}"
    # It passes what it keeps, and keeps it.
    estate = Estate("heir", {segment.name: [os.dup(kept)], "requests": [999]}, directory)
    ((again, search),) = estate.take(1, KIND, N_WORKERS)
    assert (again.name, search.label) == (segment.name, "game")
    estate.keep(again)
    with pytest.raises(BlockingIOError):
        systemd.recv(1000)
    again.close()
    other = Estate("heir", {segment.name: [kept]}, directory)
    assert other.take(1, KIND._replace(fingerprint="others"), N_WORKERS) == []
    assert systemd.recv(1000).decode() == f"FDSTOREREMOVE=1\nFDNAME={segment.name}"
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(kept)


def test_what_has_a_name_and_is_kept_is_taken_once(tmp_path: Path) -> None:
    path = leave(tmp_path, 0, "game")
    passed = {path.name: [os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)]}
    left = Estate("heir", passed, tmp_path).take(2, KIND, N_WORKERS)
    assert labels(left) == ["game"]


def test_an_heir_is_the_daemon_of_a_directory(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("a")
    assert heir_of(tmp_path / "a") == heir_of(tmp_path / "link")
    assert heir_of(tmp_path / "a") != heir_of(tmp_path / "b")
    assert len(heir_of(tmp_path)) == 32
