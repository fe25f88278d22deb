"""Figures of a match as inline SVG: no scripts, nothing from elsewhere.

Colours are the page's: its stylesheet knows the classes that are used here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from clients.match.definition import Sprt
from clients.match.game_record import Color
from clients.match.intervals import Interval
from clients.match.replay import Replay, places_of
from clients.match.sprt import SprtState
from clients.match.wording import elo, percent
from clients.svg import clipped, picture, round_step, tag, text, ticks
from goengine.points import COLUMN_LETTERS, row_column, star_points

_WIDTH, _HEIGHT = 440, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 20, 46, 40
_ROW = 40  # of one pairing among the win rates


def _number(value: float) -> str:
    return f"{value:,g}".replace("-", "−")


class RateRow(NamedTuple):
    """A pairing's win rate; None before its first game."""

    label: str
    rate: Interval | None
    published: str | None = None


class _Frame(NamedTuple):
    """What part of the numbers the picture shows, and where."""

    low_x: float
    high_x: float
    low_y: float
    high_y: float
    height: float = _HEIGHT
    left: float = _LEFT
    right: float = _WIDTH - _RIGHT

    def x(self, value: float) -> float:
        share = (value - self.low_x) / (self.high_x - self.low_x)
        return round(self.left + share * (self.right - self.left), 1)

    def y(self, value: float) -> float:
        share = (value - self.low_y) / (self.high_y - self.low_y)
        return round(self.height - _BOTTOM - share * (self.height - _TOP - _BOTTOM), 1)

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{self.x(x)},{self.y(y)}" for x, y in points)


def win_rates(rows: Sequence[RateRow]) -> Markup:
    """Each pairing's win rate with its interval, from the first player's view."""
    known = [row.rate for row in rows if row.rate]
    low = math.floor(10 * min([0.4, *(rate.low for rate in known)])) / 10
    high = math.ceil(10 * max([0.6, *(rate.high for rate in known)])) / 10
    top = _TOP - 20
    frame = _Frame(low, high, 0, 1, top + _BOTTOM + _ROW * len(rows), 16, 220)
    parts = [
        *_x_axis(frame, "win rate of the first player, %", lambda rate: _number(100 * rate)),
        _line_at(frame, x=0.5, top=top),
    ]
    for number, row in enumerate(rows):
        y = top + _ROW * number + 28
        told = percent(row.rate.value) if row.rate else "no games yet"
        told += f", published {row.published}" if row.published else ""
        shown = [
            tag("title", f"{row.label}: {told}"),
            _clipped_text(0, y - 12, row.label, 58, "label"),
        ]
        if row.rate:
            x1, x2 = frame.x(row.rate.low), frame.x(row.rate.high)
            shown.append(tag("line", class_="whisker", x1=x1, x2=x2, y1=y, y2=y))
            shown.append(tag("circle", class_="dot", cx=frame.x(row.rate.value), cy=y, r=5))
        shown.append(_clipped_text(frame.right + 14, y + 4, told, 33))
        parts.append(tag("g", Markup("").join(shown)))
    return _chart("Win rates with 95 % intervals", parts, frame.height)


def sprt_path(path: Sequence[tuple[int, float]], sprt: Sprt, state: SprtState) -> Markup:
    """The log-likelihood ratio after each number of games, between its two bounds."""
    low = min([state.lower, *(value for _, value in path)])
    high = max([state.upper, *(value for _, value in path)])
    margin = 0.08 * (high - low)
    frame = _Frame(0, max([1, *(n for n, _ in path)]), low - margin, high + margin)
    parts = [
        *_axes(frame, "games", "log-likelihood ratio"),
        _line_at(frame, y=state.upper),
        _line_at(frame, y=state.lower),
        text(_LEFT + 6, frame.y(state.upper) + 14, f"from here {elo(sprt.elo1)} Elo", "note"),
        text(_LEFT + 6, frame.y(state.lower) - 6, f"from here {elo(sprt.elo0)} Elo", "note"),
        tag("polyline", class_="first", points=frame.path([(0, 0.0), *path])),
    ]
    return _chart("Sequential test", parts)


def running_rate(rates: Sequence[tuple[int, Interval]]) -> Markup:
    """The first player's win rate after each number of games, its interval as a band."""
    frame = _Frame(0, max([1, *(n for n, _ in rates)]), 0, 1)
    upper = [(n, rate.high) for n, rate in rates]
    lower = [(n, rate.low) for n, rate in reversed(rates)]
    parts = [
        *_axes(frame, "games", "win rate", _percent),
        tag("polygon", class_="band", points=frame.path([*upper, *lower])),
        _line_at(frame, y=0.5),
        tag("polyline", class_="first", points=frame.path((n, r.value) for n, r in rates)),
    ]
    return _chart("Win rate over the games, with its 95 % interval", parts)


def course(title: str, label: str, points: Sequence[tuple[int, float]], start: float) -> Markup:
    """A value over `label`; the dashed line is where it started."""
    values = [start, *(value for _, value in points)]
    low, high = min(values), max(values)
    margin = 0.08 * (high - low) or 0.08 * abs(start) or 1.0
    frame = _Frame(0, max([1, *(n for n, _ in points)]), low - margin, high + margin)
    parts = [
        *_axes(frame, label, ""),
        _line_at(frame, y=start),
        tag("polyline", class_="first", points=frame.path(points)),
    ]
    return _chart(title, parts)


def histogram(title: str, label: str, values: Sequence[float]) -> Markup:
    """How often values of each size occur; bars below zero are the second player's."""
    low, high = min(values, default=0), max(values, default=1)
    width = max(1, round_step((high - low) or 1, 16))
    counts: dict[int, int] = {}
    for value in values:
        counts[math.floor(value / width)] = counts.get(math.floor(value / width), 0) + 1
    first, last = min(counts, default=0), max(counts, default=0)
    frame = _Frame(first * width, (last + 1) * width, 0, 1.05 * max(counts.values(), default=1))
    parts = _axes(frame, label, "games", least_y=1)
    for number, count in sorted(counts.items()):
        left, right = frame.x(number * width), frame.x((number + 1) * width)
        told = f"{number * width:g} to {(number + 1) * width:g}: {count}"
        parts.append(
            tag(
                "rect",
                tag("title", told),
                class_="bar below" if number < 0 else "bar",
                x=left + 0.5,
                y=frame.y(count),
                width=round(right - left - 1, 1),
                height=round(frame.y(0) - frame.y(count), 1),
            )
        )
    if first < 0 <= last:
        parts.append(_line_at(frame, x=0))
    return _chart(title, parts)


def opinions(played: Replay, color: Color) -> list[tuple[int, float]]:
    """Move numbers, and Black's win rate as the player of `color` saw it then."""
    return [
        (turn.number, turn.told.win_rate if color == "black" else 1 - turn.told.win_rate)
        for turn in played.turns
        if turn.color == color and turn.told and turn.told.win_rate is not None
    ]


def win_rate_curves(played: Replay) -> Markup:
    """Black's win rate over the moves, as either engine saw it."""
    record = played.record
    frame = _Frame(0, max(1, len(played.turns)), 0, 1)
    parts = [*_axes(frame, "moves", "", _percent), _line_at(frame, y=0.5)]
    if record.opening:
        end = frame.x(len(record.opening))
        parts.append(tag("line", class_="tick", x1=end, x2=end, y1=frame.y(0), y2=frame.y(1)))
        parts.append(text(end + 4, frame.y(0) - 5, "opening ends", "note"))
    colors: list[Color] = ["black", "white"]
    for color, name, class_, x in zip(
        colors, (record.black, record.white), ("first", "second"), (_LEFT, 240), strict=True
    ):
        points = opinions(played, color)
        # A single opinion is no line; a dot shows it.
        if len(points) == 1:
            at = {"cx": frame.x(points[0][0]), "cy": frame.y(points[0][1])}
            parts.append(tag("circle", class_=f"dot {class_}", r=3, **at))
        parts.append(tag("polyline", class_=class_, points=frame.path(points)))
        parts.append(tag("line", class_=class_, x1=x, x2=x + 22, y1=30, y2=30))
        told = name if points else f"{name} (told none)"
        parts.append(_clipped_text(x + 28, 34, f"{color.capitalize()}: {told}", 26))
    return _chart("Black's win rate as the engines saw it", parts)


def board_svg(played: Replay) -> Markup:
    """The last position: the last stone has its number, dead stones have crosses."""
    size = played.record.size
    last = played.last_stone
    dead = set(places_of(played.record.dead, size))
    span = 20 * (size + 1)

    def at(row: int, column: int) -> tuple[int, int]:
        return 20 * (column + 1), 20 * (size - row)

    parts = [tag("rect", class_="wood", width=span, height=span, rx=6)]
    lines = " ".join(
        f"M20 {20 * n}H{20 * size}M{20 * n} 20V{20 * size}" for n in range(1, size + 1)
    )
    parts.append(tag("path", class_="grid", d=lines))
    for point in sorted(star_points(size)):
        x, y = at(*row_column(point, size))
        parts.append(tag("circle", class_="star", cx=x, cy=y, r=2))
    for index in range(size):
        x, y = at(index, index)
        parts.append(text(x, span - 3, COLUMN_LETTERS[index], "coordinate"))
        parts.append(text(6, y + 3, str(index + 1), "coordinate"))
    for letter, place in played.board.list_occupied_points():
        x, y = at(*place)
        color = "black" if letter == "b" else "white"
        gone = " dead" if place in dead else ""
        parts.append(tag("circle", class_=f"{color} stone{gone}", cx=x, cy=y, r=9.4))
        if gone:
            parts.append(tag("path", class_="cross", d=f"M{x - 4} {y - 4}l8 8m0 -8l-8 8"))
        elif last and place == last.place:
            parts.append(text(x, y + 3, str(last.number), f"number on-{color}"))
    return picture("The last position", parts, span, span, "board")


def _axes(
    frame: _Frame,
    label_x: str,
    label_y: str,
    show_y: Callable[[float], str] = _number,
    least_y: float = 0,
) -> list[Markup]:
    """Below are whole numbers; on the left they are at least `least_y` apart."""
    parts = _x_axis(frame, label_x, least=1)
    for value in ticks(frame.low_y, frame.high_y, least=least_y):
        y = frame.y(value)
        parts.append(tag("line", class_="tick", x1=frame.left, x2=frame.right, y1=y, y2=y))
        parts.append(text(frame.left - 6, y + 4, show_y(value), "end"))
    parts.append(text(frame.left, _TOP - 8, label_y, "note"))
    return parts


def _x_axis(
    frame: _Frame, label: str, show: Callable[[float], str] = _number, least: float = 0
) -> list[Markup]:
    base = frame.height - _BOTTOM
    parts = [tag("line", class_="axis", x1=frame.left, x2=frame.right, y1=base, y2=base)]
    for value in ticks(frame.low_x, frame.high_x, least=least):
        x = frame.x(value)
        parts.append(tag("line", class_="axis", x1=x, x2=x, y1=base, y2=base + 4))
        parts.append(text(x, base + 17, show(value), "middle"))
    parts.append(text(frame.right, frame.height - 6, label, "note end"))
    return parts


def _line_at(
    frame: _Frame, x: float | None = None, y: float | None = None, top: float = _TOP
) -> Markup:
    """A dashed line across the picture."""
    if x is not None:
        ends = {"x1": frame.x(x), "x2": frame.x(x), "y1": top, "y2": frame.height - _BOTTOM}
    else:
        level = frame.y(y or 0)
        ends = {"x1": frame.left, "x2": frame.right, "y1": level, "y2": level}
    return tag("line", class_="mark", **ends)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _clipped_text(x: float, y: float, words: str, length: int, class_: str | None = None) -> Markup:
    """So many characters have room."""
    return text(x, y, clipped(words, length), class_)


def _chart(title: str, parts: Iterable[Markup], height: float = _HEIGHT) -> Markup:
    return picture(title, [text(0, 14, title, "title"), *parts], _WIDTH, height, "plot")
