"""Faults by a seed: python -m tests.chaos --seconds 60 --seed 1"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

from daemon.shm import SHM_DIRECTORY
from tests.chaos.faults import FAULTS
from tests.chaos.runner import Run

STATE_MEGABYTES, SEGMENT_MEGABYTES = 16, 64
LOG_LINES = 40
INSIDE = "CHAOS_HAS_MOUNTS_OF_ITS_OWN"  # in the environment


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="TEXT", help="faults with this in their name")
    options = parser.parse_args()
    if INSIDE not in os.environ:
        enter_namespace()
    with tempfile.TemporaryDirectory(prefix="chaos-") as scratch:
        return run(Path(scratch), options.seconds, options.seed, options.only)


def enter_namespace() -> None:
    """Begin anew where mounts are nobody else's; returns where that is not allowed."""
    for options in (["--mount"], ["--mount", "--user", "--map-root-user"]):
        command = ["unshare", *options]
        probe = [*command, "mount", "-t", "tmpfs", "chaos", str(SHM_DIRECTORY)]
        try:
            is_allowed = subprocess.run(probe, capture_output=True).returncode == 0
        except FileNotFoundError:
            return
        if is_allowed:
            again = [*command, sys.executable, "-m", "tests.chaos", *sys.argv[1:]]
            os.execvpe(command[0], again, {**os.environ, INSIDE: "1"})


def run(scratch: Path, seconds: float, seed: int, only: str) -> int:
    directory, state_directory = scratch / "daemon", scratch / "state"
    directory.mkdir()
    state_directory.mkdir()
    is_small = INSIDE in os.environ
    faults = [fault for fault in FAULTS if only in fault.name]
    if is_small:
        mount(state_directory, STATE_MEGABYTES)
        mount(SHM_DIRECTORY, SEGMENT_MEGABYTES)
    else:
        skipped = ", ".join(fault.name for fault in faults if fault.needs_small)
        print(f"no mounts of our own here (unshare --mount), so left out: {skipped or 'nothing'}")
        faults = [fault for fault in faults if not fault.needs_small]
    if not faults:
        print(f"no such fault. There are: {', '.join(fault.name for fault in FAULTS)}")
        return os.EX_USAGE
    chaos = Run(directory, state_directory, is_small, seed, faults)
    try:
        chaos.play(seconds)
    except Exception:
        traceback.print_exc()
        log = (directory / "log").read_text(errors="replace").splitlines()[-LOG_LINES:]
        print("", *log, "", f"seed {seed}, after: {', '.join(chaos.history)}", sep="\n")
        return 1
    finally:
        if is_small:
            subprocess.run(["umount", "--lazy", state_directory], check=True)
    print(f"seed {seed}: {len(chaos.history)} faults, nothing lost")
    return 0


def mount(directory: Path, megabytes: int) -> None:
    options = f"size={megabytes}m,mode=1777"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "chaos", directory], check=True)


if __name__ == "__main__":
    sys.exit(main())
