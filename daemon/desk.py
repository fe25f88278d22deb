"""Where requests are served: each game does its errands one after the other.

Sockets are somebody else's: `receive` takes a frame, `send` gives an answer.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor

from daemon.config import Config
from daemon.games import Errand, Games, HostedGame
from daemon.journal import JournalError
from daemon.kernels import Kernels
from daemon.lines import greet, interrupts, look
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
    Part,
    Request,
    Settings,
    Working,
    decode_request,
)
from daemon.searches import Assignment, Listener, Searches, SearchFailed
from goengine.gtp.replies import GtpError
from goengine.gtp.reporting import format_choice, format_frame, format_move
from goengine.gtp.session import GtpSession, MustWait, Pending
from goengine.points import format_vertex
from goengine.search.orders import Found, Order, Purpose
from goengine.search.reading import SearchReading

MAX_QUEUE = 64  # requests that wait in one game
FRAME_INTERVAL = 0.25  # seconds between two frames about a search
MOVE_GRACE = 10.0  # seconds that a search for a move outlives the client that wants it
UNLOAD_AFTER = 600.0  # seconds until a game that nobody uses is in the journal alone

_log = logging.getLogger(__name__)


class _NotReady(MustWait):
    def __init__(self, size: int) -> None:
        self.size = size


class Desk:
    def __init__(
        self,
        config: Config,
        games: Games,
        searches: Searches,
        kernels: Kernels,
        executor: Executor,
        send: Callable[[bytes, Answer], None],
        publish: Callable[[str, str], None],
        is_watched: Callable[[str], bool],
    ) -> None:
        """publish: tell whoever watches a game, if anybody does."""
        self.games = games
        self.presence = Presence()
        self.is_draining = False
        self._config = config
        self._searches = searches
        self._kernels = kernels
        self._executor = executor
        self._send = send
        self._publish = publish
        self._is_watched = is_watched

    # --- what comes in --------------------------------------------------------

    def receive(self, route: bytes, descriptor: int, frame: bytes | memoryview) -> None:
        """Serve one message, whatever it is."""
        try:
            request = decode_request(frame)
        except BadMessage as error:
            self._send(route, Failure(id=error.id, code=error.code, text=str(error)))
            return
        is_new = request.client not in self.presence
        if is_new and len(self.presence) >= self._config.max_clients:
            self._refuse(route, request, "no-room", "the daemon has all the clients it can serve")
            return
        self.presence.note(request.client, route, descriptor)
        game = self.games.find(request.game)
        if isinstance(request, Gtp) and game is not None and request.client == game.owner:
            self._interrupt(game, request)
        if isinstance(request, Open):
            self._open(game, Errand(request, route, time.monotonic()))
        elif game is None:
            self._refuse(route, request, "no-game", f"there is no game {request.game}")
        elif isinstance(request, Close):
            self._close(game, route, request)
        else:
            self._line(game, Errand(request, route, time.monotonic()))

    def client_gone(self, client: str) -> None:
        """Nobody hears any more what its games are searched for."""
        for game in self.games.all():
            game.watchers.discard(client)
            search = self._searches.running.get(game.name)
            if game.owner == client:
                game.left_at = time.monotonic()
                if search and search.order.purpose is not Purpose.MOVE:
                    search.stop()

    def clean_up(self) -> None:
        """To be called every second or so."""
        now = time.monotonic()
        for game in self.games.all():
            if game.owner in self.presence or game.watchers:
                continue
            if now - game.left_at > MOVE_GRACE:
                self.stop(game)
            if game.task is not None:
                continue
            idle = now - max(game.last_used, game.left_at)
            if not game.keep and idle > self._config.orphan_seconds:
                self._forget(game)
            elif game.session is not None and idle > UNLOAD_AFTER:
                game.session, game.engine = None, None
                self.games.recall_replies(game)

    def stop(self, game: HostedGame) -> bool:
        """End the search in a game. Returns whether there was one."""
        search = self._searches.running.get(game.name)
        if search:
            search.stop()
        return search is not None

    def drop(self, game: HostedGame) -> None:
        """Raises JournalError."""
        if game.task is not None:
            game.task.cancel()
        for errand in game.errands():
            self._refuse(errand.route, errand.request, "no-game", "the game was dropped")
        game.queue.clear()
        self._forget(game)

    def _forget(self, game: HostedGame) -> None:
        self.games.drop(game)
        self._searches.forget(game.name)

    def _refuse(self, route: bytes, request: Request, code: Code, text: str) -> None:
        self._send(route, Failure(id=request.id, code=code, text=text))

    def _open(self, game: HostedGame | None, errand: Errand) -> None:
        request = errand.request
        assert isinstance(request, Open)
        if game is None:
            refusal = self._reason_against_a_game(request)
            if refusal:
                self._refuse(errand.route, request, *refusal)
                return
            game = self.games.add(request.game, request.client, request.keep)
        elif request.watch:
            game.watchers.add(request.client)
        elif request.client != game.owner and game.owner in self.presence:
            text = f"game {game.name} is another client's; it can be watched (--watch)"
            self._refuse(errand.route, request, "taken", text)
            return
        else:
            game.owner = request.client
        self._enqueue(game, errand)

    def _reason_against_a_game(self, request: Open) -> tuple[Code, str] | None:
        if request.watch:
            return "no-game", f"there is no game {request.game} to watch"
        if self.is_draining:
            return "leaving", "the daemon is about to end and takes no new games"
        if len(self.games) >= self._config.max_games:
            return "no-room", f"the daemon keeps {len(self.games)} games, as many as it may"
        return None

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

    def _interrupt(self, game: HostedGame, request: Gtp) -> None:
        """Any line ends an analysis, but for one that asks again for what is under way."""
        search = self._searches.running.get(game.name)
        if search is None or game.has(request):
            return
        if search.order.yields or interrupts(request):
            search.stop()

    def _enqueue(self, game: HostedGame, errand: Errand) -> None:
        request = errand.request
        if game.reroute(errand):
            self._send(errand.route, Working(id=request.id))
            return
        known = game.replies.get((request.client, request.id))
        if known is not None:
            self._send(errand.route, End(id=request.id, text=known))
            return
        if len(game.queue) >= MAX_QUEUE:
            self._refuse(errand.route, request, "busy", f"{MAX_QUEUE} requests wait already")
            return
        game.queue.append(errand)
        if game.task is None:
            game.task = asyncio.create_task(self._serve(game))

    # --- what is done about it ------------------------------------------------

    async def _serve(self, game: HostedGame) -> None:
        try:
            while game.queue:
                game.current = game.queue.popleft()
                game.last_used = time.monotonic()
                await self._run(game, game.current)
        finally:
            game.current = None
            game.task = None
            game.last_used = time.monotonic()

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
        except ValueError as error:
            self._refuse(errand.route, request, "settings", str(error))
            if not game.saved:
                self.games.discard(game)
        except JournalError as error:
            _log.error("game %s: %s", game.name, error)
            game.session = None  # what was not written did not happen
            if not game.saved:
                self.games.discard(game)
            self._refuse(errand.route, request, "no-room", f"the journal failed: {error}")
        except Exception:
            _log.exception("game %s: a request failed", game.name)
            self._refuse(errand.route, request, "internal", "internal error; see the daemon's log")

    async def _make_ready(self, game: HostedGame, errand: Errand, settings: Settings) -> GtpSession:
        await self._wait_for_kernels(self.games.size_needed(game, settings), errand)
        session = self.games.make_ready(game, settings)
        session.before_board = self._check_kernels
        return session

    def _check_kernels(self, size: int) -> None:
        if not self._kernels.is_ready(size):
            raise _NotReady(size)

    async def _wait_for_kernels(self, size: int, errand: Errand) -> None:
        if self._kernels.must_compile(size):
            text = f"compiling kernels for {size}x{size} (once; they are kept) ...\n"
            self._send(errand.route, Part(id=errand.request.id, stream="notice", text=text))
        await self._kernels.prepare(size)

    async def _run_line(
        self, game: HostedGame, session: GtpSession, errand: Errand, request: Gtp
    ) -> None:
        file = None if request.file is None else request.file.encode()
        while True:
            try:
                outcome = session.start_line(request.line, file)
                break
            except _NotReady as missing:
                await self._wait_for_kernels(missing.size, errand)
        if isinstance(outcome, Pending):
            await self._think(game, session, errand, outcome)
        else:
            text = outcome or ""
            self.games.save(game, errand, text, must=False)
            self._send(errand.route, End(id=request.id, text=text))

    async def _think(
        self, game: HostedGame, session: GtpSession, errand: Errand, pending: Pending
    ) -> None:
        order, head = pending.order, pending.head()
        self._part(errand, head)
        board = session.game
        try:
            if game.engine is None:
                found = await self._search(game, session, errand, pending)
            else:
                found = await self._ask_engine(game, session, errand, pending.order)
            text = pending.end(found)
        except (SearchFailed, GtpError) as error:
            text = pending.fail(GtpError(str(error)))
        if session.game is not board:
            spent = time.monotonic() - errand.arrived
            session.clock = session.clock.with_spent(order.color, spent)
        self.games.save(game, errand, head + text, must=order.purpose is Purpose.MOVE)
        self._send(errand.route, End(id=errand.request.id, text=text))

    async def _search(
        self, game: HostedGame, session: GtpSession, errand: Errand, pending: Pending
    ) -> Found:
        assignment = Assignment(
            name=game.name,
            game=session.game,
            order=pending.order,
            parameters=session.parameters,
            started=errand.arrived,
            seed=game.seed,
            n_before=game.n_searches,
            must_forget=game.n_forgotten != session.n_forgotten,
        )
        if game.workers is not None:
            assignment.most = game.workers
        if pending.order.yields and game.queue:
            assignment.stop()  # what ends it has come already

        def tell(reading: SearchReading) -> None:
            self._part(errand, pending.part(reading))

        def report(reading: SearchReading) -> None:
            self._report(game, session, errand, format_frame(reading, assignment.progress))

        def is_reported() -> bool:
            return session.report_format == "json" or self._is_watched(game.name)

        assignment.listeners.append(Listener(FRAME_INTERVAL, report, is_reported))
        if pending.order.report:
            assignment.listeners.append(Listener(pending.order.interval, tell))
        found = await self._searches.run(assignment)
        game.n_searches += 1
        game.n_forgotten = session.n_forgotten
        if found.reading is not None and is_reported():
            choice = format_vertex(found.move, session.game.size)
            self._report(game, session, errand, format_move(found.reading, choice))
        return found

    def _report(self, game: HostedGame, session: GtpSession, errand: Errand, text: str) -> None:
        self._publish(game.name, text)
        if session.report_format == "json":
            part = Part(id=errand.request.id, stream="report", text=f"{text}\n")
            self._send(errand.route, part)

    async def _ask_engine(
        self, game: HostedGame, session: GtpSession, errand: Errand, order: Order
    ) -> Found:
        engine = game.engine
        assert engine is not None
        if order.purpose is not Purpose.MOVE:
            raise GtpError("cannot analyse: only the engine mcts can")
        found = await asyncio.get_running_loop().run_in_executor(
            self._executor, engine.find, session.game, order, session.parameters
        )
        choice = format_vertex(found.move, session.game.size)
        self._report(game, session, errand, format_choice(choice, engine.win_rate))
        return found

    def _part(self, errand: Errand, text: str) -> None:
        if text:
            self._send(errand.route, Part(id=errand.request.id, text=text))
