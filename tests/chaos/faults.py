"""What goes wrong. Each fault is a context: entered it is inflicted, left it is healed."""

from __future__ import annotations

import os
import random
import resource
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from daemon.addresses import is_listening, parse_address
from daemon.shm import HEADER_BYTES, SHM_DIRECTORY
from tests.chaos.players import Player
from tests.chaos.stage import KeptDaemon, Process, Stage
from tests.process.daemons import wait_until

PAGE_BYTES = 4096  # of SQLite
NOTICED_AFTER = 8.0  # seconds, at most
PATIENCE = 60.0  # seconds for an end, or a round of all players; machines may be busy


class Scene(NamedTuple):
    stage: Stage
    players: list[Player]
    rng: random.Random

    def one_of(self, role: str) -> Process:
        return Process(self.rng.choice(getattr(self.stage.daemon.family(), role)))

    @contextmanager
    def killed(self, *, is_tidy: bool) -> Iterator[None]:
        """While nobody of the daemon lives.

        is_tidy: the supervisor alone is killed, and the others end by themselves. Else nobody
        can tidy up; systemd kills like that.
        """
        daemon = self.stage.daemon
        with daemon.held():
            family = daemon.family()
            for process in map(Process, family.supervisor if is_tidy else family.pids):
                process.send(signal.SIGKILL)
            daemon.process.wait(PATIENCE)  # also for its threads, which may keep a socket open
            wait_until(lambda: not daemon.family().pids, PATIENCE)
            yield


class Fault(NamedTuple):
    """
    seconds         it lasts about so long
    exits           codes with which the daemon may end by it
    may_refuse      may clients be told that something is not done now?
    needs_small     does it fill directories, which had better be small ones of our own?
    """

    name: str
    inflict: Callable[[Scene], AbstractContextManager[None]]
    seconds: float = 0.3
    exits: tuple[int, ...] = ()
    may_refuse: bool = False
    needs_small: bool = False


@contextmanager
def struck(scene: Scene, role: str, number: signal.Signals) -> Iterator[None]:
    scene.one_of(role).send(number)
    yield


@contextmanager
def workers_killed(scene: Scene) -> Iterator[None]:
    for pid in scene.stage.daemon.family().workers:
        Process(pid).send(signal.SIGKILL)
    yield


@contextmanager
def all_killed(scene: Scene) -> Iterator[None]:
    with scene.killed(is_tidy=False):
        pass
    yield


@contextmanager
def frozen(scene: Scene, role: str) -> Iterator[None]:
    process = scene.one_of(role)
    process.send(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send(signal.SIGCONT)


@contextmanager
def orphaned(scene: Scene) -> Iterator[None]:
    """The supervisor dies and its zygote cannot tidy up; workers are still in the trees."""
    with frozen(scene, "zygote"):
        scene.one_of("supervisor").send(signal.SIGKILL)
        yield


@contextmanager
def disk_full(scene: Scene) -> Iterator[None]:
    """Until somebody hears of it; what SQLite has written before, it can write over."""
    with filled(scene.stage.daemon.state_directory):
        deadline = time.monotonic() + NOTICED_AFTER
        while time.monotonic() < deadline and not any(p.refusals for p in scene.players):
            time.sleep(0.05)
        yield


@contextmanager
def disk_full_at_start(scene: Scene) -> Iterator[None]:
    """It starts nevertheless: who only looks is served."""
    daemon = scene.stage.daemon
    with filled(daemon.state_directory):
        with scene.killed(is_tidy=False):
            pass
        wait_until(lambda: is_listening_at(daemon), PATIENCE)
        yield


@contextmanager
def segments_full(scene: Scene) -> Iterator[None]:
    """A daemon that starts anew has no room for its trees, unless it finds them there."""
    daemon = scene.stage.daemon
    with ExitStack() as stack:
        with scene.killed(is_tidy=True):
            stack.enter_context(filled(SHM_DIRECTORY))
            n_exits = len(daemon.exits) + 1  # with the one that nobody could note yet
        wait_until(lambda: len(daemon.exits) > n_exits or is_listening_at(daemon), PATIENCE)
        yield


@contextmanager
def filled(directory: Path) -> Iterator[None]:
    ballast = directory / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        yield
    finally:
        ballast.unlink()


@contextmanager
def descriptors_gone(scene: Scene) -> Iterator[None]:
    """Nothing can be opened, and many come who want to be let in.

    libzmq (4.3.5) then aborts where it listens on ipc, and goes round in circles on tcp.
    """
    pid = scene.stage.daemon.process.pid
    n_open = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    with ExitStack() as stack:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (n_open, limits[1]))
        for name in 5 * ("requests", "control", "analysis"):
            visitor = stack.enter_context(socket.socket(socket.AF_UNIX))
            visitor.setblocking(False)
            with suppress(OSError):
                visitor.connect(f"{scene.stage.daemon.directory}/{name}")
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)


@contextmanager
def messages_lost(scene: Scene) -> Iterator[None]:
    patient = [player for player in scene.players if player.in_a_row]
    for player in patient:
        player.trouble.is_on = True
    try:
        yield
    finally:
        for player in patient:
            player.trouble.is_on = False


@contextmanager
def header_damaged(scene: Scene) -> Iterator[None]:
    """Of a segment that a killed daemon left."""
    with scene.killed(is_tidy=False):
        left = [path for path in scene.stage.segments() if path.stat().st_size > HEADER_BYTES]
        if left:
            damage(scene.rng.choice(left), scene.rng, at=0, n_bytes=HEADER_BYTES)
    yield


@contextmanager
def page_damaged(scene: Scene) -> Iterator[None]:
    """Of the journal of a daemon that ended well: nobody waits for an answer.

    Whose game SQLite cannot read any more may lose it, nobody else.
    """
    daemon = scene.stage.daemon
    journal = daemon.state_directory / "games.sqlite"
    rest(scene.players)
    with daemon.held():
        Process(daemon.process.pid).send(signal.SIGTERM)
        daemon.process.wait(PATIENCE)
        before = {player: record_of(journal, player.game) for player in scene.players}
        n_pages = journal.stat().st_size // PAGE_BYTES
        at = scene.rng.randrange(n_pages) * PAGE_BYTES
        damage(journal, scene.rng, at, PAGE_BYTES)
        for player, record in before.items():
            player.may_lose = record_of(journal, player.game) != record
    wait_until(lambda: is_listening_at(daemon), PATIENCE)
    for aside in daemon.state_directory.glob("*.damaged-*"):
        assert str(aside) in daemon.log.read_text(), "nobody was told"
        aside.unlink()
    for player in scene.players:
        player.play_on()
    yield


def is_listening_at(daemon: KeptDaemon) -> bool:
    return is_listening(parse_address(daemon.address))


def rest(players: list[Player]) -> None:
    for player in players:
        player.rest()
    for player in players:
        wait_until(lambda each=player: each.is_resting.is_set() or each.failure, PATIENCE)


def record_of(journal: Path, game: str) -> object:
    """As SQLite reads it; None if it cannot."""
    address = f"file:{journal}?immutable=1"
    with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as db:
        return db.execute("SELECT * FROM games WHERE name = ?", (game,)).fetchone()
    return None


def damage(path: Path, rng: random.Random, at: int, n_bytes: int) -> None:
    """Overwrite all of it, or a piece."""
    if rng.random() < 0.5:
        at, n_bytes = at + rng.randrange(n_bytes - 16), 16
    with path.open("r+b") as file:
        file.seek(at)
        file.write(rng.choice((bytes, rng.randbytes))(n_bytes))


KILLED, ABORTED = -signal.SIGKILL, -signal.SIGABRT
FAULTS = (
    Fault("worker killed", partial(struck, role="workers", number=signal.SIGKILL)),
    Fault("worker terminated", partial(struck, role="workers", number=signal.SIGTERM)),
    Fault("all workers killed", workers_killed),
    Fault(
        "zygote killed",
        partial(struck, role="zygote", number=signal.SIGKILL),
        exits=(os.EX_SOFTWARE,),
    ),
    Fault("zygote terminated", partial(struck, role="zygote", number=signal.SIGTERM)),
    Fault(
        "supervisor killed",
        partial(struck, role="supervisor", number=signal.SIGKILL),
        exits=(KILLED,),
    ),
    Fault(
        "supervisor terminated",
        partial(struck, role="supervisor", number=signal.SIGTERM),
        exits=(os.EX_OK,),
        may_refuse=True,
    ),
    Fault("everybody killed", all_killed, exits=(KILLED,)),
    Fault("worker frozen", partial(frozen, role="workers"), 2.5),
    Fault("zygote frozen", partial(frozen, role="zygote"), 1.0),
    Fault("supervisor frozen", partial(frozen, role="supervisor"), 2.5),
    Fault("zygote frozen, supervisor killed", orphaned, 4.0, exits=(KILLED,)),
    Fault("disk full", disk_full, 1.0, may_refuse=True, needs_small=True),
    Fault(
        "disk full at the start",
        disk_full_at_start,
        1.0,
        exits=(KILLED,),
        may_refuse=True,
        needs_small=True,
    ),
    Fault(
        "no room for segments", segments_full, 0.3, exits=(KILLED, os.EX_OSERR), needs_small=True
    ),
    Fault("no descriptors", descriptors_gone, 1.0, exits=(ABORTED,)),
    Fault("messages lost and doubled", messages_lost, 3.0),
    Fault("segment header damaged", header_damaged, exits=(KILLED,)),
    Fault("journal page damaged", page_damaged, exits=(os.EX_OK,)),
)
