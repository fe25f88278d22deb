"""Segments of shared memory, with real processes."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from daemon import shm
from daemon.shm import BadSegment, NoRoom, Segment, State, sweep

pytestmark = pytest.mark.uncompiled

ROOT = Path(__file__).parents[2]
OWNER = """
import sys
from pathlib import Path
from daemon.shm import Segment
segment = Segment.create("tree", 64, "kernels", Path(sys.argv[1]))
segment.payload[:5] = b"hello"
print(segment.name, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def segment(tmp_path: Path) -> Iterator[Segment]:
    with Segment.create("tree", 5000, "kernels", tmp_path) as segment:
        yield segment


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Another process that owns a segment, and the segment's name."""
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
        process.kill()


def test_a_new_segment_is_private_and_full_of_zeros(segment: Segment, tmp_path: Path) -> None:
    status = (tmp_path / segment.name).stat()
    assert segment.name.startswith(f"goengine.{os.getpid()}.")
    assert segment.name.endswith(".tree")
    assert status.st_mode & 0o777 == 0o600
    assert status.st_blocks * 512 >= shm.HEADER_BYTES + 5000
    assert segment.payload == bytes(5000)
    assert segment.state is State.WHOLE


def test_segments_of_one_label_have_different_names(segment: Segment, tmp_path: Path) -> None:
    with Segment.create("tree", 1, "kernels", tmp_path) as other:
        assert other.name != segment.name


def test_it_lives_in_dev_shm() -> None:
    with Segment.create("test", 100, "kernels") as segment:
        assert (Path("/dev/shm") / segment.name).stat().st_size == shm.HEADER_BYTES + 100
        segment.unlink()


def test_attached_segments_share_bytes_and_state(segment: Segment, tmp_path: Path) -> None:
    with Segment.attach(segment.name, "kernels", tmp_path) as other:
        segment.payload[4999] = 7
        segment.state = State.CHANGING
        assert other.payload[4999] == 7
        assert other.state is State.CHANGING
        assert len(other.payload) == 5000


def test_two_processes_see_the_same_bytes(
    owner: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    _, name = owner
    with Segment.attach(name, "kernels", tmp_path) as segment:
        assert bytes(segment.payload[:6]) == b"hello\0"
        code = (
            "import sys; from pathlib import Path; from daemon.shm import Segment\n"
            "Segment.attach(sys.argv[1], 'kernels', Path(sys.argv[2])).payload[0] = ord('j')"
        )
        subprocess.run([sys.executable, "-c", code, name, tmp_path], cwd=ROOT, check=True)
        assert bytes(segment.payload[:5]) == b"jello"
        assert (tmp_path / name).exists()  # the process that went has unlinked nothing


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
    before = set(shm.SHM_DIRECTORY.iterdir())
    for n_bytes in (room.f_blocks * room.f_frsize * 4, 2**62, 2**70):
        with pytest.raises(NoRoom, match=r"MiB free\. Ask for a smaller tree.*remount,size="):
            Segment.create("tree", n_bytes, "kernels")
    assert set(shm.SHM_DIRECTORY.iterdir()) == before


@pytest.mark.parametrize(
    ("label", "n_bytes", "fingerprint"),
    [("a/b", 10, "x"), ("", 10, "x"), ("a.b", 10, "x"), ("a", 0, "x"), ("a", 10, "x" * 65)],
)
def test_create_rejects(tmp_path: Path, label: str, n_bytes: int, fingerprint: str) -> None:
    with pytest.raises(ValueError, match=r"label|at least|at most"):
        Segment.create(label, n_bytes, fingerprint, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("at", "damage", "words"),
    [
        (0, b"x", "wrong magic"),
        (8, b"\x09", "layout 9, this program 1"),
        (12, b"\x07", "unknown state: 7"),
        (16, b"K", "other kernels: 'Kernels', not 'kernels'"),
        (96, b"\xff\xff", "too short for a payload of 65535 bytes"),
        (96, bytes(8), "too short for a payload of 0 bytes"),
    ],
)
def test_attach_names_what_is_wrong(
    segment: Segment, tmp_path: Path, at: int, damage: bytes, words: str
) -> None:
    with (tmp_path / segment.name).open("r+b") as file:
        file.seek(at)
        file.write(damage)
    with pytest.raises(BadSegment, match=words):
        Segment.attach(segment.name, "kernels", tmp_path)


def test_attach_to_what_is_no_segment(segment: Segment, tmp_path: Path) -> None:
    path = tmp_path / segment.name
    os.truncate(path, shm.HEADER_BYTES + 4999)
    with pytest.raises(BadSegment, match="too short for a payload"):
        Segment.attach(segment.name, "kernels", tmp_path)
    os.truncate(path, 50)
    with pytest.raises(BadSegment, match="too short for a header"):
        Segment.attach(segment.name, "kernels", tmp_path)
    path.unlink()
    with pytest.raises(BadSegment, match="is not there"):
        Segment.attach(segment.name, "kernels", tmp_path)
    path.symlink_to("/etc/passwd")
    with pytest.raises(BadSegment, match="cannot be opened"):
        Segment.attach(segment.name, "kernels", tmp_path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(BadSegment, match="not a file of our own"):
        Segment.attach(segment.name, "kernels", tmp_path)
    with pytest.raises(BadSegment, match="not the name"):
        Segment.attach("../etc/passwd", "kernels", tmp_path)


def test_sweep_waits_for_the_death_of_the_owner(
    segment: Segment, owner: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    process, name = owner
    assert sweep(tmp_path) == []
    process.send_signal(signal.SIGKILL)
    # It stays a zombie until it is waited for, and is dead all the same.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert sweep(tmp_path) == [name]
    assert sweep(tmp_path) == []
    assert [path.name for path in tmp_path.iterdir()] == [segment.name]


def test_sweep_is_not_fooled_by_a_pid_given_out_again(segment: Segment, tmp_path: Path) -> None:
    with (tmp_path / segment.name).open("r+b") as file:
        file.seek(80)
        assert struct.unpack("=Q", file.read(8)) == (os.getpid(),)
        file.write(struct.pack("=Q", 1))  # nothing of ours started one tick after boot
    assert sweep(tmp_path) == [segment.name]


def test_sweep_without_a_header_asks_the_name(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    mine, gone = os.getpid(), child
    for content, word in [(b"", "empty"), (b"x" * 5000, "garbage"), (b"goshmseg", "cut")]:
        (tmp_path / f"goengine.{mine}.ab.{word}").write_bytes(content)
        (tmp_path / f"goengine.{gone}.ab.{word}").write_bytes(content)
    words = ("cut", "empty", "garbage")
    assert sweep(tmp_path) == [f"goengine.{gone}.ab.{word}" for word in words]
    assert len(list(tmp_path.iterdir())) == 3


def test_sweep_touches_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "goengine.1.zz.tree").write_bytes(b"")  # not hexadecimal
    (tmp_path / "goengine.99999999.ab").write_bytes(b"")
    (tmp_path / "psm_12345").write_bytes(b"")
    (tmp_path / "goengine.99999999.ab.directory").mkdir()
    (tmp_path / "goengine.99999999.ab.link").symlink_to("psm_12345")
    assert sweep(tmp_path) == []
    assert len(list(tmp_path.iterdir())) == 5


def test_sweep_leaves_files_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "goengine.99999999.ab.tree").write_bytes(b"")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert sweep(tmp_path) == []


def test_a_file_that_vanishes_meanwhile_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "goengine.99999999.ab.tree"
    path.write_bytes(b"")
    monkeypatch.setattr(shm, "_has_owner", lambda _: path.unlink())
    assert sweep(tmp_path) == []


def test_neither_a_tracker_nor_a_kernel_is_started(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from daemon.shm import Segment, sweep\n"
        "directory = Path(sys.argv[1])\n"
        "segment = Segment.create('tree', 100, 'k', directory)\n"
        "Segment.attach(segment.name, 'k', directory); sweep(directory)\n"
        "print(Path('/proc/self/task/').joinpath(str(__import__('os').getpid()), 'children')"
        ".read_text(), [name for name in ('multiprocessing', 'numba') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == ["[]"]
    assert len(list(tmp_path.iterdir())) == 1
