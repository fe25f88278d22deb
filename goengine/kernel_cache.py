"""Where compiled kernels are kept: a directory named by what they were compiled from.

numba's cache notices an edit in the module of a kernel, but not one in a callee
of another module, nor a change of its own settings. So the directory carries a
fingerprint of every source that a kernel can reach, and of those settings.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
KEPT_FINGERPRINTS = 6  # compiled, bounds-checked, and a few versions back

_IMPORT = re.compile(rb"^\s*(?:from|import)\s+(goengine[\w.]*)(?:\s+import\s+(\([^)]*|.*))?", re.M)


def prepare() -> Path:
    """Point numba at the directory of this fingerprint; call before numba is imported."""
    if "numba" in sys.modules:
        raise ImportError("import goengine.jit before numba: it sets numba's cache directory")
    base = _base_directory()
    directory = base / fingerprint(PACKAGE)
    directory.mkdir(parents=True, exist_ok=True)
    os.utime(directory)
    _forget_old_fingerprints(base)
    os.environ["NUMBA_CACHE_DIR"] = str(directory)
    return directory


def fingerprint(package: Path) -> str:
    """Hash of all sources of `package` that kernels can reach, and of numba's settings."""
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    settings = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    settings.pop("NUMBA_CACHE_DIR", None)
    digest.update(repr(sorted(settings.items())).encode())
    return digest.hexdigest()[:16]


def kernel_sources(package: Path) -> list[Path]:
    """The modules that define kernels and all that they import from the package, sorted."""
    paths = {_module_name(path, package): path for path in package.rglob("*.py")}
    waiting = [
        name for name, path in paths.items() if b"from goengine.jit import" in path.read_bytes()
    ]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        for module, members in _IMPORT.findall(paths[name].read_bytes()):
            names = [module, *(module + b"." + member for member in re.findall(rb"\w+", members))]
            waiting += [name.decode() for name in names if name.decode() in paths]
    return sorted(paths[name] for name in reached)


def _module_name(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _base_directory() -> Path:
    """GOENGINE_CACHE_DIR, or NUMBA_CACHE_DIR, or the user's cache, or a private temporary one."""
    chosen = os.environ.get("GOENGINE_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "kernels"
    user_cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    base = Path(user_cache) / "goengine" / "kernels"
    try:
        base.mkdir(parents=True, exist_ok=True)
        if os.access(base, os.W_OK):
            return base
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="goengine-kernels-"))


def _forget_old_fingerprints(base: Path) -> None:
    by_age = sorted(base.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in by_age[KEPT_FINGERPRINTS:]:
        shutil.rmtree(stale, ignore_errors=True)
