"""The games that the daemon keeps: in memory while they are used, in the journal always."""

from __future__ import annotations

import secrets

import msgspec

from daemon import defaults
from daemon.config import Config
from daemon.hosted_game import Errand, HostedGame, Replies
from daemon.journal import Entry, Journal, Reply
from daemon.protocol import Settings
from goengine.engines import make_engine
from goengine.gtp.session import GtpSession
from goengine.gtp.snapshot import restore_session, save_session, size_in
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.orders import Limits
from goengine.search.parameters import find_parameter

DEFAULT_SIZE = 19
OWN_SEARCH = "mcts"  # the engine whose searches are the daemon's


class _Record(msgspec.Struct):
    """What the journal keeps of a game."""

    engine: str
    seed: int
    workers: int | None
    n_searches: int
    session: msgspec.Raw


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(_Record)


class Games:
    def __init__(self, journal: Journal, config: Config) -> None:
        self._journal = journal
        self.config = config
        self._games: dict[str, HostedGame] = {}
        for entry in journal.games():
            game = HostedGame(entry.name, entry.owner, entry.keep, entry.user)
            game.size, game.n_moves = entry.size, entry.moves
            self.recall_replies(game)
            self._games[entry.name] = game

    def __len__(self) -> int:
        return len(self._games)

    def all(self) -> list[HostedGame]:
        return list(self._games.values())

    def find(self, name: str) -> HostedGame | None:
        return self._games.get(name)

    def find_seeded(self, name: str, seed: int) -> HostedGame | None:
        """The game, if it is still the one of that seed. Raises JournalError."""
        record = self._journal.load(name)
        try:
            is_it = record is not None and _decoder.decode(record).seed == seed
        except msgspec.DecodeError:  # who opens the game is told
            return None
        return self.find(name) if is_it else None

    def number_of(self, user: str) -> int:
        return sum(game.user == user for game in self._games.values())

    def add(self, name: str, owner: str, keep: bool, user: str) -> HostedGame:
        game = self._games[name] = HostedGame(name, owner, keep, user)
        return game

    def recall_replies(self, game: HostedGame) -> None:
        """Know what the journal knows of them."""
        game.replies = Replies()
        for client, id, text in self._journal.replies(game.name):
            game.replies.add(client, id, text)

    def drop(self, game: HostedGame) -> None:
        """Raises JournalError."""
        self._journal.drop(game.name)
        self.discard(game)

    def discard(self, game: HostedGame) -> None:
        """Forget a game that the journal does not know."""
        self._games.pop(game.name, None)

    # --- making and loading ---------------------------------------------------

    def size_needed(self, game: HostedGame, settings: Settings) -> int:
        """The board whose kernels `make_ready` uses."""
        record = self._journal.load(game.name)
        if record is None:
            return settings.size or DEFAULT_SIZE
        return size_in(bytes(_decoder.decode(record).session))

    def make_ready(self, game: HostedGame, settings: Settings) -> GtpSession:
        """Give the game its session: out of the journal, or a new one. Raises ValueError."""
        record = self._journal.load(game.name)
        if record is None:
            self._make(game, settings)
        else:
            self._load(game, _decoder.decode(record))
        assert game.session is not None
        game.session.has_files = False
        return game.session

    def _make(self, game: HostedGame, settings: Settings) -> None:
        config = self.config
        _check(settings)
        rules = find_rules(settings.rules or config.rules)
        session = GtpSession(
            game=Game(settings.size or DEFAULT_SIZE, rules, settings.komi),
            limits=Limits(config.playouts, config.seconds or None),
        )
        session.parameters = {name: str(value) for name, value in config.parameters.items()}
        session.pondering = config.pondering
        game.engine_name = settings.engine or defaults.BEST_ENGINE
        game.seed = secrets.randbits(62) if settings.seed is None else settings.seed
        self._use_engine(game, session)
        game.session = session
        self.apply(game, settings)

    def _load(self, game: HostedGame, record: _Record) -> None:
        game.saved = bytes(record.session)
        game.session = restore_session(game.saved)
        game.engine_name, game.seed = record.engine, record.seed
        game.workers, game.n_searches = record.workers, record.n_searches
        self._use_engine(game, game.session)

    def _use_engine(self, game: HostedGame, session: GtpSession) -> None:
        """Raises ValueError for a name that no engine has."""
        if game.engine_name != OWN_SEARCH:
            playouts = session.limits.playouts or defaults.PLAYOUTS
            game.engine = make_engine(game.engine_name, game.seed, playouts)

    def apply(self, game: HostedGame, settings: Settings) -> None:
        """Change what may change in a game that goes on. Raises ValueError, and changes nothing."""
        session = game.session
        assert session is not None
        _check(settings)
        if settings.playouts is not None or settings.seconds is not None:
            session.limits = Limits(settings.playouts, settings.seconds)
            if game.engine is not None:
                game.engine.playouts = settings.playouts or game.engine.playouts
        session.parameters = session.parameters | settings.parameters
        session.name = settings.name or session.name
        session.version = settings.version or session.version
        session.pondering = settings.pondering or session.pondering
        game.workers = settings.workers or game.workers

    # --- what is said and done ------------------------------------------------

    def save(self, game: HostedGame, errand: Errand, text: str, must: bool) -> None:
        """Keep the reply; with the game, if that has changed, in the journal. Raises JournalError.

        must: write both in any case.
        """
        session = game.session
        if session is None or self._games.get(game.name) is not game:
            return  # it was dropped meanwhile
        state, request = save_session(session), errand.request
        if must or state != game.saved:
            size, n_moves = session.game.size, len(session.game.moves)
            record = _Record(
                game.engine_name, game.seed, game.workers, game.n_searches, msgspec.Raw(state)
            )
            entry = Entry(game.name, game.owner, game.keep, size, n_moves, 0.0, game.user)
            self._journal.save(entry, _encode(record), Reply(request.client, request.id, text))
            game.saved, game.size, game.n_moves = state, size, n_moves
        game.replies.add(request.client, request.id, text)


def _check(settings: Settings) -> None:
    """Raises ValueError."""
    for name, text in settings.parameters.items():
        find_parameter(name).parse(text)
