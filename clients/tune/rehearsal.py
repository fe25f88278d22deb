"""Tells the engine every bound before the first game, so that none is refused hours later."""

from __future__ import annotations

from clients.match.definition import Player
from clients.match.engine_process import Misbehaved
from clients.match.players import Seat, seat
from clients.tune import sides
from clients.tune.definition import Tuning
from clients.tune.parameters import Values, start_values
from clients.tune.spsa import trial


class Unusable(Exception):
    """The engine does not start, or does not take values; the text says which and what to do."""


async def rehearse(tuning: Tuning, shared_daemon: str | None) -> None:
    """Raises Unusable."""
    present: Seat | None = None
    try:
        for values in _extremes(tuning):
            player = sides.told_by_setup(tuning.player, tuning.parameters, values)
            if present is None or player.engine is None:  # ours takes all of them while it runs
                if present:
                    await present.engine.close()
                present = await _seated(tuning, player, shared_daemon)
            for command in player.setup:
                try:
                    await present.say(command)
                except Misbehaved as fault:
                    raise Unusable(
                        f"{tuning.path}: the engine does not take a value: {fault.detail}; "
                        "change the name, the bounds or `whole` of the parameter"
                    ) from None
    finally:
        if present:
            await present.engine.close()


async def _seated(tuning: Tuning, player: Player, shared_daemon: str | None) -> Seat:
    pairing = tuning.pairing
    try:
        made = await seat(player, pairing.patience, (), shared_daemon, pairing.size)
    except Misbehaved as fault:
        raise Unusable(f"{tuning.path}: the engine does not start: {fault.detail}") from None
    try:
        await made.say(f"boardsize {pairing.size}")
    except Misbehaved as fault:
        await made.engine.close()
        raise Unusable(f"{tuning.path}: the engine cannot play it: {fault.detail}") from None
    return made


def _extremes(tuning: Tuning) -> list[Values]:
    """All lowest, all highest, and values between: these find who needs whole numbers."""
    parameters = tuning.parameters
    return [
        {each.name: each.minimum for each in parameters},
        {each.name: each.maximum for each in parameters},
        trial(tuning.schedule, parameters, start_values(parameters), 1).plus,
    ]
