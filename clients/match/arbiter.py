"""Finds the dead stones of a finished game by playing it out: our engine, for both sides.

It plays for points: who is ahead has to take dead stones too, and passes when nothing is
left to gain. In the end all stones on the board live.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
from sgfmill.boards import Board

from clients.match.counting import dead_after
from clients.match.definition import Player
from clients.match.engine_process import Misbehaved
from clients.match.places import Place
from clients.match.players import Seat, seat
from clients.match.referee import Illegal, Referee
from goengine.rules.rulesets import find_rules, rules_to_json

# UCB1, since RAVE is content with a pass where a stone would still gain a point or two.
_PLAYER = Player(
    engine="mcts",
    workers=1,
    parameters={"policy": "ucb1", "exploration": 0.4, "value_scale": 0.5, "playout": "light"},
)
_AT_SHARED_DAEMON = msgspec.structs.replace(_PLAYER, daemon="shared")
_ONE_REPORT = 1_000_000  # hundredths of a second between reports: only the last one comes
_PLAYOUTS = 810_000  # for a move, times the points of the board
_PATIENCE = 60.0
# Area rules: no move costs anything. Superko: play comes to an end.
# Whoever passes means it: every stone on the board counts.
_RULES = replace(find_rules("chinese-ogs"), friendly_pass=False)


class CannotDecide(Exception):
    """It did not come to an end; the text says why."""


class Arbiter:
    """Starts its engine when it is first needed, at the daemon of the match if it has one."""

    def __init__(self, cores: Sequence[int] = (), shared_daemon: str | None = None) -> None:
        self._cores = cores
        self._shared_daemon = shared_daemon
        self._seat: Seat | None = None

    async def dead_stones(self, referee: Referee, komi: float) -> set[Place]:
        """What two of up to three attempts agree on. Raises CannotDecide."""
        found: list[set[Place]] = []
        try:
            for _ in range(3):
                dead = dead_after(referee.board, await self._play_out(referee, komi))
                if dead in found:
                    return dead
                found.append(dead)
        except (Misbehaved, Illegal) as error:
            await self.close()
            raise CannotDecide(str(error)) from None
        first, second, third = found
        return first & second | first & third | second & third

    async def close(self) -> None:
        if self._seat:
            await self._seat.engine.close()
            self._seat = None

    async def _play_out(self, finished: Referee, komi: float) -> Board:
        """The board when both sides pass once more, all dead stones gone."""
        if self._seat is None:
            player = _AT_SHARED_DAEMON if self._shared_daemon else _PLAYER
            daemon, size = self._shared_daemon, finished.size
            self._seat = await seat(player, _PATIENCE, self._cores, daemon, size, seed=1)
        game = await self._set_up(self._seat, finished, komi)
        for _ in range(4 * finished.size**2):
            vertex = await self._best_move(self._seat, game)
            await self._seat.say(f"play {game.to_move} {vertex}")
            game.play(vertex)
            if game.is_over:
                return game.board
        raise CannotDecide("playing on came to no end")

    async def _best_move(self, seat: Seat, game: Referee) -> str:
        """The most visited one. The engine itself passes sooner: when it has won."""
        answer = await seat.say(f"kata-search_analyze {game.to_move} {_ONE_REPORT}")
        words = answer.split()
        if words[:2] != ["info", "move"] or len(words) < 3:
            raise CannotDecide(f"no move in {answer[:100]!r}")
        return words[2]

    async def _set_up(self, seat: Seat, finished: Referee, komi: float) -> Referee:
        """The stones alone: what was repeated or passed before does not matter any more."""
        n_points = finished.size**2
        for command in (
            f"boardsize {finished.size}",
            "clear_board",
            "clear_cache",
            f"komi {komi:g}",
            f"kata-set-rules {rules_to_json(_RULES)}",
            f"goengine-param playouts {_PLAYOUTS // n_points}",
            f"goengine-param value_range {n_points}",
        ):
            await seat.say(command)
        game = Referee(finished.size, _RULES)
        game.board = finished.board.copy()
        game.to_move = finished.to_move
        stones = [
            f"{'black' if color == 'b' else 'white'} {finished.vertex_at(place)}"
            for color, place in game.board.list_occupied_points()
        ]
        if stones:
            await seat.say(f"set_position {' '.join(stones)}")
        return game
