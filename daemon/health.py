"""Is the daemon well? Decisions alone: what was seen comes in, what systemd is told goes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LONGEST_SILENCE = 15.0  # seconds; a worker that is killed and does not start at once may need 8


class Vitals(NamedTuple):
    """What was seen of all parts at one time.

    silences        seconds since a worker beat at each place; None: none did yet
    mute_sockets    names of those that did not answer
    journal         what is wrong with it
    is_disk_full    and is that it?
    """

    silences: Sequence[float | None]
    mute_sockets: Sequence[str] = ()
    journal: str = ""
    is_disk_full: bool = False


class Complaint(NamedTuple):
    text: str
    is_grave: bool  # a restart may help; nothing else will


def is_ready(silences: Sequence[float | None]) -> bool:
    """Has every worker beaten?"""
    return None not in silences


def examine(vitals: Vitals) -> list[Complaint]:
    """What is wrong; nothing if all is well."""
    complaints = []
    for index, silence in enumerate(vitals.silences):
        if silence is None or silence > LONGEST_SILENCE:
            since = "yet" if silence is None else f"for {silence:.0f} s"
            complaints.append(Complaint(f"worker {index} has not beaten {since}", is_grave=True))
    for name in vitals.mute_sockets:
        complaints.append(Complaint(f"the socket {name} does not answer", is_grave=True))
    if vitals.journal:
        # A new daemon would find the disk as full, and lose its trees for nothing.
        is_grave = not vitals.is_disk_full
        complaints.append(Complaint(f"the journal cannot be written: {vitals.journal}", is_grave))
    return complaints


def report(complaints: Sequence[Complaint], status: str) -> list[str]:
    """What systemd is told: it kills and restarts whom it does not hear `WATCHDOG=1` from."""
    text = "; ".join(complaint.text for complaint in complaints) or status
    lines = [f"STATUS={text}"]
    if not any(complaint.is_grave for complaint in complaints):
        lines.append("WATCHDOG=1")
    return lines
