"""A profile for people: phases in groups, with bars."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.bar import Bar
from rich.console import Group, RenderableType
from rich.table import Table

BAR_WIDTH = 12
GROUPS = ("descend", "expand", "playout", "result")


def profile_tables(title: str, rows: list[dict[str, Any]]) -> RenderableType:
    """One table for each position."""
    return Group(*(_table(title, row) for row in rows))


def _table(title: str, row: dict[str, Any]) -> Table:
    size = row["size"]
    table = Table(
        title=f"{title}: {size}x{size}, {row['position']}, "
        f"{row['simulations_per_s']:,.0f} simulations/s",
        title_justify="left",
        box=box.SIMPLE,
        pad_edge=False,
        caption=_caption(row),
        caption_justify="left",
    )
    table.add_column("phase", no_wrap=True)
    for name in ("calls", "ns/call", "ns", "share"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", width=BAR_WIDTH)
    for group in GROUPS:
        phases = [phase for phase in row["phases"] if phase["group"] == group]
        if phases:
            table.add_section()
            table.add_row(group, "", "", *_cost(phases), style="bold")
        for phase in phases:
            table.add_row(f"  {phase['phase']}", *_calls(phase), *_cost([phase]))
    table.add_section()
    table.add_row("simulation", "", "", *_cost(row["phases"])[:2], "", style="bold")
    return table


def _calls(phase: dict[str, Any]) -> tuple[str, str]:
    """Of what is called once for many simulations, only the sum says something."""
    calls = phase["calls_per_simulation"]
    if calls < 0.005:
        return "", ""
    return f"{calls:,.3f}" if calls < 1 else f"{calls:,.2f}", f"{phase['ns_per_call']:,.1f}"


def _cost(phases: list[dict[str, Any]]) -> tuple[str, str, Bar]:
    """Nanoseconds and share of all of them, and the share as a bar."""
    ns = sum(phase["ns_per_simulation"] for phase in phases)
    share = sum(phase["share"] for phase in phases)
    return f"{ns:,.0f}", f"{share:.1%}", Bar(1.0, 0.0, share, width=BAR_WIDTH)


def _caption(row: dict[str, Any]) -> str:
    return (
        f"Calls and ns are those of a simulation: {row['simulations']:,} of them from an empty "
        f"tree, fastest of {row['runs']} runs. The stopwatch made {row['laps_per_simulation']:,} "
        f"laps a simulation and the search slower by {row['ns_per_lap']} ns a lap, which are "
        f"taken off (a lap alone takes {row['ns_per_lap_alone']}). Others had the core for "
        f"{row['interrupted_ms']:,} ms meanwhile, which are left out."
    )
