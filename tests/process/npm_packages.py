"""Packages of npm for tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.process.shelf import PATIENCE, from_shelf


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

    def install(directory: Path) -> None:
        _run_npm(directory, f"{package}@{version}")
        _try_out(directory, package)

    return from_shelf(f"npm-{package.strip('@').replace('/', '-')}-{version}", install)


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
