"""Gathers the facts: all that looks at the world is here, what it means is said in checks.py."""

from __future__ import annotations

import os
import platform
import pwd
import time
from collections.abc import Iterable
from pathlib import Path

from clients.doctor.facts import Account, DaemonFacts, Facts, Processor, Seen, SharedMemory
from clients.link import Failed, LinkError, ask_control
from clients.private_daemon import NoDaemon, named_or_found
from clients.status_page import parse_status
from daemon.addresses import parse_address, user_directory
from daemon.config import Config, ConfigError, find_config, load_config
from daemon.kernel_place import find_kernels
from daemon.protocol import VERSION, Status

SHM = Path("/dev/shm")
_LOGIND = [Path(base) / "systemd" for base in ("/usr/lib", "/run", "/etc")]
_CGROUPS = Path("/sys/fs/cgroup")
_CLOCK = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
_MOST_TEXT = 1 << 20  # characters of a file that are read
_PATIENCE = 3.0  # seconds for a daemon's answer


def gather(config_file: Path | None, connect: str | None) -> Facts:
    """About the daemon at the address, or else the one that runs here, or could."""
    path = config_file or find_config()
    config = _config(path)
    daemon = _daemon(connect)
    process = Path(f"/proc/{daemon.status.pid if daemon.status else 'self'}")
    return Facts(
        processor=_processor(),
        kernels=(daemon.status.kernels if daemon.status else None) or find_kernels(),
        config_file=path,
        config=config,
        memory=_shared_memory(),
        account=_account(process),
        removes_ipc=removes_ipc(_logind_texts()),
        limits=parse_limits(_read(process / "limits") or _read(Path("/proc/self/limits"))),
        clock_source=_read(_CLOCK).strip(),
        clock_resolution=time.get_clock_info("monotonic").resolution,
        cores=len(os.sched_getaffinity(0)),
        quota=_quota(_read(process / "cgroup")),
        socket_files=_socket_files(config, daemon),
        state_files=_state_files(config),
        daemon=daemon,
    )


def _config(path: Path | None) -> Config | ConfigError:
    try:
        return load_config(path, {})
    except ConfigError as error:
        return error


def _daemon(connect: str | None) -> DaemonFacts:
    try:
        address = named_or_found(connect)
    except NoDaemon as error:
        return DaemonFacts(connect or "", error=str(error))
    if address is None:
        return DaemonFacts(f"ipc://{user_directory()}")
    try:
        answer = ask_control(address, Status(v=VERSION, id="1"), _PATIENCE)
        return DaemonFacts(address.text, parse_status(answer.data))
    except (Failed, LinkError, ValueError) as error:
        return DaemonFacts(address.text, error=str(error))


def _processor() -> Processor:
    from llvmlite import binding  # which numba asks, too

    features = frozenset(name for name, has in binding.get_host_cpu_features().items() if has)
    settings = {name: text for name, text in os.environ.items() if name.startswith("NUMBA_")}
    name = settings.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    return Processor(platform.machine(), name, features, settings)


def _shared_memory() -> SharedMemory | None:
    try:
        room = os.statvfs(SHM)
        ours = sum(path.stat().st_blocks * 512 for path in SHM.glob("goengine.*"))
    except OSError:
        return None
    total, free = room.f_blocks * room.f_frsize, room.f_bavail * room.f_frsize
    return SharedMemory(total, free, ours, huge_pages(_read(Path("/proc/mounts"))))


def huge_pages(mounts: str) -> str:
    """Of /dev/shm, out of /proc/mounts; the last mount counts."""
    found = "never"
    for line in mounts.splitlines():
        _, place, _, options, *_ = [*line.split(), "", "", "", ""]
        if place == str(SHM):
            given = [word.removeprefix("huge=") for word in options.split(",") if "huge=" in word]
            found = given[-1] if given else "never"
    return found


def _account(process: Path) -> Account:
    uid = process.stat().st_uid if process.exists() else os.getuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    return Account(name, uid, (Path("/var/lib/systemd/linger") / name).exists())


def _logind_texts() -> list[str]:
    """All of logind's configuration, what counts more later; nothing where systemd does not run."""
    if not Path("/run/systemd/system").exists():
        return ["RemoveIPC=no"]
    whole = [_read(base / "logind.conf") for base in _LOGIND]
    parts = [path for base in _LOGIND for path in (base / "logind.conf.d").glob("*.conf")]
    return whole + [_read(path) for path in sorted(parts, key=lambda path: path.name)]


def removes_ipc(texts: Iterable[str]) -> bool:
    """As logind.conf(5) has it; yes if nobody says."""
    answer = "yes"
    for line in "\n".join(texts).splitlines():
        key, equals, value = line.partition("=")
        if equals and key.strip() == "RemoveIPC":
            answer = value.strip().lower()
    return answer not in ("no", "false", "0", "off", "n", "f")


def parse_limits(text: str) -> dict[str, float]:
    """Soft limits by name, out of /proc/PID/limits."""
    limits = {}
    for line in text.splitlines()[1:]:
        words = line[26:].split()
        if words:
            limits[line[:26].strip()] = float("inf" if words[0] == "unlimited" else words[0])
    return limits


def _quota(cgroup: str) -> float | None:
    """In cores: the least of the group and all groups around it."""
    path = next((line[3:] for line in cgroup.splitlines() if line.startswith("0::")), "/")
    place = _CGROUPS / path.strip().lstrip("/")
    groups = [place, *place.parents][: len(place.relative_to(_CGROUPS).parts) + 1]
    quotas = [parse_quota(_read(group / "cpu.max")) for group in groups]
    return min((quota for quota in quotas if quota is not None), default=None)


def parse_quota(cpu_max: str) -> float | None:
    """Cores, out of cgroup's cpu.max."""
    words = cpu_max.split()
    return int(words[0]) / int(words[1]) if len(words) == 2 and words[0] != "max" else None


def _socket_files(config: Config | ConfigError, daemon: DaemonFacts) -> list[Seen]:
    """Of the daemon that runs, or of the one that the configuration is for."""
    if daemon.status is not None:
        directory = parse_address(daemon.address).directory
    else:
        directory = config.address.directory if isinstance(config, Config) else None
    if directory is None:
        return []
    sockets = [directory / name for name in ("requests", "control", "analysis")]
    return [look(path) for path in (directory, *sockets)]


def _state_files(config: Config | ConfigError) -> list[Seen]:
    if isinstance(config, ConfigError):
        return []
    return [look(config.state_directory), look(config.state_directory / "games.sqlite")]


def look(path: Path) -> Seen:
    try:
        status = path.stat()
    except PermissionError:
        return Seen(path, is_hidden=True)
    except OSError:
        return Seen(path)
    return Seen(path, status.st_mode & 0o7777, status.st_uid)


def _read(path: Path) -> str:
    """Empty if it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_TEXT)
    except OSError:
        return ""
