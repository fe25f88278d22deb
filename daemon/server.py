"""The daemon: sockets, signals, and the loop that all of it runs in."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import fcntl
import gc
import logging
import os
import shutil
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import zmq

from daemon.activation import ActivationError, take_sockets
from daemon.admission import Admission
from daemon.checkup import Checkup
from daemon.config import Config, ConfigError
from daemon.control import ControlDesk
from daemon.desk import Desk
from daemon.estate import Estate, heir_of
from daemon.games import Games
from daemon.hosted_game import HostedGame
from daemon.journal import Journal, JournalError
from daemon.kernels import Kernels
from daemon.keyring import Key, KeyringError
from daemon.metrics_port import MetricsPort, NoMetrics
from daemon.notify import notify, take_descriptors
from daemon.pool import MEGABYTE, TICK, Pool, PoolFailed
from daemon.presence import Presence
from daemon.protocol import Answer, Failure
from daemon.reloading import reload
from daemon.rights import LOOPBACK, local_user, uid_name
from daemon.searches import Searches
from daemon.shm import NoRoom
from daemon.sockets import Sockets, find_key
from daemon.supervisor import NO_WORKERS
from daemon.tallies import Figures
from daemon.thinking import Thinker

_log = logging.getLogger(__name__)

FAREWELL = 2.0  # seconds that requests have to end when the daemon does
CHORES = 1.0  # seconds


def run_daemon(
    config: Config, lifeline: int | None = None, load: Callable[[], Config] | None = None
) -> int:
    """Serve until a signal, a control message or the end of the lifeline. Returns the exit code.

    lifeline: a descriptor whose end of file means that whoever started this is gone.
    load: reads the configuration again; raises ConfigError.
    """
    faulthandler.enable(2)  # SIGABRT, by which systemd ends a hang, leaves word of where it was
    # Until the loop has its own handlers, a signal is an exception that cleans up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(os.EX_OK))
    inherited = take_descriptors()  # sockets, and what was kept over a restart, by name
    with ThreadPoolExecutor(2) as executor, contextlib.ExitStack() as stack:
        try:
            key = find_key(config)
            sockets = take_sockets(inherited, config.address)
            # A private daemon leaves nothing behind, also when it is killed.
            heir = heir_of(config.state_directory) if lifeline is None else ""
            pool = stack.enter_context(_make_pool(config, executor, Estate(heir, inherited)))
            # After the zygote was forked, or that would hold the locks too.
            meeting_place = config.address.directory or config.state_directory
            for directory in {meeting_place, config.state_directory}:
                _prepare(directory, config)
                stack.callback(os.close, _lock(directory))
            journal = stack.enter_context(
                contextlib.closing(Journal(config.state_directory / "games.sqlite", _heir(config)))
            )
            server = _Server(config, pool, journal, executor, key, sockets)
        except (KeyringError, ActivationError) as error:
            _log.error("%s", error)
            return os.EX_CONFIG
        except NoRoom as error:
            _log.error("%s", error)
            return os.EX_OSERR
        except (OSError, JournalError) as error:
            _log.error("%s", error)
            return os.EX_CANTCREAT
        try:
            return asyncio.run(server.run(lifeline, load or (lambda: config)))
        except zmq.ZMQError as error:
            _log.error("cannot listen at %s: %s", config.listen, error)
            return os.EX_UNAVAILABLE
        except NoMetrics as error:
            _log.error("%s", error)
            return os.EX_UNAVAILABLE


def _heir(config: Config) -> str:
    """The user who has had all games until games were users'."""
    return LOOPBACK.name if config.address.is_tcp else uid_name(os.getuid())


def _make_pool(config: Config, executor: ThreadPoolExecutor, estate: Estate) -> Pool:
    """Raises NoRoom."""
    return Pool(
        config.workers,
        config.slots,
        config.slot_megabytes * MEGABYTE,
        tuple(config.warm_sizes),
        executor=executor,
        turn=config.turn_seconds,
        most_background=config.pondering_workers,
        estate=estate,
    )


def _prepare(directory: Path, config: Config) -> None:
    """Make it, for this user and perhaps a group; one that exists stays as it is.

    Raises OSError.
    """
    if directory.is_dir():
        return
    directory.mkdir(parents=True)
    if directory == config.address.directory and config.socket_permissions & 0o070:
        directory.chmod(0o750)
        if config.group:
            shutil.chown(directory, group=config.group)
    else:
        directory.chmod(0o700)


def _lock(directory: Path) -> int:
    """Have the directory for us alone, as long as the descriptor is open. Raises OSError."""
    descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise OSError(f"{directory} is in use by another daemon") from None
    return descriptor


class _Server:
    def __init__(
        self,
        config: Config,
        pool: Pool,
        journal: Journal,
        executor: ThreadPoolExecutor,
        key: Key | None,
        inherited: dict[str, int],
    ) -> None:
        self._config = config
        self._pool = pool
        self._journal = journal
        self._sockets = Sockets(
            config,
            key,
            inherited,
            lambda caller, frame: self._desk.receive(caller, frame),
            lambda caller, frame: self._noted(self._control_desk.answer(caller, frame)),
            self._lose,
        )
        self._kernels = Kernels(executor, pool.note_compiled)
        self._searches = Searches(pool, config.slot_seconds)
        games = Games(journal, config)
        self._searches.reattach(games.find_seeded)
        self._presence = Presence(self._sockets.connections)
        self._engines = ThreadPoolExecutor(4)  # which may take long, so not with the others
        thinker = Thinker(
            self._searches,
            self._presence,
            self._engines,
            self._send,
            self._publish,
            self._is_watched,
        )
        self._thinker = thinker
        self._desk = Desk(
            config,
            games,
            self._presence,
            self._searches,
            thinker,
            self._kernels,
            executor,
            Admission(config, games, self._presence, self._sockets.connections),
            self._send,
        )
        self._control_desk = ControlDesk(
            config, self._desk, pool, self._searches, self._kernels, self._end
        )
        self._metrics: MetricsPort | None = None
        self._ended = asyncio.Event()
        self._exit_code = os.EX_OK

    async def run(self, lifeline: int | None, load: Callable[[], Config]) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end)
        # A terminal that is closed says it, too, and means something else.
        on_hangup = self._end if os.isatty(0) else lambda: self._reload(load)
        loop.add_signal_handler(signal.SIGHUP, on_hangup)
        if self._config.metrics:
            await self._serve_metrics()
        self._sockets.open()
        if lifeline is not None:
            loop.add_reader(lifeline, self._end)
        for descriptor in self._pool.descriptors:
            loop.add_reader(descriptor, self._step)
        self._checkup = Checkup(
            self._pool, self._journal, self._sockets.own_address, self._control_desk.summary
        )
        gc.collect()
        gc.freeze()  # numba's many objects are here to stay
        tasks = [asyncio.create_task(self._forever(job)) for job in (self._tick, self._do_chores)]
        tasks.append(asyncio.create_task(self._look_after_health()))
        try:
            await self._ended.wait()
            _log.info("stopping")
            notify("STOPPING=1", "STATUS=stopping: searches end")
            self._sockets.close_requests()  # what comes now is for the next daemon
            await self._desk.finish(FAREWELL)  # the rest is in the journal
        finally:
            for task in tasks:
                task.cancel()
            for descriptor in self._pool.descriptors:
                loop.remove_reader(descriptor)
            self._checkup.close()
            if self._metrics is not None:
                self._metrics.close()
            self._engines.shutdown(wait=False, cancel_futures=True)
            self._sockets.close()
        return self._exit_code

    def _lose(self, descriptor: int) -> None:
        for client in self._presence.lose(descriptor):
            self._desk.client_gone(client)

    def _send(self, route: bytes, answer: Answer) -> None:
        self._sockets.send(route, self._noted(answer))

    def _noted(self, answer: Answer) -> Answer:
        if isinstance(answer, Failure):
            self._desk.tally.refused[answer.code] += 1
            _log.debug("refused: %s: %s", answer.code, answer.text)
        return answer

    def _publish(self, game: HostedGame, text: str) -> None:
        self._sockets.publish(game.user, game.name, text)

    def _is_watched(self, game: HostedGame) -> bool:
        return self._sockets.is_watched(game.user, game.name)

    async def _serve_metrics(self) -> None:
        """Raises NoMetrics."""
        from daemon.metrics import Metrics  # which most do not want, and takes its time

        self._metrics = MetricsPort(Metrics(self._figures).page)
        await self._metrics.listen(*self._config.metrics_place)
        _log.info("metrics at http://%s/metrics", self._config.metrics)

    def _figures(self) -> Figures:
        return Figures(
            self._control_desk.status(local_user(os.getuid())),
            self._desk.tally,
            self._pool.pauses,
            self._searches.n_ended,
            self._thinker.n_reaped,
            self._journal.n_errors,
        )

    # --- time -----------------------------------------------------------------

    def _step(self) -> None:
        try:
            self._pool.step(0)
            self._searches.step()
        except PoolFailed as error:
            self._fail(error)

    async def _forever(self, job: Callable[[], Awaitable[None]]) -> None:
        """No chore that fails may end the daemon."""
        while True:
            try:
                await job()
            except Exception:
                _log.exception("a chore failed")

    async def _tick(self) -> None:
        await asyncio.sleep(TICK)
        self._step()

    async def _do_chores(self) -> None:
        await asyncio.sleep(CHORES)
        self._control_desk.count()
        self._desk.clean_up()
        self._sockets.end_outdated()
        if self._desk.is_draining and not len(self._desk.presence):
            self._end()

    async def _look_after_health(self) -> None:
        await self._checkup.wait_for_workers()
        places = " and ".join(address.text for address in self._config.addresses)
        _log.info("ready at %s: %d workers", places, self._config.workers)
        await self._forever(self._checkup.look)

    def _reload(self, load: Callable[[], Config]) -> None:
        notify("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")
        try:
            news = reload(self._config, load())
        except ConfigError as error:
            _log.error("nothing is changed: %s", error)
        else:
            self._apply(news.config)
            for change in news.changed:
                _log.info("changed %s", change)
            for change in news.waiting:
                _log.warning("only a restart changes %s", change)
        if self._checkup.is_ready:
            notify("READY=1")

    def _apply(self, config: Config) -> None:
        """Have what can change in a running daemon as the configuration says."""
        self._config = config
        self._desk.configure(config)
        self._control_desk.config = config
        self._sockets.configure(config)
        self._searches.table.turn = config.slot_seconds
        self._pool.configure(config.turn_seconds, config.pondering_workers)
        logging.getLogger().setLevel(config.log_level.upper())

    def _end(self) -> None:
        self._ended.set()

    def _fail(self, error: PoolFailed) -> None:
        """A daemon that never had workers need not be started again: it would be the same."""
        _log.critical("%s", error)
        is_hopeless = str(error) == NO_WORKERS and not self._checkup.is_ready
        self._exit_code = os.EX_UNAVAILABLE if is_hopeless else os.EX_SOFTWARE
        self._end()
