"""What a daemon tells of itself, as a page for people."""

from __future__ import annotations

from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from daemon.kernel_place import KernelPlace


class Worker(msgspec.Struct):
    index: int
    pid: int | None  # None: nobody lives there at the moment
    slot: int | None = None  # None: idle
    simulations: int = 0  # since it was started


class Memory(msgspec.Struct):
    slots_bytes: int = 0
    resident_bytes: int = 0


class Slot(msgspec.Struct):
    """The memory of one search."""

    slot: int
    game: str | None = None
    nodes: int = 0
    capacity: int = 0  # in nodes


class Game(msgspec.Struct):
    name: str
    owner: str = ""
    user: str = ""  # whose it is
    connected: bool = False
    watchers: int = 0
    size: int = 0
    moves: int = 0
    state: str = "idle"
    purpose: str | None = None
    simulations: int = 0
    rate: float = 0.0  # simulations a second
    seconds: float = 0.0  # of the search
    slot: int | None = None
    idle: float = 0.0  # seconds


class DaemonStatus(msgspec.Struct):
    """The data of the answer to a Status request; what is missing is as if it were nothing."""

    version: str = "?"
    protocol: int = 0
    pid: int = 0
    uptime: float = 0.0  # seconds
    draining: bool = False
    compiling: list[int] = []  # board sizes
    kernels: KernelPlace | None = None
    workers: list[Worker] = []
    rate: float = 0.0  # simulations a second
    memory: Memory = msgspec.field(default_factory=Memory)
    slots: list[Slot] = []
    games: list[Game] = []
    clients: int = 0
    queue: int = 0


def parse_status(data: Any) -> DaemonStatus:
    """Raises ValueError."""
    return msgspec.convert(data, DaemonStatus)


def status_page(status: DaemonStatus, address: str) -> RenderableType:
    return Group(_summary(status, address), "", _games(status), "", _workers(status))


def _summary(status: DaemonStatus, address: str) -> Text:
    text = Text.assemble(
        (f"goengined {status.version}", "bold"),
        f" at {address}, pid {status.pid}, up {format_seconds(status.uptime)}",
    )
    if status.draining:
        text.append("\nTakes no new games and ends when its clients are gone.", "yellow")
    if status.compiling:
        sizes = ", ".join(f"{size}x{size}" for size in status.compiling)
        text.append(f"\nCompiles kernels for {sizes}.", "yellow")
    n_busy = sum(worker.slot is not None for worker in status.workers)
    text.append(
        f"\n{status.rate:,.0f} simulations/s by {n_busy} of {len(status.workers)} workers; "
        f"{_count(status.clients, 'client')}, {_count(status.queue, 'search')} waiting; "
        f"memory {_format_bytes(status.memory.resident_bytes)}, "
        f"trees may fill {_format_bytes(status.memory.slots_bytes)}"
    )
    return text


def _games(status: DaemonStatus) -> RenderableType:
    if not status.games:
        return Text("No games.")
    fill = {slot.slot: slot.nodes / slot.capacity for slot in status.slots if slot.capacity}
    table = _table(
        "game", "user", "owner", "watch", "board", "move", "state", "playouts", "/s", "tree"
    )
    for game in status.games:
        is_idle = game.state == "idle"
        seconds = format_seconds(game.idle if is_idle else game.seconds)
        state = f"{'idle' if is_idle else game.purpose or game.state} {seconds}"
        table.add_row(
            Text(game.name),
            Text(game.user),
            Text(game.owner if game.connected else f"({game.owner or 'gone'})"),
            str(game.watchers or ""),
            f"{game.size}x{game.size}",
            str(game.moves),
            Text(f"{state}, waits" if game.state == "waiting" else state),
            f"{game.simulations:,}",
            f"{game.rate:,.0f}" if game.rate else "",
            f"{fill[game.slot]:.0%}" if game.slot in fill else "",
            style="dim" if is_idle else "",
        )
    return table


def _workers(status: DaemonStatus) -> RenderableType:
    games = {slot.slot: slot.game for slot in status.slots}
    table = _table("worker", "pid", "game", "playouts")
    for worker in status.workers:
        game = "" if worker.slot is None else games.get(worker.slot) or f"slot {worker.slot}"
        table.add_row(
            str(worker.index),
            str(worker.pid or "-"),
            Text(game or "idle"),
            f"{worker.simulations:,}",
        )
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        is_text = column in ("game", "user", "owner", "state")
        table.add_column(column, justify="left" if is_text else "right", no_wrap=True)
    return table


def _count(number: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def format_seconds(seconds: float) -> str:
    """Two units at most: 42 s, 3 min 5 s, 2 h 7 min, 3 d 4 h."""
    whole = int(seconds)
    for unit, size, smaller, smaller_size in (
        ("d", 86_400, "h", 3_600),
        ("h", 3_600, "min", 60),
        ("min", 60, "s", 1),
    ):
        if whole >= size:
            return f"{whole // size} {unit} {whole % size // smaller_size} {smaller}"
    return f"{whole} s"


def _format_bytes(number: int) -> str:
    if number < 1 << 30:
        return f"{number / (1 << 20):,.0f} MB"
    return f"{number / (1 << 30):,.1f} GB"
