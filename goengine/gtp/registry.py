"""The one table of commands.

A function becomes a command by its decorator, and its parameters after the
session are the command's arguments, all of them text:

    @command("play")
    def play(session: GtpSession, color: str, vertex: str) -> None: ...

So `play` takes two arguments, and the error for any other number of them
("usage: play COLOR VERTEX") is read off the signature. A default makes an
argument optional, `*names` takes any number. What the function returns is the
text of the reply, or an order for a search; it raises GtpError to fail.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from goengine.gtp.replies import GtpError
from goengine.search.orders import Order

Handler = Callable[..., str | Order | None]
HandlerT = TypeVar("HandlerT", bound=Handler)


@dataclass(frozen=True)
class Command:
    name: str
    run: Handler
    usage: str
    n_required: int
    n_allowed: int | None  # None: any number

    def check_arguments(self, arguments: list[str]) -> None:
        """Raise GtpError unless `run` can take that many."""
        too_many = self.n_allowed is not None and len(arguments) > self.n_allowed
        if too_many or len(arguments) < self.n_required:
            raise GtpError(f"syntax error: usage: {self.usage}")


COMMANDS: dict[str, Command] = {}


def command(name: str) -> Callable[[HandlerT], HandlerT]:
    """Enter the function into COMMANDS under `name`."""

    def register(function: HandlerT) -> HandlerT:
        if name in COMMANDS:
            raise ValueError(f"two functions for the GTP command {name}")
        COMMANDS[name] = _describe(name, function)
        return function

    return register


def find_command(name: str) -> Command:
    found = COMMANDS.get(name)
    if found is None:
        raise GtpError("unknown command")
    return found


def _describe(name: str, function: Handler) -> Command:
    words = [name]
    n_required = 0
    n_allowed: int | None = 0
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        word = parameter.name.upper()
        if parameter.kind is parameter.VAR_POSITIONAL:
            n_allowed = None
            words.append(f"[{word} ...]")
            continue
        if n_allowed is not None:
            n_allowed += 1
        if parameter.default is parameter.empty:
            n_required += 1
            words.append(word)
        else:
            words.append(f"[{word}]")
    return Command(name, function, " ".join(words), n_required, n_allowed)
