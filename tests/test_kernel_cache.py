"""Compiled kernels are kept, and forgotten when any source that they reach changes."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from goengine import kernel_cache
from goengine.jit import CACHE_DIRECTORY
from goengine.kernel_cache import PACKAGE, fingerprint, kernel_sources
from tests.small_packages import cache_of, make_package, run_python

CALLER = """
from goengine.jit import kernel
from goengine.callee import answer

@kernel
def ask():
    return answer() + 1
"""

CALLEE = """
from goengine.jit import kernel
from goengine.constants import VALUE

@kernel
def answer():
    return VALUE
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Three modules that count, and some that are imported in one way or another."""
    package = make_package(
        tmp_path,
        caller=CALLER,
        callee=CALLEE,
        constants="VALUE = 41\n",
        unrelated="import json\n",
        importer="from goengine import jit\nfrom goengine.forms import one\n"
        "from goengine.forms import (\n    two,\n    three as other,\n)\n"
        "import goengine.forms.four\n\n@jit.kernel\ndef nothing():\n    pass\n",
    )
    (package / "forms").mkdir()
    for name in ("one", "two", "three", "four"):
        (package / "forms" / f"{name}.py").write_text("")
    return package


def ask(package: Path) -> tuple[str, str]:
    """Run the caller; returns what it prints, and its notices."""
    code = "from goengine.caller import ask; print(ask(), sum(ask.stats.cache_hits.values()))"
    result = run_python("-c", code, cwd=package.parent, GOENGINE_CACHE_DIR=cache_of(package))
    assert result.returncode == 0, result.stderr
    return result.stdout.strip(), result.stderr


def test_kernels_are_compiled_once(package: Path) -> None:
    first, notice = ask(package)
    assert first == "42 0"
    assert "compiling kernels" in notice
    second, notice = ask(package)
    assert second == "42 1"
    assert notice == ""


@pytest.mark.parametrize(
    ("module", "old", "new", "expected"),
    [
        ("callee.py", "return VALUE", "return VALUE + 100", "142 0"),
        ("constants.py", "41", "51", "52 0"),
        ("unrelated.py", "json", "re", "42 1"),
    ],
)
def test_an_edit_anywhere_below_is_noticed(
    package: Path, module: str, old: str, new: str, expected: str
) -> None:
    ask(package)
    source = package / module
    source.write_text(source.read_text().replace(old, new))
    assert ask(package)[0] == expected


def test_every_form_of_import_is_followed(package: Path) -> None:
    found = {path.name for path in kernel_sources(package)}
    assert {"importer.py", "one.py", "two.py", "three.py", "four.py"} <= found
    assert "unrelated.py" not in found


def test_a_renamed_source_changes_the_fingerprint(package: Path) -> None:
    before = fingerprint(package)
    (package / "caller.py").rename(package / "other.py")
    (package / "callee.py").rename(package / "caller.py")
    assert fingerprint(package) != before


def test_a_setting_of_numba_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(PACKAGE)
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "2")
    assert fingerprint(PACKAGE) != before


def test_every_kernel_module_is_a_source() -> None:
    sources = kernel_sources(PACKAGE)
    names = {path.relative_to(PACKAGE).as_posix() for path in sources}
    assert {"jit.py", "linked_kernels.py", "words.py", "points.py"} <= names
    assert {"board/moves.py", "playouts/light.py", "search/priors.py"} <= names
    assert not any(name.startswith("gtp/") for name in names)
    for path in PACKAGE.rglob("*.py"):
        if re.search(r"^\s*@.*(kernel|constant_of_type)", path.read_text(), re.M):
            assert path in sources


def test_a_child_process_uses_the_same_directory() -> None:
    child = run_python("-c", "from goengine.jit import CACHE_DIRECTORY; print(CACHE_DIRECTORY)")
    assert child.stdout.strip() == str(CACHE_DIRECTORY)


def test_an_unusable_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run_python("-m", "clients.main", "gtp", GOENGINE_CACHE_DIR=str(tmp_path / "file"))
    assert result.returncode == 1
    told, why = result.stderr.splitlines()
    assert told.endswith(f"GOENGINE_CACHE_DIR={tmp_path}/file: Not a directory")
    assert why == "goengine gtp: the daemon does not start: exit status 78"


def test_without_a_home_all_processes_share_a_temporary_directory(tmp_path: Path) -> None:
    def find_directory() -> subprocess.CompletedProcess[str]:
        code = "from goengine.jit import CACHE_DIRECTORY; print(CACHE_DIRECTORY.parent)"
        return run_python(
            "-c", code, GOENGINE_CACHE_DIR=None, XDG_CACHE_HOME="/proc/none", TMPDIR=str(tmp_path)
        )

    shared = tmp_path / f"goengine-kernels-{os.getuid()}"
    for _ in range(2):
        assert find_directory().stdout.strip() == str(shared)
    assert shared.stat().st_mode & 0o777 == 0o700
    shared.rename(tmp_path / "elsewhere")
    shared.symlink_to(tmp_path / "elsewhere")
    assert "belongs to somebody else" in find_directory().stderr


def test_old_fingerprints_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOENGINE_CACHE_DIR", str(tmp_path))
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "restored after the test")
    for age in range(20):
        directory = tmp_path / "kernels" / f"{age:016x}"
        directory.mkdir(parents=True)
        os.utime(directory, (1000.0 - age, 1000.0 - age))
    in_daily_use = tmp_path / "kernels" / fingerprint(PACKAGE)
    in_daily_use.mkdir()
    os.utime(in_daily_use, (1.0, 1.0))
    current = kernel_cache.prepare()
    assert current == in_daily_use
    kept = sorted(path.name for path in (tmp_path / "kernels").iterdir())
    newest = [f"{age:016x}" for age in range(kernel_cache.KEPT_FINGERPRINTS - 1)]
    assert kept == sorted([*newest, current.name])


def test_a_terminal_sees_the_seconds(package: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "GOENGINE_CACHE_DIR": cache_of(package)}
    code = "from goengine.caller import ask; ask()"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=package.parent, env=environment, stderr=theirs
    ) as process:
        assert process.wait(60) == 0
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert "compiling kernels" in shown
    assert " 0 s" in shown
    assert shown.endswith("\r\x1b[K")
