"""Pondering: games are searched while their opponents think.

What is pondered is the position that the opponent is to move in, so the tree grows most below
the likeliest replies. Whichever comes, its part of the tree is there at once.

It is done beside a game's errands, and none of them waits for it: whoever needs the tree has
it ended, and what changes the game has it ended or begun anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import NamedTuple

from daemon.harvest import Harvest
from daemon.hosted_game import HostedGame
from daemon.kernels import Kernels
from daemon.searches import Assignment, Searches
from daemon.thinking import assign
from goengine.gtp.session import GtpSession
from goengine.search.orders import Limits, Order, Purpose

_log = logging.getLogger(__name__)


def ought_to_ponder(session: GtpSession) -> bool:
    """Has the engine moved, and does somebody else think now, in a game that goes on?"""
    game = session.game
    if not game.moves or game.is_over or session.rests_at is game:
        return False
    color = game.moves[-1].color
    is_others_turn = color in session.engine_colors and game.to_play not in session.engine_colors
    return is_others_turn and session.ponders(color)


class _Spell(NamedTuple):
    """Of pondering: from when it is wanted until it is ended."""

    search: Assignment
    n_forgotten: int  # by the session
    task: asyncio.Task[None]

    def is_about(self, game: HostedGame, session: GtpSession) -> bool:
        """Is it what would be begun now?"""
        return (
            self.search.game is session.game
            and self.search.parameters == session.parameters
            and self.search.most == game.most_workers
            and self.n_forgotten == session.n_forgotten
        )


class Ponderer:
    def __init__(
        self,
        searches: Searches,
        kernels: Kernels,
        idle_seconds: float,
        is_active: Callable[[HostedGame], bool],
    ) -> None:
        """idle_seconds: how long after its last errand a game is pondered.

        is_active: is there somebody for whom the game goes on?
        """
        self._searches = searches
        self._kernels = kernels
        self._idle_seconds = idle_seconds
        self._is_active = is_active
        self._spells: dict[str, _Spell] = {}  # by key of the game

    def attend(self, game: HostedGame) -> None:
        """Begin or end what ought to; to be called whenever that may have changed."""
        session, spell = game.session, self._spells.get(game.key)
        is_due = session is not None and self._is_due(game, session)
        if session is None or not is_due:
            if spell:
                spell.search.stop()
        elif spell is None:
            if game.task is None:  # else there is another call when all errands are done
                self._begin(game, session)
        elif spell.is_about(game, session):
            spell.search.started = game.last_used
        else:
            spell.search.stop()

    async def end(self, game: HostedGame) -> None:
        """Return when nobody ponders the game: somebody else needs its tree."""
        spell = self._spells.get(game.key)
        if spell:
            spell.search.stop()
            await asyncio.wait([spell.task])

    def rest(self, game: HostedGame) -> bool:
        """End it until the game goes on. Returns whether there was any."""
        if game.session is not None:
            game.session.rest()
        was_pondered = game.key in self._spells
        self.attend(game)
        return was_pondered

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        return [spell.task for spell in self._spells.values()]

    def _is_due(self, game: HostedGame, session: GtpSession) -> bool:
        return (
            game.engine is None
            and time.monotonic() < game.last_used + self._idle_seconds
            and self._is_active(game)
            and self._kernels.is_ready(session.game.size)
            and ought_to_ponder(session)
        )

    def _begin(self, game: HostedGame, session: GtpSession) -> None:
        limits = Limits(seconds=self._idle_seconds)
        order = Order(session.game.to_play, Purpose.PONDERING, limits, lambda found: "")
        search = assign(game, session, order, game.last_used)
        task = asyncio.create_task(self._ponder(game, search, session.n_forgotten))
        self._spells[game.key] = _Spell(search, session.n_forgotten, task)

    async def _ponder(self, game: HostedGame, search: Assignment, n_forgotten: int) -> None:
        try:
            await self._searches.ponder(search)
        except Exception:
            _log.exception("game %s: pondering failed", game.name)
            if game.session is not None:
                game.session.rest()
        finally:
            del self._spells[game.key]
        if search.before is not None:
            game.n_searches += 1
            game.n_forgotten = n_forgotten
        if search.before is not None and search.reading is not None:
            moves = tuple(search.game.moves)
            if search.n_kept == 0 or game.harvest is None or game.harvest.moves != moves:
                game.harvest = Harvest(moves)
            game.harvest.add(search.before, search.reading)
        self.attend(game)
