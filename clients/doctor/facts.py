"""What there is to know about a machine, the daemon's configuration, and the daemon."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clients.status_page import DaemonStatus
from daemon.config import Config, ConfigError
from daemon.kernel_place import KernelPlace

_FIRST_USER = 1000  # uids below are the system's


@dataclass(frozen=True)
class DaemonFacts:
    """
    address     where one was looked for, or found
    status      what it says of itself; None: nothing
    error       why not, if somebody seems to be there
    """

    address: str
    status: DaemonStatus | None = None
    error: str = ""


@dataclass(frozen=True)
class Processor:
    machine: str  # x86_64, aarch64 ...
    name: str  # as LLVM knows it, so what numba compiles for
    features: frozenset[str]
    settings: dict[str, str]  # of numba, by the environment


@dataclass(frozen=True)
class SharedMemory:
    """Bytes; `ours` are those that daemons of ours have already."""

    total: int
    free: int
    ours: int
    huge_pages: str  # as mounted: never, always, within_size, advise


@dataclass(frozen=True)
class Account:
    """Whose daemon it is."""

    name: str
    uid: int
    lingers: bool  # keeps running when logged out, for systemd

    @property
    def is_system(self) -> bool:
        return self.uid < _FIRST_USER


@dataclass(frozen=True)
class Seen:
    """A file or directory. mode None: there is none, or it is hidden from this user."""

    path: Path
    mode: int | None = None
    uid: int = 0
    is_hidden: bool = False


@dataclass(frozen=True)
class Facts:
    """
    limits      soft ones, by the kernel's names; inf: none
    cores       that may be used, and `quota` of a cgroup in cores, if any
    removes_ipc does logind delete shared memory of users who log out?
    """

    processor: Processor
    kernels: KernelPlace
    config_file: Path | None
    config: Config | ConfigError
    memory: SharedMemory | None
    account: Account
    removes_ipc: bool
    limits: dict[str, float]
    clock_source: str
    clock_resolution: float  # seconds
    cores: int
    quota: float | None
    socket_files: list[Seen]
    state_files: list[Seen]
    daemon: DaemonFacts
