"""The units and install.sh as they lie here, without anything being installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from daemon import activation
from daemon.addresses import SOCKETS, SYSTEM_DIRECTORY
from daemon.config import SYSTEM_FILE
from tests.process.daemons import ROOT

UNITS = ROOT / "systemd"
MOST_EXPOSURE = 2.0
needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60)


def install(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(UNITS / "install.sh"), *words], capture_output=True, text=True, timeout=60
    )


@needs_analyze
def test_exposure() -> None:
    outcome = analyze("security", "--offline=true", str(UNITS / "goengined.service"))
    found = re.search(r"Overall exposure level for goengined.service: ([\d.]+)", outcome.stdout)
    assert found, outcome.stderr
    assert float(found[1]) <= MOST_EXPOSURE


@needs_analyze
def test_systemd_has_nothing_to_say_about_the_units(tmp_path: Path) -> None:
    """With a program where the service looks for it."""
    program = tmp_path / "bin" / "goengined"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for unit in UNITS.glob("goengined.*"):
        text = unit.read_text().replace("/opt/goengine", str(tmp_path))
        (tmp_path / unit.name).write_text(text)
    files = [str(tmp_path / unit.name) for unit in UNITS.glob("goengined.*")]
    outcome = analyze("verify", *files)
    assert (outcome.returncode, outcome.stdout + outcome.stderr) == (0, "")


def test_units_and_daemon_agree() -> None:
    sockets = (UNITS / "goengined.socket").read_text()
    assert re.findall("ListenStream=(.*)", sockets) == [f"{SYSTEM_DIRECTORY}/{s}" for s in SOCKETS]
    assert f"FileDescriptorName={activation.NAME}\n" in sockets
    service = (UNITS / "goengined.service").read_text()
    assert f"--config {SYSTEM_FILE}\n" in service
    hopeless = [os.EX_USAGE, os.EX_UNAVAILABLE, os.EX_CONFIG]
    assert f"RestartPreventExitStatus={' '.join(map(str, hopeless))}\n" in service


def test_a_dry_run_says_everything_and_does_nothing(tmp_path: Path) -> None:
    prefix = tmp_path / "program"
    outcome = install("--prefix", str(prefix), "--dry-run")
    assert outcome.returncode == 0, outcome.stderr
    for words in (f"venv --clear {prefix}", "pip install", "goengine warm", "systemctl enable"):
        assert words in outcome.stdout
    assert not prefix.exists()
    outcome = install("--prefix", str(prefix), "--dry-run", "--uninstall", "--purge")
    assert f"{prefix} is not ours, and stays" in outcome.stdout
    assert "rm -rf /etc/goengine /var/lib/goengine" in outcome.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--prefx", "/x"], "there is no option --prefx; --help lists them"),
        (["--prefix"], "--prefix needs a value; --help explains"),
        (["--prefix", "x"], "--prefix: x does not begin with /"),
        (["--prefix", "/"], "--prefix: / is everything; name a directory such as /opt/goengine"),
        (["--prefix", "/a b"], "--prefix: /a b: letters, digits and / . _ - only"),
        (["--purge"], "--purge goes with --uninstall"),
        (["--prefix", "/usr", "--dry-run"], "/usr is in use by something else; name another"),
        (["--python", "/bin/false", "--dry-run"], "not /bin/false: it is not Python 3.11 or newer"),
        (["--python", "/no/python", "--dry-run"], "not /no/python: it is not there"),
    ],
)
def test_mistakes_are_told(words: list[str], complaint: str) -> None:
    outcome = install(*words)
    assert outcome.returncode == 1
    assert complaint in outcome.stderr


def test_a_python_in_a_private_home_is_refused(tmp_path: Path) -> None:
    if os.getuid() != 0 or install("--python", "/usr/bin/python3", "--dry-run").returncode != 0:
        pytest.skip("needs root, and a Python that would do")
    private = tmp_path / "home"
    private.mkdir(mode=0o700)
    python = private / "python3"
    python.write_text('#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
    python.chmod(0o755)
    outcome = install("--python", str(python), "--dry-run")
    assert outcome.returncode == 1
    assert f"not {python}: it cannot be run by other users" in outcome.stderr
