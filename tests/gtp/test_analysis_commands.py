"""Commands of an analysis: what is ordered for which words, and what comes of it."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.gtp import GtpSession
from goengine.gtp.analysis import AnalysisOptions, format_analysis
from goengine.gtp.session import Pending
from goengine.points import PASS, all_points
from goengine.rules.game import Game
from goengine.search.orders import Found, Limits, Order, Purpose
from goengine.search.position import Restriction
from tests.gtp.engines_for_tests import FirstLegalEngine, vertices
from tests.gtp.readings_for_tests import ReadingEngine, fixed_reading, without_visits

pytestmark = pytest.mark.uncompiled

ANALYSES = ("lz-analyze", "kata-analyze", "analyze")
MOVES = ("lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze")
SEARCHES = ("kata-search_analyze", "kata-search_analyze_cancellable")
DIALECTS = {"lz-analyze": "lz", "kata-analyze": "kata", "analyze": "sabaki"}


def open_session(size: int = 3) -> GtpSession:
    return GtpSession(engine=ReadingEngine(*vertices("B2 C3", 3)), game=Game(size))


def pending(session: GtpSession, line: str) -> Pending:
    outcome = session.start_line(line)
    assert isinstance(outcome, Pending), outcome
    return outcome


def order_of(line: str, size: int = 3) -> Order:
    return pending(open_session(size), line).order


def point(vertex: str) -> int:
    return vertices(vertex, 3)[0]


@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_goes_on_until_somebody_ends_it(name: str) -> None:
    order = order_of(name)
    assert (order.color, order.purpose, order.limits) == (BLACK, Purpose.ANALYSIS, Limits())
    assert order.yields
    assert order.interval == 1.0
    assert order.finish(Found(point("A1"), None)) == ""
    assert order.report is not None


@pytest.mark.parametrize(
    ("arguments", "limits"),
    [
        ("playouts 50", Limits(playouts=50)),
        ("w 20 seconds 1.5", Limits(seconds=1.5)),
        ("seconds 2 playouts 9", Limits(9, 2.0)),
        ("playouts 9 playouts none", Limits()),
    ],
)
@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_may_have_an_end(name: str, arguments: str, limits: Limits) -> None:
    analysis = pending(open_session(), f"{name} {arguments}")
    order = analysis.order
    assert (order.purpose, order.limits, order.yields) == (Purpose.ANALYSIS, limits, True)
    last = analysis.part(fixed_reading())
    found = Found(point("A1"), fixed_reading())
    assert analysis.end(found) == (f"{last}\n" if any(limits) else "\n")
    assert analysis.end(found._replace(is_cut_off=True)) == "\n"


@pytest.mark.parametrize("words", ["playouts 0", "playouts x", "seconds 0", "seconds", "playouts"])
def test_limits_that_are_none(words: str) -> None:
    reply = open_session().start_line(f"kata-analyze {words}")
    assert isinstance(reply, str)
    assert reply.startswith("? syntax error: ")


def test_a_move_has_the_limits_of_its_game() -> None:
    reply = open_session().start_line("kata-genmove_analyze b playouts 50")
    assert isinstance(reply, str)
    assert "'playouts' is not one of" in reply


@pytest.mark.parametrize(
    ("arguments", "color", "interval"),
    [
        ("", BLACK, 1.0),
        ("w", WHITE, 1.0),
        ("BLACK 50", BLACK, 0.5),
        ("W 12.5", WHITE, 0.125),
        ("100", BLACK, 1.0),
        ("0", BLACK, 0.05),
        ("1", BLACK, 0.05),
        ("1e30", BLACK, 86400.0),
        ("w interval 20", WHITE, 0.2),
        ("w 50 interval 20", WHITE, 0.2),
    ],
)
@pytest.mark.parametrize("name", ANALYSES + MOVES + SEARCHES)
def test_color_and_interval(name: str, arguments: str, color: int, interval: float) -> None:
    order = order_of(f"{name} {arguments}")
    assert (order.color, order.interval) == (color, interval)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("minmoves 3", {"min_moves": 3}),
        ("minmoves 0 maxmoves 1", {"max_moves": 1}),
        ("maxmoves 1 maxmoves 2", {"max_moves": 2}),
    ],
)
@pytest.mark.parametrize("name", ANALYSES)
def test_number_of_moves(name: str, arguments: str, options: dict[str, int]) -> None:
    report = order_of(f"{name} {arguments}").report
    assert report is not None
    expected = AnalysisOptions(DIALECTS[name], **options)  # type: ignore[arg-type]
    assert report(fixed_reading()) == format_analysis(fixed_reading(), expected)
    assert report(without_visits(fixed_reading())) == ""


@pytest.mark.parametrize("name", ["kata-analyze", "analyze"])
def test_flags(name: str) -> None:
    report = order_of(f"{name} rootInfo true ownership TRUE pvVisits true pvVisits false").report
    assert report is not None
    line = report(fixed_reading())
    assert "rootInfo" in line
    assert "ownership" in line
    assert "pvVisits" not in line
    report = order_of(f"{name} movesOwnership true").report
    assert report is not None
    assert report(fixed_reading()) == order_report(name)


def order_report(line: str) -> str:
    report = order_of(line).report
    assert report is not None
    return report(fixed_reading())


@pytest.mark.parametrize("name", ANALYSES + MOVES + SEARCHES)
def test_avoid_and_allow(name: str) -> None:
    everything = frozenset([PASS, *all_points(3)])
    a1, b2 = point("A1"), point("B2")
    order = order_of(f"{name} w 10 avoid w A1,b2,pass 4 avoid w A1 9 allow b B2,PASS 2")
    assert order.restrictions == (
        Restriction(WHITE, frozenset([a1, b2, PASS]), 4),
        Restriction(WHITE, frozenset([a1]), 9),
        Restriction(BLACK, everything - {b2, PASS}, 2),
    )


ERRORS = {
    "green": "'green' is not one of interval, minmoves, maxmoves, avoid, allow",
    "b w": "'w' is not one of interval, minmoves, maxmoves, avoid, allow",
    "50 b": "'b' is not one of interval, minmoves, maxmoves, avoid, allow",
    "b 50 60": "'60' is not one of interval, minmoves, maxmoves, avoid, allow",
    "-5": "the interval is in centiseconds from 0 on, not -5",
    "5x": "'5x' is not a finite number",
    "interval": "after interval comes a value",
    "interval x": "'x' is not a finite number",
    "interval nan": "'nan' is not a finite number",
    "minmoves": "after minmoves comes a value",
    "minmoves -1": "minmoves is a number of moves from 0 on",
    "minmoves x": "'x' is not an integer",
    "maxmoves 0": "maxmoves is a number of moves from 1 on",
    "maxmoves 1.5": "'1.5' is not an integer",
    "avoid": "after avoid comes COLOR VERTEX,VERTEX,... DEPTH",
    "avoid b A1": "after avoid comes COLOR VERTEX,VERTEX,... DEPTH",
    "avoid A1 b 3": "'A1' is not a colour: b, w, black or white",
    "avoid b A1,, 3": "'' is not a vertex on 3x3",
    "avoid b D4 3": "'D4' is not a vertex on 3x3",
    "avoid b A1 0": "the depth of avoid is a number of moves from 1 on",
    "avoid b A1 deep": "'deep' is not an integer",
    "allow b A1 1 allow b A2 1": "a colour has one allow, or any number of avoid, not both",
    "allow b A1 1 avoid b A2 1": "a colour has one allow, or any number of avoid, not both",
    "avoid b A1 1 allow b A2 1": "a colour has one allow, or any number of avoid, not both",
    "w allow w C1 1": "avoid or allow leaves no legal move",
    "w allow w A1,C1 1": "avoid or allow leaves no legal move",
}


@pytest.mark.parametrize("arguments", ERRORS)
@pytest.mark.parametrize("name", ANALYSES + MOVES + SEARCHES)
def test_malformed_arguments_start_nothing(name: str, arguments: str) -> None:
    session = open_session()
    session.run_line("gogui-play_sequence b A2 b B1 w C1")  # A1 is suicide for white
    reply = session.start_line(f"7 {name} {arguments}")
    assert isinstance(reply, str)
    expected = f"?7 syntax error: {ERRORS[arguments]}"
    if "is not one of" in expected and name in ANALYSES:
        expected += ", playouts, seconds"
    if "is not one of" in expected and not name.startswith("lz"):
        assert reply.startswith(expected + ", rootInfo, ")
    else:
        assert reply == expected + "\n\n"


def test_malformed_flags() -> None:
    for name in ("kata-analyze", "analyze"):
        reply = open_session().start_line(f"{name} ownership yes")
        assert reply == "? syntax error: ownership is true or false, not 'yes'\n\n"
        reply = open_session().start_line(f"{name} ownership")
        assert reply == "? syntax error: after ownership comes a value\n\n"
    reply = open_session().start_line("lz-analyze ownership true")
    assert isinstance(reply, str)
    assert reply.startswith("? syntax error: 'ownership' is not one of ")


def test_what_one_colour_avoids_leaves_the_other_its_moves() -> None:
    assert order_of("lz-analyze b allow w A1 1 avoid b pass 1").restrictions
    assert order_of("lz-analyze b allow b pass 1").restrictions


@pytest.mark.parametrize("name", MOVES)
def test_a_move_is_sought_within_its_limits_and_played(name: str) -> None:
    session = open_session()
    first = pending(session, f"3 {name} b 20")
    assert first.order.purpose is Purpose.MOVE
    assert first.order.limits == session.limits == Limits(400)
    assert not first.order.yields
    assert first.head() == "=3\n"
    assert first.part(fixed_reading()).startswith("info move C3 visits 60 ")
    assert first.end(Found(point("B2"), None)) == "play B2\n\n"
    assert [stone for stone, _ in session.game.stones()] == [BLACK]
    assert session.engine_colors == {BLACK}
    assert pending(session, name).end(Found(PASS, None)) == "play pass\n\n"
    assert len(session.game.moves) == 2


def test_the_clock_limits_a_move_and_not_an_analysis() -> None:
    session = open_session()
    session.run_line("kgs-time_settings byoyomi 0 10 3")
    for line in (*MOVES, *SEARCHES, "kata-search", "kata-search_cancellable"):
        limits = pending(session, line).order.limits
        assert limits.seconds == limits.free_seconds == pytest.approx(8.6, abs=0.1)
        assert limits.most_seconds == pytest.approx(18.6, abs=0.1)
    for line in ANALYSES:
        assert pending(session, line).order.limits == Limits()


@pytest.mark.parametrize("name", ["kata-search", "kata-search_cancellable", *SEARCHES])
def test_a_search_changes_nothing(name: str) -> None:
    session = open_session()
    before = session.game
    waiting = pending(session, f"{name} w")
    assert (waiting.order.color, waiting.order.purpose) == (WHITE, Purpose.MOVE)
    assert waiting.order.yields == name.endswith("_cancellable")
    reply = waiting.end(Found(point("B2"), fixed_reading()))
    assert isinstance(reply, str)
    report, _, end = reply.rpartition("\nplay ")
    assert (end if "analyze" in name else reply) == ("B2\n\n" if report else "= B2\n\n")
    assert report.startswith("info move C3 ") == ("analyze" in name)  # a last report
    assert session.game is before
    assert not session.engine_colors


def test_whole_replies() -> None:
    session = open_session()
    assert session.run_line("1 kata-search b") == "=1 B2\n\n"
    reply = session.run_line("2 kata-search_analyze b maxmoves 1")
    assert reply is not None
    assert reply.startswith("=2\ninfo move C3 ")
    assert reply.endswith(" pv C3 B2 pass\nplay C3\n\n")
    assert session.run_line("3 stop") == "=3\n\n"
    assert session.run_line("kata-search x") == (
        "? syntax error: 'x' is not a colour: b, w, black or white\n\n"
    )
    assert session.run_line("kata-search b w") == "? syntax error: usage: kata-search [COLOR]\n\n"


def test_an_engine_that_does_not_search_has_nothing_to_report() -> None:
    session = GtpSession(engine=FirstLegalEngine(), game=Game(3))
    assert session.run_line("5 lz-analyze 10") == "=5\n\n"
    assert session.run_line("6 lz-genmove_analyze b 10") == "=6\nplay A1\n\n"
