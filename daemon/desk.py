"""Where requests are served: each game does its errands one after the other.

Sockets are somebody else's: `receive` takes a frame, `send` gives an answer.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor

from daemon.admission import Admission
from daemon.config import Config
from daemon.doors import Caller
from daemon.games import Games
from daemon.hosted_game import Errand, HostedGame
from daemon.journal import JournalError
from daemon.kernels import Kernels
from daemon.line_runner import LineRunner
from daemon.lines import greet, interrupts, look
from daemon.logs import about, set_subject
from daemon.pondering import Ponderer
from daemon.pool import PoolFailed
from daemon.presence import Presence
from daemon.protocol import (
    Answer,
    BadMessage,
    Close,
    Code,
    End,
    Failure,
    Gtp,
    Open,
    Request,
    Settings,
    Working,
    decode_request,
)
from daemon.rights import User
from daemon.searches import Assignment, Searches, SearchFailed
from daemon.tallies import Tally
from daemon.thinking import Thinker
from goengine.gtp.replies import GtpError
from goengine.gtp.session import GtpSession, Pending
from goengine.search.orders import Purpose

MAX_QUEUE = 64  # requests that wait in one game
MOVE_GRACE = 10.0  # seconds that a search for a move outlives the client that wants it
UNLOAD_AFTER = 600.0  # seconds until a game that nobody uses is in the journal alone

_log = logging.getLogger(__name__)


class Desk:
    def __init__(
        self,
        config: Config,
        games: Games,
        presence: Presence,
        searches: Searches,
        thinker: Thinker,
        kernels: Kernels,
        executor: Executor,
        admission: Admission,
        send: Callable[[bytes, Answer], None],
    ) -> None:
        self.games = games
        self.presence = presence
        self.tally = Tally()
        self._config = config
        self._admission = admission
        self._searches = searches
        self._thinker = thinker
        self._ponderer = Ponderer(searches, kernels, config.pondering_seconds, self._is_active)
        self._runner = LineRunner(kernels, executor, send)
        self._send = send

    def configure(self, config: Config) -> None:
        """From now on; games that run keep what they began with."""
        self._config = self.games.config = self._admission.config = config
        self._ponderer.idle_seconds = config.pondering_seconds

    # --- what comes in --------------------------------------------------------

    @property
    def is_draining(self) -> bool:
        return self._admission.is_draining

    def receive(self, caller: Caller, frame: bytes | memoryview) -> None:
        """Serve one message, whatever it is."""
        route = caller.route
        try:
            request = decode_request(frame)
        except BadMessage as error:
            self._send(route, Failure(id=error.id, code=error.code, text=str(error)))
            return
        set_subject(request.game, request.client)
        refusal = self._admission.reason_against(caller, request, len(frame))
        if refusal:
            self._refuse(route, request, *refusal)
            return
        was_here = self.presence.note(request.client, caller.descriptor)
        game = self.games.find(request.game)
        try:
            if isinstance(request, Open):
                self._open(game, caller.user, Errand(request, route, time.monotonic()))
            elif game is None:
                self._refuse(route, request, "no-game", f"there is no game {request.game}")
            elif isinstance(request, Close):
                self._close(game, route, request)
            else:
                self._line(game, Errand(request, route, time.monotonic()))
        except JournalError as error:
            self._refuse(route, request, "no-room", f"the journal failed: {error}")
        if not was_here:  # it sent this and was gone before it was read
            self.client_gone(request.client)

    def client_gone(self, client: str) -> None:
        """Nobody hears any more what its games are searched for."""
        for game in self.games.all():
            game.watchers.discard(client)
            if game.owner == client:
                game.left_at = time.monotonic()
                search = self._search_in(game)
                if search and search.order.purpose is not Purpose.MOVE:
                    search.stop()
                self._ponderer.attend(game)

    def clean_up(self) -> None:
        """To be called every second or so."""
        now = time.monotonic()
        for game in self.games.all():
            if game.owner in self.presence or game.watchers:
                continue
            if now - game.left_at > MOVE_GRACE:
                self._cut_short(game)
            if game.task is not None:
                continue
            idle = now - max(game.last_used, game.left_at)
            try:
                if not game.keep and idle > self._config.orphan_seconds:
                    self.drop(game)
                elif game.session is not None and idle > UNLOAD_AFTER:
                    game.session, game.engine = None, None
                    self.games.recall_replies(game)
            except JournalError as error:
                with about(game.name):
                    _log.error("%s", error)

    def stop(self, game: HostedGame) -> bool:
        """End the search in a game, also pondering. Returns whether there was one."""
        was_pondered = self._ponderer.rest(game)
        return self._cut_short(game) or was_pondered

    def drop(self, game: HostedGame) -> None:
        """Raises JournalError, and then the game goes on."""
        self.games.drop(game)
        game.is_engine_stopped = True
        if game.task is not None:
            game.task.cancel()
        self._refuse_all(game, "the game was dropped")
        self._ponderer.attend(game)
        self._searches.forget(game.key)

    def drain(self) -> None:
        """Take no new games, and do nothing that nobody waits for."""
        self._admission.is_draining = True
        for game in self.games.all():
            self._ponderer.attend(game)

    async def finish(self, seconds: float) -> None:
        """Bring everything that is under way to its end, or break it off.

        A search for a move is not answered: its client asks again when a daemon is back.
        """
        self.drain()
        tasks = [game.task for game in self.games.all() if game.task is not None]
        tasks += self._ponderer.tasks
        for game in self.games.all():
            search = self._search_in(game)
            is_for_reply = search and search.order.purpose in (Purpose.MOVE, Purpose.VERDICT)
            if is_for_reply and game.task is not None:
                game.task.cancel()
            self._cut_short(game)
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=seconds)

    def _search_in(self, game: HostedGame) -> Assignment | None:
        """The search that one of its errands waits for."""
        search = self._searches.running.get(game.key)
        return None if search is None or search.is_pondering else search

    def _cut_short(self, game: HostedGame) -> bool:
        """End what an errand waits for. Returns whether there was anything."""
        search = self._search_in(game)
        if search:
            search.stop()
        is_engine_at_work = game.engine is not None and not game.is_engine_stopped
        game.is_engine_stopped = True
        return search is not None or is_engine_at_work

    def _is_active(self, game: HostedGame) -> bool:
        """Is it played, by somebody who is there?"""
        is_known = self.games.find(game.name) is game
        return is_known and game.owner in self.presence and not self.is_draining

    def _refuse(self, route: bytes, request: Request, code: Code, text: str) -> None:
        self._send(route, Failure(id=request.id, code=code, text=text))

    def _refuse_all(self, game: HostedGame, text: str) -> None:
        for errand in game.errands():
            self._refuse(errand.route, errand.request, "no-game", text)
        game.queue.clear()

    def _open(self, game: HostedGame | None, user: User, errand: Errand) -> None:
        request = errand.request
        assert isinstance(request, Open)
        if game is None:
            game = self.games.add(request.game, request.client, request.keep, user.name)
        elif request.watch:
            game.watchers.add(request.client)
            if game.session is not None:  # not behind what the owner wants
                self._send(errand.route, End(id=request.id))
                return
        elif request.client != game.owner and game.owner in self.presence:
            text = f"game {game.name} is another client's; it can be watched (--watch)"
            self._refuse(errand.route, request, "taken", text)
            return
        else:
            game.owner = request.client
        self._enqueue(game, errand)

    def _close(self, game: HostedGame, route: bytes, request: Close) -> None:
        if request.client == game.owner:
            self.drop(game)
        else:
            game.watchers.discard(request.client)
        self._send(route, End(id=request.id))

    def _line(self, game: HostedGame, errand: Errand) -> None:
        request = errand.request
        assert isinstance(request, Gtp)
        greeting = greet(game, request)
        if greeting is not None:
            self._send(errand.route, End(id=request.id, text=greeting))
        elif request.client != game.owner and game.session is not None:
            self._send(errand.route, End(id=request.id, text=look(game.session, request)))
        else:
            self._enqueue(game, errand)

    def _enqueue(self, game: HostedGame, errand: Errand) -> None:
        request = errand.request
        known = game.find(errand)
        if known is not None:
            known.route = errand.route
            self._send(errand.route, Working(id=request.id))
            return
        reply = game.replies.find(*errand.key)
        if reply is not None:
            self._send(errand.route, End(id=request.id, text=reply))
            return
        self._interrupt(game, errand)
        if len(game.queue) >= MAX_QUEUE:
            self._refuse(errand.route, request, "busy", f"{MAX_QUEUE} requests wait already")
            return
        game.queue.append(errand)
        if game.task is None:
            game.task = asyncio.create_task(self._serve(game))

    def _interrupt(self, game: HostedGame, errand: Errand) -> None:
        """Any line of the owner ends an analysis, and a special one any search."""
        request = errand.request
        if not isinstance(request, Gtp) or request.client != game.owner:
            return
        errand.is_interrupt = interrupts(request)
        search = self._search_in(game)
        if errand.is_interrupt:
            self._ponderer.rest(game)
            errand.is_interrupt = not self._cut_short(game)
        elif search and search.order.yields:
            search.stop()

    # --- what is done about it ------------------------------------------------

    async def _serve(self, game: HostedGame) -> None:
        try:
            while game.queue:
                game.current = errand = game.queue.popleft()
                # A clock runs from when it can be one's turn.
                errand.arrived = max(errand.arrived, game.last_used)
                set_subject(game.name, errand.request.client)
                await self._run(game, errand)
                game.last_used = time.monotonic()
                if isinstance(errand.request, Gtp):
                    self.tally.note_line(errand.request.line, game.last_used - errand.arrived)
                self._ponderer.attend(game)
        except PoolFailed as error:
            _log.error("%s", error)
        finally:
            game.current = None
            game.task = None
            game.last_used = time.monotonic()
            self._ponderer.attend(game)

    async def _run(self, game: HostedGame, errand: Errand) -> None:
        request = errand.request
        settings = request.settings if isinstance(request, Open) else Settings()
        try:
            session = game.session or await self._make_ready(game, errand, settings)
            if isinstance(request, Open):
                if request.client == game.owner:
                    self.games.apply(game, settings)
                    self.games.save(game, errand, "", must=True)
                self._send(errand.route, End(id=request.id))
            elif request.client != game.owner:
                self._send(errand.route, End(id=request.id, text=look(session, request)))
            else:
                await self._run_line(game, session, errand, request)
        except PoolFailed:
            raise  # the daemon ends; who asks again finds the next one
        except ValueError as error:
            self._give_up(game, errand, "settings", str(error))
        except JournalError as error:
            _log.error("%s", error)
            game.session = None  # what was not written did not happen
            self._give_up(game, errand, "no-room", f"the journal failed: {error}")
        except Exception:
            _log.exception("a request failed")
            self._give_up(game, errand, "internal", "internal error; see the daemon's log")

    def _give_up(self, game: HostedGame, errand: Errand, code: Code, text: str) -> None:
        """Refuse the errand; a game that could not even be made is gone, with all that waits."""
        self._refuse(errand.route, errand.request, code, text)
        if not game.saved:
            game.current = None
            self._refuse_all(game, f"there is no game {game.name}")
            self.games.discard(game)

    async def _make_ready(self, game: HostedGame, errand: Errand, settings: Settings) -> GtpSession:
        await self._runner.prepare(self.games.size_needed(game, settings), errand)
        session = self.games.make_ready(game, settings)
        self._runner.serve(session)
        return session

    async def _run_line(
        self, game: HostedGame, session: GtpSession, errand: Errand, request: Gtp
    ) -> None:
        outcome = await self._runner.start(session, errand, request)
        if isinstance(outcome, Pending):
            await self._think(game, session, errand, outcome)
        else:
            text = outcome or ""
            if session.n_forgotten != game.n_forgotten:
                self._searches.forget(game.key)  # now, or a later daemon might remember
            self.games.save(game, errand, text, must=False)
            self._send(errand.route, End(id=request.id, text=text))

    async def _think(
        self, game: HostedGame, session: GtpSession, errand: Errand, pending: Pending
    ) -> None:
        if refusal := self._reason_against_a_search(game):
            text = pending.fail(GtpError(refusal))
            self._send(errand.route, End(id=errand.request.id, text=text))
            return
        order, head = pending.order, pending.head()
        self._thinker.part(errand, head)
        await self._ponderer.end(game)
        board = session.game
        reply: str | None = None
        while reply is None:
            try:
                outcome = pending.end(await self._thinker.find(game, session, errand, pending))
            except (SearchFailed, GtpError) as error:
                outcome = pending.fail(GtpError(str(error)))
            if isinstance(outcome, Pending):
                pending = outcome
            else:
                reply = outcome
        if session.game is not board:
            spent = time.monotonic() - errand.arrived
            session.clock = session.clock.with_spent(order.color, spent)
        self.games.save(game, errand, head + reply, must=order.purpose is Purpose.MOVE)
        self._send(errand.route, End(id=errand.request.id, text=reply))

    def _reason_against_a_search(self, game: HostedGame) -> str:
        """Empty: there is none."""
        same = (other for other in self.games.all() if other.user == game.user)
        n_searches = sum(self._search_in(other) is not None for other in same)
        if n_searches < self._admission.config.user_searches:
            return ""
        return f"{game.user} has {n_searches} searches, as many as one may (user_searches)"
