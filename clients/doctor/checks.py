"""What the facts mean: each check says what it found, and what to change if it should be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from enum import Enum

import msgspec

from clients.doctor.facts import Facts, Seen
from clients.status_page import DaemonStatus
from daemon.config import ConfigError
from daemon.protocol import VERSION as PROTOCOL
from goengine import __version__
from goengine.points import CAPACITIES

MEGABYTE = 1 << 20
_WANTED = {"x86_64": ("popcnt", "bmi", "avx2")}  # features, by machine
_SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit")  # a look takes 1 µs
_USUAL = 19  # boards beyond are rare, and may wait for a compiler
_SPARE_FILES = 128  # descriptors that are not for clients
_FILES_A_CLIENT = 2  # it may watch, too
_SPARE_TASKS = 64  # threads, and what compiles
_FINE_CLOCK = 1e-6  # seconds


class Verdict(Enum):
    FINE = "fine"
    HINT = "hint"  # it works; something would be better
    WRONG = "wrong"  # it does not work, or is not safe


class Finding(msgspec.Struct, frozen=True):
    """What a check has found; `change` says what to do, and is empty where nothing is."""

    check: str
    verdict: Verdict
    found: str
    change: str = ""


Result = tuple[Verdict, str, str]
Check = Callable[[Facts], Result]
CHECKS: dict[str, Check] = {}


def examine(facts: Facts) -> Iterator[Finding]:
    for name, check in CHECKS.items():
        yield Finding(name, *check(facts))


def _check(name: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        CHECKS[name] = check
        return check

    return register


def _fine(found: str) -> Result:
    return Verdict.FINE, found, ""


def _hint(found: str, change: str) -> Result:
    return Verdict.HINT, found, change


def _wrong(found: str, change: str) -> Result:
    return Verdict.WRONG, found, change


# --- what searches fast ------------------------------------------------------------


@_check("processor")
def check_processor(facts: Facts) -> Result:
    processor = facts.processor
    found = f"{processor.machine}, {processor.name}"
    if processor.settings.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return _wrong(f"{found}; nothing is compiled", "unset NUMBA_DISABLE_JIT")
    slowing = [
        name
        for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_BOUNDSCHECK")
        if processor.settings.get(name, "0") not in ("", "0")
    ]
    if slowing:
        names = ", ".join(slowing)
        return _hint(f"{found}; numba is told {names}", f"unset {names}, for full speed")
    wanted = _WANTED.get(processor.machine, ())
    missing = [name for name in wanted if name not in processor.features]
    if missing:
        return _hint(
            f"{found}, without {', '.join(missing)}",
            "give a virtual machine the processor of its host; else a newer one is faster",
        )
    return _fine(" with ".join(filter(None, (found, ", ".join(wanted)))))


@_check("kernels")
def check_kernels(facts: Facts) -> Result:
    place = facts.kernels
    if not place.can_write and facts.daemon.status is None:
        return _wrong(
            f"{place.directory} cannot be written by {facts.account.name}",
            "make it writable, or name another directory in GOENGINE_CACHE_DIR",
        )
    cold = [size for size in CAPACITIES if size <= _USUAL and size not in place.warm]
    if cold:
        sizes = ", ".join(f"{size}x{size}" for size in cold)
        return _hint(
            f"not compiled yet for boards up to {sizes} in {place.directory}",
            f"run `goengine warm` as {facts.account.name}, or the first game waits for a minute",
        )
    return _fine(f"compiled, in {place.directory}")


@_check("workers")
def check_workers(facts: Facts) -> Result:
    n = _n_workers(facts)
    if n is None:
        return _hint("unknown without a configuration", "mend the configuration first")
    room = facts.cores if facts.quota is None else min(float(facts.cores), facts.quota)
    found = f"{n} on {_plural(facts.cores, 'core')}"
    if facts.quota is not None:
        found += f", {facts.quota:g} of them by the cgroup's quota"
    if n > max(1, math.ceil(room)):
        return _hint(found, f"set workers = {max(1, math.floor(room))}: more are not faster")
    return _fine(found)


@_check("clock")
def check_clock(facts: Facts) -> Result:
    source, resolution = facts.clock_source or "unknown", facts.clock_resolution
    if resolution > _FINE_CLOCK:
        return _hint(
            f"{source}, in steps of {resolution:g} s",
            "have the kernel use a finer clock, such as tsc",
        )
    if source in _SLOW_CLOCKS:
        return _hint(
            f"{source}, which is slow to read",
            "boot with clocksource=tsc tsc=reliable if the machine's tsc can be trusted",
        )
    return _fine(f"{source}, in steps of {resolution * 1e9:g} ns")


# --- memory -------------------------------------------------------------------------


@_check("shared memory")
def check_memory(facts: Facts) -> Result:
    memory = facts.memory
    if memory is None:
        return _wrong("there is no /dev/shm", "mount -t tmpfs -o mode=1777 tmpfs /dev/shm")
    if isinstance(facts.config, ConfigError):
        return _hint("what is needed is unknown", "mend the configuration first")
    slots, size = facts.config.slots, facts.config.slot_megabytes
    needed = slots * size * MEGABYTE
    free = memory.free + memory.ours
    found = f"{slots} slots of {size} MB; /dev/shm has {memory.total // MEGABYTE:,} MB"
    if needed > memory.total:
        gigabytes = math.ceil(needed * 1.25 / 2**30)
        return _wrong(
            found, f"mount -o remount,size={gigabytes}G /dev/shm, or have fewer or smaller slots"
        )
    if needed > free:
        return _wrong(
            f"{found}, {free // MEGABYTE:,} MB of them free",
            "remove what else lies in /dev/shm, or have fewer or smaller slots",
        )
    return _fine(found)


@_check("huge pages")
def check_huge_pages(facts: Facts) -> Result:
    if facts.memory is None:
        return _hint("there is no /dev/shm", "mount it first")
    if facts.memory.huge_pages in ("never", "deny"):
        return _hint(
            "/dev/shm has small pages alone",
            "mount -o remount,huge=within_size /dev/shm: large trees are read faster",
        )
    return _fine(f"/dev/shm is mounted with huge={facts.memory.huge_pages}")


@_check("RemoveIPC")
def check_remove_ipc(facts: Facts) -> Result:
    account = facts.account
    if not facts.removes_ipc:
        return _fine("shared memory stays when users log out")
    if account.is_system:
        return _fine(f"does not concern {account.name}, a user of the system")
    if account.lingers:
        return _fine(f"does not concern {account.name}, who lingers")
    return _hint(
        f"trees are deleted when {account.name} logs out",
        f"loginctl enable-linger {account.name}, or RemoveIPC=no in /etc/systemd/logind.conf, or "
        "run the daemon as a user of the system",
    )


@_check("limits")
def check_limits(facts: Facts) -> Result:
    files = facts.limits.get("Max open files", math.inf)
    tasks = facts.limits.get("Max processes", math.inf)
    largest = facts.limits.get("Max file size", math.inf)
    found = f"{_amount(files)} open files, {_amount(tasks)} processes"
    if isinstance(facts.config, ConfigError):
        return _hint(found, "mend the configuration first, to know whether it is enough")
    config = facts.config
    n_files = _SPARE_FILES + _FILES_A_CLIENT * config.max_clients
    n_tasks = _SPARE_TASKS + config.workers
    if largest < config.slot_megabytes * MEGABYTE:
        return _wrong(
            f"files of {_amount(largest)} bytes at most",
            "LimitFSIZE=infinity, or ulimit -f unlimited",
        )
    if tasks < n_tasks:
        return _wrong(found, f"LimitNPROC={n_tasks}, or ulimit -u {n_tasks}, at least")
    if files < _SPARE_FILES:
        return _wrong(found, f"LimitNOFILE={n_files}, or ulimit -n {n_files}")
    if files < n_files:
        return _hint(
            f"{found}; {config.max_clients} clients may come",
            f"LimitNOFILE={n_files}, or ulimit -n {n_files}, or a smaller max_clients",
        )
    return _fine(found)


# --- the daemon ---------------------------------------------------------------------


@_check("configuration")
def check_config(facts: Facts) -> Result:
    if isinstance(facts.config, ConfigError):
        return _wrong(str(facts.config), "mend it; `goengined --print-config` shows all keys")
    return _fine(str(facts.config_file or "defaults"))


@_check("sockets")
def check_sockets(facts: Facts) -> Result:
    if facts.socket_files:
        return _check_files(facts, facts.socket_files, 0o007)
    if isinstance(facts.config, ConfigError):
        return _hint("unknown without a configuration", "mend the configuration first")
    return _fine(f"{facts.config.listen}, without files")


@_check("journal")
def check_journal(facts: Facts) -> Result:
    if not facts.state_files:
        return _hint("unknown without a configuration", "mend the configuration first")
    return _check_files(facts, facts.state_files, 0o077)


def _check_files(facts: Facts, files: list[Seen], forbidden: int) -> Result:
    """Nobody else may use them, and the daemon can."""
    directory = files[0]
    if directory.is_hidden:
        return _hint(f"{directory.path} is hidden from this user", "ask again with sudo")
    if directory.mode is None and facts.daemon.status is not None:
        return _hint(
            f"{directory.path} is not there, though a daemon runs",
            f"ask again as {facts.account.name}, or name the daemon's file with --config",
        )
    if directory.mode is None:
        return _fine(f"{directory.path} is made when the daemon starts")
    for file in files:
        if file.mode is None:
            continue
        if file.uid != facts.account.uid:
            owner = facts.account.name
            return _wrong(f"{file.path} is not {owner}'s", f"chown {owner} {file.path}")
        # What lies in a directory that others cannot enter is out of their reach.
        if file.mode & forbidden and not _is_shut(directory, forbidden):
            mode = file.mode & ~forbidden
            return _wrong(
                f"{file.path} has mode {file.mode:04o}: others can use it",
                f"chmod {mode:04o} {file.path}",
            )
    return _fine(f"{directory.path}, mode {directory.mode:04o}")


def _is_shut(directory: Seen, forbidden: int) -> bool:
    return directory.mode is not None and not directory.mode & forbidden & 0o011


@_check("daemon")
def check_daemon(facts: Facts) -> Result:
    daemon = facts.daemon
    if daemon.error:
        return _wrong(daemon.error, "look into its log: journalctl -u goengined")
    if daemon.status is None:
        return _hint(f"none runs at {daemon.address}", "systemctl start goengined, or goengined")
    status = daemon.status
    if (status.version, status.protocol) != (__version__, PROTOCOL):
        return _wrong(
            f"{status.version} runs, protocol {status.protocol}; this is {__version__}, {PROTOCOL}",
            "systemctl restart goengined, to run what is installed",
        )
    n_living = sum(worker.pid is not None for worker in status.workers)
    found = f"{status.version} at {daemon.address}, {_plural(n_living, 'worker')}"
    if n_living < len(status.workers):
        return _wrong(f"{found} of {len(status.workers)}", "look into its log for why they end")
    return _fine(found)


def _n_workers(facts: Facts) -> int | None:
    status: DaemonStatus | None = facts.daemon.status
    if status is not None and status.workers:
        return len(status.workers)
    return None if isinstance(facts.config, ConfigError) else facts.config.workers


def _amount(limit: float) -> str:
    return "any number of" if limit == math.inf else f"{limit:,.0f}"


def _plural(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
