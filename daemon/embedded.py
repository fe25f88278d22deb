"""An engine inside the client's own process: what a client opens when there is no server."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from daemon import defaults
from goengine.engines import make_engine
from goengine.engines.engine import Engine
from goengine.gtp import GtpSession
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules


class EmbeddedSession(GtpSession):
    """A GTP session that also tells how far its search is and what it found."""

    engine: Engine

    @property
    def on_progress(self) -> Callable[[float], None] | None:
        """Called with the fraction done, 0 to 1, from inside `run_line` while a move is sought."""
        return self.engine.on_progress

    @on_progress.setter
    def on_progress(self, listener: Callable[[float], None] | None) -> None:
        self.engine.on_progress = listener

    @property
    def win_rate(self) -> float | None:
        """What the last search expects for the colour that it was asked for, 0 to 1."""
        return self.engine.win_rate


def open_session(
    engine: str = defaults.BEST_ENGINE,
    playouts: int = defaults.PLAYOUTS,
    seed: int | None = None,
    size: int = 19,
    rules: str = defaults.RULES,
    komi: float | None = None,
) -> EmbeddedSession:
    """Open a session on an empty board.

    Without a seed every session plays differently; without komi the rules' own counts.
    Raises ValueError naming what is wrong: the engine, the rules or the size.
    """
    seed = secrets.randbits(63) if seed is None else seed
    game = Game(size=size, rules=find_rules(rules), komi=komi)
    return EmbeddedSession(engine=make_engine(engine, seed, playouts), game=game)
