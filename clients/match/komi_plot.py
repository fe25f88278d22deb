"""Win rates and extra komi of a few games, move by move, and how they begin, as SVG.

    python -m clients.match.komi_plot RESULTS/games/PAIRING/00001.json ... > komi.svg

One curve for each player that told what it thought of its moves: above its own win rate, as its
search saw it, below the extra komi that it counted with; then each game's board after some moves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from clients.match.game_record import Color, GameRecord, decode_record
from clients.match.plots import board_svg
from clients.match.replay import replay
from clients.svg import clipped, picture, tag, text, ticks

WIDTH = 880
_CURVES_END = 550
_LEFT, _RIGHT = 56, 20
_BOARD, _GAP = 390, 24  # two boards side by side
_ON_BOARDS = 60  # moves
_LEAST_SPAN = 5.0  # points
_COLORS = ("#1c1917", "#c2410c", "#2563a8", "#15803d", "#7e22ce", "#a16207")
_STYLE = """
svg { font: 12px system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
text { fill: #57534e; }
.paper { fill: #ffffff; }
.band { fill: #f5f1e8; }
.heading { font-size: 16px; font-weight: 600; fill: #1c1917; }
.name { font-weight: 600; fill: #292524; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.tick { stroke: #e7e5e4; stroke-width: 1; }
.curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
"""
_BOARD_STYLE = Path(__file__).with_name("templates") / "board.css"


class Course(NamedTuple):
    """What a player told of its moves: numbers of moves, and values."""

    label: str
    win_rates: list[tuple[int, float]]
    extra_komi: list[tuple[int, float]]


class _Panel(NamedTuple):
    top: float
    bottom: float
    low: float
    high: float
    last: int  # move

    def x(self, number: float) -> float:
        return round(_LEFT + number / self.last * (WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.bottom - share * (self.bottom - self.top), 1)


def courses_of(record: GameRecord) -> Iterator[Course]:
    """Of both players, if both told anything."""
    turns = [turn for turn in replay(record).turns if turn.told]
    colors: tuple[Color, Color] = ("black", "white")
    for color in colors:
        told = [(turn.number, turn.told) for turn in turns if turn.color == color and turn.told]
        rates = [(number, move.win_rate) for number, move in told if move.win_rate is not None]
        komi = [(number, move.extra_komi or 0.0) for number, move in told]
        if rates:
            name = record.black if color == "black" else record.white
            yield Course(f"{name} as {color}", rates, komi)


def plot_komi(records: Sequence[GameRecord], title: str) -> str:
    """Of games in which one player at least has told a win rate."""
    courses = [course for record in records for course in courses_of(record)]
    points = [komi for course in courses for _, komi in course.extra_komi]
    last = max(number for course in courses for number, _ in course.win_rates)
    low, high = min([*points, 0.0]), max([*points, _LEAST_SPAN])
    upper = _Panel(80, 310, 0, 1, last)
    lower = _Panel(352, 490, low - 0.05 * (high - low), high + 0.05 * (high - low), last)
    band = upper.y(0.3) - upper.y(0.7)
    height = _CURVES_END + (_BOARD + 2 * _GAP) * -(-len(records) // 2) + _GAP
    parts = [
        tag("style", Markup(_STYLE + _BOARD_STYLE.read_text())),
        tag("rect", class_="paper", width=WIDTH, height=height),
        text(_LEFT, 28, clipped(title, 90), "heading"),
        tag("rect", class_="band", x=_LEFT, y=upper.y(0.7), width=WIDTH - _LEFT - _RIGHT,
            height=round(band, 1)),
        *_axis(upper, "Win rate of the player, as its search saw it", _percent),
        *_axis(lower, "Extra komi, points for White", lambda value: f"{value:g}"),
    ]  # fmt: skip
    for number in ticks(0, last, 12, least=1):
        parts.append(text(lower.x(number), lower.bottom + 17, f"{number:g}", "middle"))
    parts.append(text(WIDTH - _RIGHT, lower.bottom + 34, "moves", "end"))
    for index, course in enumerate(courses):
        parts += _curves(course, _COLORS[index % len(_COLORS)], index, (upper, lower))
    for index, record in enumerate(records):
        parts += _beginning(record, index)
    return f"{picture(title, parts, WIDTH, height, 'komi')}\n"


def _axis(panel: _Panel, name: str, show: Callable[[float], str]) -> Iterator[Markup]:
    yield text(_LEFT, panel.top - 10, name, "name")
    for value in ticks(panel.low, panel.high):
        y = panel.y(value)
        yield tag("line", class_="tick", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y)
        yield text(_LEFT - 8, y + 4, show(value), "end")


def _curves(
    course: Course, color: str, index: int, panels: tuple[_Panel, _Panel]
) -> Iterator[Markup]:
    for panel, points in zip(panels, (course.win_rates, course.extra_komi), strict=True):
        path = " ".join(f"{panel.x(number)},{panel.y(value)}" for number, value in points)
        yield tag("polyline", class_="curve", stroke=color, points=path)
    x, y = _LEFT + 280 * (index % 3), _CURVES_END - 20 + 18 * (index // 3)
    yield tag("line", class_="curve", stroke=color, x1=x, x2=x + 22, y1=y, y2=y)
    yield text(x + 28, y + 4, clipped(course.label, 38))


def _beginning(record: GameRecord, index: int) -> Iterator[Markup]:
    """The board after the first moves, in its place among others."""
    played = replay(msgspec.structs.replace(record, moves=record.moves[:_ON_BOARDS], dead=[]))
    x = _LEFT + (_BOARD + _GAP) * (index % 2)
    y = _CURVES_END + (_BOARD + 2 * _GAP) * (index // 2) + 2 * _GAP
    label = f"{record.black} – {record.white}, move {len(played.turns)}"
    yield text(x, y - 8, clipped(label, 60), "name")
    yield tag("svg", board_svg(played), x=x, y=y, width=_BOARD, height=_BOARD)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def main(argv: Sequence[str]) -> int:
    if not argv:
        sys.stderr.write(f"{__doc__}")
        return 2
    records = [decode_record(Path(name).read_bytes()) for name in argv]
    if not any(list(courses_of(record)) for record in records):
        sys.stderr.write("no player of these games has told a win rate\n")
        return 1
    stones = len(records[0].handicap)
    given = f", {stones} handicap stones" if stones else ""
    size = records[0].size
    sys.stdout.write(plot_komi(records, f"Win rates and extra komi, {size}x{size}{given}"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
