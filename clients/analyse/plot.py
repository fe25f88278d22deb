"""A game as a picture: Black's win rate and score by move, with the errors. SVG, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, NamedTuple

from markupsafe import Markup

from clients.analyse.findings import Finding, Grade
from clients.analyse.wording import percent, remark, score
from clients.svg import clipped, picture, tag, text, ticks

WIDTH, HEIGHT = 880, 520
_LEFT, _RIGHT = 56, 20
_LABELLED = 5  # errors that have their move beside them
_FAR = 60  # from its mark nobody sees what a label belongs to
_LEAST_SPAN = 5.0  # points of the score to either side
_RADIUS: dict[Grade, float] = {"doubtful": 3.6, "mistake": 5, "blunder": 6.5}

_STYLE = """
svg { font: 12px system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
text { fill: #57534e; }
.paper { fill: #ffffff; }
.panel { fill: #faf8f4; }
.heading { font-size: 16px; font-weight: 600; fill: #1c1917; }
.name { font-weight: 600; fill: #292524; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.tick { stroke: #e7e5e4; stroke-width: 1; }
.even { stroke: #a8a29e; stroke-width: 1; stroke-dasharray: 4 4; }
.area { fill: #44403c; fill-opacity: 0.16; }
.curve { fill: none; stroke: #292524; stroke-width: 1.8; stroke-linejoin: round; }
.stem { stroke-width: 1.2; stroke-opacity: 0.55; }
.doubtful { stroke: #d6a31c; }
.mistake { stroke: #e8710a; }
.blunder { stroke: #c81e1e; }
.mark { stroke-width: 2.2; }
.black { fill: #1c1917; }
.white { fill: #ffffff; }
.label { font-size: 11px; font-weight: 600; fill: #1c1917; stroke: #faf8f4;
         stroke-width: 3px; paint-order: stroke; }
.turn { stroke: #2563a8; stroke-width: 1.2; stroke-dasharray: 2 3; }
.turning { font-size: 11px; fill: #2563a8; }
"""


class _Panel(NamedTuple):
    """Where in the picture which numbers are."""

    top: float
    bottom: float
    low: float
    high: float
    first: int  # number of moves played at the left
    last: int

    def x(self, n_played: float) -> float:
        share = (n_played - self.first) / (self.last - self.first)
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.bottom - share * (self.bottom - self.top), 1)

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{self.x(x)},{self.y(y)}" for x, y in points)


@dataclass(frozen=True)
class _Box:
    """Where a label is; all are of the same height."""

    left: float
    top: float
    width: float
    HEIGHT: ClassVar[float] = 14

    def meets(self, other: _Box) -> bool:
        is_beside = self.left < other.left + other.width and other.left < self.left + self.width
        return is_beside and abs(self.top - other.top) < self.HEIGHT


def plot_game(findings: Sequence[Finding], title: str, turning_point: int | None) -> str:
    """`findings` are not empty."""
    rates: dict[int, float] = {}
    scores: dict[int, float] = {}
    for each in findings:
        rates.setdefault(each.number - 1, each.black_win_rate_before)
        rates[each.number] = each.black_win_rate_after
        if each.score_before is not None and each.score_after is not None:
            scores.setdefault(each.number - 1, each.score_before)
            scores[each.number] = each.score_after
    first, last = min(rates), max(rates)
    span = max([_LEAST_SPAN, *(1.08 * abs(value) for value in scores.values())])
    upper = _Panel(70, 300, 0, 1, first, last)
    lower = _Panel(342, 466, -span, span, first, last)
    parts = [
        tag("style", Markup(_STYLE)),
        tag("rect", class_="paper", width=WIDTH, height=HEIGHT),
        text(_LEFT, 30, clipped(title, 90), "heading"),
        *_panel(upper, "Black's win rate", [0, 0.25, 0.5, 0.75, 1], _rate_label),
        *_panel(lower, "Score", ticks(-span, span, 5), _score_label),
        *_turning_point(upper, lower, turning_point),
        *_curve(upper, rates, 0.0, 0.5),
        *_curve(lower, scores, 0.0, 0.0),
        *_errors(upper, rates, findings),
        *_move_numbers(lower),
        *_legend(),
    ]
    return f"{picture(title, parts, WIDTH, HEIGHT, 'game')}\n"


def _rate_label(rate: float) -> str:
    return f"{100 * rate:.0f} %"


def _score_label(points: float) -> str:
    return score(points).removesuffix(".0")


def _panel(
    panel: _Panel, name: str, values: Iterable[float], show: Callable[[float], str]
) -> Iterator[Markup]:
    width, height = WIDTH - _LEFT - _RIGHT, panel.bottom - panel.top
    yield tag("rect", class_="panel", x=_LEFT, y=panel.top, width=width, height=height)
    yield text(_LEFT, panel.top - 10, name, "name")
    for value in values:
        y = panel.y(value)
        yield tag("line", class_="tick", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y)
        yield text(_LEFT - 8, y + 4, show(value), "end")


def _curve(
    panel: _Panel, values: Mapping[int, float], base: float, even: float
) -> Iterator[Markup]:
    """The area from `base` to the curve, and a dashed line where it is even."""
    for points in _runs(values):
        ends = [(points[-1][0], base), (points[0][0], base)]
        yield tag("polygon", class_="area", points=panel.path([*points, *ends]))
    y = panel.y(even)
    yield tag("line", class_="even", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y)
    for points in _runs(values):
        yield tag("polyline", class_="curve", points=panel.path(points))


def _runs(values: Mapping[int, float]) -> list[list[tuple[int, float]]]:
    """Moves without a gap between them."""
    points = sorted(values.items())
    runs = [points[:1]] if points else []
    for before, point in pairwise(points):
        if point[0] == before[0] + 1:
            runs[-1].append(point)
        else:
            runs.append([point])
    return runs


def _turning_point(upper: _Panel, lower: _Panel, number: int | None) -> Iterator[Markup]:
    if number is None:
        return
    x = upper.x(number)
    yield tag("line", class_="turn", x1=x, x2=x, y1=upper.top, y2=lower.bottom)
    is_right = x > WIDTH - 160
    anchor = "turning end" if is_right else "turning"
    words = f"turning point, move {number}"
    yield text(x - 5 if is_right else x + 5, upper.bottom + 13, words, anchor)


def _errors(
    panel: _Panel, rates: Mapping[int, float], findings: Sequence[Finding]
) -> Iterator[Markup]:
    """From where the win rate was to where the move has brought it; the worst have names."""
    errors = sorted((each for each in findings if each.is_error), key=lambda each: each.loss)
    for each in errors:
        x, y = panel.x(each.number), panel.y(each.black_win_rate_after)
        mark = tag(
            "circle",
            tag("title", f"{each.number}. {remark(each)}"),
            class_=f"mark {each.grade} {each.color}",
            cx=x,
            cy=y,
            r=_RADIUS[each.grade],
        )
        if each.grade == "doubtful":
            yield mark
            continue
        was = panel.y(each.black_win_rate_before)
        yield tag("line", class_=f"stem {each.grade}", x1=x, x2=x, y1=was, y2=y)
        yield mark
    yield from _labels(panel, rates, errors[::-1][:_LABELLED])


def _labels(
    panel: _Panel, rates: Mapping[int, float], errors: Iterable[Finding]
) -> Iterator[Markup]:
    """The worst first, above or below the curve; one that has no room is left out."""
    taken: list[_Box] = []
    for each in errors:
        words = f"{each.number} {each.move} −{percent(each.loss)}"
        width = 7.2 * len(words)
        x = min(panel.x(each.number) - 6, WIDTH - _RIGHT - width)
        beside = [panel.y(rates[n]) for n in rates if x - 12 <= panel.x(n) <= x + width + 12]
        ways = [_Box(x, min(beside) - 22, width), _Box(x, max(beside) + 10, width)]
        y = panel.y(each.black_win_rate_after)
        ways.sort(key=lambda box: abs(box.top + 6 - y))
        room = [box for box in ways if panel.top <= box.top <= panel.bottom - _Box.HEIGHT]
        near = [box for box in room if abs(box.top + 6 - y) < _FAR]
        free = [box for box in near if not any(box.meets(other) for other in taken)]
        if free:
            taken.append(free[0])
            yield text(round(x, 1), round(free[0].top + 11, 1), words, "label")


def _move_numbers(panel: _Panel) -> Iterator[Markup]:
    for value in ticks(panel.first, panel.last, 12, least=1):
        yield text(panel.x(value), panel.bottom + 17, f"{value:g}", "middle")
    yield text(WIDTH - _RIGHT, HEIGHT - 14, "moves", "end")


def _legend() -> Iterator[Markup]:
    x = float(_LEFT)
    y = HEIGHT - 18
    for color in ("black", "white"):
        for grade, radius in _RADIUS.items():
            yield tag("circle", class_=f"mark {grade} {color}", cx=x + 8, cy=y, r=radius)
            words = f"{color.capitalize()}: {grade}" if grade == "doubtful" else grade
            yield text(x + 20, y + 4, words)
            x += 34 + 6.4 * len(words)
        x += 14
