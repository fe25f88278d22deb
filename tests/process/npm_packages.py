"""Packages of npm for tests: installed once a machine, outside of this repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

PATIENCE = 120  # seconds for an installation


def node_directory(directory: Path, package: str, version: str, *scripts: Path) -> Path:
    """Put scripts and a package that they import into a directory, and return that.

    Skips the test where there is no node, or no package to be had.
    """
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            pytest.skip(f"{command} is not installed")
    installed = _install(package, version)
    (directory / "node_modules").symlink_to(installed / "node_modules")
    for script in scripts:
        shutil.copy(script, directory)
    return directory


def run_node(directory: Path, script: str, *arguments: str, timeout: float = 120.0) -> str:
    """Run a script to its end, and return what it wrote. Fails with its complaints."""
    outcome = subprocess.run(
        ["node", script, *arguments],
        cwd=directory,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


def _install(package: str, version: str) -> Path:
    """Where the package is: from an earlier run, or now from the network."""
    shelf = Path(tempfile.gettempdir()) / f"goengine-npm-{os.getuid()}"
    shelf.mkdir(mode=0o700, exist_ok=True)
    if shelf.stat().st_uid != os.getuid():
        pytest.skip(f"{shelf} is somebody else's")
    place = shelf / f"{package.strip('@').replace('/', '-')}-{version}"
    if not place.is_dir():
        with tempfile.TemporaryDirectory(dir=shelf) as scratch:
            whole = Path(scratch) / "whole"
            whole.mkdir()
            _run_npm(whole, f"{package}@{version}")
            _try_out(whole, package)
            if not place.is_dir():  # another run may have been quicker
                whole.rename(place)
    return place


def _run_npm(directory: Path, package: str) -> None:
    (directory / "package.json").write_text(json.dumps({"private": True}))
    try:
        outcome = subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--no-update-notifier", package],
            cwd=directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm install {package} took more than {PATIENCE} seconds")
    if outcome.returncode != 0:
        errors = [line for line in outcome.stderr.splitlines() if line.startswith("npm error")]
        reason = errors[0] if errors else f"exit status {outcome.returncode}"
        pytest.skip(f"npm install {package} failed: {reason}")


def _try_out(directory: Path, package: str) -> None:
    """Some packages have a part in C, not for every machine."""
    command = ["node", "-e", f"require({json.dumps(package)})"]
    outcome = subprocess.run(command, cwd=directory, capture_output=True, timeout=PATIENCE)
    if outcome.returncode != 0:
        pytest.skip(f"npm's {package} does not load on this machine")
