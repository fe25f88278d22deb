"""Where compiled kernels are kept: a directory named by what they were compiled from.

numba's cache notices an edit in the module of a kernel, but not one in a callee
of another module, nor a change of its own settings. So the directory carries a
fingerprint of every source that a kernel can reach, and of those settings.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
KEPT_FINGERPRINTS = 6  # compiled, bounds-checked, and a few versions back

_KERNEL = re.compile(rb"^@(?:\w+\.)?(?:(?:inlined_|recursive_)?kernel|constant_of_type)\b", re.M)
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
    """Hash of all sources of `package` that kernels can reach, and of numba's settings.

    And of where it is: numba keeps what it compiled by the path of the source, too.
    """
    digest = hashlib.sha256(str(package.resolve()).encode() + b"\0")
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
    waiting = [name for name, path in paths.items() if _KERNEL.search(path.read_bytes())]
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


def places() -> list[Path]:
    """Where kernels may be kept: GOENGINE_CACHE_DIR, or else the user's cache, or, where that
    cannot be written, a temporary directory. Makes nothing."""
    chosen = os.environ.get("GOENGINE_CACHE_DIR")
    if chosen:
        return [Path(chosen) / "kernels"]
    # The same for all processes of a user, and nobody else's.
    temporary = Path(tempfile.gettempdir()) / f"goengine-kernels-{os.getuid()}"
    with contextlib.suppress(RuntimeError):  # no home
        user_cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return [Path(user_cache) / "goengine" / "kernels", temporary]
    return [temporary]


def mark_of(directory: Path, capacity: int) -> Path:
    """A file beside the kernels that says that those for boards up to that size are complete."""
    return directory / f"complete-{capacity}"


def _base_directory() -> Path:
    """The first of the places that can be written."""
    if chosen := os.environ.get("GOENGINE_CACHE_DIR"):
        try:
            return _writable(places()[0])
        except OSError as error:
            raise OSError(f"GOENGINE_CACHE_DIR={chosen}: {error.strerror or error}") from None
    *usual, base = places()
    for place in usual:
        with contextlib.suppress(OSError):  # a home that is read-only
            return _writable(place)
    base.mkdir(mode=0o700, exist_ok=True)
    if base.stat().st_uid != os.getuid() or base.is_symlink():
        raise OSError(f"{base} belongs to somebody else; set GOENGINE_CACHE_DIR")
    return _writable(base)


def _writable(directory: Path) -> Path:
    """Make the directory if needed. Raises OSError if nothing can be written there."""
    directory.mkdir(parents=True, exist_ok=True)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise PermissionError(f"compiled kernels cannot be kept in {directory}")
    return directory


def _forget_old_fingerprints(base: Path) -> None:
    by_age = sorted(base.iterdir(), key=_time_of_last_use, reverse=True)
    for stale in by_age[KEPT_FINGERPRINTS:]:
        shutil.rmtree(stale, ignore_errors=True)


def _time_of_last_use(path: Path) -> float:
    """0 if another process has removed it meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
