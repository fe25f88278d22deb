"""Where handicap stones go: the fixed points of GTP, and free placement."""

from __future__ import annotations

from collections.abc import Sequence

from goengine.points import all_points, format_vertex, is_on_board, point_at, row_column

MIN_HANDICAP = 2


def max_fixed_handicap(size: int) -> int:
    """How many fixed points there are: 9, 4, or 0 on boards under 7x7."""
    if size < 7:
        return 0
    return 9 if size % 2 == 1 and size >= 9 else 4


def max_free_handicap(size: int) -> int:
    """One point must stay empty, or the stones would have no liberty."""
    return size * size - 1


def fixed_handicap(n_stones: int, size: int) -> list[int]:
    """Return the points of GTP's fixed_handicap, in its order. Raises ValueError."""
    _check_count(n_stones, max_fixed_handicap(size), f"fixed handicap stones on {size}x{size}")
    low = 3 if size >= 13 else 2
    high = size - 1 - low
    middle = size // 2
    # (column, row). The centre belongs to 5, 7 and 9 stones and takes the place of a side.
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    n_sides = max(0, n_stones - 4) // 2 * 2
    places = corners[:n_stones] + sides[:n_sides]
    if n_stones > len(places):
        places.insert(4, (middle, middle))
    return [point_at(row, column, size) for column, row in places]


def free_handicap(n_stones: int, size: int) -> list[int]:
    """Return as many points as asked for, where the engine wants its stones. Raises ValueError.

    The fixed points as far as they go; then always the point farthest from the
    stones that are there, the first two lines last.
    """
    _check_count(n_stones, max_free_handicap(size), f"handicap stones on {size}x{size}")
    n_fixed = min(n_stones, max_fixed_handicap(size))
    chosen = fixed_handicap(n_fixed, size) if n_fixed else []
    # For each free place (row, column): how far it is from all stones, or from the edge.
    room = {row_column(point, size): _edge_room(point, size) for point in all_points(size)}
    for point in chosen:
        _take_place(room, *row_column(point, size))
    while len(chosen) < n_stones:
        row, column = max(room, key=lambda place: room[place])
        _take_place(room, row, column)
        chosen.append(point_at(row, column, size))
    return chosen


def check_free_handicap(points: Sequence[int], size: int) -> None:
    """Raises ValueError unless black may be given these stones on an empty board."""
    _check_count(len(points), max_free_handicap(size), f"handicap stones on {size}x{size}")
    for index, point in enumerate(points):
        if not is_on_board(point, size):
            raise ValueError(f"handicap stone {point} is not a point on {size}x{size}")
        if point in points[:index]:
            raise ValueError(f"handicap stone {format_vertex(point, size)} is given twice")


def _check_count(n_stones: int, most: int, what: str) -> None:
    if most < MIN_HANDICAP:
        raise ValueError(f"there are no {what}")
    if not MIN_HANDICAP <= n_stones <= most:
        raise ValueError(f"{n_stones} is not a number of {what}: from {MIN_HANDICAP} to {most}")


def _edge_room(point: int, size: int) -> int:
    """1 on the first line, 3 on the second: less than any place in the open."""
    row, column = row_column(point, size)
    return 1 + 2 * min(row, column, size - 1 - row, size - 1 - column)


def _take_place(room: dict[tuple[int, int], int], row: int, column: int) -> None:
    del room[row, column]
    for (other_row, other_column), distance in room.items():
        nearer = abs(row - other_row) + abs(column - other_column)
        if nearer < distance:
            room[other_row, other_column] = nearer
