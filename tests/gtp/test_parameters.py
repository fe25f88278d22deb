"""Commands that change how moves are sought: values, bounds, and all or nothing."""

from __future__ import annotations

import json

import pytest

from goengine.gtp import GtpSession
from goengine.rules.game import Game
from goengine.search.orders import Limits
from goengine.search.parameters import PARAMETERS, Parameter
from tests.gtp.engines_for_tests import FirstLegalEngine

pytestmark = pytest.mark.uncompiled

SETTERS = ("goengine-param", "kata-set-param")
GETTERS = ("goengine-param", "kata-get-param")
NUMBERS = [parameter for parameter in PARAMETERS if not parameter.words]


def open_session(size: int = 9) -> GtpSession:
    return GtpSession(engine=FirstLegalEngine(), game=Game(size), limits=Limits(1000))


def text_of(session: GtpSession, line: str) -> str:
    reply = session.run_line(line)
    assert reply is not None
    assert reply.startswith("="), reply
    return reply[1:].strip()


def error_of(session: GtpSession, line: str) -> str:
    before = session.limits, dict(session.parameters), session.pondering
    reply = session.run_line(line)
    assert reply is not None
    assert reply.startswith("?"), reply
    assert "internal error" not in reply
    assert (session.limits, session.parameters, session.pondering) == before
    return reply[1:].strip()


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda parameter: parameter.name)
@pytest.mark.parametrize("getter", GETTERS)
def test_defaults_are_those_of_the_board(getter: str, parameter: Parameter) -> None:
    for size in (9, 19):
        text = text_of(open_session(size), f"{getter} {parameter.name}")
        assert parameter.parse(text) == parameter.default_for(size)


@pytest.mark.parametrize("parameter", NUMBERS, ids=lambda parameter: parameter.name)
@pytest.mark.parametrize("setter", SETTERS)
def test_bounds(setter: str, parameter: Parameter) -> None:
    session = open_session()
    for value in (parameter.minimum, parameter.maximum):
        assert text_of(session, f"{setter} {parameter.name} {value:.12g}") == ""
        assert float(text_of(session, f"kata-get-param {parameter.name}")) == value
        assert parameter.parse(session.parameters[parameter.name]) == value
    for value in (parameter.minimum - 1, parameter.maximum * 2, float("nan"), float("inf")):
        message = error_of(session, f"{setter} {parameter.name} {value:.12g}")
        assert message.startswith(f"syntax error: {parameter.name} is a ")
    for word in ("x", "none", "1" * 500, "１２x"):
        assert error_of(session, f"{setter} {parameter.name} {word}").startswith("syntax error: ")


def test_words() -> None:
    session = open_session()
    text_of(session, "kata-set-param policy ucb1-tuned")
    assert session.parameters == {"policy": "ucb1-tuned"}
    message = error_of(session, "kata-set-param policy 1")
    assert message == "syntax error: policy is one of rave, ucb1, ucb1-tuned, not '1'"


@pytest.mark.parametrize(
    ("line", "limits"),
    [
        ("goengine-param playouts 5", Limits(5)),
        ("goengine-param seconds 2.5", Limits(1000, 2.5)),
        ("kata-set-param maxVisits 7", Limits(7)),
        ("kata-set-param maxPlayouts 7", Limits(7)),
        ("kata-set-param maxTime 3", Limits(1000, 3)),
        ('kata-set-params {"playouts": null, "seconds": 1.5}', Limits(None, 1.5)),
        ('kata-set-params {"playouts": "none", "seconds": "1.5"}', Limits(None, 1.5)),
        ("lz-setoption name visits value 9", Limits(9)),
        ("lz-setoption NAME Playouts VALUE 9", Limits(9)),
    ],
)
def test_limits(line: str, limits: Limits) -> None:
    session = open_session()
    assert text_of(session, line) == ""
    assert session.limits == limits
    assert session.limits_for(session.game.to_play) == limits


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("goengine-param playouts none", "cannot set: a move needs a limit, playouts or seconds"),
        ("lz-setoption name visits value 0", "cannot set: a move needs a limit"),
        ("goengine-param playouts 0", "syntax error: playouts is a whole number from 1 on or none"),
        ("goengine-param playouts -3", "syntax error: playouts is a whole number from 1 on"),
        ("goengine-param playouts 1.5", "syntax error: '1.5' is not an integer"),
        ("goengine-param playouts " + "9" * 35, "syntax error: playouts is a whole number"),
        ("goengine-param seconds 0", "syntax error: seconds is a number up to 86400 or none"),
        ("goengine-param seconds nan", "syntax error: 'nan' is not a finite number"),
        ("goengine-param seconds 1e9", "syntax error: seconds is a number up to 86400 or none"),
        ("goengine-param polcy", "syntax error: no parameter 'polcy'; did you mean policy?"),
        ("goengine-param polcy rave", "syntax error: no parameter 'polcy'; did you mean policy?"),
        ("goengine-param a b c", "syntax error: usage: goengine-param [NAME] [VALUE]"),
        ("kata-get-param", "syntax error: usage: kata-get-param NAME"),
        ("kata-get-param " + "x" * 500, "syntax error: no parameter 'xxx"),
        ("kata-set-param policy", "syntax error: usage: kata-set-param NAME VALUE"),
        ("kata-set-params", "syntax error: not an object of names and values: "),
        ("kata-set-params [1]", "syntax error: not an object of names and values: "),
        ('kata-set-params {"policy": [1]}', "syntax error: not an object of names and values: "),
        ('kata-set-params {"policy": true}', "syntax error: policy is one of rave, "),
        ('kata-set-params {"ponderingEnabled": 1}', "syntax error: pondering is one of auto, on"),
        (
            "kata-set-param ponderingEnabled maybe",
            "syntax error: pondering is one of auto, on, off",
        ),
        ("goengine-param pondering x", "syntax error: pondering is one of auto, on, off, not 'x'"),
        ("lz-setoption name Pondering value 7", "syntax error: pondering is one of auto, on, off"),
        ('kata-set-params {"playouts": 5, "policy": "x"}', "syntax error: policy is one of "),
        ('kata-set-params {"playouts": 5, "x": "x"}', "syntax error: no parameter 'x'; "),
        ('kata-set-params {"playouts": ' + "[" * 10**4, "syntax error: not an object"),
        ("lz-setoption", "syntax error: usage: lz-setoption name visits|playouts value N"),
        ("lz-setoption name visits 5", "syntax error: usage: lz-setoption name visits|playouts"),
        ("lz-setoption name visits value x", "syntax error: 'x' is not an integer"),
        (
            "lz-setoption name Maximum Memory Use (MiB) value 2048",
            "unknown option 'Maximum Memory Use (MiB)': there is name visits|playouts value N",
        ),
    ],
)
def test_what_cannot_be_set_changes_nothing(line: str, message: str) -> None:
    assert error_of(open_session(), line).startswith(message)


def test_one_limit_may_go_if_the_other_stays() -> None:
    session = open_session()
    text_of(session, "goengine-param seconds 5")
    text_of(session, "goengine-param playouts none")
    assert session.limits == Limits(None, 5)
    assert text_of(session, "goengine-param playouts") == "none"
    error_of(session, "goengine-param seconds none")


def test_lists() -> None:
    session = open_session()
    names = text_of(session, "kata-list-params").split(" ")
    assert names == ["playouts", "seconds", "pondering", *(each.name for each in PARAMETERS)]
    text_of(session, "kata-set-param exploration 0.25")
    values = json.loads(text_of(session, "kata-get-params"))
    assert list(values) == names
    assert values["playouts"] == 1000
    assert values["seconds"] is None
    assert values["policy"] == "rave"
    assert values["pondering"] == "auto"
    assert values["exploration"] == 0.25
    assert text_of(session, f"kata-set-params {json.dumps(values)}") == ""
    assert json.loads(text_of(session, "kata-get-params")) == values


def test_types_for_gogui() -> None:
    lines = text_of(open_session(), "goengine-param").split("\n")
    assert lines[:4] == [
        "[string] playouts 1000",
        "[string] seconds none",
        "[list/auto/on/off] pondering auto",
        "[list/rave/ucb1/ucb1-tuned] policy rave",
    ]
    assert "[string] value_scale 0.04" in lines
    assert len(lines) == 3 + len(PARAMETERS)


@pytest.mark.parametrize(
    ("line", "pondering", "told"),
    [
        ("goengine-param pondering on", "on", "true"),
        ("goengine-param pondering off", "off", "false"),
        ("kata-set-param pondering ON", "on", "true"),
        ("kata-set-param ponderingEnabled true", "on", "true"),
        ("kata-set-param ponderingEnabled false", "off", "false"),
        ('kata-set-params {"ponderingEnabled": true}', "on", "true"),
        ('kata-set-params {"pondering": "off"}', "off", "false"),
        ("lz-setoption name Pondering value true", "on", "true"),
        ("lz-setoption name Pondering value false", "off", "false"),
        ("goengine-param seconds 1", "auto", "false"),
        ('kata-set-params {"seconds": 1, "playouts": null}', "auto", "true"),
        ("time_settings 60 0 0", "auto", "true"),
    ],
)
def test_pondering(line: str, pondering: str, told: str) -> None:
    session = open_session()
    assert text_of(session, "kata-get-param ponderingEnabled") == "false"
    assert text_of(session, line) == ""
    assert text_of(session, "goengine-param pondering") == session.pondering == pondering
    assert text_of(session, "kata-get-param ponderingEnabled") == told


def test_memory_report() -> None:
    text = text_of(open_session(), "lz-memory_report")
    assert text.startswith("Estimated total memory consumption: ")
    assert text.endswith(" MiB.")
