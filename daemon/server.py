"""The daemon: sockets, signals, and the loop that all of it runs in."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import fcntl
import gc
import logging
import os
import re
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import zmq
from zmq.utils.monitor import parse_monitor_message

from daemon import protocol
from daemon.activation import ActivationError, take_sockets
from daemon.addresses import SOCKETS
from daemon.checkup import Checkup
from daemon.config import Config, ConfigError
from daemon.control import ControlDesk
from daemon.desk import Desk
from daemon.games import Games
from daemon.journal import Journal, JournalError
from daemon.kernels import Kernels
from daemon.metrics_port import MetricsPort, NoMetrics
from daemon.notify import notify, take_descriptors
from daemon.pool import MEGABYTE, TICK, Pool, PoolFailed
from daemon.ports import Port
from daemon.presence import Presence
from daemon.protocol import Answer, Failure, encode
from daemon.reloading import reload
from daemon.searches import Searches
from daemon.shm import NoRoom
from daemon.tallies import Figures
from daemon.thinking import Thinker

_log = logging.getLogger(__name__)

HEARTBEAT = 500  # ms
HEARTBEAT_TIMEOUT = 1500  # ms until a client that does not answer is gone
SEND_QUEUE = 1000  # answers that wait for a client; what comes after them is lost
FAREWELL = 2.0  # seconds that requests have to end when the daemon does
CHORES = 1.0  # seconds
MAX_TOPICS = 10_000  # that are subscribed to at a time
_TOPIC = re.compile(rb"analysis\.[A-Za-z0-9._-]{0,64}")


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
            sockets = take_sockets(inherited, config.address)
            pool = stack.enter_context(_make_pool(config, executor))
            # After the zygote was forked, or that would hold the locks too.
            meeting_place = config.address.directory or config.state_directory
            for directory in {meeting_place, config.state_directory}:
                _prepare(directory, config)
                stack.callback(os.close, _lock(directory))
            journal = stack.enter_context(
                contextlib.closing(Journal(config.state_directory / "games.sqlite"))
            )
            server = _Server(config, pool, journal, executor, sockets)
        except ActivationError as error:
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


def _make_pool(config: Config, executor: ThreadPoolExecutor) -> Pool:
    """Raises NoRoom."""
    return Pool(
        config.workers,
        config.slots,
        config.slot_megabytes * MEGABYTE,
        tuple(config.warm_sizes),
        executor=executor,
        turn=config.turn_seconds,
        most_background=config.pondering_workers,
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
        inherited: dict[str, int],
    ) -> None:
        self._config = config
        self._pool = pool
        self._journal = journal
        self._inherited = inherited  # descriptors of sockets
        self._context = zmq.Context()
        self._context.set(zmq.MAX_SOCKETS, 8 * 1024)
        self._requests = self._socket(zmq.ROUTER)
        self._control = self._socket(zmq.ROUTER)
        self._analysis = self._socket(zmq.XPUB)
        self._analysis.setsockopt(zmq.XPUB_MANUAL, 1)
        self._topics: Counter[bytes] = Counter()  # subscriptions
        self._monitor = self._requests.get_monitor_socket(
            zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED
        )
        self._kernels = Kernels(executor, pool.note_compiled)
        self._searches = Searches(pool, config.slot_seconds)
        self._presence = Presence()
        self._engines = ThreadPoolExecutor(4)  # which may take long, so not with the others
        thinker = Thinker(
            self._searches,
            self._presence,
            self._engines,
            self._send,
            self._publish,
            self._is_watched,
        )
        self._thinker, self._journal = thinker, journal
        self._desk = Desk(
            config,
            Games(journal, config),
            self._presence,
            self._searches,
            thinker,
            self._kernels,
            executor,
            self._send,
        )
        self._control_desk = ControlDesk(self._desk, pool, self._searches, self._kernels, self._end)
        self._metrics: MetricsPort | None = None
        self._ports: dict[Any, Port] = {}  # by socket
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
        self._bind()
        if lifeline is not None:
            loop.add_reader(lifeline, self._end)
        for descriptor in self._pool.descriptors:
            loop.add_reader(descriptor, self._step)
        for socket, receive in (
            (self._monitor, self._take_event),
            (self._control, self._take_control),
            (self._analysis, self._take_subscription),
            (self._requests, self._take_request),
        ):
            self._ports[socket] = Port(socket, receive)
        self._checkup = Checkup(
            self._pool, self._journal, self._config.address, self._control_desk.summary
        )
        gc.collect()
        gc.freeze()  # numba's many objects are here to stay
        tasks = [asyncio.create_task(self._forever(job)) for job in (self._tick, self._do_chores)]
        tasks.append(asyncio.create_task(self._look_after_health()))
        try:
            await self._ended.wait()
            _log.info("stopping")
            notify("STOPPING=1", "STATUS=stopping: searches end")
            self._ports[self._requests].close()  # what comes now is for the next daemon
            await self._desk.finish(FAREWELL)  # the rest is in the journal
        finally:
            for task in tasks:
                task.cancel()
            for descriptor in self._pool.descriptors:
                loop.remove_reader(descriptor)
            self._checkup.close()
            for port in self._ports.values():
                port.close()
            if self._metrics is not None:
                self._metrics.close()
            self._engines.shutdown(wait=False, cancel_futures=True)
            self._close()
        return self._exit_code

    # --- sockets --------------------------------------------------------------

    def _socket(self, kind: int) -> Any:
        socket = self._context.socket(kind)
        socket.setsockopt(zmq.LINGER, 500)
        socket.setsockopt(zmq.SNDHWM, SEND_QUEUE)
        socket.setsockopt(zmq.MAXMSGSIZE, protocol.MAX_BYTES)
        socket.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT)
        socket.setsockopt(zmq.HANDSHAKE_IVL, 5000)
        socket.setsockopt(zmq.IPV6, 1)
        return socket

    def _bind(self) -> None:
        """To what was inherited from systemd, or else to new sockets. Raises ZMQError."""
        address = self._config.address
        sockets = {
            "control": self._control,
            "analysis": self._analysis,
            "requests": self._requests,  # last: who finds it finds all three
        }
        previous = os.umask(0o777 & ~self._config.socket_permissions)
        try:
            for name, socket in sockets.items():
                socket.setsockopt(zmq.USE_FD, self._inherited.get(name, -1))
                socket.bind(getattr(address, name))
        finally:
            os.umask(previous)

    async def _serve_metrics(self) -> None:
        """Raises NoMetrics."""
        from daemon.metrics import Metrics  # which most do not want, and takes its time

        self._metrics = MetricsPort(Metrics(self._figures).page)
        await self._metrics.listen(*self._config.metrics_place)
        _log.info("metrics at http://%s/metrics", self._config.metrics)

    def _figures(self) -> Figures:
        return Figures(
            self._control_desk.status(),
            self._desk.tally,
            self._pool.pauses,
            self._searches.n_ended,
            self._thinker.n_reaped,
            self._journal.n_errors,
        )

    def _close(self) -> None:
        self._requests.disable_monitor()
        self._context.destroy(linger=500)
        directory = self._config.address.directory
        if directory is not None and not self._inherited:
            for name in SOCKETS:
                (directory / name).unlink(missing_ok=True)

    def _take_request(self, frames: list[zmq.Frame]) -> None:
        self._ports[self._monitor].drain()  # or a new connection would be taken for a closed one
        if len(frames) == 2:
            descriptor = frames[1].get(zmq.SRCFD)
            self._desk.receive(frames[0].bytes, int(descriptor), frames[1].buffer)

    def _take_control(self, frames: list[zmq.Frame]) -> None:
        if len(frames) == 2:
            answer = self._control_desk.answer(frames[1].buffer)
            self._note(answer)
            self._ports[self._control].send(frames[0].bytes, encode(answer))

    def _take_subscription(self, frames: list[zmq.Frame]) -> None:
        """Topics that this daemon never has are not remembered."""
        verb, topic = frames[0].bytes[:1], frames[0].bytes[1:]
        if not _TOPIC.fullmatch(topic):
            return
        if verb == b"\x01" and len(self._topics) < MAX_TOPICS:
            self._analysis.setsockopt(zmq.SUBSCRIBE, topic)
            self._topics[topic] += 1
        elif verb == b"\x00" and self._topics[topic]:
            self._analysis.setsockopt(zmq.UNSUBSCRIBE, topic)
            self._topics[topic] -= 1
        if not self._topics[topic]:
            del self._topics[topic]

    def _take_event(self, frames: list[zmq.Frame]) -> None:
        event = parse_monitor_message([frame.bytes for frame in frames])
        if event["event"] == zmq.EVENT_ACCEPTED:
            self._presence.connect(event["value"])
            return
        for client in self._presence.lose(event["value"]):
            self._desk.client_gone(client)

    def _send(self, route: bytes, answer: Answer) -> None:
        self._note(answer)
        self._ports[self._requests].send(route, encode(answer))

    def _note(self, answer: Answer) -> None:
        if isinstance(answer, Failure):
            self._desk.tally.refused[answer.code] += 1
            _log.debug("refused: %s: %s", answer.code, answer.text)

    def _publish(self, game: str, text: str) -> None:
        self._ports[self._analysis].send(f"analysis.{game}".encode(), text.encode())

    def _is_watched(self, game: str) -> bool:
        topic = f"analysis.{game}".encode()
        return any(topic.startswith(wanted) for wanted in self._topics)

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
        if self._desk.is_draining and not len(self._desk.presence):
            self._end()

    async def _look_after_health(self) -> None:
        await self._checkup.wait_for_workers()
        _log.info("ready at %s: %d workers", self._config.listen, self._config.workers)
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
        self._searches.table.turn = config.slot_seconds
        self._pool.configure(config.turn_seconds, config.pondering_workers)
        logging.getLogger().setLevel(config.log_level.upper())

    def _end(self) -> None:
        self._ended.set()

    def _fail(self, error: PoolFailed) -> None:
        """Who was never ready need not be started again: it would be the same."""
        _log.critical("%s", error)
        self._exit_code = os.EX_SOFTWARE if self._checkup.is_ready else os.EX_UNAVAILABLE
        self._end()
