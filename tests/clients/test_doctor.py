"""`goengine ctl doctor`: what made-up facts mean, and that real ones can be gathered."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clients import ctl
from clients.doctor import gathering
from clients.doctor.checks import CHECKS, Finding, Verdict, examine
from clients.doctor.command import findings_table, summary
from clients.doctor.facts import Account, DaemonFacts, Facts, Processor, Seen, SharedMemory
from clients.doctor.gathering import huge_pages, look, parse_limits, parse_quota, removes_ipc
from clients.status_page import parse_status
from daemon.config import Config, ConfigError
from daemon.kernel_place import KernelPlace
from daemon.protocol import VERSION
from goengine import __version__
from tests.clients.fake_daemon import FakeDaemon

GIGABYTE = 1 << 30
STATUS: dict[str, Any] = {
    "version": __version__,
    "protocol": VERSION,
    "workers": [{"index": 0, "pid": 5}, {"index": 1, "pid": 6}],
}
RUN, STATE = Path("/run/goengine"), Path("/var/lib/goengine")
GOOD = Facts(
    processor=Processor("x86_64", "znver5", frozenset({"popcnt", "bmi", "avx2", "sse"}), {}),
    kernels=KernelPlace("/var/cache/goengine", True, [9, 13, 19, 25]),
    config_file=Path("/etc/goengine/goengined.toml"),
    config=Config(workers=2, slots=16, slot_megabytes=64, max_clients=1000),
    memory=SharedMemory(4 * GIGABYTE, 2 * GIGABYTE, GIGABYTE, "within_size"),
    account=Account("goengine", 998, lingers=False),
    removes_ipc=True,
    limits={"Max open files": 524288.0, "Max processes": 4096.0, "Max file size": float("inf")},
    clock_source="tsc",
    clock_resolution=1e-9,
    cores=2,
    quota=None,
    socket_files=[Seen(RUN, 0o750, 998), Seen(RUN / "requests", 0o660, 998)],
    state_files=[Seen(STATE, 0o700, 998), Seen(STATE / "games.sqlite", 0o600, 998)],
    daemon=DaemonFacts("ipc:///run/goengine", parse_status(STATUS)),
)


def find(check: str, **changes: Any) -> Finding:
    """What a check says of a good installation after some changes."""
    return next(each for each in examine(replace(GOOD, **changes)) if each.check == check)


def with_status(**changes: Any) -> DaemonFacts:
    return DaemonFacts("ipc:///run/goengine", parse_status(STATUS | changes))


def test_all_is_well() -> None:
    findings = list(examine(GOOD))
    assert [finding.check for finding in findings] == list(CHECKS)
    assert {(finding.verdict, finding.change) for finding in findings} == {(Verdict.FINE, "")}
    assert summary(findings).plain.strip() == "All is well."


SLOW = Processor("x86_64", "x86-64", frozenset({"sse"}), {})
HUMAN = Account("lisa", 1000, lingers=False)
BAD_CONFIG = ConfigError("/etc/x:3: workers: true is not a whole number")
SMALL = Config(workers=2, slots=16, slot_megabytes=64, max_clients=10)


@pytest.mark.parametrize(
    ("check", "changes", "verdict", "change"),
    [
        ("processor", {"processor": SLOW}, "hint", "virtual machine"),
        ("processor", {"processor": replace(SLOW, machine="aarch64")}, "fine", ""),
        (
            "processor",
            {"processor": replace(SLOW, settings={"NUMBA_DISABLE_JIT": "1"})},
            "wrong",
            "unset NUMBA_DISABLE_JIT",
        ),
        (
            "processor",
            {"processor": replace(SLOW, settings={"NUMBA_CPU_NAME": "generic"})},
            "hint",
            "unset NUMBA_CPU_NAME",
        ),
        ("kernels", {"kernels": KernelPlace("/c", True, [9, 13])}, "hint", "goengine warm"),
        ("kernels", {"kernels": KernelPlace("/c", True, [9, 13, 19])}, "fine", ""),
        (
            "kernels",
            {"kernels": KernelPlace("/c", False, []), "daemon": DaemonFacts("ipc:///x")},
            "wrong",
            "GOENGINE_CACHE_DIR",
        ),
        ("workers", {"cores": 1}, "hint", "workers = 1"),
        ("workers", {"cores": 8}, "fine", ""),
        ("workers", {"cores": 8, "quota": 1.5}, "fine", ""),
        ("workers", {"cores": 8, "quota": 0.5}, "hint", "workers = 1"),
        ("workers", {"config": BAD_CONFIG, "daemon": DaemonFacts("")}, "hint", "configuration"),
        ("clock", {"clock_source": "hpet"}, "hint", "tsc"),
        ("clock", {"clock_source": "kvm-clock"}, "fine", ""),
        ("clock", {"clock_resolution": 0.01}, "hint", "finer"),
        ("shared memory", {"memory": None}, "wrong", "mount -t tmpfs"),
        (
            "shared memory",
            {"memory": SharedMemory(GIGABYTE // 2, GIGABYTE // 2, 0, "never")},
            "wrong",
            "remount,size=2G",
        ),
        (
            "shared memory",
            {"memory": SharedMemory(2 * GIGABYTE, GIGABYTE // 2, 0, "never")},
            "wrong",
            "remove what else",
        ),
        (
            "shared memory",
            {"memory": SharedMemory(2 * GIGABYTE, GIGABYTE // 2, GIGABYTE, "never")},
            "fine",
            "",
        ),
        ("huge pages", {"memory": SharedMemory(1, 1, 0, "never")}, "hint", "huge=within_size"),
        ("RemoveIPC", {"account": HUMAN}, "hint", "enable-linger lisa"),
        ("RemoveIPC", {"account": HUMAN, "removes_ipc": False}, "fine", ""),
        ("RemoveIPC", {"account": replace(HUMAN, lingers=True)}, "fine", ""),
        ("limits", {"limits": {"Max open files": 1024.0}}, "hint", "LimitNOFILE=2128"),
        ("limits", {"limits": {"Max open files": 1024.0}, "config": SMALL}, "fine", ""),
        ("limits", {"limits": {"Max open files": 100.0}}, "wrong", "LimitNOFILE="),
        ("limits", {"limits": {"Max processes": 20.0}}, "wrong", "LimitNPROC=66"),
        ("limits", {"limits": {"Max file size": 1024.0}}, "wrong", "LimitFSIZE"),
        ("limits", {"limits": {}}, "fine", ""),
        ("configuration", {"config": BAD_CONFIG}, "wrong", "--print-config"),
        ("sockets", {"socket_files": [Seen(RUN, 0o755, 998)]}, "wrong", "chmod 0750"),
        ("sockets", {"socket_files": [Seen(RUN, 0o700, 0)]}, "wrong", "chown goengine"),
        ("sockets", {"socket_files": [Seen(RUN)]}, "hint", "--config"),
        ("sockets", {"socket_files": [Seen(RUN)], "daemon": DaemonFacts("")}, "fine", ""),
        ("sockets", {"socket_files": [], "config": BAD_CONFIG}, "hint", "configuration"),
        ("sockets", {"socket_files": [Seen(RUN, is_hidden=True)]}, "hint", "sudo"),
        ("sockets", {"socket_files": []}, "fine", ""),
        (
            "sockets",
            {"socket_files": [Seen(RUN, 0o700, 998), Seen(RUN / "control", 0o666, 998)]},
            "fine",
            "",
        ),
        ("journal", {"state_files": [Seen(STATE, 0o755, 998)]}, "wrong", "chmod 0700"),
        ("journal", {"state_files": [Seen(STATE, 0o750, 998)]}, "wrong", "chmod 0700"),
        ("daemon", {"daemon": DaemonFacts("ipc:///x")}, "hint", "systemctl start"),
        ("daemon", {"daemon": DaemonFacts("ipc:///x", error="no answer")}, "wrong", "log"),
        ("daemon", {"daemon": with_status(version="0.1")}, "wrong", "restart"),
        ("daemon", {"daemon": with_status(protocol=7)}, "wrong", "restart"),
        ("daemon", {"daemon": with_status(workers=[{"index": 0, "pid": None}])}, "wrong", "log"),
    ],
)
def test_findings(check: str, changes: dict[str, Any], verdict: str, change: str) -> None:
    finding = find(check, **changes)
    assert finding.verdict.value == verdict, finding
    assert change in finding.change
    assert bool(finding.change) == (verdict != "fine")


def test_no_check_stumbles_over_a_wrong_configuration() -> None:
    facts = replace(GOOD, config=BAD_CONFIG, socket_files=[], state_files=[])
    wrong = [finding for finding in examine(facts) if finding.verdict is Verdict.WRONG]
    assert [finding.check for finding in wrong] == ["configuration"]
    assert wrong[0].found == str(BAD_CONFIG)


# --- facts ------------------------------------------------------------------------


def test_texts_of_the_kernel() -> None:
    limits = parse_limits(
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        "Max open files            1024                 524288               files     \n"
        "Max file size             unlimited            unlimited            bytes     \n"
    )
    assert limits == {"Max open files": 1024.0, "Max file size": float("inf")}
    assert parse_limits("") == {}
    assert parse_quota("150000 100000\n") == 1.5
    assert parse_quota("max 100000\n") is None
    assert parse_quota("") is None
    mounts = "tmpfs /dev/shm tmpfs rw,size=1k 0 0\ntmpfs /x tmpfs huge=always 0 0\n"
    assert huge_pages(mounts) == "never"
    assert huge_pages(f"{mounts}tmpfs /dev/shm tmpfs rw,huge=advise,inode64 0 0\n") == "advise"
    assert huge_pages("") == "never"


@pytest.mark.parametrize(
    ("texts", "removes"),
    [
        ([], True),
        (["[Login]\n#RemoveIPC=no\n"], True),
        (["[Login]\n RemoveIPC = no \n"], False),
        (["RemoveIPC=no", "RemoveIPC=yes"], True),
        (["RemoveIPC=yes", "", "RemoveIPC=false"], False),
    ],
)
def test_logind(texts: list[str], removes: bool) -> None:
    assert removes_ipc(texts) is removes


def test_a_file_and_none(tmp_path: Path) -> None:
    tmp_path.chmod(0o710)
    assert look(tmp_path).mode == 0o710
    assert look(tmp_path / "none") == Seen(tmp_path / "none")


def test_this_machine(fake: FakeDaemon, tmp_path: Path) -> None:
    fake.status = STATUS | {"pid": 1}
    file = tmp_path / "goengined.toml"
    file.write_text(f'workers = 3\nstate_directory = "{tmp_path}"\nlisten = "ipc://{tmp_path}"\n')
    facts = gathering.gather(file, fake.address.text)
    assert isinstance(facts.config, Config)
    assert facts.config.workers == 3
    assert facts.daemon == DaemonFacts(fake.address.text, parse_status(fake.status))
    assert facts.account.uid == Path("/proc/1").stat().st_uid
    assert facts.cores >= 1
    assert facts.clock_resolution > 0
    assert facts.limits["Max open files"] > 0
    assert facts.processor.features
    assert facts.memory is not None
    assert facts.memory.total >= facts.memory.free > 0
    assert facts.state_files[0].mode is not None


# --- the command ------------------------------------------------------------------


def answer(monkeypatch: pytest.MonkeyPatch, facts: Facts, *options: str) -> int:
    monkeypatch.setattr("clients.doctor.command.gather", lambda *_: facts)
    return ctl.main(["doctor", *options])


def test_exit_codes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(monkeypatch, GOOD) == 0
    assert answer(monkeypatch, replace(GOOD, clock_source="hpet")) == 0
    assert "All works; 1 could be better." in capsys.readouterr().out
    assert answer(monkeypatch, replace(GOOD, memory=None)) == 1
    shown = capsys.readouterr().out
    assert "→ mount -t tmpfs" in shown
    assert "1 to change, 1 that could be better" in shown


def test_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(monkeypatch, replace(GOOD, config=BAD_CONFIG), "--json") == 1
    findings = json.loads(capsys.readouterr().out)
    assert [finding["check"] for finding in findings] == list(CHECKS)
    assert {"check", "verdict", "found", "change"} == set(findings[0])


def test_what_others_wrote_is_shown_plainly() -> None:
    table = findings_table([Finding("x", Verdict.WRONG, "[bold]a\x1b[2J", "b\x07")])
    assert "\x1b" not in str(next(iter(table.columns[2].cells)))


def test_without_a_daemon_and_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("GOENGINE_CONNECT", raising=False)
    missing = tmp_path / "none.toml"
    arguments = ["doctor", "--json", "--config", str(missing), "--connect", f"ipc://{tmp_path}"]
    assert ctl.main(arguments) == 1
    findings = {finding["check"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert str(missing) in findings["configuration"]["found"]
    assert "no daemon at" in findings["daemon"]["found"]
