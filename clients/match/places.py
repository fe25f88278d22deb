"""Points as rows and columns, as sgfmill's board has them: from 0 at the lower left."""

from __future__ import annotations

from goengine.points import PASS, format_vertex, parse_vertex, point_at, row_column

Place = tuple[int, int]


def place_of(vertex: str, size: int) -> Place | None:
    """None for a pass. Raises ValueError."""
    point = parse_vertex(vertex, size)
    return None if point == PASS else row_column(point, size)


def vertex_at(row: int, column: int, size: int) -> str:
    return format_vertex(point_at(row, column, size), size)
