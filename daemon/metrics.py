"""What Prometheus is told: docs/metrics.md in code.

Nothing is kept for it: all is read from the daemon when somebody asks. Imported only where
metrics are wanted.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, TypeVar, get_args

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from daemon.protocol import Code
from daemon.tallies import BOUNDS, Figures, Histogram
from goengine.search.orders import Purpose

_Family = TypeVar("_Family", GaugeMetricFamily, CounterMetricFamily)
STATES = ("idle", "waiting", "searching")  # of games


class Metrics(Collector):
    """All families of metrics, as they are at the moment of asking."""

    def __init__(self, read: Callable[[], Figures]) -> None:
        self._read = read
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def page(self) -> bytes:
        """In the text format of Prometheus."""
        return generate_latest(self._registry)

    def describe(self) -> Iterable[Metric]:
        return []  # or the registry would ask before there is anything

    def collect(self) -> Iterator[Metric]:
        figures = self._read()
        yield from _service(figures)
        yield from _workers(figures)
        yield from _searches(figures)
        yield from _memory(figures)
        yield _latencies(figures.tally.latencies)


def _family(
    kind: type[_Family], name: str, text: str, values: Mapping[str, float] | float, label: str = ""
) -> _Family:
    """With one value, or one for each value of the label."""
    if not isinstance(values, Mapping):
        return kind(f"goengine_{name}", text, value=values)
    family = kind(f"goengine_{name}", text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


_gauge = functools.partial(_family, GaugeMetricFamily)
_counter = functools.partial(_family, CounterMetricFamily)


def _service(figures: Figures) -> Iterator[Metric]:
    status = figures.status
    about = {"version": str(status["version"]), "protocol": str(status["protocol"])}
    yield InfoMetricFamily("goengine", "What runs", about)
    yield _gauge("draining", "1: takes no new games", float(status["draining"]))
    yield _gauge("clients", "Clients that are connected", status["clients"])
    states = Counter(dict.fromkeys(STATES, 0))
    states.update(game["state"] for game in status["games"])
    yield _gauge("games", "Games that are kept", states, "state")
    yield _gauge("waiting_requests", "Requests behind others of their games", status["requests"])
    refused = {code: figures.tally.refused[code] for code in get_args(Code)}
    yield _counter("refused", "Requests that were refused, by reason", refused, "code")
    yield _counter("journal_errors", "Failures of the journal", figures.n_journal_errors)


def _workers(figures: Figures) -> Iterator[Metric]:
    workers = figures.status["workers"]

    def by_worker(field: str) -> dict[str, float]:
        return {str(worker["index"]): worker[field] for worker in workers}

    yield _counter("playouts", "Playouts made", by_worker("simulations"), "worker")
    yield _gauge("playouts_per_second", "Of the last second", by_worker("rate"), "worker")
    deaths = by_worker("deaths")
    yield _counter("worker_deaths", "Workers that died and were replaced", deaths, "worker")
    states = Counter({"busy": 0, "idle": 0, "missing": 0})
    states.update(_state_of(worker) for worker in workers)
    yield _gauge("workers", "Workers", states, "state")


def _state_of(worker: Mapping[str, Any]) -> str:
    if worker["pid"] is None:
        return "missing"
    return "idle" if worker["slot"] is None else "busy"


def _searches(figures: Figures) -> Iterator[Metric]:
    running = Counter({purpose.value: 0 for purpose in Purpose})
    running.update(game["purpose"] for game in figures.status["games"] if game["purpose"])
    ended = {purpose.value: figures.n_ended.get(purpose, 0) for purpose in Purpose}
    yield _gauge("searches", "Searches under way, those that wait included", running, "purpose")
    yield _gauge("waiting_searches", "Searches that wait for a slot", figures.status["queue"])
    yield _counter("searches_ended", "Searches that are over", ended, "purpose")
    yield _counter(
        "pondered_playouts_used", "Playouts of pondering that a move began with", figures.n_reaped
    )


def _memory(figures: Figures) -> Iterator[Metric]:
    slots, pauses = figures.status["slots"], figures.pauses
    nodes = {str(slot["slot"]): slot["nodes"] for slot in slots}
    capacities = {str(slot["slot"]): slot["capacity"] for slot in slots}
    n_bytes = figures.status["memory"]["slots_bytes"]
    yield _gauge("slot_nodes", "Nodes of the tree in a slot", nodes, "slot")
    yield _gauge("slot_capacity_nodes", "Nodes that a slot has room for", capacities, "slot")
    yield _gauge("shared_memory_bytes", "Shared memory of all slots", n_bytes)
    yield _counter(
        "pauses", "Times that workers were kept out of a slot", sum(each.n for each in pauses)
    )
    yield _counter("pauses_seconds", "The same in seconds", sum(each.total for each in pauses))
    longest = max((each.longest for each in pauses), default=0.0)
    yield _gauge("longest_pause_seconds", "The longest of them", longest)


def _latencies(by_command: Mapping[str, Histogram]) -> Metric:
    text = "From a line's turn in its game to its reply"
    family = HistogramMetricFamily("goengine_gtp_seconds", text, labels=["command"])
    names = [*map(str, map(float, BOUNDS)), "+Inf"]
    for command, histogram in by_command.items():
        buckets = list(zip(names, map(float, accumulate(histogram.counts)), strict=True))
        family.add_metric([command], buckets, histogram.seconds)
    return family
