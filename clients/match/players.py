"""Players as processes: which command line a player is, and what its engine can be asked."""

from __future__ import annotations

import functools
import hashlib
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from clients.match.definition import Player
from clients.match.engine_process import EngineProcess, Misbehaved, Refused
from daemon.plain_text import plain

_START_PATIENCE = 120.0  # seconds
_COMPILE_PATIENCE = 600.0  # seconds; on a new machine our engine compiles kernels first
ROOT = Path(__file__).parent.parent.parent  # where `clients` lies
OUR_COMMAND = (sys.executable, "-m", "clients.main", "gtp")


def command_line(player: Player, shared_daemon: str | None, seed: int | None = None) -> list[str]:
    """`shared_daemon` is the address of the daemon that the match has. Raises Misbehaved.

    No seed for who plays games: each start of the engine would play the same ones again.
    """
    if player.command is not None:
        return shlex.split(player.command)
    words = [*OUR_COMMAND, "--engine", player.engine or ""]
    for option, value in (
        ("playouts", player.playouts),
        ("workers", player.workers),
        ("seed", seed),
    ):
        words += [f"--{option}", str(value)] if value is not None else []
    words += ["--time", f"{player.seconds:g}"] if player.seconds is not None else []
    # Players share cores: who ponders by accident would slow the opponent down.
    words.append("--ponder" if player.pondering is True else "--no-ponder")
    for key, setting in player.parameters.items():
        words += ["--set", f"{key}={setting}"]
    if player.daemon == "own":
        return [*words, "--embedded"]
    address = shared_daemon if player.daemon == "shared" else player.daemon
    if address is None:
        raise Misbehaved("start", "the match has no shared daemon yet; start it again")
    return [*words, "--connect", address]


class Seat:
    """A player's running engine. It stays for the next game unless it misbehaves."""

    def __init__(
        self, engine: EngineProcess, label: str, commands: set[str], patience: float
    ) -> None:
        self.engine = engine
        self.label = label  # name and version, as it told them
        self.commands = commands
        self.patience = patience

    async def say(self, command: str) -> str:
        """The answer to what every engine has to do. Raises Misbehaved, also for a refusal."""
        try:
            return (await self.engine.ask(command, self.patience)).text
        except Refused as refusal:
            raise Misbehaved("refusal", f"{command!r} is refused: {refusal}") from None

    async def offer(self, command: str) -> str | None:
        """The answer to what not every engine can do; None if it cannot. Raises Misbehaved."""
        if command.split()[0] not in self.commands:
            return None
        try:
            return (await self.engine.ask(command, self.patience)).text
        except Refused:
            return None


async def seat(
    player: Player,
    patience: float,
    cores: Sequence[int],
    shared_daemon: str | None,
    size: int,
    seed: int | None = None,
) -> Seat:
    """Start the player's engine; ours can play boards of that size then. Raises Misbehaved."""
    engine = await EngineProcess.start(
        command_line(player, shared_daemon, seed),
        directory=player.directory if player.engine is None else str(ROOT),
        environment=player.environment,
        cores=cores,
    )
    try:
        commands = set((await _first(engine, "list_commands")).split())
        name = " ".join((await _first(engine, "name")).split())
        version = " ".join((await _first(engine, "version")).split())
        if player.engine is not None:
            version = f"{version} ({_code_digest()})"
            await _first(engine, f"boardsize {size}", _COMPILE_PATIENCE)
    except BaseException:
        await engine.close()
        raise
    return Seat(engine, plain(f"{name} {version}").strip()[:100], commands, patience)


@functools.cache
def _code_digest() -> str:
    """Names what our engine is today: versions are not enough while it is worked on."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "goengine").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


async def _first(engine: EngineProcess, command: str, patience: float | None = None) -> str:
    try:
        return (await engine.ask(command, patience or _START_PATIENCE)).text
    except Refused as refusal:
        raise Misbehaved("refusal", f"{command!r} is refused: {refusal}") from None
