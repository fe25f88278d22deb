"""The moves of a record in their order, and the board that they lead to."""

from __future__ import annotations

from typing import NamedTuple

from sgfmill.boards import Board

from clients.match.game_record import Color, GameRecord, MoveRecord
from clients.match.places import Place, place_of


class Turn(NamedTuple):
    """A move or a pass.

    number    from 1, with the opening counted
    place     None for a pass
    told      what the player's record says; None for a move of the opening
    """

    number: int
    color: Color
    vertex: str
    place: Place | None
    told: MoveRecord | None


class Replay(NamedTuple):
    """A record as far as it can be played, and where the stones stand then.

    rest      the turns from the first that is no move on this board: resign, or an offence
    """

    record: GameRecord
    turns: list[Turn]
    rest: list[Turn]
    board: Board

    @property
    def last_stone(self) -> Turn | None:
        return next((turn for turn in reversed(self.turns) if turn.place), None)


def n_moves(record: GameRecord) -> int:
    """Moves and passes, the opening's among them."""
    resigned = bool(record.moves) and record.moves[-1].vertex.lower() == "resign"
    return len(record.opening) + len(record.moves) - resigned


def places_of(vertices: list[str], size: int) -> list[Place]:
    """What is none is left out."""
    places = []
    for vertex in vertices:
        try:
            place = place_of(vertex, size)
        except ValueError:
            continue
        if place:
            places.append(place)
    return places


def replay(record: GameRecord) -> Replay:
    """Play a record; whatever it holds, this does not fail."""
    board = Board(record.size)
    board.apply_setup(places_of(record.handicap, record.size), [], [])
    played = Replay(record, [], [], board)
    told: list[tuple[str, MoveRecord | None]] = [(vertex, None) for vertex in record.opening]
    told += [(move.vertex, move) for move in record.moves]
    for index, (vertex, move) in enumerate(told):
        color: Color = "white" if bool(record.handicap) != (index % 2 == 1) else "black"
        turn = Turn(index + 1, color, vertex, None, move)
        try:
            turn = turn._replace(place=place_of(vertex, record.size))
            if turn.place and not played.rest:
                board.play(*turn.place, color[0])
        except ValueError:
            played.rest.append(turn)
            continue
        (played.rest if played.rest else played.turns).append(turn)
    return played
