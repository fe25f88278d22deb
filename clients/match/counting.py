"""The score of a finished position, given which stones are dead."""

from __future__ import annotations

from collections.abc import Collection

from sgfmill.boards import Board

from clients.match.game_record import Color
from clients.match.places import Place
from clients.match.referee import Referee


def margin_of(referee: Referee, dead: Collection[Place], komi: float) -> float:
    """Black's points less white's, by the rules of the game."""
    board = referee.board.copy()
    n_dead = {"b": 0, "w": 0}
    for row, column in dead:
        n_dead[board.get(row, column)] += 1
    board.apply_setup([], [], dead)
    if referee.rules.scoring == "area":
        return float(board.area_score()) - komi
    territory = _territory(board)
    black = territory["black"] + n_dead["w"] + referee.captured["white"]
    white = territory["white"] + n_dead["b"] + referee.captured["black"]
    return black - white - komi


def dead_after(before: Board, after: Board) -> set[Place]:
    """Stones of `before` whose point is the opponent's in `after`, where all stones live.

    A chain is dead as a whole or not at all: as most of its points say.
    """
    owners = _owners(after)
    dead: set[Place] = set()
    for chain in chains_of(before):
        row, column = next(iter(chain))
        color = "black" if before.get(row, column) == "b" else "white"
        n_lost = sum(owners.get(place) not in (color, None) for place in chain)
        if 2 * n_lost > len(chain):
            dead |= chain
    return dead


def chains_of(board: Board) -> list[set[Place]]:
    chains: list[set[Place]] = []
    seen: set[Place] = set()
    for color, place in board.list_occupied_points():
        if place not in seen:
            chain = _connected(board, place, color)
            seen |= chain
            chains.append(chain)
    return chains


def _territory(board: Board) -> dict[Color, int]:
    owned = [owner for place, owner in _owners(board).items() if board.get(*place) is None]
    return {"black": owned.count("black"), "white": owned.count("white")}


def _owners(board: Board) -> dict[Place, Color]:
    """Who owns a point, if somebody does and all stones live."""
    names: dict[str, Color] = {"b": "black", "w": "white"}
    owners = {place: names[color] for color, place in board.list_occupied_points()}
    seen: set[Place] = set()
    for place in board.board_points:
        if board.get(*place) is None and place not in seen:
            region = _connected(board, place, None)
            seen |= region
            around = {board.get(*near) for each in region for near in _neighbors(board, each)} - {
                None
            }
            if len(around) == 1:
                owners |= dict.fromkeys(region, names[around.pop()])
    return owners


def _connected(board: Board, start: Place, color: str | None) -> set[Place]:
    found = {start}
    to_visit = [start]
    while to_visit:
        for near in _neighbors(board, to_visit.pop()):
            if near not in found and board.get(*near) == color:
                found.add(near)
                to_visit.append(near)
    return found


def _neighbors(board: Board, place: Place) -> list[Place]:
    row, column = place
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in around if 0 <= r < board.side and 0 <= c < board.side]
