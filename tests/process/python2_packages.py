"""Packages of PyPI that only Python 2.7 runs, for tests. pip of today installs them still."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process.shelf import PATIENCE, from_shelf


def python2_directory(directory: Path, package: str, version: str, *scripts: Path) -> Path:
    """Put scripts and a package that they import into a directory, and return that.

    Skips the test where there is no Python 2.7, or no package to be had.
    """
    _find_python2()
    installed = from_shelf(
        f"pypi-{package}-{version}", lambda place: _run_pip(place, f"{package}=={version}")
    )
    (directory / package).symlink_to(installed / package)
    for script in scripts:
        shutil.copy(script, directory)
    return directory


def run_python2(directory: Path, script: str, *arguments: str, timeout: float = 120.0) -> str:
    """Run a script to its end, and return what it wrote. Fails with its complaints."""
    outcome = subprocess.run(
        [_find_python2(), "-B", script, *arguments],
        cwd=directory,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


def _find_python2() -> str:
    """One that runs: pyenv has a python2.7 that may say only that it is not chosen."""
    candidates = ["python2.7"]
    if shutil.which("pyenv"):
        command = ["pyenv", "whence", "--path", "python2.7"]
        candidates += subprocess.run(command, capture_output=True, text=True).stdout.split()
    for candidate in filter(shutil.which, candidates):
        outcome = subprocess.run([candidate, "--version"], capture_output=True)
        if outcome.returncode == 0:
            return candidate
    pytest.skip("there is no python2.7")


def _run_pip(directory: Path, package: str) -> None:
    options = ["--no-deps", "--no-compile", "--no-build-isolation", "--target", str(directory)]
    command = [sys.executable, "-m", "pip", "install", "--quiet", *options, package]
    try:
        outcome = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"pip install {package} took more than {PATIENCE} seconds")
    if outcome.returncode != 0:
        errors = [line for line in outcome.stderr.splitlines() if line.startswith("ERROR")]
        reason = errors[0] if errors else f"exit status {outcome.returncode}"
        pytest.skip(f"pip install {package} failed: {reason}")
