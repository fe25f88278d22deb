"""Has orders carried out: by the daemon's own search, or by the game's engine."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor

from daemon.hosted_game import Errand, HostedGame
from daemon.presence import Presence
from daemon.protocol import Answer, Part
from daemon.searches import Assignment, Listener, Searches
from goengine.gtp.replies import GtpError
from goengine.gtp.reporting import format_choice, format_frame, format_move
from goengine.gtp.session import GtpSession, Pending
from goengine.points import format_vertex
from goengine.search.orders import Found, Order, Pondered, Purpose
from goengine.search.reading import SearchReading

FRAME_INTERVAL = 0.25  # seconds between two frames about a search

_log = logging.getLogger(__name__)


class EngineStopped(Exception):
    """Out of an engine that shall not go on."""


def assign(game: HostedGame, session: GtpSession, order: Order, started: float) -> Assignment:
    """The search that the order wants, as the game is now."""
    return Assignment(
        key=game.key,
        game=order.game or session.game,
        order=order,
        parameters={**session.parameters, **order.parameters},
        started=started,
        seed=game.seed,
        n_before=game.n_searches,
        must_forget=game.n_forgotten != session.n_forgotten,
        most=game.most_workers,
    )


def _reap(game: HostedGame, assignment: Assignment) -> Pondered | None:
    """What pondering did for a search."""
    if game.harvest is None:
        return None
    pondered = game.harvest.used_by(assignment.game.moves, assignment.n_kept)
    if assignment.n_kept == 0:
        game.harvest = None  # it was in a tree that is no more
    return pondered


def _log_move(choice: str, reading: SearchReading, pondered: Pondered | None) -> None:
    counts = f"{reading.simulations:,} playouts and {reading.kept:,} kept"
    if pondered is not None:
        counts += f", {pondered.n_used:,} of them pondered"
    _log.info("%s, %s", choice, counts)


class Thinker:
    def __init__(
        self,
        searches: Searches,
        presence: Presence,
        executor: Executor,
        send: Callable[[bytes, Answer], None],
        publish: Callable[[HostedGame, str], None],
        is_watched: Callable[[HostedGame], bool],
    ) -> None:
        """publish: tell whoever watches a game, if anybody does."""
        self._searches = searches
        self._presence = presence
        self._executor = executor
        self._send = send
        self._publish = publish
        self._is_watched = is_watched
        self.n_reaped = 0  # playouts of pondering that searches have used

    async def find(
        self, game: HostedGame, session: GtpSession, errand: Errand, pending: Pending
    ) -> Found:
        """What the command has ordered. Raises SearchFailed and GtpError."""
        if game.engine is None or pending.order.purpose is Purpose.VERDICT:
            return await self._search(game, session, errand, pending)
        return await self._ask_engine(game, session, errand, pending.order)

    def part(self, errand: Errand, text: str) -> None:
        if text:
            self._send(errand.route, Part(id=errand.request.id, text=text))

    async def _search(
        self, game: HostedGame, session: GtpSession, errand: Errand, pending: Pending
    ) -> Found:
        is_verdict = pending.order.purpose is Purpose.VERDICT
        started = time.monotonic() if is_verdict else errand.arrived
        assignment = assign(game, session, pending.order, started)
        if self._is_over_already(game, pending.order):
            assignment.stop()

        def tell(reading: SearchReading) -> None:
            self.part(errand, pending.part(reading))

        def report(reading: SearchReading) -> None:
            self._report(game, session, errand, format_frame(reading, assignment.progress))

        def is_reported() -> bool:
            return session.report_format == "json" or self._is_watched(game)

        if not is_verdict:
            assignment.listeners.append(Listener(FRAME_INTERVAL, report, is_reported))
        if pending.order.report:
            assignment.listeners.append(Listener(pending.order.interval, tell))
        found = await self._searches.run(assignment)
        game.n_searches += 1
        game.n_forgotten = session.n_forgotten
        if is_verdict:
            return found  # nobody's move, and in a tree of its own
        found = found._replace(pondered=_reap(game, assignment))
        self.n_reaped += found.pondered.n_used if found.pondered else 0
        if found.reading is not None:
            choice = format_vertex(found.move, session.game.size)
            if pending.order.purpose is Purpose.MOVE:
                _log_move(choice, found.reading, found.pondered)
            if is_reported():
                text = format_move(found.reading, choice, found.pondered)
                self._report(game, session, errand, text)
        return found

    def _is_over_already(self, game: HostedGame, order: Order) -> bool:
        """Has what ends the search come before it could begin?"""
        waiting = game.owners_lines
        interrupt = next((errand for errand in waiting if errand.is_interrupt), None)
        if interrupt is not None:
            interrupt.is_interrupt = False
            return True
        is_anybody_there = game.owner in self._presence
        return order.yields and (bool(waiting) or not is_anybody_there)

    async def _ask_engine(
        self, game: HostedGame, session: GtpSession, errand: Errand, order: Order
    ) -> Found:
        engine = game.engine
        assert engine is not None
        if order.purpose is not Purpose.MOVE:
            raise GtpError("cannot analyse: only the engine mcts can")
        game.is_engine_stopped = False

        def check(_: float) -> None:
            if game.is_engine_stopped:
                raise EngineStopped

        engine.on_progress = check
        try:
            found = await asyncio.get_running_loop().run_in_executor(
                self._executor, engine.find, session.game, order, session.parameters
            )
        except EngineStopped:
            raise GtpError(f"stopped: {game.engine_name} has no move before its end") from None
        finally:
            game.is_engine_stopped = True  # if nobody waits for it any more
        choice = format_vertex(found.move, session.game.size)
        self._report(game, session, errand, format_choice(choice, engine.win_rate))
        return found

    def _report(self, game: HostedGame, session: GtpSession, errand: Errand, text: str) -> None:
        self._publish(game, text)
        if session.report_format == "json":
            part = Part(id=errand.request.id, stream="report", text=f"{text}\n")
            self._send(errand.route, part)
