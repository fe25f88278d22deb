"""`goengine ctl` against a daemon without an engine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clients import ctl, private_daemon
from clients.status_page import format_seconds
from daemon.protocol import Drain, Drop, ShutDown, Status, Stop
from tests.clients.fake_daemon import FakeDaemon

STATUS: dict[str, Any] = {
    "version": "0.20",
    "protocol": 1,
    "pid": 123,
    "uptime": 4000.2,
    "draining": True,
    "compiling": [9],
    "workers": [
        {"index": 0, "pid": 5, "slot": 0, "simulations": 123456},
        {"index": 1, "pid": 6, "slot": None, "simulations": 12},
    ],
    "rate": 98765.4,
    "memory": {"slots_bytes": 1 << 28, "resident_bytes": 3 << 29},
    "slots": [{"slot": 0, "game": "gtp-1", "nodes": 10, "capacity": 100}],
    "games": [
        {
            "name": "gtp-1",
            "owner": "ab12",
            "connected": True,
            "watchers": 1,
            "size": 9,
            "moves": 3,
            "state": "searching",
            "purpose": "analysis",
            "simulations": 1000,
            "rate": 5000.1,
            "seconds": 72.4,
            "slot": 0,
            "idle": 0,
        },
        {
            "name": "club",
            "owner": "",
            "connected": False,
            "watchers": 0,
            "size": 19,
            "moves": 33,
            "state": "idle",
            "purpose": None,
            "simulations": 0,
            "rate": 0,
            "slot": None,
            "idle": 777,
        },
    ],
    "clients": 2,
    "queue": 1,
}


def run(fake: FakeDaemon, *arguments: str) -> int:
    return ctl.main([*arguments, "--connect", fake.address.text])


def test_status(fake: FakeDaemon, capsys: pytest.CaptureFixture[str]) -> None:
    fake.status = STATUS
    assert run(fake, "status") == 0
    shown = " ".join(capsys.readouterr().out.split())
    for words in (
        f"goengined 0.20 at {fake.address.text}, pid 123, up 1 h 6 min",
        "Takes no new games",
        "Compiles kernels for 9x9",
        "98,765 simulations/s by 1 of 2 workers; 2 clients, 1 search waiting",
        "1.5 GB",
        "gtp-1 ab12 1 9x9 3 analysis 1 min 12 s 1,000 5,000 10%",
        "club (gone) 19x19 33 idle 12 min 57 s 0",
        "0 5 gtp-1 123,456",
        "1 6 idle 12",
    ):
        assert words in shown


def test_status_as_json(fake: FakeDaemon, capsys: pytest.CaptureFixture[str]) -> None:
    fake.status = STATUS
    assert ctl.main(["--connect", fake.address.text, "status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == STATUS


def test_a_status_that_says_little(fake: FakeDaemon, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(fake, "status") == 0
    assert "No games." in capsys.readouterr().out
    fake.status = {"games": 7}
    assert run(fake, "status") == 1
    assert capsys.readouterr().err.startswith("goengine ctl: the daemon at ")


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["stop", "g"], Stop),
        (["drop", "g"], Drop),
        (["drain"], Drain),
        (["shutdown"], ShutDown),
        (["status"], Status),
    ],
)
def test_requests(fake: FakeDaemon, arguments: list[str], kind: type) -> None:
    assert run(fake, *arguments) == 0
    assert [type(request) for request in fake.controls] == [kind]
    assert all(request.game == "g" for request in fake.controls if isinstance(request, Stop | Drop))


def test_a_refusal(fake: FakeDaemon, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(fake, "stop", "nobody") == 1
    assert capsys.readouterr() == ("", "goengine ctl: there is no game 'nobody'\n")


def test_no_daemon(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert ctl.main(["status", "--connect", "ipc:///no/such/place"]) == 1
    complaint = "goengine ctl: no daemon at ipc:///no/such/place; start one with goengined\n"
    assert capsys.readouterr() == ("", complaint)
    monkeypatch.setattr(private_daemon, "find_daemon", lambda: None)
    monkeypatch.delenv("GOENGINE_CONNECT", raising=False)
    assert ctl.main(["status"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("goengine ctl: no daemon at ipc:///")
    assert err.endswith("; start one with goengined\n")


def test_another_protocol(fake: FakeDaemon, capsys: pytest.CaptureFixture[str]) -> None:
    fake.version = 2
    assert run(fake, "status") == 1
    assert "protocol 2" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["stop"], ["stop", "a b"], ["dance"]])
def test_wrong_words(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        ctl.main(arguments)
    assert ending.value.code == 2


def test_top_goes_on_over_a_restart(
    fake: FakeDaemon, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.status = STATUS
    looks: list[float] = []

    def no_key(seconds: float) -> bool:
        looks.append(seconds)
        if len(looks) == 2:
            fake.kill()
        if len(looks) == 3:
            fake.start()
        return len(looks) == 5

    class Keys:
        def __enter__(self) -> object:
            return no_key

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(ctl, "_single_keys", Keys)
    monkeypatch.setattr(ctl, "_PATIENCE", 0.2)
    assert run(fake, "top") == 0
    assert len(fake.controls) == 4


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.9, "59 s"), (61, "1 min 1 s"), (7300, "2 h 1 min"), (90_000, "1 d 1 h")],
)
def test_format_seconds(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
