"""Small eyes searched to the end, under nothing but the rules.

A wall of the defender's stones, without a liberty outside, surrounds a few points. Who
attacks wants to take the wall. Positions that repeat are good for the defender.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

Cell = tuple[int, int]
Shape = frozenset[Cell]
Board = tuple[str, ...]  # for each point of the eye: "." or "A", "D" of attacker and defender
State = tuple[Board, str, int]  # and who moves, and the point that a ko forbids, or -1

OTHER = {"A": "D", "D": "A"}


def grow_shapes(n: int) -> set[Shape]:
    """Every connected shape of `n` points, the lowest row and column 0; turned ones too."""
    shapes = {frozenset([(0, 0)])}
    for _ in range(n - 1):
        shapes = {
            moved_to_origin(shape | {beside})
            for shape in shapes
            for cell in shape
            for beside in cells_beside(cell)
            if beside not in shape
        }
    return shapes


def moved_to_origin(shape: Shape) -> Shape:
    row, column = (min(values) for values in zip(*shape, strict=True))
    return frozenset((r - row, c - column) for r, c in shape)


def views_of(shape: Shape) -> list[dict[Cell, Cell]]:
    """The shape turned and mirrored: where each of its points goes."""
    views = []
    for sign_r, sign_c, swap in itertools.product((1, -1), (1, -1), (False, True)):
        cells = {(r, c): (sign_r * r, sign_c * c)[:: -1 if swap else 1] for r, c in shape}
        row, column = (min(values) for values in zip(*cells.values(), strict=True))
        views.append({cell: (r - row, c - column) for cell, (r, c) in cells.items()})
    return views


def different_shapes(n: int) -> list[Shape]:
    """One of all shapes that turning and mirroring make of each other, for each of them."""
    found: dict[Shape, None] = {}
    for shape in sorted(grow_shapes(n), key=sorted):
        if not any(frozenset(view.values()) in found for view in views_of(shape)):
            found[shape] = None
    return list(found)


def cells_beside(cell: Cell) -> list[Cell]:
    r, c = cell
    return [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]


class SmallEye:
    """One shape, solved."""

    def __init__(self, shape: Shape) -> None:
        self.cells = sorted(shape)
        self.beside = [
            [self.cells.index(other) for other in cells_beside(cell) if other in shape]
            for cell in self.cells
        ]
        self.at_wall = [len(others) < 4 for others in self.beside]
        self.empty: Board = (".",) * len(self.cells)
        self.taken: set[State] = set()  # states from which the attacker takes the wall
        self._solve()

    def killing_points(self) -> set[Cell]:
        """Where the attacker, to move, can start."""
        return {
            cell
            for point, cell in enumerate(self.cells)
            if (state := self._after(self.empty, "A", point)) is None or state in self.taken
        }

    def saving_points(self) -> set[Cell]:
        """Where the defender can start, to live."""
        return {
            cell
            for point, cell in enumerate(self.cells)
            if (state := self._after(self.empty, "D", point)) and state not in self.taken
        }

    def _solve(self) -> None:
        """What the attacker takes at once, then what leads there whatever the other does."""
        after: dict[State, list[State | None]] = {}
        waiting: list[State] = [(self.empty, color, -1) for color in "AD"]
        while waiting:
            state = waiting.pop()
            if state not in after:
                after[state] = list(self._moves(state))
                waiting += [each for each in after[state] if each]
        changed = True
        while changed:
            changed = False
            for state, follow in after.items():
                if state in self.taken:
                    continue
                wins = [each is None or each in self.taken for each in follow]
                if any(wins) if state[1] == "A" else all(wins):
                    self.taken.add(state)
                    changed = True

    def _moves(self, state: State) -> Iterator[State | None]:
        """The states after a pass and after each legal move."""
        board, color, ko = state
        yield board, OTHER[color], -1
        for point, at in enumerate(board):
            if at == "." and point != ko:
                after = self._after(board, color, point)
                if after is None or after[0] != board:
                    yield after

    def _after(self, board: Board, color: str, point: int) -> State | None:
        """The state after a move; with the same board if it is suicide; None: the wall is taken."""
        other = OTHER[color]
        placed = (*board[:point], color, *board[point + 1 :])
        left, n_taken = self._without_dead(placed, other)
        if left is None:
            return None
        survivors, n_own = self._without_dead(left, color)
        if survivors is None or n_own:
            return board, other, -1
        ko = -1
        around = [left[each] for each in self.beside[point]]
        is_alone = color not in around and not (color == "D" and self.at_wall[point])
        if n_taken == 1 and is_alone and around.count(".") == 1:
            ko = next(i for i in range(len(board)) if placed[i] != left[i])
        return left, other, ko

    def _without_dead(self, board: Board, color: str) -> tuple[Board | None, int]:
        """The board without chains of `color` that have no liberty, and how many stones went.

        None instead of a board if the wall is among them.
        """
        kept = list(board)
        seen: set[int] = set()
        starts = [i for i, at in enumerate(board) if at == color]
        if color == "D":
            reached = {i for i in starts if self.at_wall[i]}
            chain = self._chain(board, color, reached)
            liberties = {i for i, at in enumerate(board) if at == "." and self.at_wall[i]}
            if not liberties and not self._touches_empty(board, chain):
                return None, 0
            seen |= chain
        n_gone = 0
        for start in starts:
            if start not in seen:
                chain = self._chain(board, color, {start})
                seen |= chain
                if not self._touches_empty(board, chain):
                    n_gone += len(chain)
                    for stone in chain:
                        kept[stone] = "."
        return tuple(kept), n_gone

    def _touches_empty(self, board: Board, chain: set[int]) -> bool:
        return any(board[each] == "." for stone in chain for each in self.beside[stone])

    def _chain(self, board: Board, color: str, stones: set[int]) -> set[int]:
        chain, waiting = set(stones), list(stones)
        while waiting:
            for each in self.beside[waiting.pop()]:
                if board[each] == color and each not in chain:
                    chain.add(each)
                    waiting.append(each)
        return chain
