"""What counts as well, and what systemd is told about it."""

from __future__ import annotations

import pytest

from daemon.health import LONGEST_SILENCE, Vitals, examine, is_ready, report

WELL = Vitals(silences=[0.1, 0.4])
LATE = LONGEST_SILENCE + 1


def test_ready_when_every_worker_has_beaten():
    assert not is_ready([None, None])
    assert not is_ready([0.1, None])
    assert is_ready([0.1, 100.0])


def test_all_is_well():
    assert examine(WELL) == []
    assert report([], "12 games") == ["STATUS=12 games", "WATCHDOG=1"]


@pytest.mark.parametrize(
    ("vitals", "text"),
    [
        (WELL._replace(silences=[0.1, LATE]), "worker 1 has not beaten for 16 s"),
        (WELL._replace(silences=[None, 0.1]), "worker 0 has not beaten yet"),
        (WELL._replace(mute_sockets=["control"]), "the socket control does not answer"),
        (WELL._replace(journal="x: malformed"), "the journal cannot be written: x: malformed"),
    ],
)
def test_whoever_is_ill_is_not_heard_by_the_watchdog(vitals, text):
    complaints = examine(vitals)
    assert [complaint.text for complaint in complaints] == [text]
    assert report(complaints, "12 games") == [f"STATUS={text}"]


def test_a_full_disk_is_told_but_no_reason_for_a_restart():
    complaints = examine(WELL._replace(journal="x: full", is_disk_full=True))
    told = "STATUS=the journal cannot be written: x: full"
    assert report(complaints, "12 games") == [told, "WATCHDOG=1"]
    mute = examine(WELL._replace(journal="x: full", is_disk_full=True, mute_sockets=["requests"]))
    assert "WATCHDOG=1" not in report(mute, "")


def test_everything_that_is_wrong_is_told_at_once():
    complaints = examine(Vitals([LATE, LATE], ["requests", "analysis"], "gone"))
    assert report(complaints, "")[0].count(";") == 4


def test_a_future_beat_is_one():
    """A worker that loads kernels beats ahead."""
    assert examine(Vitals([-8.0])) == []
