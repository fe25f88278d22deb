"""A slow, plain twin of Game and board: whole positions, flood fills, no hashes.

Shares no code with the engine but the numbers of points and colours.
A position is a bytes object: 0 empty, 1 black, 2 white, row by row from below.
"""

from __future__ import annotations

import functools

from goengine.points import PASS, is_on_board, row_column
from goengine.rules.rulesets import Rules


@functools.cache
def neighbors(size: int) -> list[list[int]]:
    return [
        [
            (row + up) * size + column + right
            for up, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if 0 <= row + up < size and 0 <= column + right < size
        ]
        for row in range(size)
        for column in range(size)
    ]


class NaiveGame:
    """Says what is legal by trying it and looking at all that went before."""

    def __init__(self, size: int, rules: Rules) -> None:
        self.size = size
        self.rules = rules
        self.moves: list[tuple[int, int]] = []
        self.turns: list[int] = []  # points; a turn that was skipped is a pass
        self.to_play = 1
        self.captures = {1: 0, 2: 0}
        self.position = bytes(size * size)
        self.before_last_stone: bytes | None = None  # if the last move was one
        self.situations = {(self.position, self.to_play)}
        self.positions = {self.position}

    def is_legal(self, color: int, point: int) -> bool:
        if point == PASS:
            return True
        if not is_on_board(point, self.size) or self.position[self._index(point)]:
            return False
        after, _, n_suicides = self.try_move(color, point)
        if n_suicides == 1 or (n_suicides and not self.rules.suicide):
            return False
        if self.rules.ko == "positional":
            return after not in self.positions
        if self.rules.ko == "situational":
            return (after, 3 - color) not in self.situations
        return after != self.before_last_stone or color != self.to_play

    def play(self, color: int, point: int) -> None:
        """Does not check legality."""
        self.moves.append((color, point))
        self.turns += [PASS, point] if color != self.to_play else [point]
        if color != self.to_play:
            self.situations.add((self.position, color))
        if point == PASS:
            self.before_last_stone = None
        else:
            after, n_captured, n_suicides = self.try_move(color, point)
            self.captures[color] += n_captured
            self.captures[3 - color] += n_suicides
            self.before_last_stone = self.position
            self.position = after
        self.to_play = 3 - color
        self.positions.add(self.position)
        self.situations.add((self.position, self.to_play))

    def without_last_move(self) -> NaiveGame:
        """A new game with all moves but the last one."""
        game = NaiveGame(self.size, self.rules)
        for color, point in self.moves[:-1]:
            game.play(color, point)
        return game

    def try_move(self, color: int, point: int) -> tuple[bytes, int, int]:
        """The position after a move, and how many enemy and own stones it takes off."""
        index = self._index(point)
        after = bytearray(self.position)
        after[index] = color
        n_captured = 0
        for beside in neighbors(self.size)[index]:
            if after[beside] == 3 - color:
                n_captured += self._remove_if_dead(after, beside)
        n_suicides = self._remove_if_dead(after, index)
        return bytes(after), n_captured, n_suicides

    def area(self) -> int:
        """Black's area minus white's; a region that touches both colours is nobody's."""
        margin = self.position.count(1) - self.position.count(2)
        counted: set[int] = set()
        for start, color in enumerate(self.position):
            if color or start in counted:
                continue
            region, colors, waiting = {start}, set(), [start]
            while waiting:
                for beside in neighbors(self.size)[waiting.pop()]:
                    if self.position[beside]:
                        colors.add(self.position[beside])
                    elif beside not in region:
                        region.add(beside)
                        waiting.append(beside)
            counted |= region
            margin += len(region) * ((colors == {1}) - (colors == {2}))
        return margin

    def _remove_if_dead(self, after: bytearray, index: int) -> int:
        color = after[index]
        chain, waiting = {index}, [index]
        while waiting:
            for beside in neighbors(self.size)[waiting.pop()]:
                if not after[beside]:
                    return 0
                if after[beside] == color and beside not in chain:
                    chain.add(beside)
                    waiting.append(beside)
        for stone in chain:
            after[stone] = 0
        return len(chain)

    def _index(self, point: int) -> int:
        row, column = row_column(point, self.size)
        return row * self.size + column
