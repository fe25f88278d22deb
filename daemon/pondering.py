"""Pondering: games are searched while their opponents think.

Where one reply is much likelier than all others, the position after it is searched, as if it
had been played. In between, and where it is open, the opponent's own position is: there the
tree grows below all replies, and shows which one is likely. Whichever comes, its part of the
tree is there at once.

It is done beside a game's errands, and none of them waits for it: whoever needs the tree has
it ended, and what changes the game has it ended or begun anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from daemon.harvest import Harvest
from daemon.hosted_game import HostedGame
from daemon.kernels import Kernels
from daemon.logs import set_subject
from daemon.pool import PoolFailed
from daemon.searches import Assignment, Searches
from daemon.thinking import assign
from goengine.gtp.session import GtpSession
from goengine.points import PASS
from goengine.rules.game import Game
from goengine.search.orders import Limits, Order, Purpose
from goengine.search.reading import SearchReading

LIKELY = 0.3  # part of the visits that makes a reply the expected one (docs/measurements.md)
LEAST_VISITS = 100  # of such a reply
LEAST_PLAYOUTS = 1000  # before it is looked at again which one that is: each look takes some ms
CHECKED = 4  # playouts after the expected reply for each one that all replies have

_log = logging.getLogger(__name__)


def ought_to_ponder(session: GtpSession) -> bool:
    """Has the engine moved, and does somebody else think now, in a game that goes on?"""
    game = session.game
    if not game.moves or game.is_over or session.rests_at is game:
        return False
    color = game.moves[-1].color
    is_others_turn = color in session.engine_colors and game.to_play not in session.engine_colors
    return is_others_turn and session.ponders(color)


def expected_reply(game: Game, reading: SearchReading) -> int | None:
    """What the opponent, who is to play, will most likely do; None if that is open."""
    best = reading.moves[0] if reading.moves else None
    n_visits = sum(move.visits for move in reading.moves)
    if best is None or best.visits < max(LEAST_VISITS, LIKELY * n_visits):
        return None
    ends_game = best.move == PASS and game.is_over_after_pass_of(game.to_play)
    return None if ends_game else best.move


class Thought(NamedTuple):
    """What is searched next: the position after a reply, or that of all replies."""

    reply: int | None
    playouts: int


def next_thought(game: Game, reading: SearchReading, last: Thought) -> Thought:
    """After the thought `last`; `reading` is what is known of all replies.

    Each round takes twice as long as the one before.
    """
    if last.reply is not None:
        return Thought(None, max(LEAST_PLAYOUTS, last.playouts // CHECKED))
    reply = expected_reply(game, reading)
    if reply is None:
        return Thought(None, max(LEAST_PLAYOUTS, reading.visits))
    return Thought(reply, 2 * CHECKED * max(LEAST_PLAYOUTS // 2, last.playouts))


@dataclass
class _Spell:
    """Of pondering: from when it is wanted until it is ended, one thought after the other.

    about   the position that the opponent is to move in
    known   what was found about all replies
    """

    game: HostedGame
    about: Game
    n_forgotten: int  # by the session
    search: Assignment
    thought: Thought
    known: SearchReading | None = None
    task: asyncio.Task[None] | None = None

    def is_about(self, session: GtpSession) -> bool:
        """Is it what would be begun now?"""
        return (
            self.about is session.game
            and self.search.parameters == session.parameters
            and self.search.most == self.game.most_workers
            and self.n_forgotten == session.n_forgotten
        )

    def go_on(self) -> bool:
        """The search is done with a thought: give it the next. Returns whether there is one."""
        self.harvest()
        if self.known is None:
            return False
        self.thought = next_thought(self.about, self.known, self.thought)
        self.search.game = position_of(self.thought, self.about)
        limits = self.search.order.limits._replace(playouts=self.thought.playouts)
        self.search.order = replace(
            self.search.order, color=self.search.game.to_play, limits=limits
        )
        self.search.must_forget = False
        return True

    def harvest(self) -> None:
        """Take what the search has found, if that was not taken yet."""
        game, before, found = self.game, self.search.before, self.search.reading
        if before is None or found is None:
            return
        self.search.before = self.search.reading = None
        game.n_searches += 1
        game.n_forgotten = self.n_forgotten
        moves = tuple(self.about.moves)
        if self.search.n_kept == 0 or game.harvest is None or game.harvest.moves != moves:
            game.harvest = Harvest(moves)
        if self.thought.reply is None:
            self.known = found
            game.harvest.add(before, found)
        else:
            game.harvest.add_after(self.thought.reply, found)


def position_of(thought: Thought, about: Game) -> Game:
    if thought.reply is None:
        return about
    position = about.copy()
    position.play(about.to_play, thought.reply)
    return position


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
        self.idle_seconds = idle_seconds
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
        elif spell.is_about(session):
            spell.search.started = game.last_used
        else:
            spell.search.stop()

    async def end(self, game: HostedGame) -> None:
        """Return when nobody ponders the game: somebody else needs its tree."""
        spell = self._spells.get(game.key)
        if spell and spell.task:
            spell.search.stop()
            await asyncio.wait([spell.task])

    def rest(self, game: HostedGame) -> bool:
        """End it until the game goes on. Returns whether there was any."""
        _rest(game)
        was_pondered = game.key in self._spells
        self.attend(game)
        return was_pondered

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        return [spell.task for spell in self._spells.values() if spell.task]

    def _is_due(self, game: HostedGame, session: GtpSession) -> bool:
        return (
            game.engine is None
            and time.monotonic() < game.last_used + self.idle_seconds
            and self._is_active(game)
            and self._kernels.is_ready(session.game.size)
            and ought_to_ponder(session)
        )

    def _begin(self, game: HostedGame, session: GtpSession) -> None:
        first = Thought(None, 1)  # only to see what is known already
        limits = Limits(first.playouts, self.idle_seconds)
        order = Order(session.game.to_play, Purpose.PONDERING, limits, lambda found: "")
        search = assign(game, session, order, game.last_used)
        spell = _Spell(game, session.game, session.n_forgotten, search, first)
        search.go_on = spell.go_on
        spell.task = asyncio.create_task(self._ponder(spell))
        self._spells[game.key] = spell

    async def _ponder(self, spell: _Spell) -> None:
        game = spell.game
        set_subject(game.name, game.owner)
        try:
            await self._searches.ponder(spell.search)
            spell.harvest()
        except PoolFailed as error:
            _log.error("%s", error)  # the daemon ends
            _rest(game)
        except Exception:
            _log.exception("pondering failed")
            _rest(game)
        finally:
            del self._spells[game.key]
        self.attend(game)


def _rest(game: HostedGame) -> None:
    if game.session is not None:
        game.session.rest()
