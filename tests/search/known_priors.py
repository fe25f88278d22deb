"""Priors of a search, read for tests."""

from __future__ import annotations

from typing import Any

from goengine.board import BLACK
from goengine.points import PASS, format_vertex
from goengine.rules.game import Game
from goengine.tree.columns import ROOT
from tests.diagrams import COLORS, game_on, play_all
from tests.search.searches import PLAIN, OneWorker, children_of

ONE = 32  # a visit, in a word of the tree

Known = dict[str, tuple[float, float]]  # by vertex: equivalent visits won and lost


def game_after(text: str, moves: str, to_play: int) -> Game:
    first = COLORS[moves.split()[0]] if moves else to_play
    game = game_on(text, first)
    play_all(game, moves)
    return game


def priors_of(text: str, moves: str = "", to_play: int = BLACK, **changes: Any) -> Known:
    """Of all children but the pass, in visits."""
    search = OneWorker(game_after(text, moves, to_play), to_play, **changes)
    search.simulate(1)
    return read_priors(search)


def read_priors(search: OneWorker) -> Known:
    tree, size = search.tree, int(search.memory.root(9).boards[0].rows)
    found = {}
    for child in children_of(tree, ROOT):
        move, word = int(tree.move[child]), int(tree.prior[child])
        visits, won = word >> 16, word & 0xFFFF
        assert won <= visits
        if move != PASS:
            found[format_vertex(move, size)] = (won / ONE, (visits - won) / ONE)
    return found


def known_by(
    parameter: str, visits: int, text: str, moves: str = "", to_play: int = BLACK
) -> Known:
    """What one parameter alone has to say: moves of which nothing is known are left out."""
    changes = {**PLAIN, "even_visits": 0, parameter: visits}
    found = priors_of(text, moves, to_play, **changes)
    return {vertex: known for vertex, known in found.items() if known != (0, 0)}


def won(visits: float, *vertices: str) -> Known:
    return dict.fromkeys(vertices, (visits, 0.0))


def lost(visits: float, *vertices: str) -> Known:
    return dict.fromkeys(vertices, (0.0, visits))


def chain_in_atari(n_stones: int) -> tuple[str, str]:
    """A white chain along the lower edge, and the vertex where it is taken."""
    rows = [["."] * 9 for _ in range(9)]  # the lowest first
    for place in range(n_stones):
        rows[place // 8][place % 8] = "O"
    for row in (0, 1, 2):
        for column in range(9):
            below = rows[row - 1][column] if row else ""
            beside = rows[row][column - 1] if column else ""
            if rows[row][column] == "." and (below == "O" or (row and beside == "O")):
                rows[row][column] = "X"
    text = "\n".join(" ".join(row) for row in reversed(rows))
    return text, "ABCDEFGHJ"[min(n_stones, 8)] + "1"
