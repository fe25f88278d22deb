"""Commands that read and change how moves are sought.

playouts, seconds   the limits of a move: a number or `none`, but not none of both
pondering           `on`, `off`, or `auto`: where moves are limited by time alone
the others          parameters of the search
"""

from __future__ import annotations

import resource
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from goengine.gtp.parsing import parse_integer, parse_number
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError, quote
from goengine.search.orders import Limits
from goengine.search.parameters import PARAMETERS, Parameter, find_parameter

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession

NONE = "none"

_LIMITS = ("playouts", "seconds")
_PONDERING = "pondering"
_WORDS_FOR_PONDERING = ("auto", "on", "off")
_SWITCHES = {"true": "on", "false": "off"}  # as others say it
_MOST_PLAYOUTS = 10**12
_MOST_SECONDS = 86_400
_LONGEST_TEXT = 40
_JsonValue = bool | str | int | float | None
_KATA_PONDERING = "ponderingEnabled"
_KATA_NAMES = {
    "maxVisits": "playouts",
    "maxPlayouts": "playouts",
    "maxTime": "seconds",
    _KATA_PONDERING: _PONDERING,
}


@command("goengine-param")
def goengine_param(session: GtpSession, name: str = "", value: str = "") -> str | None:
    """Set a parameter, tell its value, or list all of them with their types for GoGui."""
    if not name:
        return "\n".join(_format_typed(session, each) for each in _names())
    if not value:
        return _get(session, name)
    _set_all(session, {name: value})
    return None


@command("kata-list-params")
def kata_list_params(session: GtpSession) -> str:
    return " ".join(_names())


@command("kata-get-param")
def kata_get_param(session: GtpSession, name: str) -> str:
    if name == _KATA_PONDERING:
        return "true" if session.ponders(session.game.to_play) else "false"
    return _get(session, _KATA_NAMES.get(name, name))


@command("kata-get-params")
def kata_get_params(session: GtpSession) -> str:
    """One JSON object; a limit that there is not is null."""
    return msgspec.json.encode({name: _plain(session, name) for name in _names()}).decode()


@command("kata-set-param")
def kata_set_param(session: GtpSession, name: str, value: str) -> None:
    _set_all(session, {_KATA_NAMES.get(name, name): value})


@command("kata-set-params")
def kata_set_params(session: GtpSession, *json: str) -> None:
    """Takes an object as `kata-get-params` gives it, with any of the names; all or none is set."""
    try:
        values = msgspec.json.decode(" ".join(json), type=dict[str, _JsonValue])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise GtpError(f"syntax error: not an object of names and values: {error}") from None
    _set_all(
        session,
        {
            _KATA_NAMES.get(name, name): NONE if value is None else str(value)
            for name, value in values.items()
        },
    )


@command("lz-setoption")
def lz_setoption(session: GtpSession, *words: str) -> None:
    """name visits value N, name playouts value N: the playouts of a move; 0 is no limit.

    name pondering value true, or false.
    """
    form = "name visits|playouts value N, name pondering value true|false"
    if len(words) < 4 or words[0].lower() != "name" or words[-2].lower() != "value":
        raise GtpError(f"syntax error: usage: lz-setoption {form}")
    name, value = " ".join(words[1:-2]), words[-1]
    if name.lower() == _PONDERING:
        _set_all(session, {_PONDERING: value})
    elif name.lower() in ("visits", "playouts"):
        _set_all(session, {"playouts": NONE if value == "0" else value})
    else:
        raise GtpError(f"unknown option {quote(name)}: there is {form}")


@command("lz-memory_report")
def lz_memory_report(session: GtpSession) -> str:
    """What this process has held at most; in Leela Zero's words, which GUIs look for."""
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"Estimated total memory consumption: {megabytes} MiB."


def _names() -> tuple[str, ...]:
    return (*_LIMITS, _PONDERING, *(parameter.name for parameter in PARAMETERS))


def _get(session: GtpSession, name: str) -> str:
    if name in _LIMITS:
        limit = getattr(session.limits, name)
        return NONE if limit is None else f"{limit:.12g}"
    if name == _PONDERING:
        return session.pondering
    parameter = _find(name)
    default = parameter.format(parameter.default_for(session.game.size))
    return session.parameters.get(name, default)


def _plain(session: GtpSession, name: str) -> str | float | None:
    text = _get(session, name)
    if not _words_for(name):
        return None if text == NONE else msgspec.json.decode(text, type=int | float)
    return text


def _format_typed(session: GtpSession, name: str) -> str:
    words = _words_for(name)
    kind = "/".join(["list", *words]) if words else "string"
    return f"[{kind}] {name} {_get(session, name)}"


def _words_for(name: str) -> tuple[str, ...]:
    """The values that it can have; none for a number."""
    if name == _PONDERING:
        return _WORDS_FOR_PONDERING
    return () if name in _LIMITS else _find(name).words


def _set_all(session: GtpSession, changes: Mapping[str, str]) -> None:
    """All or, if one of them cannot be, none. Raises GtpError."""
    limits, parameters = session.limits, dict(session.parameters)
    pondering = session.pondering
    for name, text in changes.items():
        if len(text) > _LONGEST_TEXT:
            raise GtpError(f"syntax error: {quote(text)} is no value of a parameter")
        if name == "playouts":
            limits = limits._replace(playouts=parse_playouts(text))
        elif name == "seconds":
            limits = limits._replace(seconds=parse_seconds(text))
        elif name == _PONDERING:
            pondering = _parse_pondering(text)
        else:
            parameters[name] = _parse_value(_find(name), text)
    if limits != session.limits and limits == Limits():
        raise GtpError("cannot set: a move needs a limit, playouts or seconds")
    session.limits, session.parameters = limits, parameters
    session.pondering = pondering


def _find(name: str) -> Parameter:
    if len(name) > _LONGEST_TEXT:
        raise GtpError(f"syntax error: no parameter {quote(name)}")
    try:
        return find_parameter(name)
    except ValueError as error:
        others = ", ".join((*_LIMITS, _PONDERING))
        raise GtpError(f"syntax error: {error}; beside them {others}") from None


def _parse_value(parameter: Parameter, text: str) -> str:
    try:
        return parameter.format(parameter.parse(text))
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from None


def _parse_pondering(text: str) -> str:
    word = _SWITCHES.get(text.lower(), text.lower())
    if word not in _WORDS_FOR_PONDERING:
        words = ", ".join(_WORDS_FOR_PONDERING)
        raise GtpError(f"syntax error: pondering is one of {words}, not {quote(text)}")
    return word


def parse_playouts(text: str) -> int | None:
    """A limit; None for the word none. Raises GtpError."""
    if text.lower() == NONE:
        return None
    playouts = parse_integer(text)
    if not 1 <= playouts <= _MOST_PLAYOUTS:
        raise GtpError(f"syntax error: playouts is a whole number from 1 on or {NONE}, not {text}")
    return playouts


def parse_seconds(text: str) -> float | None:
    """A limit; None for the word none. Raises GtpError."""
    if text.lower() == NONE:
        return None
    seconds = parse_number(text)
    if not 0 < seconds <= _MOST_SECONDS:
        raise GtpError(f"syntax error: seconds is a number up to {_MOST_SECONDS} or {NONE}")
    return seconds
