"""Clients that play, keep their own record, and compare it with the daemon's after every move."""

from __future__ import annotations

import random
import secrets
import threading
import time
from contextlib import closing, suppress

from clients.gtp_lines import OneHead
from clients.link import TICK, Failed, Link
from daemon.addresses import Address
from daemon.protocol import Answer, End, Failure, Part, Settings
from tests.process.records import moves_in, sgf_move

LONGEST_GAME = 40  # moves
REFUSALS = {"no-room", "leaving"}  # nothing was done: later
SILENCE = 5.0  # seconds without an answer; by then its user must have been told
PAUSE = 0.1  # seconds after a refusal


class Lost(AssertionError):
    """What the daemon says is not what was agreed."""


class _Gone(Exception):
    """The game is no more, and that was to be expected."""


class Trouble:
    """What becomes of messages on their way, while it is on."""

    def __init__(self, seed: str) -> None:
        self.is_on = False
        self._random = random.Random(seed)

    def copies(self) -> int:
        """How many of a message arrive."""
        return self._random.choice((0, 1, 1, 2)) if self.is_on else 1

    def brings_back(self) -> bool:
        """Does one arrive once more after the next?"""
        return self.is_on and self._random.random() < 0.3


class TroubledLink(Link):
    def __init__(self, address: Address, game: str, trouble: Trouble) -> None:
        self._trouble = trouble
        self._last = b""
        super().__init__(address, game)

    def _transmit(self, frame: bytes) -> None:
        for _ in range(self._trouble.copies()):
            super()._transmit(frame)
        if self._last and self._trouble.brings_back():
            super()._transmit(self._last)
        self._last = frame

    def _decode(self, frame: bytes) -> Answer | None:
        return super()._decode(frame) if self._trouble.copies() else None


class Player(threading.Thread):
    """Plays until it is told to leave.

    game            the name of the one it plays
    n_rounds        so often it has had all its answers, and the record was right
    refusals        clear words that something was not done now
    may_lose        its game may be gone for a reason that was told
    left_behind     games that it could not close
    failure         what ended it
    """

    def __init__(self, name: str, address: Address, settings: Settings, in_a_row: bool) -> None:
        """in_a_row: waits for every answer. Only then may messages be lost: later ones that
        arrive before would be done before."""
        super().__init__(name=name, daemon=True)
        self.n_rounds = 0
        self.refusals: list[str] = []
        self.may_lose = False
        self.left_behind: list[str] = []
        self.failure: BaseException | None = None
        self.trouble = Trouble(name)
        self.in_a_row = in_a_row
        self.is_resting = threading.Event()
        self._may_play = threading.Event()
        self._may_play.set()
        self._is_over = False
        self._address = address
        self._settings = settings
        self._random = random.Random(name)
        self._played: list[str] = []
        self.game = ""

    def rest(self) -> None:
        """From the end of this round on."""
        self._may_play.clear()

    def play_on(self) -> None:
        self.is_resting.clear()
        self._may_play.set()

    def leave(self) -> None:
        self._is_over = True
        self.play_on()

    def run(self) -> None:
        try:
            while not self._is_over:
                self._play_a_game()
        except BaseException as error:
            self.failure = error

    def _play_a_game(self) -> None:
        self.game = f"{self.name}-{secrets.token_hex(4)}"
        self.may_lose = False
        self._played = []
        link = TroubledLink(self._address, self.game, self.trouble)
        with closing(link) as self._link, suppress(_Gone):
            self._open()
            while not self._is_over and len(self._played) < LONGEST_GAME:
                self._play_a_round()
                self.n_rounds += 1
                if not self._may_play.is_set():
                    self.is_resting.set()
                    self._may_play.wait()
            self._close()

    def _open(self) -> None:
        while True:
            try:
                self._link.finish(self._link.open(self._settings))
                return
            except Failed as error:
                self._take_refusal(error.code, str(error))

    def _close(self) -> None:
        self._link.forget_game()
        if self._link.seconds_of_silence() or self.trouble.is_on:
            self.left_behind.append(self.game)

    def _play_a_round(self) -> None:
        """A few lines, and a look at the record."""
        n_lines = 1 if self.in_a_row else self._random.choice((1, 1, 3))
        lines = [self._line(number) for number in range(n_lines)]
        for line, reply in zip(lines, self._say(*lines), strict=True):
            if reply is not None:
                self._note(line, reply)
        record = None
        while record is None:
            (record,) = self._say("printsgf")
        if moves_in(record) != self._played:
            raise Lost(f"{self.game}: {record} but agreed was {self._played}")

    def _line(self, n_before: int) -> str:
        """Something to say after so many lines that are not answered yet."""
        color = "bw"[(len(self._played) + n_before) % 2]
        vertex = f"{self._random.choice('ABCDEFGHJ')}{self._random.randint(1, 9)}"
        lines = {
            f"genmove {color}": 10,
            f"play {color} {vertex}": 6,
            f"play {color} pass": 1,
            "undo": 2,
            f"kata-analyze {color} 5 playouts 200": 2,
        }
        (line,) = self._random.choices(list(lines), list(lines.values()))
        return line

    def _note(self, line: str, reply: str) -> None:
        """What the line has done, by what was answered."""
        command, *arguments = line.split()
        if reply.startswith("="):
            if command == "genmove":
                self._played.append(sgf_move(arguments[0], reply[1:].strip()))
            elif command == "play":
                self._played.append(sgf_move(*arguments))
            elif command == "undo":
                self._played.pop()
        elif command not in ("play", "undo"):
            raise Lost(f"{self.game}: {line}: {reply}")

    def _say(self, *lines: str) -> list[str | None]:
        """The replies to lines that are sent at once; None: refused, and not done."""
        replies: dict[str, str | None] = {self._link.gtp(line): "" for line in lines}
        heads = {id: OneHead("") for id in replies}
        waiting = set(replies)
        while waiting:
            if self._link.seconds_of_silence() > SILENCE and not self._link.is_gone:
                raise Lost(f"{self.game}: {lines}: no answer, and nobody says why")
            for reaction in self._link.wait(timeout=TICK)[0]:
                if isinstance(reaction, Failure):
                    self._take_refusal(reaction.code, reaction.text)
                    replies[reaction.id] = None
                elif isinstance(reaction, End) or reaction.stream == "reply":
                    text = heads[reaction.id].fit(reaction.text)
                    replies[reaction.id] = (replies[reaction.id] or "") + text
                if not isinstance(reaction, Part):
                    waiting.discard(reaction.id)
        return list(replies.values())

    def _take_refusal(self, code: str, text: str) -> None:
        """Raises Lost for one that nothing explains."""
        if code == "no-game" and self.may_lose:
            raise _Gone
        if code not in REFUSALS:
            raise Lost(f"{self.game}: {code}: {text}")
        self.refusals.append(f"{code}: {text}")
        time.sleep(PAUSE)
