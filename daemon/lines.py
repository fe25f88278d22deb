"""Lines that are not simply run in their game: interrupts, greetings, and those of watchers."""

from __future__ import annotations

import copy

from daemon.hosted_game import HostedGame
from daemon.protocol import Gtp, Open
from goengine.gtp.replies import format_failure
from goengine.gtp.session import GtpSession, MustWait, Pending
from goengine.gtp.snapshot import save_session
from goengine.gtp_line import parse_line
from goengine.search.orders import Purpose

_BOARD_FREE = {"protocol_version", "name", "version", "known_command", "list_commands"}


def interrupts(request: Gtp) -> bool:
    """Does the line end any search, even one for a move?"""
    words = request.line.replace("#", "# ", 1).lower().split()
    return words == ["#", "interrupt"]


def greet(game: HostedGame, request: Gtp) -> str | None:
    """The reply in a game that is still being made, where it needs no board.

    None where it does, or something else is to be answered first.
    """
    opening = game.current or (game.queue[0] if game.queue else None)
    is_next = not game.queue or (len(game.queue) == 1 and game.queue[0] is opening)
    if game.saved or not is_next or opening is None or not isinstance(opening.request, Open):
        return None
    parsed = parse_line(request.line)
    if game.size or parsed is None or parsed.command not in _BOARD_FREE:
        return None
    session = GtpSession()
    session.name = opening.request.settings.name or session.name
    session.version = opening.request.settings.version or session.version
    return session.run_line(request.line)


def look(session: GtpSession, request: Gtp) -> str:
    """The reply to one who only watches: the line runs on a copy, which must not change."""
    parsed = parse_line(request.line)
    if parsed is None:
        return ""
    view = copy.copy(session)  # commands replace values, but for collections
    view.parameters, view.engine_colors = dict(view.parameters), set(view.engine_colors)
    try:
        outcome = view.start_line(request.line)
    except MustWait:
        outcome = None
    if isinstance(outcome, str) and save_session(view) == save_session(session):
        return outcome
    if isinstance(outcome, Pending) and outcome.order.purpose is Purpose.VERDICT:
        return format_failure(parsed.id, "not known yet: only the owner can have it searched")
    return format_failure(parsed.id, "read-only: you watch this game and cannot change it")
