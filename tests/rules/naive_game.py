"""A slow, plain twin of Game: whole positions instead of hashes, sgfmill's board underneath."""

from __future__ import annotations

from sgfmill import boards

from goengine.board import BLACK, WHITE
from goengine.points import PASS, row_column
from goengine.rules.game import opponent
from goengine.rules.rulesets import Rules

_LETTERS = {BLACK: "b", WHITE: "w"}

Position = tuple[tuple[str, str], ...]


class NaiveGame:
    """Says what is legal by trying it and looking at all that went before."""

    def __init__(self, size: int, rules: Rules):
        self.size = size
        self.rules = rules
        self.moves: list[tuple[int, int]] = []
        self.board = boards.Board(size)
        # Every position that stood, with the colour that was to play then.
        self.situations = [(position_of(self.board), BLACK)]
        self.before_last: Position | None = None  # None after a pass, or before the first move

    def play(self, color: int, point: int) -> None:
        position, to_play = self.situations[-1]
        if color != to_play:
            self.situations.append((position, color))
        self.before_last = None
        if point != PASS:
            self.before_last = position
            self.board.play(*row_column(point, self.size), _LETTERS[color])
        self.moves.append((color, point))
        self.situations.append((position_of(self.board), opponent(color)))

    def without_last_move(self) -> NaiveGame:
        game = NaiveGame(self.size, self.rules)
        for move in self.moves[:-1]:
            game.play(*move)
        return game

    def is_legal(self, color: int, point: int) -> bool:
        row, column = row_column(point, self.size)
        if self.board.get(row, column) is not None:
            return False
        after = self.board.copy()
        after.play(row, column, _LETTERS[color])
        if after.get(row, column) is None:
            n_lost = n_stones(self.board) + 1 - n_stones(after)
            if n_lost == 1 or not self.rules.suicide:
                return False
        position = position_of(after)
        if self.rules.ko == "positional":
            return all(position != old for old, _ in self.situations)
        if self.rules.ko == "situational":
            return (position, opponent(color)) not in self.situations
        # Simple ko: the very next move must not undo the opponent's last one.
        is_answer = bool(self.moves) and self.moves[-1][0] == opponent(color)
        return not (is_answer and position == self.before_last)


def n_stones(board: boards.Board) -> int:
    return len(board.list_occupied_points())


def position_of(board: boards.Board) -> Position:
    return tuple(sorted((colour, str(place)) for colour, place in board.list_occupied_points()))
