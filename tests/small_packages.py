"""Small packages named goengine, with the real kernel decorators and modules of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from goengine.kernel_cache import PACKAGE

_REAL = ("__init__.py", "jit.py", "kernel_cache.py", "compile_notice.py", "linked_kernels.py")


def make_package(folder: Path, **modules: str) -> Path:
    """A package in `folder` of what kernels are made with, and of these sources by name."""
    package = folder / "goengine"
    package.mkdir()
    for name in _REAL:
        shutil.copy(PACKAGE / name, package / name)
    for name, source in modules.items():
        (package / f"{name}.py").write_text(source)
    return package


def cache_of(package: Path) -> str:
    """Where its kernels are kept."""
    return str(package.parent / "cache")


def run_python(
    *arguments: str, cwd: Path = PACKAGE.parent, **variables: str | None
) -> subprocess.CompletedProcess[str]:
    """A process of its own with other environment variables; None takes one away."""
    changed = os.environ | variables
    environment = {name: value for name, value in changed.items() if value is not None}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment, input="", capture_output=True, text=True, check=False
    )
