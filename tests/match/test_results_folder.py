"""Results on disk: games that are there or not, and claims of those who play."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

from clients.match import results_folder
from clients.match.game_record import MoveRecord, encode_record
from clients.match.results_folder import Claim, ResultsFolder
from tests.match.matches import ROOT, a_record, make, player

PAIRING = make(player("good", "-"), player("pass", "-"))
KEY = PAIRING.key


@pytest.fixture
def folder(tmp_path: Path) -> ResultsFolder:
    return ResultsFolder(tmp_path)


def path_of(folder: ResultsFolder, name: str) -> Path:
    return folder.path / "games" / KEY / name


def names_in(folder: ResultsFolder) -> set[str]:
    return {path.name for path in folder.path.rglob("*") if path.is_file()}


def test_what_is_added_is_there_for_everybody(folder: ResultsFolder) -> None:
    record = a_record(7, moves=[MoveRecord("C3", 0.5, 0.6, 100), MoveRecord("pass", 0.1)])
    assert folder.records(PAIRING) == {}
    assert folder.add(KEY, record)
    assert folder.records(PAIRING) == {7: record}
    assert ResultsFolder(folder.path).records(PAIRING) == {7: record}
    assert names_in(folder) == {"00007.json", "00007.sgf"}
    game = sgf.Sgf_game.from_bytes(path_of(folder, "00007.sgf").read_bytes())
    assert [node.get_move() for node in game.get_main_sequence()[1:]] == [
        ("b", (2, 2)),
        ("w", None),
    ]


def test_a_transcript_is_kept_beside_its_game(folder: ResultsFolder) -> None:
    folder.add(KEY, a_record(1), "what was said\n")
    assert path_of(folder, "00001.transcript.txt").read_text() == "what was said\n"
    assert list(folder.records(PAIRING)) == [1]


def test_the_first_one_wins(folder: ResultsFolder) -> None:
    other = ResultsFolder(folder.path)
    assert folder.records(PAIRING) == other.records(PAIRING) == {}
    assert folder.add(KEY, a_record(1, winner="black"))
    before = {path: path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}
    assert not other.add(KEY, a_record(1, winner="white"), "and said this")
    after = {path: path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}
    assert after == before
    assert other.records(PAIRING)[1].winner == folder.records(PAIRING)[1].winner == "black"


def test_the_first_one_wins_also_at_the_last_moment(
    folder: ResultsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another machine adds the game after we have looked for it."""
    other = ResultsFolder(folder.path)
    really_link = os.link

    def link(source: Any, target: Any) -> None:
        monkeypatch.setattr(os, "link", really_link)
        assert other.add(KEY, a_record(1, winner="black"))
        really_link(source, target)

    monkeypatch.setattr(os, "link", link)
    assert not folder.add(KEY, a_record(1, winner="white"))
    assert folder.records(PAIRING)[1].winner == "black"
    assert names_in(folder) == {"00001.json", "00001.sgf"}


def test_many_at_once_add_each_game_once(folder: ResultsFolder) -> None:
    script = (
        "import sys; from pathlib import Path; from clients.match.results_folder import *\n"
        "from tests.match.matches import a_record\n"
        "folder = ResultsFolder(Path(sys.argv[1]))\n"
        "print(sum(folder.add(sys.argv[2], a_record(n)) for n in range(1, 41)))"
    )
    adding = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(folder.path), KEY],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    counts = [int(process.communicate(timeout=30)[0]) for process in adding]
    assert sum(counts) == 40
    assert sorted(folder.records(PAIRING)) == list(range(1, 41))


def test_whole_or_nothing(folder: ResultsFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(OSError, match="No space left"):
            folder.add(KEY, a_record(1))
    assert folder.records(PAIRING) == ResultsFolder(folder.path).records(PAIRING) == {}
    assert folder.unreadable == {}
    assert folder.add(KEY, a_record(1))


def test_readers_never_see_half_a_game(folder: ResultsFolder) -> None:
    reader = ResultsFolder(folder.path)
    moves = [MoveRecord("C3", 0.5)] * 2000
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            reader.records(PAIRING)

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(1, 21):
        folder.add(KEY, a_record(number, moves=moves))
    is_over.set()
    thread.join()
    assert reader.unreadable == {}
    assert len(reader.records(PAIRING)) == 20


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("00001.json", b"", "truncated"),
        ("00001.json", encode_record(a_record(1))[:-20], "truncated"),
        ("00001.json", b"\xff\0garbage", "malformed"),
        ("00001.json", b"{}", "missing required field"),
        ("00001.json", encode_record(a_record(2)), "it is game 2"),
        ("00001.json", encode_record(a_record(1, format=2)), "format 2; this version reads 1"),
        ("1x.json", encode_record(a_record(1)), "invalid literal"),
    ],
)
def test_garbage_is_told_and_not_counted(
    folder: ResultsFolder, name: str, data: bytes, reason: str
) -> None:
    folder.add(KEY, a_record(3))
    path_of(folder, name).write_bytes(data)
    assert list(folder.records(PAIRING)) == [3]
    assert list(folder.unreadable) == [path_of(folder, name)]
    assert reason in folder.unreadable[path_of(folder, name)]
    assert folder.unreadable_numbers(KEY) == ({1} if name == "00001.json" else set())
    assert folder.unreadable_numbers("another") == set()
    assert path_of(folder, name).read_bytes() == data, "it is left for people to look at"


def test_an_unreadable_game_is_not_played_again(folder: ResultsFolder) -> None:
    path_of(folder, "").mkdir(parents=True)
    path_of(folder, "00001.json").write_bytes(b"garbage")
    assert folder.claim(KEY, 1) is None
    assert not folder.add(KEY, a_record(1))
    assert names_in(folder) == {"00001.json"}


def test_games_of_other_conditions(folder: ResultsFolder) -> None:
    folder.add(KEY, a_record(1))
    folder.add("before-12345678", a_record(1))
    folder.claim("empty-12345678", 1)
    assert folder.other_keys([PAIRING]) == ["before-12345678"]
    assert list(folder.records(PAIRING)) == [1]


def test_what_somebody_who_was_killed_had_left_to_do(folder: ResultsFolder) -> None:
    folder.add(KEY, a_record(1))
    folder.add(KEY, a_record(2))
    data = path_of(folder, "00001.sgf").read_bytes()
    path_of(folder, "00001.sgf").unlink()
    path_of(folder, "00002.sgf").write_bytes(b"a remark by hand")
    for number in (2, 3):
        path_of(folder, f"{number:05d}.claim").write_text("another-machine/pid:[1] 1 1")
    ResultsFolder(folder.path).complete([PAIRING])
    assert path_of(folder, "00001.sgf").read_bytes() == data
    assert path_of(folder, "00002.sgf").read_bytes() == b"a remark by hand"
    assert [path.stem for path in folder.path.rglob("*.claim")] == ["00003"]


def test_claims_are_taken_and_released(folder: ResultsFolder) -> None:
    other = ResultsFolder(folder.path)
    claim = folder.claim(KEY, 3)
    assert claim == Claim(KEY, 3)
    assert names_in(folder) == {"00003.claim"}
    assert folder.is_claimed(KEY, 3)
    assert other.is_claimed(KEY, 3)
    assert other.claim(KEY, 3) is None
    assert not other.is_claimed(KEY, 4)
    assert other.claim(KEY, 4) == Claim(KEY, 4)
    folder.release(claim)
    folder.release(claim)
    assert not other.is_claimed(KEY, 3)
    assert other.claim(KEY, 3) == Claim(KEY, 3)


def test_a_game_that_was_played_is_not_claimed(folder: ResultsFolder) -> None:
    folder.add(KEY, a_record(3))
    assert ResultsFolder(folder.path).claim(KEY, 3) is None
    assert names_in(folder) == {"00003.json", "00003.sgf"}


def claim_by_another_process(folder: ResultsFolder, then: str) -> subprocess.Popen[bytes]:
    script = (
        "import sys, time; from pathlib import Path; from clients.match.results_folder import *\n"
        f"assert ResultsFolder(Path(sys.argv[1])).claim(sys.argv[2], 1); {then}"
    )
    return subprocess.Popen([sys.executable, "-c", script, str(folder.path), KEY], cwd=ROOT)


def test_the_claim_of_a_dead_process_is_void_at_once(folder: ResultsFolder) -> None:
    process = claim_by_another_process(folder, "time.sleep(60)")
    try:
        while not folder.is_claimed(KEY, 1):
            assert process.poll() is None
        assert folder.claim(KEY, 1) is None
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not folder.is_claimed(KEY, 1), "even if nobody has asked for its exit status"
    finally:
        process.kill()
        process.wait()
    assert not folder.is_claimed(KEY, 1)
    assert folder.claim(KEY, 1) == Claim(KEY, 1)


def test_a_number_that_is_used_again_is_another_process(folder: ResultsFolder) -> None:
    folder.claim(KEY, 1)
    path = path_of(folder, "00001.claim")
    machine, pid, started = path.read_text().split()
    assert int(pid) == os.getpid()
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    assert started == fields[19], "what proc(5) calls starttime"
    path.write_text(f"{machine} {pid} {int(started) - 1}")
    assert not folder.is_claimed(KEY, 1)
    assert ResultsFolder(folder.path).claim(KEY, 1) == Claim(KEY, 1)


@pytest.mark.parametrize(
    "text", ["", "another-machine/pid:[1] 1 1", "another-machine/pid:[1]", "\xff garbage"]
)
def test_the_claim_of_another_machine_is_void_when_its_stamp_stands_still(
    folder: ResultsFolder, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    now = 1000.0
    monkeypatch.setattr("clients.match.results_folder.time.monotonic", lambda: now)
    monkeypatch.setattr(results_folder, "_STALE", 10.0)
    path = path_of(folder, "00001.claim")
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode("latin-1"))
    os.utime(path, (5, 5))
    assert folder.is_claimed(KEY, 1), "however old its stamp is: clocks are not trusted"
    now += 9
    assert folder.is_claimed(KEY, 1)
    os.utime(path, (6, 6))
    now += 9
    assert folder.is_claimed(KEY, 1), "there was a sign of life"
    now += 9
    assert folder.claim(KEY, 1) is None
    now += 2
    assert not folder.is_claimed(KEY, 1)
    assert folder.claim(KEY, 1) == Claim(KEY, 1)
    assert folder.is_claimed(KEY, 1)


def test_refreshing_is_a_sign_of_life(folder: ResultsFolder) -> None:
    claim = folder.claim(KEY, 1)
    assert claim
    path = path_of(folder, "00001.claim")
    os.utime(path, (5, 5))
    folder.refresh(claim)
    assert path.stat().st_mtime > 1e9
    folder.release(claim)
    folder.refresh(claim)
    assert not path.exists()
