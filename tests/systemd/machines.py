"""A machine of one's own that boots systemd: this one's files, with a layer above them.

What is installed stays in a layer on the shelf, since compiling its kernels takes a minute;
what happens after a boot goes into memory.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.process.daemons import ROOT
from tests.process.shelf import from_shelf

PREFIX = "/opt/go-engine"  # not the default one
SOURCE = "/srv/goengine"  # this checkout, as the machine sees it
_SECONDS_TO_INSTALL = 900
_QUIET = ["--quiet", "--register=no", "--keep-unit", "--resolv-conf=off", "--timezone=off"]
_PASSED_ON = ("PIP_", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
# What pip says when it cannot be helped.
_NO_NETWORK = ("No matching distribution", "Temporary failure in name resolution", "Network is un")


@contextmanager
def installed_machine(directory: Path) -> Iterator[Machine]:
    """Booted, with the service installed by install.sh. Skips the test where there can be none."""
    if os.getuid() != 0:
        pytest.skip("only root can boot a machine")
    if shutil.which("systemd-nspawn") is None:
        pytest.skip("systemd-nspawn is not installed (Debian: systemd-container)")
    shelf = from_shelf("systemd-machine", lambda place: None)
    with ExitStack() as stack:
        lock = stack.enter_context((shelf / "lock").open("w"))
        fcntl.flock(lock, fcntl.LOCK_EX)
        layer = _overlay(shelf / "root", Path("/"), shelf / "layer", shelf / "work")
        installed = stack.enter_context(layer)
        _install(installed)
        memory = stack.enter_context(_mounted(directory / "memory", "tmpfs", "mode=0755"))
        above = _overlay(directory / "root", installed, memory / "upper", memory / "work")
        root = stack.enter_context(above)
        yield stack.enter_context(_booted(root, directory / "console"))


class Machine:
    def __init__(self, leader: int, console: Path) -> None:
        """leader: the pid that its systemd has out here."""
        self._leader = leader
        self.console = console

    def command(self, *words: str, group: str = "") -> list[str]:
        """That runs words in it: as root, or as a user who is nobody but in a group."""
        user = ["setpriv", "--reuid", "nobody", "--regid", group, "--clear-groups"] if group else []
        return ["nsenter", "--target", str(self._leader), "--all", *user, *words]

    def try_out(self, *words: str, group: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words, group=group),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def run(self, *words: str, group: str = "") -> str:
        """What it writes. Fails if it does."""
        outcome = self.try_out(*words, group=group)
        assert outcome.returncode == 0, f"{words}: {outcome.stdout}{outcome.stderr}"
        return outcome.stdout.strip()

    def shown(self, name: str, unit: str = "goengined.service") -> str:
        """A property of the unit."""
        return self.run("systemctl", "show", "--property", name, "--value", unit)

    def write(self, path: str, text: str) -> None:
        subprocess.run(self.command("tee", path), input=text.encode(), check=True, timeout=20)

    def log(self) -> str:
        return self.run("journalctl", "--no-pager", "--output=cat", "--unit=goengined.service")

    def has(self, path: str) -> bool:
        return self.try_out("test", "-e", path).returncode == 0


@contextmanager
def _mounted(place: Path, kind: str, options: str) -> Iterator[Path]:
    place.mkdir(exist_ok=True)
    command = ["mount", "-t", kind, "-o", options, kind, str(place)]
    outcome = subprocess.run(command, capture_output=True, text=True)
    if outcome.returncode != 0:
        pytest.skip(f"no {kind} can be mounted here: {outcome.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@contextmanager
def _overlay(place: Path, lower: Path, upper: Path, work: Path) -> Iterator[Path]:
    for directory in (upper, work):
        directory.mkdir(exist_ok=True)
    options = f"lowerdir={lower},upperdir={upper},workdir={work}"
    with _mounted(place, "overlay", options) as root:
        yield root


def _install(root: Path) -> None:
    # Nothing of this machine's own services.
    for wants in (root / "etc/systemd/system").glob("*.wants"):
        for link in wants.iterdir():
            if not link.name.startswith("goengined"):
                link.unlink()
    variables = [
        f"--setenv={name}={value}"
        for name, value in os.environ.items()
        if name.startswith(_PASSED_ON)
    ]
    outcome = _run_in(root, "true")
    if outcome.returncode != 0:
        pytest.skip(f"systemd-nspawn does not work here: {outcome.stdout.strip()}")
    program = f"{SOURCE}/systemd/install.sh"
    outcome = _run_in(root, *variables, program, "--prefix", PREFIX, "--sizes", "9")
    if outcome.returncode != 0 and any(words in outcome.stdout for words in _NO_NETWORK):
        pytest.skip("packages cannot be fetched here")
    assert outcome.returncode == 0, outcome.stdout


def _run_in(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Without a boot, and with the network."""
    return subprocess.run(
        [
            *["systemd-nspawn", "--directory", str(root), "--as-pid2", "--console=pipe", *_QUIET],
            *[f"--bind-ro={ROOT}:{SOURCE}", *words],
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_SECONDS_TO_INSTALL,
    )


@contextmanager
def _booted(root: Path, console: Path) -> Iterator[Machine]:
    # A watchdog for the impatient.
    extra = root / "etc/systemd/system/goengined.service.d/test.conf"
    extra.parent.mkdir(exist_ok=True)
    extra.write_text("[Service]\nWatchdogSec=6\n")
    with console.open("wb") as output:
        nspawn = subprocess.Popen(
            [
                *["systemd-nspawn", "--boot", "--directory", str(root), *_QUIET],
                *["--private-network", "--link-journal=no", "--console=read-only"],
                *["--kill-signal=SIGRTMIN+3", f"--bind-ro={ROOT}:{SOURCE}"],
                "systemd.unit=multi-user.target",
            ],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        yield Machine(_wait_for_leader(nspawn, console), console)
    finally:
        nspawn.send_signal(signal.SIGTERM)
        try:
            nspawn.wait(timeout=60)
        except subprocess.TimeoutExpired:
            nspawn.kill()
            nspawn.wait()


def _wait_for_leader(nspawn: subprocess.Popen[bytes], console: Path) -> int:
    """Until everything is started. Its first children are not yet the one."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends and nspawn.poll() is None:
        with suppress(OSError, IndexError, ValueError):
            children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children").read_text()
            leader = int(children.split()[0])
            state = Machine(leader, console).try_out("systemctl", "is-system-running").stdout
            if state.strip() in ("running", "degraded"):
                return leader
        time.sleep(0.1)
    text = console.read_text(errors="replace")
    if nspawn.poll() is not None:
        pytest.skip(f"systemd-nspawn cannot boot a machine here: {text.strip()[-300:]}")
    raise AssertionError(f"no systemd: {text}")
