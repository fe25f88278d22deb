"""Metrics of made-up daemons, and the port that serves them against all kinds of clients."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from daemon import metrics_port
from daemon.config import Config, ConfigError
from daemon.metrics import Metrics
from daemon.metrics_port import MAX_CONNECTIONS, MAX_HEAD, MetricsPort, NoMetrics
from daemon.pauses import Pauses
from daemon.tallies import BOUNDS, OTHER, Figures, Tally
from goengine.search.orders import Purpose

STATUS: dict[str, Any] = {
    "version": '0."21',
    "protocol": 1,
    "draining": False,
    "workers": [
        {"index": 0, "pid": 5, "slot": 1, "simulations": 1000, "deaths": 0, "rate": 50.5},
        {"index": 1, "pid": None, "slot": None, "simulations": 7, "deaths": 3, "rate": 0.0},
    ],
    "memory": {"slots_bytes": 4096, "resident_bytes": 1},
    "slots": [{"slot": 0, "nodes": 0, "capacity": 10}, {"slot": 1, "nodes": 9, "capacity": 10}],
    "games": [
        {"state": "searching", "purpose": "pondering"},
        {"state": "idle", "purpose": None},
        {"state": "idle", "purpose": None},
    ],
    "clients": 4,
    "queue": 2,
    "requests": 6,
}


def samples_of(page: bytes) -> dict[tuple[str, ...], float]:
    """By name and the values of labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(page.decode())
        for sample in family.samples
    }


def figures(tally: Tally) -> Figures:
    pauses = [Pauses(2, 0.5, 0.4), Pauses(1, 0.25, 0.25)]
    return Figures(STATUS, tally, pauses, Counter({Purpose.MOVE: 8}), 77, 1)


def test_what_is_told() -> None:
    tally = Tally(refused=Counter({"no-room": 5}))
    tally.note_line("1 genmove b", 0.7)
    tally.note_line("genmove b", 0.001)
    samples = samples_of(Metrics(lambda: figures(tally)).page())
    assert samples["goengine_info", "1", '0."21'] == 1
    for name, *labels, value in (
        ("playouts_total", "0", 1000),
        ("playouts_per_second", "0", 50.5),
        ("worker_deaths_total", "1", 3),
        ("workers", "busy", 1),
        ("workers", "idle", 0),
        ("workers", "missing", 1),
        ("games", "idle", 2),
        ("games", "waiting", 0),
        ("games", "searching", 1),
        ("clients", 4),
        ("waiting_searches", 2),
        ("waiting_requests", 6),
        ("searches", "pondering", 1),
        ("searches", "analysis", 0),
        ("searches_ended_total", "move", 8),
        ("pondered_playouts_used_total", 77),
        ("slot_nodes", "1", 9),
        ("slot_capacity_nodes", "1", 10),
        ("shared_memory_bytes", 4096),
        ("pauses_total", 3),
        ("pauses_seconds_total", 0.75),
        ("longest_pause_seconds", 0.4),
        ("refused_total", "no-room", 5),
        ("refused_total", "taken", 0),
        ("journal_errors_total", 1),
        ("gtp_seconds_bucket", "genmove", "0.001", 1),
        ("gtp_seconds_bucket", "genmove", "0.5", 1),
        ("gtp_seconds_bucket", "genmove", "1.0", 2),
        ("gtp_seconds_bucket", "genmove", "+Inf", 2),
        ("gtp_seconds_count", "genmove", 2),
        ("gtp_seconds_sum", "genmove", 0.701),
    ):
        assert samples[f"goengine_{name}", *map(str, labels)] == pytest.approx(value), name
    assert samples["process_open_fds",] > 0


def test_the_document_names_every_metric() -> None:
    page = Metrics(lambda: figures(Tally())).page().decode()
    names = [family.name for family in text_string_to_metric_families(page)]
    path = Path(__file__).parent.parent.parent / "docs" / "metrics.md"
    rows = [line.split("`")[1] for line in path.read_text().splitlines() if line.startswith("| `")]
    documented = {row.partition("{")[0].removesuffix("_total") for row in rows}
    assert {name for name in names if name.startswith("goengine")} == documented


def test_clients_cannot_make_labels() -> None:
    tally = Tally()
    for line in ("dance", 'x"y', "1 " + "genmove" * 50, "GENMOVE", "\x00", "", "# genmove", "7"):
        tally.note_line(line, 1.0)
    assert list(tally.latencies) == [OTHER]
    tally.note_line(f"{'1' * 190} genmove b", 1.0)
    tally.note_line("boardsize 9", 400.0)
    assert tally.latencies["boardsize"].counts[-1] == 1
    assert len(tally.latencies["boardsize"].counts) == len(BOUNDS) + 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("127.0.0.1:9460", ("127.0.0.1", 9460)),
        ("9460", ("127.0.0.1", 9460)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("[::1]:9460", ("::1", 9460)),
    ],
)
def test_places(text: str, place: tuple[str, int]) -> None:
    assert Config(metrics=text).metrics_place == place


@pytest.mark.parametrize("text", ["x", "localhost", "127.0.0.1:0", "h:70000", ":1", "::1:9460"])
def test_places_that_are_none(text: str) -> None:
    with pytest.raises(ConfigError, match=r"metrics: .*9460"):
        Config(metrics=text)


# --- the port ---------------------------------------------------------------------


def serve(
    visit: Callable[[int], Awaitable[None]], make_page: Callable[[], bytes] = lambda: b"page\n"
) -> None:
    """Run `visit` with the port's number."""

    async def run() -> None:
        port = MetricsPort(make_page)
        await port.listen("127.0.0.1", 0)
        assert port._server is not None
        try:
            await visit(port._server.sockets[0].getsockname()[1])
        finally:
            port.close()

    asyncio.run(run())


async def talk(number: int, text: bytes) -> bytes:
    """All that comes back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", number)
    writer.write(text)
    try:
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("request_text", "status", "body"),
    [
        (b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"200 OK", b"page\n"),
        (b"GET /metrics?x=1 HTTP/1.0\r\n\r\n", b"200 OK", b"page\n"),
        (b"HEAD /metrics HTTP/1.1\r\n\r\n", b"200 OK", b""),
        (b"GET / HTTP/1.1\r\n\r\n", b"404 Not Found", b"there is only /metrics\n"),
        (b"POST /metrics HTTP/1.1\r\n\r\n", b"405 Method Not Allowed", b"GET it\n"),
        (b"\x00\xff\r\n\r\n", b"405 Method Not Allowed", b"GET it\n"),
        (b"GET /" + b"x" * 2 * MAX_HEAD, b"431 Request Header Fields Too Large", b""),
    ],
)
def test_requests(request_text: bytes, status: bytes, body: bytes) -> None:
    async def visit(number: int) -> None:
        answer = await talk(number, request_text)
        head, _, rest = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 " + status)
        assert not body or rest == body

    serve(visit)


def test_those_who_say_nothing_are_few_and_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_port, "PATIENCE", 0.5)

    async def visit(number: int) -> None:
        silent = [
            await asyncio.open_connection("127.0.0.1", number) for _ in range(3 * MAX_CONNECTIONS)
        ]
        for reader, writer in silent:
            assert await reader.read() == b"", "all are sent away"
            writer.close()
        assert (await talk(number, b"GET /metrics HTTP/1.1\r\n\r\n")).endswith(b"page\n")

    serve(visit)


def test_a_page_is_made_once_a_second() -> None:
    n_made = 0

    def make_page() -> bytes:
        nonlocal n_made
        n_made += 1
        return b"page\n"

    async def visit(number: int) -> None:
        for _ in range(20):
            assert (await talk(number, b"GET /metrics HTTP/1.1\r\n\r\n")).endswith(b"page\n")

    serve(visit, make_page)
    assert 1 <= n_made < 10


def test_a_place_that_is_taken() -> None:
    async def visit(number: int) -> None:
        with pytest.raises(NoMetrics, match=f"no metrics at 127.0.0.1, port {number}: .*in use"):
            await MetricsPort(lambda: b"").listen("127.0.0.1", number)

    serve(visit)
