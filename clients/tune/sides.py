"""How values reach an engine.

Ours is told by GTP before every game, so that it runs on while values change; in a match file
the same stands in its `parameters`. For any other program `{name}` in its command, setup or
environment stands for the value.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from clients.match.definition import Player
from clients.tune.parameters import Parameter, Values, told_values


def is_told(player: Player, name: str) -> bool:
    """Is there a place where the value goes?"""
    if player.engine is not None:
        return True
    texts = [player.command or "", *player.setup, *player.environment.values()]
    return any(f"{{{name}}}" in text for text in texts)


def told_by_setup(player: Player, parameters: Sequence[Parameter], values: Values) -> Player:
    """The player for games in which values change again and again."""
    if player.engine is None:
        return _filled_in(player, parameters, values)
    commands = [f"goengine-param {each.name} {each.text(values[each.name])}" for each in parameters]
    return msgspec.structs.replace(player, setup=[*player.setup, *commands])


def told_from_the_start(player: Player, parameters: Sequence[Parameter], values: Values) -> Player:
    """The player for a match file: the values as one would write them there."""
    if player.engine is None:
        return _filled_in(player, parameters, values)
    told = told_values(parameters, values)
    return msgspec.structs.replace(player, parameters={**player.parameters, **told})


def _filled_in(player: Player, parameters: Sequence[Parameter], values: Values) -> Player:
    def filled(text: str) -> str:
        for each in parameters:
            text = text.replace(f"{{{each.name}}}", each.text(values[each.name]))
        return text

    return msgspec.structs.replace(
        player,
        command=filled(player.command or ""),
        setup=[filled(text) for text in player.setup],
        environment={name: filled(text) for name, text in player.environment.items()},
    )
