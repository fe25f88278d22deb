"""A game that clients play, with all that waits to be done in it."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field

from daemon.events import NO_LIMIT
from daemon.harvest import Harvest
from daemon.journal import KEPT_REPLIES
from daemon.protocol import Gtp, Open
from goengine.engines.engine import Engine
from goengine.gtp.session import GtpSession

KEPT_CLIENTS = 8  # whose replies are kept
_serials = itertools.count(1)


@dataclass
class Errand:
    """A request, where its answer goes, and when its time began to run."""

    request: Gtp | Open
    route: bytes
    arrived: float
    is_interrupt: bool = False  # ends a search for a move, and has not done so yet

    @property
    def key(self) -> tuple[str, str]:
        return self.request.client, self.request.id


class Replies:
    """What was answered in a game: a request that comes again is answered again from here."""

    def __init__(self) -> None:
        self._by_client: OrderedDict[str, OrderedDict[str, str]] = OrderedDict()

    def add(self, client: str, id: str, text: str) -> None:
        of_client = self._by_client.setdefault(client, OrderedDict())
        self._by_client.move_to_end(client)
        of_client[id] = text
        if len(of_client) > KEPT_REPLIES:
            of_client.popitem(last=False)
        if len(self._by_client) > KEPT_CLIENTS:
            self._by_client.popitem(last=False)

    def find(self, client: str, id: str) -> str | None:
        return self._by_client[client].get(id) if client in self._by_client else None


@dataclass
class HostedGame:
    """
    key         one that no other game has, not even one of the same name later
    owner       the client that may change it
    user        the name of the one whose game it is, with whichever client
    keep        does it stay when its owner is gone?
    session     None until it is loaded or made
    engine      None: the daemon's own search
    workers     at most so many search it; None: all
    n_searches  positions that were searched so far
    n_forgotten how many of the session's wishes to forget are fulfilled
    harvest     what pondering has added to its tree; None: nothing that is still there
    current     the errand that is being run, `task` the one who runs errands
    left_at     when the owner was last here
    size, n_moves, saved
                as they are in the journal
    """

    name: str
    owner: str
    keep: bool
    user: str
    engine_name: str = ""
    seed: int = 0
    workers: int | None = None
    session: GtpSession | None = None
    engine: Engine | None = None
    is_engine_stopped: bool = False
    n_searches: int = 0
    n_forgotten: int = 0
    harvest: Harvest | None = None
    queue: deque[Errand] = field(default_factory=deque)
    current: Errand | None = None
    task: asyncio.Task[None] | None = None
    replies: Replies = field(default_factory=Replies)
    watchers: set[str] = field(default_factory=set)
    last_used: float = field(default_factory=time.monotonic)
    left_at: float = field(default_factory=time.monotonic)
    size: int = 0
    n_moves: int = 0
    saved: bytes = b""
    key: str = ""

    def __post_init__(self) -> None:
        self.key = f"{self.name}/{next(_serials)}"

    @property
    def most_workers(self) -> int:
        return NO_LIMIT if self.workers is None else self.workers

    def errands(self) -> list[Errand]:
        return [*([self.current] if self.current else []), *self.queue]

    def find(self, errand: Errand) -> Errand | None:
        """The same request, if it waits here already or is worked on."""
        return next((known for known in self.errands() if known.key == errand.key), None)

    @property
    def owners_lines(self) -> list[Errand]:
        """That wait."""
        return [
            errand
            for errand in self.queue
            if isinstance(errand.request, Gtp) and errand.request.client == self.owner
        ]


def name_of(key: str) -> str:
    """The name of the game that has the key."""
    return key.partition("/")[0]
