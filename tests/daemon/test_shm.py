"""Segments of shared memory, with real processes."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from daemon import shm
from daemon.shm import BadSegment, InUse, Kind, NoRoom, Segment, State, left_for, sweep

pytestmark = pytest.mark.uncompiled

ROOT = Path(__file__).parents[2]
KIND = Kind(5000, "kernels", "heir")
PATIENCE = 10.0  # seconds, for processes that were killed to be gone
OWNER = """
import os, sys
from pathlib import Path
from daemon.shm import Kind, Segment
segment = Segment.create("tree", Kind(5000, "kernels", sys.argv[2]), Path(sys.argv[1]))
segment.payload[:5] = b"hello"
segment.note = b"a note"
child = os.fork()
if child:
    print(segment.name, child, flush=True)
sys.stdin.read()
os._exit(0)
"""


@pytest.fixture
def segment(tmp_path: Path) -> Iterator[Segment]:
    with Segment.create("tree", KIND, tmp_path) as segment:
        yield segment


class Owner:
    """Another process that owns a segment, and has a child that may write to it."""

    def __init__(self, directory: Path, heir: str = "heir") -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", OWNER, str(directory), heir]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        assert self.process.stdout is not None
        name, child = self.process.stdout.readline().split()
        self.path, self.child = directory / name, int(child)

    def kill(self) -> None:
        """Its child lives on."""
        self.process.kill()
        self.process.wait()

    def kill_child(self) -> None:
        os.kill(self.child, signal.SIGKILL)


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    owner = Owner(tmp_path)
    yield owner
    owner.process.communicate()


def adopt(path: Path, kind: Kind = KIND, patience: float = 0.0) -> Segment:
    descriptor = os.open(path, os.O_RDWR)
    try:
        return Segment.adopt(path, descriptor, kind, patience)
    finally:
        os.close(descriptor)


def test_a_new_segment_is_private_and_full_of_zeros(segment: Segment, tmp_path: Path) -> None:
    status = (tmp_path / segment.name).stat()
    assert segment.name.startswith(f"goengine.{os.getpid()}.")
    assert shm.label_in(segment.name) == "tree"
    assert status.st_mode & 0o777 == 0o600
    assert status.st_blocks * 512 >= shm.HEADER_BYTES + 5000
    assert segment.payload == bytes(5000)
    assert segment.state is State.WHOLE
    assert segment.note == b""


def test_segments_of_one_label_have_different_names(segment: Segment, tmp_path: Path) -> None:
    with Segment.create("tree", KIND, tmp_path) as other:
        assert other.name != segment.name


def test_it_lives_in_dev_shm() -> None:
    with Segment.create("test", Kind(100, "kernels")) as segment:
        assert (Path("/dev/shm") / segment.name).stat().st_size == shm.HEADER_BYTES + 100
        segment.unlink()


def test_a_forked_child_writes_into_it(segment: Segment) -> None:
    child = os.fork()
    if child == 0:
        segment.payload[10] = 42
        os._exit(0)
    os.waitpid(child, 0)
    assert segment.payload[10] == 42


def test_close_tolerates_arrays_that_look_into_it(segment: Segment) -> None:
    array = np.frombuffer(segment.payload, np.uint8)
    segment.close()
    array[3] = 9
    assert array[3] == 9
    del array
    segment.close()
    with pytest.raises(ValueError, match="released"):
        segment.payload[0]


def test_unlink_may_be_repeated_and_keeps_the_mapping(segment: Segment, tmp_path: Path) -> None:
    segment.unlink()
    segment.unlink()
    assert list(tmp_path.iterdir()) == []
    segment.payload[0] = 1


def test_no_room_says_what_to_do() -> None:
    room = os.statvfs(shm.SHM_DIRECTORY)
    for n_bytes in (room.f_blocks * room.f_frsize * 4, 2**62, 2**70):
        with pytest.raises(NoRoom, match=r"MiB free\. Ask for a smaller tree.*remount,size="):
            Segment.create("tree", Kind(n_bytes, "kernels"))
    assert list(shm.SHM_DIRECTORY.glob(f"goengine.{os.getpid()}.*.tree")) == []


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("a/b", KIND),
        ("", KIND),
        ("a.b", KIND),
        ("a", Kind(0, "x")),
        ("a", Kind(10, "x" * 65)),
        ("a", Kind(10, "x", "x" * 33)),
    ],
)
def test_create_rejects(tmp_path: Path, label: str, kind: Kind) -> None:
    with pytest.raises(ValueError, match=r"label|at least|more than"):
        Segment.create(label, kind, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_note_that_is_too_long_is_none(segment: Segment) -> None:
    segment.note = b"x" * shm.MAX_NOTE
    assert segment.note == b"x" * shm.MAX_NOTE
    assert segment.payload == bytes(5000)
    segment.note = b"x" * (shm.MAX_NOTE + 1)
    assert segment.note == b""


# --- adopting -----------------------------------------------------------------


def test_nobody_adopts_what_somebody_may_write_to(owner: Owner) -> None:
    with pytest.raises(InUse):
        adopt(owner.path)
    owner.kill()
    with pytest.raises(InUse):  # its child
        adopt(owner.path)
    owner.kill_child()
    with adopt(owner.path, patience=PATIENCE) as segment:
        assert bytes(segment.payload[:6]) == b"hello\0"
        assert segment.note == b"a note"
        assert segment.name == owner.path.name
        with pytest.raises(InUse):
            adopt(owner.path)


def test_a_descriptor_is_enough(owner: Owner) -> None:
    """As systemd keeps one: of a file without a name, and it never has the lock."""
    kept = os.open(owner.path, os.O_RDWR)
    owner.path.unlink()
    owner.kill()
    owner.kill_child()
    with Segment.adopt(owner.path, kept, KIND, PATIENCE) as segment:
        with segment.reopened() as again, pytest.raises(InUse):
            Segment.adopt(owner.path, again, KIND, 0.0)
        assert bytes(segment.payload[:5]) == b"hello"
        segment.touch()
        segment.unlink()
    with Segment.adopt(owner.path, kept, KIND, 0.0) as segment:
        assert bytes(segment.payload[:5]) == b"hello"
    os.close(kept)


@pytest.mark.parametrize(
    ("at", "damage", "words"),
    [
        (0, b"x", "wrong magic"),
        (8, b"\x09", "layout 9, this program 2"),
        (12, b"\x02", "in the middle of a change: state 2"),
        (12, b"\x07", "in the middle of a change: state 7"),
        (16, b"K", "other kernels: 'Kernels', not 'kernels'"),
        (80, b"H", "another heir: 'Heir', not 'heir'"),
        (112, b"\xff\xff", "payload of 65535 bytes, not 5000"),
        (112, bytes(8), "payload of 0 bytes, not 5000"),
    ],
)
def test_adopt_names_what_is_wrong(
    segment: Segment, tmp_path: Path, at: int, damage: bytes, words: str
) -> None:
    path = tmp_path / segment.name
    segment.close()
    with path.open("r+b") as file:
        file.seek(at)
        file.write(damage)
    with pytest.raises(BadSegment, match=words):
        adopt(path)
    with pytest.raises(BadSegment, match=words):  # it has not kept the lock
        adopt(path)


def test_adopting_what_is_no_segment(segment: Segment, tmp_path: Path) -> None:
    path = tmp_path / segment.name
    segment.close()
    with pytest.raises(BadSegment, match="payload of 5000 bytes, not 6000"):
        adopt(path, KIND._replace(n_bytes=6000))
    os.truncate(path, shm.HEADER_BYTES + 4999)
    with pytest.raises(BadSegment, match="payload of 5000 bytes"):
        adopt(path)
    os.truncate(path, 50)
    with pytest.raises(BadSegment, match="too short for a header"):
        adopt(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(BadSegment, match="not a file of our own"):
        adopt(path)


def test_a_header_with_any_damage_is_refused_or_the_same(segment: Segment, tmp_path: Path) -> None:
    """Byte by byte, at random."""
    random = Random(8)
    path = tmp_path / segment.name
    segment.note = random.randbytes(200)
    note = segment.note
    segment.close()
    whole = path.read_bytes()
    n_refused = 0
    for _ in range(500):
        damaged = bytearray(whole)
        for _ in range(random.choice((1, 1, 2, 10))):
            damaged[random.randrange(400)] = random.randrange(256)
        path.write_bytes(damaged)
        try:
            with adopt(path) as found:
                assert found.note == note
        except BadSegment:
            n_refused += 1
    assert 300 < n_refused < 500


# --- orphans ------------------------------------------------------------------


def swept_soon(directory: Path, heirs_time: float = shm.HEIRS_TIME) -> list[str]:
    """Processes that were killed may take a moment to be gone."""
    ends = time.monotonic() + PATIENCE
    while not (swept := sweep(directory, heirs_time)) and time.monotonic() < ends:
        time.sleep(0.01)
    return swept


def test_sweep_waits_for_the_death_of_all(segment: Segment, tmp_path: Path) -> None:
    owner = Owner(tmp_path, heir="")
    assert sweep(tmp_path) == []
    owner.kill()
    assert sweep(tmp_path) == []
    owner.kill_child()
    assert swept_soon(tmp_path) == [owner.path.name]
    assert [path.name for path in tmp_path.iterdir()] == [segment.name]
    owner.process.communicate()


def test_an_orphan_waits_for_its_heir(owner: Owner, tmp_path: Path) -> None:
    owner.kill()
    owner.kill_child()
    adopt(owner.path, patience=PATIENCE).close()
    assert sweep(tmp_path) == []
    assert left_for("another", tmp_path) == {}
    (found,) = left_for("heir", tmp_path).items()
    assert found[0] == owner.path.name
    os.close(found[1])
    long_ago = time.time() - shm.HEIRS_TIME - 5
    os.utime(owner.path, (long_ago, long_ago))
    with adopt(owner.path) as segment:
        assert sweep(tmp_path) == []
        segment.touch()
    assert sweep(tmp_path) == []
    os.utime(owner.path, (long_ago, long_ago))
    assert sweep(tmp_path) == [owner.path.name]


def test_room_that_is_needed_is_not_kept_for_heirs(owner: Owner, tmp_path: Path) -> None:
    owner.kill()
    owner.kill_child()
    assert swept_soon(tmp_path, heirs_time=0.0) == [owner.path.name]


def test_what_has_no_header_has_no_heir(tmp_path: Path) -> None:
    for content, word in [(b"", "empty"), (b"x" * 5000, "garbage"), (b"goshmseg", "cut")]:
        (tmp_path / f"goengine.{os.getpid()}.ab.{word}").write_bytes(content)
    assert left_for("", tmp_path) == {}
    assert len(sweep(tmp_path)) == 3
    assert list(tmp_path.iterdir()) == []


def test_sweep_touches_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "goengine.1.zz.tree").write_bytes(b"")  # not hexadecimal
    (tmp_path / "goengine.99999999.ab").write_bytes(b"")
    (tmp_path / "psm_12345").write_bytes(b"")
    (tmp_path / "goengine.99999999.ab.directory").mkdir()
    (tmp_path / "goengine.99999999.ab.link").symlink_to("psm_12345")
    os.mkfifo(tmp_path / "goengine.99999999.ab.fifo")
    assert sweep(tmp_path) == []
    assert len(list(tmp_path.iterdir())) == 6


def test_sweep_leaves_files_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "goengine.99999999.ab.tree").write_bytes(b"")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert sweep(tmp_path) == []


def test_a_file_that_vanishes_meanwhile_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "goengine.99999999.ab.tree"
    path.write_bytes(b"")
    monkeypatch.setattr(shm, "_heir_in", lambda _: path.unlink())
    assert sweep(tmp_path) == []


def test_who_is_swept_before_it_has_its_lock_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, n_locks = fcntl.flock, 0

    def sweep_first(descriptor: int, operation: int) -> None:
        nonlocal n_locks
        n_locks += 1
        if n_locks == 1:
            assert len(sweep(tmp_path)) == 1
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", sweep_first)
    with Segment.create("tree", KIND, tmp_path) as segment:
        assert [path.name for path in tmp_path.iterdir()] == [segment.name]
        assert sweep(tmp_path) == []


def test_neither_a_tracker_nor_a_kernel_is_started(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from daemon.shm import Kind, Segment, sweep\n"
        "directory = Path(sys.argv[1])\n"
        "segment = Segment.create('tree', Kind(100, 'k'), directory)\n"
        "sweep(directory)\n"
        "print(Path('/proc/self/task/').joinpath(str(__import__('os').getpid()), 'children')"
        ".read_text(), [name for name in ('multiprocessing', 'numba') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == ["[]"]
    assert len(list(tmp_path.iterdir())) == 1
