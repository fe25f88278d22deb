"""Random games, garbage included, on the engine, its naive twin and sgfmill at once."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from sgfmill import boards

from goengine.board import BLACK, EMPTY, WHITE
from goengine.board.checking import check_board
from goengine.points import PASS, all_points, row_column
from goengine.rules.game import Game, IllegalMove
from goengine.rules.rulesets import RULESETS
from goengine.rules.scoring import score_game
from tests.twins.naive_game import NaiveGame

_SGF_COLOR = {EMPTY: None, BLACK: "b", WHITE: "w"}
_LETTERS = {EMPTY: ".", BLACK: "X", WHITE: "O"}
_STEPS_BETWEEN_SCORES = 25


class RandomGame:
    """Three games that must stay the same; a difference fails with all boards."""

    def __init__(self, size: int, seed: int) -> None:
        self.random = random.Random(f"{size} {seed}")
        rules = self.random.choice(list(RULESETS.values()))
        self.size = size
        self.points = all_points(size)
        self.name = f"size {size}, seed {seed}, {rules.name}"
        self.game = Game(size, rules, komi=0)
        self.game.declared_handicap = 0  # the twins know none
        self.twin = NaiveGame(size, rules)
        self.sgf_board = boards.Board(size)
        self.n_refused = 0

    def run(self) -> None:
        for step in range(3 * self.size**2):
            self.step()
            if step % _STEPS_BETWEEN_SCORES == 0:
                self.compare_scores()
            if self.game.is_over:
                break
        self.compare_scores()
        self.compare_undo()

    def step(self) -> None:
        """Try one move, sensible or not, and compare what became of it."""
        color = self.game.to_play if self.random.random() < 0.95 else self.random.choice((1, 2))
        point = self.choose_point()
        expected = self.twin.is_legal(color, point)
        found = self.game.is_legal(color, point)
        self.expect(found == expected, f"legality of {color} at {point}", found, expected)
        if expected:
            self.game.play(color, point)
            self.twin.play(color, point)
            ko = None
            if point != PASS:
                ko = self.sgf_board.play(*row_column(point, self.size), _SGF_COLOR[color])
            self.compare(ko)
            return
        self.n_refused += 1
        try:
            self.game.play(color, point)
        except IllegalMove:
            pass
        else:
            self.expect(False, f"refusal of {color} at {point}", "played", "refused")

    def choose_point(self) -> int:
        """Mostly an empty point; at times any point, a pass or nonsense."""
        kind = self.random.random()
        if kind < 0.9 and self.game.board.n_empty:
            n_empty = int(self.game.board.n_empty)
            return int(self.game.board.empty[self.random.randrange(n_empty)])
        if kind < 0.96:
            return self.random.choice(self.points)
        if kind < 0.98:
            return PASS
        return self.random.choice((-1, -7, 3, len(self.game.board.color), 10**6, 2**70))

    def compare(self, sgf_ko: Any) -> None:
        board = self.game.board
        position = board.color[self.points].tobytes()
        self.expect(position == self.twin.position, "position", position, self.twin.position)
        sgf_colors = [color for row in self.sgf_board.board for color in row]
        self.expect([_SGF_COLOR[c] for c in position] == sgf_colors, "sgfmill", "", "")
        captures = {color: self.game.captures(color) for color in (BLACK, WHITE)}
        self.expect(captures == self.twin.captures, "captures", captures, self.twin.captures)
        ko = row_column(int(board.ko), self.size) if board.ko else None
        self.expect(ko == sgf_ko, "ko", ko, sgf_ko)
        last_moves, turns = [int(board.last2), int(board.last)], [0, 0, *self.twin.turns][-2:]
        self.expect(last_moves == turns, "last moves", last_moves, turns)
        check_board(board)

    def compare_scores(self) -> None:
        expected = self.twin.area()
        sgf_score = self.sgf_board.area_score()
        self.expect(sgf_score == expected, "sgfmill's area", sgf_score, expected)
        if self.game.rules.scoring == "area":
            margin = score_game(self.game).margin
            self.expect(margin == expected, "area", margin, expected)

    def compare_undo(self) -> None:
        """Taking back and playing again gives the same record, move lists aside."""
        if not self.game.moves:
            return
        n_moves = self.random.randint(1, len(self.game.moves))
        again = self.game.moves[-n_moves:]
        before = self.game.copy()
        self.game.undo(n_moves)
        for move in again:
            self.game.play(*move)
        for field in ("color", "hash", "ko", "to_play", "captures", "last", "last2"):
            same = np.array_equal(self.game.board[field], before.board[field])
            self.expect(same, f"{field} after undo", self.game.board[field], before.board[field])

    def expect(self, condition: bool, what: str, found: Any, expected: Any) -> None:
        if condition:
            return
        rows = [
            " ".join(_LETTERS[c] for c in self.twin.position[row * self.size :][: self.size])
            + "    "
            + " ".join(_LETTERS[int(c)] for c in self.row_of_board(row))
            for row in reversed(range(self.size))
        ]
        diagram = "\n".join(rows)
        raise AssertionError(
            f"{self.name}, move {len(self.game.moves)}: {what}: {found}, expected {expected}\n"
            f"naive twin, and board:\n{diagram}"
        )

    def row_of_board(self, row: int) -> Any:
        return self.game.board.color[self.points[row * self.size :][: self.size]]
