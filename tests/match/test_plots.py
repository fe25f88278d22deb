"""Plots: well-formed, to scale, and nothing that engines say gets out of its place."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from clients.match import figures, plots
from clients.match.definition import Sprt
from clients.match.game_record import MoveRecord
from clients.match.intervals import Interval, Tally, wilson
from clients.match.replay import replay
from clients.match.sprt import sprt_state
from clients.match.standings import standing_of
from clients.svg import ticks
from tests.match.example_games import HOSTILE, example_game, example_pairing, won_by

SVG = "{http://www.w3.org/2000/svg}"
PAIRING = example_pairing()
GAME = replay(example_game(PAIRING))


def parse(svg: str) -> ElementTree.Element:
    """Fails unless it is XML of the few elements that plots are made of."""
    root = ElementTree.fromstring(svg)
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {
        "svg", "g", "title", "text", "line", "polyline", "polygon", "circle", "rect", "path"
    }  # fmt: skip
    assert root.findtext(f"{SVG}title")
    return root


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def points_of(element: ElementTree.Element) -> list[tuple[float, float]]:
    pairs = [pair.split(",") for pair in element.get("points", "").split()]
    return [(float(x), float(y)) for x, y in pairs]


def texts_in(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 7, [0, 2, 4, 6]),
        (-31, 44, [-20, 0, 20, 40]),
        (0, 20_000, [0, 5000, 10_000, 15_000, 20_000]),
        (0.4, 0.6, [0.4, 0.45, 0.5, 0.55, 0.6]),
        (12, 13, [12, 12.2, 12.4, 12.6, 12.8, 13]),
    ],
)
def test_ticks_are_round(low, high, expected):
    assert ticks(low, high) == expected


def test_games_are_counted_in_whole_numbers():
    for svg in (
        plots.histogram("Lengths", "moves", [7]),
        plots.running_rate([(1, wilson(Tally(1)))]),
    ):
        shown = [text for text in texts_in(parse(svg)) if text.replace(".", "").isdigit()]
        assert shown
        assert all(float(text).is_integer() for text in shown)


def test_win_rates():
    rows = [
        plots.RateRow("a vs b", Interval(0.75, 0.6, 0.85), "70 % ± 3"),
        plots.RateRow("b vs c", Interval(0.5, 0.45, 0.55)),
        plots.RateRow("c vs d", None),
    ]
    root = parse(plots.win_rates(rows))
    (middle,) = of_class(root, "mark")
    first, second = of_class(root, "dot")
    assert float(second.get("cx", 0)) == float(middle.get("x1", 0)) < float(first.get("cx", 0))
    whiskers = of_class(root, "whisker")
    assert len(whiskers) == 2
    x1, x2 = (float(whiskers[0].get(key, 0)) for key in ("x1", "x2"))
    # 75 % lies 15 above the lower and 10 below the upper bound.
    assert (float(first.get("cx", 0)) - x1) / (x2 - x1) == pytest.approx(0.6, abs=0.01)
    texts = texts_in(root)
    assert {"75.0 %, published 70 % ± 3", "50.0 %", "no games yet"} <= set(texts)


def test_bounds_of_a_test_are_where_it_is_decided():
    sprt = Sprt(elo0=0, elo1=100)
    results = [1.0] * 60
    state = sprt_state(sprt, results)
    assert state.verdict == "elo1"
    path = [(n, sprt_state(sprt, results[:n]).llr) for n in range(1, state.n_games + 1)]
    root = parse(plots.sprt_path(path, sprt, state))
    upper, lower = (float(line.get("y1", 0)) for line in of_class(root, "mark"))
    (line,) = of_class(root, "first")
    heights = [y for _, y in points_of(line)]
    assert len(heights) == len(path) + 1
    assert heights[-1] <= upper < heights[-2] < lower


def test_running_rate_stays_in_its_band():
    tallies = [Tally(n // 2, n - n // 2) for n in range(1, 30)]
    root = parse(plots.running_rate([(each.games, wilson(each)) for each in tallies]))
    (band,) = of_class(root, "band")
    (line,) = of_class(root, "first")
    around, middle = points_of(band), points_of(line)
    upper, lower = around[: len(middle)], around[len(middle) :][::-1]
    assert len(middle) == 29
    for (x, y), (upper_x, upper_y), (lower_x, lower_y) in zip(middle, upper, lower, strict=True):
        assert x == upper_x == lower_x
        assert upper_y <= y <= lower_y


def test_histogram_counts_everything_once():
    values = [-12.5, -0.5, 0.0, 0.5, 3.5, 3.5, 40.5]
    root = parse(plots.histogram("Margins", "points", values))
    bars = of_class(root, "bar")
    told = [bar.findtext(f"{SVG}title", "").split(": ") for bar in bars]
    assert sum(int(count) for _, count in told) == len(values)
    for interval, count in told:
        low, high = map(float, interval.split(" to "))
        assert int(count) == sum(low <= value < high for value in values)
    below = of_class(root, "below")
    assert sum(int(bar.findtext(f"{SVG}title", "").split(": ")[1]) for bar in below) == 2


@pytest.mark.parametrize("values", [[], [3.5], [7, 7, 7], [-3.5, -3.5], range(2000)])
def test_histogram_of_anything(values):
    root = parse(plots.histogram("Lengths", "moves", values))
    assert bool(of_class(root, "bar")) == bool(values)
    assert len(of_class(root, "bar")) <= 20


def test_both_engines_tell_of_black():
    assert plots.opinions(GAME, "black") == [(3, 0.6), (5, 0.7), (7, 0.8), (9, 0.9), (11, 0.95)]
    numbers, rates = zip(*plots.opinions(GAME, "white"), strict=True)
    assert numbers == (4, 8, 10)
    assert rates == pytest.approx((0.7, 0.9, 0.95))


def test_after_handicap_stones_white_begins():
    moves = [MoveRecord("D4", 1.0, 0.25), MoveRecord("E5", 1.0, 0.5)]
    played = replay(example_game(PAIRING, handicap=["C3", "G7"], opening=[], moves=moves))
    assert plots.opinions(played, "white") == [(1, 0.75)]
    assert plots.opinions(played, "black") == [(2, 0.5)]


def test_curves_are_drawn_to_scale():
    root = parse(plots.win_rate_curves(GAME))
    black, white = (
        points_of(next(each for each in of_class(root, name) if each.tag == f"{SVG}polyline"))
        for name in ("first", "second")
    )
    assert len(black) == 5
    assert len(white) == 3
    # From 60 to 95 %, and White's 70 % as high as Black's second.
    assert black[0][1] > black[1][1] > black[-1][1]
    assert white[0][1] == black[1][1]
    assert [x for x, _ in black] == sorted(x for x, _ in black)


def test_curve_of_a_game_without_opinions():
    silent = example_game(PAIRING, moves=[MoveRecord("D4", 1.0)])
    assert "White: old (told none)" in texts_in(parse(plots.win_rate_curves(replay(silent))))
    assert parse(plots.win_rate_curves(replay(example_game(PAIRING, opening=[], moves=[]))))


def test_board():
    root = parse(plots.board_svg(GAME))
    assert len(of_class(root, "stone")) == 7  # D5 is taken
    assert len([each for each in of_class(root, "stone") if "white" in each.get("class", "")]) == 2
    (dead,) = of_class(root, "dead")
    (number,) = of_class(root, "number")
    assert (dead.get("cx"), dead.get("cy")) == ("180", "20")  # J9: the upper right corner
    assert (number.text, number.get("x")) == ("9", "80")  # D6


@pytest.mark.parametrize("size", [2, 9, 13, 19, 25])
def test_board_of_any_size(size):
    record = example_game(PAIRING, size=size, opening=[], moves=[MoveRecord("B1", 1.0)], dead=[])
    root = parse(plots.board_svg(replay(record)))
    assert len(of_class(root, "coordinate")) == 2 * size
    assert len(of_class(root, "stone")) == 1


def test_texts_are_escaped():
    row = plots.RateRow(HOSTILE, Interval(0.5, 0.4, 0.6), HOSTILE)
    record = example_game(PAIRING, black=HOSTILE, white=HOSTILE, dead=[HOSTILE])
    for svg in (
        plots.win_rates([row]),
        plots.histogram(HOSTILE, HOSTILE, [1.0]),
        plots.win_rate_curves(replay(record)),
        plots.board_svg(replay(record)),
    ):
        assert "<script" not in svg
        assert parse(svg) is not None
    assert any(text.startswith("</title>") for text in texts_in(parse(plots.win_rates([row]))))


def test_lines_over_the_games_end_where_the_standing_is():
    pairing = example_pairing(games=2000, sprt=Sprt(elo0=0, elo1=10))
    records = [won_by(pairing, number, number % 3 > 0) for number in range(1, 1001)]
    standing = standing_of(pairing, records)
    assert standing.sprt
    rates, ratios = figures.running_rates(standing), figures.sprt_ratios(standing)
    assert rates[-1] == (1000, standing.rate)
    assert ratios[-1] == (standing.sprt.n_games, standing.sprt.llr)
    assert standing.sprt.verdict == "elo1"
    assert len(rates) == len(ratios) == figures.MOST_POINTS
    few = standing_of(pairing, records[:3])
    assert [n for n, _ in figures.sprt_ratios(few)] == [1, 2, 3]
    assert [rate.value for _, rate in figures.running_rates(few)] == [1, 1, pytest.approx(2 / 3)]


def test_margins_are_the_first_players():
    pairing = example_pairing()
    resigned = {"ending": "resignation", "margin": None, "scored_by": None}
    records = [
        won_by(pairing, 1, True, margin=5.5),
        won_by(pairing, 2, True, margin=1.5),
        won_by(pairing, 3, False, margin=2.5),
        won_by(pairing, 4, True, **resigned),
        example_game(pairing, 5, winner=None, margin=0.0),
    ]
    assert figures.margins_of(standing_of(pairing, records)) == [5.5, 1.5, -2.5, 0]


def test_a_course_is_to_scale_and_shows_where_it_started() -> None:
    root = parse(plots.course(HOSTILE, "iterations", [(0, 2.0), (5, 6.0), (10, 4.0)], 2.0))
    (line,) = of_class(root, "first")
    (mark,) = of_class(root, "mark")
    (x0, y0), (x1, y1), (x2, y2) = points_of(line)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y0 - y1 == pytest.approx(2 * (y0 - y2), abs=0.3)
    assert float(mark.get("y1", "")) == y0
    parse(plots.course("flat", "iterations", [(0, 0.0)], 0.0))
