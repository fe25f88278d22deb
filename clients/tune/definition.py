"""A tuning as its file declares it: whose parameters, under which conditions, in how many games.

Every key is a field below; docs/tune.md shows them at work. Players and conditions are those
of match files. `Tuning.key` names all that makes its games what they are: change that, and
the tuning is another one, in a folder of its own.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from clients.match.definition import (
    Conditions,
    Match,
    MatchError,
    Openings,
    Pairing,
    PairingTable,
    Player,
    Text,
    check_player,
    make_pairing,
    openings_digest,
    read_table,
)
from clients.match.time_settings import Clock, RandomClock
from clients.tune import sides
from clients.tune.parameters import Parameter, wrong_with
from clients.tune.spsa import Schedule, Trial
from daemon.toml_file import TomlFile

PLUS, MINUS = "plus", "minus"  # the players of an iteration's games
_NOT_HERE = ("games", "sprt", "colors")  # of a match's conditions
_LIMITS = ("playouts", "seconds", "workers")  # of our engine, but no parameters of its search
Even = Annotated[int, Meta(ge=2, le=10_000, multiple_of=2)]


class TuningTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """games           in each iteration; every opening is played with both colours
    wander          steps by which a parameter without effect is off at the end
    verify_games    of the match that shows the gain
    """

    player: Player
    parameter: Annotated[list[Parameter], Meta(min_length=1, max_length=100)]
    iterations: Annotated[int, Meta(ge=1, le=1_000_000)]
    games: Even = 8
    seed: Annotated[int, Meta(ge=0)] = 1
    wander: Annotated[float, Meta(gt=0, le=100)] = 1.0
    verify_games: Even = 400
    title: Text | None = None
    results: Text | None = None
    games_at_once: Annotated[int, Meta(ge=1, le=1024)] | None = None
    cores: list[Annotated[int, Meta(ge=0)]] | None = None
    pin: bool = False
    forfeits_in_a_row: Annotated[int, Meta(ge=0)] = 5
    game: Conditions = Conditions()


_TABLES: dict[str, type[msgspec.Struct]] = {
    "": TuningTable, "player": Player, "parameter": Parameter, "game": Conditions,
    "clock": Clock, "random": RandomClock, "openings": Openings,
}  # fmt: skip


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """match: the player against itself, with all that games need to know."""

    match: Match
    schedule: Schedule
    parameters: list[Parameter]
    verify_games: int

    @property
    def path(self) -> Path:
        return self.match.path

    @property
    def player(self) -> Player:
        return self.pairing.players[0]

    @property
    def pairing(self) -> Pairing:
        return self.match.pairings[0]

    @property
    def key(self) -> str:
        """The number of iterations is no part of it: a tuning can be made longer."""
        schedule = self.schedule._replace(iterations=0)
        parts = msgspec.json.encode((self.pairing.key, schedule, self.parameters))
        return f"tuning-{hashlib.sha256(parts).hexdigest()[:8]}"

    @property
    def folder(self) -> Path:
        return self.match.results / self.key

    def pairing_of(self, number: int, tried: Trial) -> Pairing:
        """The games of an iteration. Its key is another one for other values."""
        players = (
            sides.told_by_setup(self.player, self.parameters, tried.plus),
            sides.told_by_setup(self.player, self.parameters, tried.minus),
        )
        return msgspec.structs.replace(self.pairing, name=f"iteration {number}", players=players)


def read_tuning(path: Path) -> Tuning:
    """Raises MatchError."""
    file, table = read_table(path, TuningTable, _TABLES)
    check_player(file, ("player",), table.player)
    _check_game(file, table.game)
    _check_parameters(file, table)
    return Tuning(
        match=_match(file, table),
        schedule=Schedule(table.iterations, table.games, table.seed, table.wander),
        parameters=table.parameter,
        verify_games=table.verify_games,
    )


def _check_game(file: TomlFile, game: Conditions) -> None:
    for key in _NOT_HERE:
        if getattr(game, key) is not None:
            hint = "games = 8 at the top says how many an iteration has" if key == "games" else ""
            hint = hint or "every opening is played with both colours, and all games are played"
            raise MatchError(f"{file.place('game', key)}: tuning has no {key} in [game]; {hint}")


def _check_parameters(file: TomlFile, table: TuningTable) -> None:
    names = [parameter.name for parameter in table.parameter]
    for parameter in table.parameter:
        name = parameter.name
        wrong = wrong_with(parameter)
        if names.count(name) > 1:
            wrong = "it is there twice; keep one of them"
        elif name in table.player.parameters:
            wrong = "[player] sets it too; take it out there, `start` says where it begins"
        elif table.player.engine is not None and name in _LIMITS:
            wrong = "it is no parameter of the search; set it in [player]"
        elif not sides.is_told(table.player, name):
            wrong = f"nothing tells it to the engine; write {{{name}}} into command or setup"
        if wrong:
            raise MatchError(f"{file.path}: parameter {name}: {wrong}")


def _match(file: TomlFile, table: TuningTable) -> Match:
    players = {PLUS: table.player, MINUS: table.player}
    game = msgspec.structs.replace(table.game, games=table.games)
    try:
        pairing = make_pairing(PairingTable(players=[PLUS, MINUS]), game, players)
        digest = openings_digest(pairing.openings, file.path.parent)
    except (OSError, ValueError) as error:
        raise MatchError(f"{file.path}: {error}") from None
    return Match(
        path=file.path,
        title=table.title or file.path.stem,
        results=file.path.parent / (table.results or f"{file.path.stem}.results"),
        players=players,
        pairings=[msgspec.structs.replace(pairing, openings_digest=digest)],
        games_at_once=table.games_at_once,
        cores=table.cores,
        pin=table.pin,
        forfeits_in_a_row=table.forfeits_in_a_row,
        published=None,
    )
