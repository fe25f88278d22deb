"""Handicap stones: the fixed points of GTP, free placement, and stones sent as moves."""

from __future__ import annotations

from collections.abc import Sequence

from goengine.board import BLACK
from goengine.points import PASS, all_points, format_vertex, is_on_board, point_at, row_column

MIN_HANDICAP = 2

_Place = tuple[int, int]  # row, column


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

    The fixed points as far as they go; then always the point farthest from all stones,
    among equals the one farthest from the last stone. The first two lines come last.
    """
    _check_count(n_stones, max_free_handicap(size), f"handicap stones on {size}x{size}")
    n_fixed = min(n_stones, max_fixed_handicap(size))
    chosen = [row_column(point, size) for point in fixed_handicap(n_fixed, size)] if n_fixed else []
    # For each free place: twice the distance from all stones, or less near the edge.
    room = {row_column(point, size): _edge_room(point, size) for point in all_points(size)}
    for place in chosen:
        _take_place(room, place)
    while len(chosen) < n_stones:
        last = chosen[-1] if chosen else (size, size)
        place = max(room, key=lambda free: (room[free], _distance(free, last)))
        _take_place(room, place)
        chosen.append(place)
    return [point_at(row, column, size) for row, column in chosen]


def check_free_handicap(points: Sequence[int], size: int) -> None:
    """Raises ValueError unless black may be given these stones on an empty board."""
    _check_count(len(points), max_free_handicap(size), f"handicap stones on {size}x{size}")
    for index, point in enumerate(points):
        if not is_on_board(point, size):
            raise ValueError(f"handicap stone {point} is not a point on {size}x{size}")
        if point in points[:index]:
            raise ValueError(f"handicap stone {format_vertex(point, size)} is given twice")


def count_played_stones(moves: Sequence[tuple[int, int]], size: int) -> int:
    """How many handicap stones black's first moves (color, point) on an empty board are, or 0.

    They are what black plays before white puts a stone, if that is two stones at least; KataGo
    counts the same. Some programs cannot send two moves of one colour in a row, and have white
    pass in between. On the smallest boards, where GTP has no fixed handicap, such a pass may
    well be white's best move: it ends black's handicap. Where white moves twice in a row, too,
    somebody sets up a position, not a handicap.
    """
    n_stones = 0
    for index, (color, point) in enumerate(moves):
        if color == BLACK:
            n_stones += point != PASS
        elif moves[index + 1 : index + 2] and moves[index + 1][0] == color:
            return 0
        elif point != PASS or max_fixed_handicap(size) == 0:
            break
    return n_stones if n_stones >= MIN_HANDICAP else 0


def _check_count(n_stones: int, most: int, what: str) -> None:
    if most < MIN_HANDICAP:
        raise ValueError(f"there are no {what}")
    if not MIN_HANDICAP <= n_stones <= most:
        raise ValueError(f"{n_stones} is not a number of {what}: from {MIN_HANDICAP} to {most}")


def _edge_room(point: int, size: int) -> int:
    """The second line is better than a place beside a stone, and worse than the next one."""
    row, column = row_column(point, size)
    line = min(row, column, size - 1 - row, size - 1 - column)
    return 1 + 2 * line if line < 2 else 4 * size * line


def _distance(place: _Place, other: _Place) -> int:
    return abs(place[0] - other[0]) + abs(place[1] - other[1])


def _take_place(room: dict[_Place, int], taken: _Place) -> None:
    del room[taken]
    for place in room:
        room[place] = min(room[place], 2 * _distance(place, taken))
