"""One game between two engines, whatever they do."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime
from typing import NamedTuple

from clients.match.arbiter import Arbiter, CannotDecide
from clients.match.clocks import CannotTell, GameClock, settings_command
from clients.match.counting import chains_of, margin_of
from clients.match.definition import Pairing
from clients.match.engine_process import Misbehaved, Refused
from clients.match.game_record import (
    Color,
    Ending,
    GameRecord,
    MoveRecord,
    Offence,
    ScoredBy,
)
from clients.match.opinion import parse_opinion
from clients.match.places import Place
from clients.match.players import Seat
from clients.match.random_clocks import clock_for
from clients.match.referee import Illegal, Referee, other
from clients.match.time_settings import Clock
from goengine.points import format_vertex
from goengine.rules.handicap import fixed_handicap

_LATE = 5.0  # seconds that a player may be late to lose on time; later still is a hang
_LONGEST_DETAIL = 500
_LONGEST_MOVE = 20
_RESIGN = "resign"
_KGS_RULES = {"chinese": "chinese", "japanese": "japanese", "korean": "japanese", "aga": "aga",
              "new-zealand": "new_zealand"}  # fmt: skip


class Outcome(NamedTuple):
    winner: Color | None
    ending: Ending
    detail: str = ""
    margin: float | None = None
    scored_by: ScoredBy | None = None
    dead: tuple[str, ...] = ()
    offence: Offence | None = None


class _Forfeit(Exception):
    def __init__(self, color: Color, offence: Offence, detail: str) -> None:
        super().__init__(detail)
        text = f"{color}: {detail}"[:_LONGEST_DETAIL]
        self.outcome = Outcome(other(color), "forfeit", text, offence=offence)


class NotReady(Exception):
    """An engine refuses the conditions of the game; the text says who and which."""


class Game:
    """Set up, played and scored by `run`. An engine that forfeits is not to be used again."""

    def __init__(
        self, pairing: Pairing, number: int, opening: list[str], seats: dict[Color, Seat]
    ) -> None:
        self._pairing = pairing
        self._number = number
        self._opening = opening
        self._seats = seats
        self._referee = Referee(pairing.size, pairing.ruleset)
        self._settings = clock_for(pairing, number)
        self._clock = GameClock(self._settings) if self._settings else None
        self._handicap: list[str] = []
        self._moves: list[MoveRecord] = []

    async def run(self, arbiter: Arbiter) -> GameRecord:
        """Raises NotReady: then there was no game."""
        started, clock_started = datetime.now(UTC), time.monotonic()
        try:
            await self._set_up()
            outcome = await self._play()
            self._check_engines()
            if outcome is None:
                outcome = await self._score(arbiter)
        except _Forfeit as forfeit:
            outcome = forfeit.outcome
        return GameRecord(
            pairing=self._pairing.name,
            number=self._number,
            black=self._name_of("black"),
            white=self._name_of("white"),
            engines=(self._seats["black"].label, self._seats["white"].label),
            size=self._pairing.size,
            komi=self._pairing.komi,
            rules=self._pairing.rules,
            handicap=self._handicap,
            opening=self._opening,
            clock=self._settings,
            moves=self._moves,
            winner=outcome.winner,
            ending=outcome.ending,
            margin=outcome.margin,
            scored_by=outcome.scored_by,
            dead=list(outcome.dead),
            offence=outcome.offence,
            detail=outcome.detail,
            host=socket.gethostname(),
            started=started.isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - clock_started, 3),
        )

    async def _set_up(self) -> None:
        pairing = self._pairing
        for color in self._seats:
            await self._demand(color, f"boardsize {pairing.size}")
            if await self._offer(color, f"kata-set-rules {pairing.rules}") is None:
                await self._offer(color, f"kgs-rules {_KGS_RULES.get(pairing.rules, 'chinese')}")
            await self._demand(color, "clear_board")
            await self._offer(color, "clear_cache")  # a game owes nothing to the one before
            await self._demand(color, f"komi {pairing.komi:g}")
            if self._settings:
                await self._tell_clock(color, self._settings)
            for command in pairing.players[0 if self._is_first(color) else 1].setup:
                await self._demand(color, command)
        if pairing.handicap >= 2:
            await self._place_handicap()
        for vertex in self._opening:
            color = self._referee.to_move
            self._referee.play(vertex)
            for listener in self._seats:
                await self._say(listener, f"play {color} {vertex}")

    async def _tell_clock(self, color: Color, clock: Clock) -> None:
        try:
            command = settings_command(clock, self._seats[color].commands)
        except CannotTell as error:
            raise NotReady(f"{self._name_of(color)} cannot play it: {error}") from None
        if command is not None:
            await self._demand(color, command)

    async def _place_handicap(self) -> None:
        """GTP says where the stones go; both engines have to know it."""
        number, size = self._pairing.handicap, self._pairing.size
        self._handicap = sorted(format_vertex(p, size) for p in fixed_handicap(number, size))
        self._referee.place_handicap(self._handicap)
        for color in self._seats:
            placed = (await self._demand(color, f"fixed_handicap {number}")).upper().split()
            if sorted(placed) != self._handicap:
                right = " ".join(self._handicap)
                detail = f"handicap stones at {' '.join(placed)[:200]}, not at {right}"
                raise _Forfeit(color, "illegal move", detail)

    async def _play(self) -> Outcome | None:
        """None if the game came to its end and is to be scored."""
        while not self._referee.is_over and len(self._moves) < self._pairing.most_moves:
            color = self._referee.to_move
            outcome = await self._move(color)
            if outcome is not None:
                return outcome
            await self._say(other(color), f"play {color} {self._moves[-1].vertex}")
        return None

    async def _move(self, color: Color) -> Outcome | None:
        """The player's next move. Returns how the game ended, if it did by that."""
        patience = self._pairing.patience
        if self._clock:
            seconds, moves = self._clock.left(color)
            await self._offer(color, f"time_left {color} {int(seconds)} {moves}")
            patience = self._clock.most_seconds(color) + _LATE
        try:
            text, took = await self._seats[color].engine.ask(f"genmove {color}", patience)
        except Misbehaved as fault:
            raise _Forfeit(color, fault.offence, fault.detail) from None
        except Refused as refusal:
            raise _Forfeit(color, "refusal", f"genmove is refused: {refusal}") from None
        if len(text.split()) != 1 or len(text) > _LONGEST_MOVE or not text.isascii():
            raise _Forfeit(color, "junk", f"{text[:200]!r} is no move")
        vertex = text.lower() if text.lower() in ("pass", _RESIGN) else text.upper()
        if self._clock and not self._clock.charge(color, took):
            self._moves.append(MoveRecord(vertex, round(took, 4)))
            return Outcome(other(color), "time", f"{color} took {took:.2f} s")
        if vertex == _RESIGN:
            self._moves.append(MoveRecord(vertex, round(took, 4)))
            return Outcome(other(color), "resignation")
        try:
            self._referee.play(vertex)
        except Illegal as error:
            self._moves.append(MoveRecord(vertex, round(took, 4)))
            raise _Forfeit(color, "illegal move", str(error)) from None
        opinion = parse_opinion(await self._offer(color, "pachi-result") or "")
        self._moves.append(MoveRecord(vertex, round(took, 4), *opinion))
        return None

    async def _score(self, arbiter: Arbiter) -> Outcome:
        """By agreement of both engines, else by playing out, else as it stands."""
        scored_by: ScoredBy = "agreement"
        detail = ""
        dead = await self._agreed_dead()
        if dead is None:
            try:
                dead = await arbiter.dead_stones(self._referee, self._pairing.komi)
                scored_by = "playing out"
            except CannotDecide as error:
                dead, scored_by, detail = set(), "as it stands", f"playing out failed: {error}"
        if not self._referee.is_over:
            detail = f"{self._pairing.most_moves} moves were played; {detail}".rstrip("; ")
        komi = self._pairing.komi + self._pairing.ruleset.compensation(len(self._handicap))
        margin = margin_of(self._referee, dead, komi)
        winner: Color | None = None if margin == 0 else "black" if margin > 0 else "white"
        vertices = tuple(sorted(self._referee.vertex_at(place) for place in dead))
        return Outcome(winner, "score", detail, abs(margin), scored_by, vertices)

    async def _agreed_dead(self) -> set[Place] | None:
        if not self._referee.is_over:
            return None
        lists = [await self._dead_list(seat) for seat in self._seats.values()]
        return lists[0] if lists[0] == lists[1] else None

    async def _dead_list(self, seat: Seat) -> set[Place] | None:
        """Whole chains. None if the engine has no list that makes sense."""
        try:
            answer = await seat.offer("final_status_list dead")
            if answer is None:
                return None
            named = {self._referee.place_of(vertex) for vertex in answer.split()}
        except (Misbehaved, Illegal):
            return None
        chains = [chain for chain in chains_of(self._referee.board) if chain & named]
        dead = {place for chain in chains for place in chain}
        return dead if named <= dead else None

    def _is_first(self, color: Color) -> bool:
        return (color == "black") == self._pairing.first_is_black(self._number)

    def _name_of(self, color: Color) -> str:
        return self._pairing.first if self._is_first(color) else self._pairing.second

    async def _demand(self, color: Color, command: str) -> str:
        """Part of the conditions: an engine that refuses it has no game to lose."""
        try:
            return await self._seats[color].say(command)
        except Misbehaved as fault:
            if fault.offence == "refusal":
                name = self._name_of(color)
                raise NotReady(f"{name} cannot play it: {fault.detail}") from None
            raise _Forfeit(color, fault.offence, fault.detail) from None

    async def _say(self, color: Color, command: str) -> str:
        try:
            return await self._seats[color].say(command)
        except Misbehaved as fault:
            raise _Forfeit(color, fault.offence, fault.detail) from None

    async def _offer(self, color: Color, command: str) -> str | None:
        try:
            return await self._seats[color].offer(command)
        except Misbehaved as fault:
            raise _Forfeit(color, fault.offence, fault.detail) from None

    def _check_engines(self) -> None:
        for color, seat in self._seats.items():
            try:
                seat.engine.check()
            except Misbehaved as fault:
                raise _Forfeit(color, fault.offence, fault.detail) from None
