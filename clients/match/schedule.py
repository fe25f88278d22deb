"""Which game is next: decisions alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from clients.match.definition import Pairing
from clients.match.game_record import GameRecord
from clients.match.standings import Standing


def next_pairing(
    standings: Sequence[Standing], in_play: Mapping[str, int], stopped: Collection[str]
) -> Standing | None:
    """The one that has the least of its games, played or in play; None if none has any left.

    in_play     games at present, by the key of their pairing
    """
    open_ones = [
        standing
        for standing in standings
        if not standing.is_finished and standing.pairing.key not in stopped
    ]

    def progress(standing: Standing) -> float:
        n_games = len(standing.records) + in_play.get(standing.pairing.key, 0)
        return n_games / standing.pairing.games

    return min(open_ones, key=progress, default=None)


def next_number(standing: Standing, is_taken: Callable[[int], bool]) -> int | None:
    """The lowest number that is neither played nor taken by anybody who plays it now."""
    played = {record.number for record in standing.records}
    for number in range(1, standing.pairing.games + 1):
        if number not in played and not is_taken(number):
            return number
    return None


def hopeless(pairing: Pairing, records: Sequence[GameRecord], most: int) -> str:
    """Why the pairing should not go on: a player forfeits game after game. Empty if it should.

    `records` as they were played; `most` forfeits in a row are too many, 0 is no limit.
    """
    last = records[-most:] if most else []
    if len(last) < most or not last or any(record.ending != "forfeit" for record in last):
        return ""
    losers = {
        pairing.first
        if (record.winner == "white") == pairing.first_is_black(record.number)
        else pairing.second
        for record in last
    }
    if len(losers) > 1:
        return ""
    return f"{losers.pop()} forfeited {most} games in a row; the last one: {last[-1].detail}"
