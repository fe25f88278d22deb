"""A game: the position with its history.

The board knows simple ko and nothing of the past. Here are superko, passes,
undo, set-up stones and handicap. A move costs two kernel calls, three under
superko; only undo and set-up replay.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from goengine.board import (
    BLACK,
    EMPTY,
    KO,
    LEGAL,
    OCCUPIED,
    SUICIDE,
    WHITE,
    copy_board,
    hash_after,
    illegality,
    new_board,
    play_move,
    play_pass,
)
from goengine.points import (
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    all_points,
    format_vertex,
    is_on_board,
)
from goengine.rules.handicap import check_free_handicap, count_played_stones
from goengine.rules.rulesets import DEFAULT_RULES, Rules

MAX_MOVES = 5000  # so that nobody waits for a game to be replayed

_REASONS = {OCCUPIED: "is occupied", KO: "takes back a ko", SUICIDE: "is suicide"}


class IllegalMove(ValueError):
    """The rules of the game forbid the move."""


class Move(NamedTuple):
    color: int  # BLACK or WHITE
    point: int  # a point or PASS


def opponent(color: int) -> int:
    return BLACK + WHITE - color


class Game:
    """A position, how it came about, and the rules and komi it is played under.

    Read freely; change it through the methods, `rules`, `komi`, `to_play` and
    `declared_handicap`.

    size          rows on the board
    rules         may be exchanged at any time; moves that were played stay
    board         the present position, a board record; another one after undo and set_up
    moves         what was played after the set-up
    setup_black, setup_white
                  stones that were there before the first move, handicap included
    declared_handicap
                  stones that black was given, as a command or a record says; None: nobody says
    first_to_play who was to play before the first move
    prisoners_before
                  taken before the first move, by black and by white
    n_handed_over how often `to_play` was set since the last move
    """

    def __init__(self, size: int = 19, rules: Rules | None = None, komi: float | None = None):
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError(f"board size {size} is not between {MIN_SIZE} and {MAX_SIZE}")
        self.size = size
        self.rules = DEFAULT_RULES if rules is None else rules
        self.komi = self.rules.komi if komi is None else komi
        self.moves: list[Move] = []
        self.setup_black: list[int] = []
        self.setup_white: list[int] = []
        self.declared_handicap: int | None = None
        self.prisoners_before = (0, 0)
        self._start_from(new_board(size))

    def copy(self) -> Game:
        """An independent game with the same history."""
        game = Game.__new__(Game)
        game.size, game.rules, game.komi = self.size, self.rules, self.komi
        game.moves = self.moves.copy()
        game.setup_black = self.setup_black.copy()
        game.setup_white = self.setup_white.copy()
        game.declared_handicap = self.declared_handicap
        game.board = copy_board(self.board)
        game.prisoners_before = self.prisoners_before
        game.n_handed_over = self.n_handed_over
        game._start = self._start  # never changed in place
        game._seen = self._seen.copy()
        return game

    @property
    def komi(self) -> float:
        """Points that white has from the start."""
        return self._komi

    @komi.setter
    def komi(self, komi: float) -> None:
        if not math.isfinite(komi):
            raise ValueError(f"komi {komi} is not a finite number")
        self._komi = float(komi)

    @property
    def n_handicap(self) -> int:
        """Stones that black was given, in the set-up or as his first moves; at least 2, or 0."""
        if self.declared_handicap is not None:
            return self.declared_handicap
        if self.setup_black or self.setup_white:
            return 0
        return count_played_stones(self.moves, self.size)

    @property
    def white_bonus(self) -> float:
        """All that white starts with: komi and the compensation for handicap stones."""
        return self.komi + self.rules.compensation(self.n_handicap)

    @property
    def to_play(self) -> int:
        """Whose turn it is. To hand the turn over lifts a ko ban and leaves no move behind."""
        return int(self.board.to_play)

    @to_play.setter
    def to_play(self, color: int) -> None:
        _check_color(color)
        if color == self.to_play:
            return
        play_pass(self.board, opponent(color))
        if self.moves:
            self._remember_position(color)
            self.n_handed_over += 1
        else:
            self._start_from(self.board)

    @property
    def first_to_play(self) -> int:
        return int(self._start.to_play)

    @property
    def is_empty(self) -> bool:
        """Neither moves nor set-up stones."""
        return not (self.moves or self.setup_black or self.setup_white)

    @property
    def n_passes(self) -> int:
        """Passes in a row at the end."""
        return sum(1 for _ in self._closing_passes())

    @property
    def is_over(self) -> bool:
        """Both players have passed since the last stone. Play may go on all the same."""
        return len({move.color for move in self._closing_passes()}) == 2

    def is_over_after_pass_of(self, color: int) -> bool:
        """Would a pass of `color` end the game, or has it ended?"""
        return any(move.color != color for move in self._closing_passes())

    def captures(self, color: int) -> int:
        """Prisoners that `color` has taken, the opponent's suicides included."""
        return int(self.board.captures[color]) + self.prisoners_before[color == WHITE]

    def stones(self) -> list[tuple[int, int]]:
        """(colour, point) of every stone on the board."""
        colors = self.board.color
        return [(int(colors[at]), at) for at in all_points(self.size) if colors[at] != EMPTY]

    def positions(self) -> list[tuple[int, int]]:
        """(hash, to play) of every position that stood in this game, each once, oldest first."""
        return [
            (position, color)
            for position, colors in self._seen.items()
            for color in (BLACK, WHITE)
            if colors & color
        ]

    def illegal_reason(self, color: int, point: int) -> str | None:
        """Why `color` may not play there, such as "D4 is occupied"; None if it may.

        It need not be the turn of `color`.
        """
        _check_color(color)
        if point == PASS:
            return None
        if not is_on_board(point, self.size):
            return f"point {point} is not on a {self.size}x{self.size} board"
        reason = illegality(self.board, point, color, self.rules.suicide)
        if reason != LEGAL:
            return f"{format_vertex(point, self.size)} {_REASONS[reason]}"
        if self.rules.ko != "simple" and self._would_repeat(color, point):
            return f"{format_vertex(point, self.size)} repeats a position"
        return None

    def is_legal(self, color: int, point: int) -> bool:
        return self.illegal_reason(color, point) is None

    def play(self, color: int, point: int) -> None:
        """Play a point or PASS, also out of turn. Raises IllegalMove."""
        reason = self.illegal_reason(color, point)
        if reason is not None:
            raise IllegalMove(f"illegal move: {reason}")
        if len(self.moves) >= MAX_MOVES:
            raise IllegalMove(f"illegal move: a game has at most {MAX_MOVES} moves")
        self._play_assume_legal(Move(color, point))

    def undo(self, n_moves: int = 1) -> None:
        """Take back moves, never the set-up. Raises ValueError, and then takes back none."""
        if not 1 <= n_moves <= len(self.moves):
            raise ValueError(f"cannot undo: {n_moves} of {len(self.moves)} moves")
        moves = self.moves[:-n_moves]
        self.moves = []
        self._start_from(self._start)
        self.replay(moves)

    def replay(self, moves: Sequence[Move]) -> None:
        """Play moves that were legal when they were played, by the rules of that time."""
        for move in moves:
            self._play_assume_legal(move)

    def set_up(
        self,
        black: Sequence[int],
        white: Sequence[int],
        to_play: int,
        prisoners: tuple[int, int] = (0, 0),
    ) -> None:
        """Put stones on the board of an empty game; undo does not go behind it.

        `prisoners` were taken before, by black and by white. Raises ValueError,
        and then leaves the game as it is, if the game is not empty, a point is
        used twice or is not on the board, or a chain would have no liberty.
        """
        if not self.is_empty:
            raise ValueError("board not empty")
        _check_color(to_play)
        board = _board_with(self.size, black, white)
        # Two passes clear what the stones left behind: the last moves, and whose turn it is.
        play_pass(board, to_play)
        play_pass(board, opponent(to_play))
        self.setup_black = list(black)
        self.setup_white = list(white)
        self.prisoners_before = prisoners
        self._start_from(board)

    def place_handicap(self, points: Sequence[int]) -> None:
        """Give black these stones and white the move. Raises ValueError as set_up does."""
        if not self.is_empty:
            raise ValueError("board not empty")
        check_free_handicap(points, self.size)
        self.set_up(points, [], WHITE)
        self.declared_handicap = len(points)

    def _start_from(self, board: Any) -> None:
        """Make `board` the position before the first move."""
        self._start = copy_board(board)
        self.board = copy_board(board)
        self.n_handed_over = 0
        # Position hash: the colours that were to play there, as bits (BLACK | WHITE).
        self._seen: dict[int, int] = {}
        self._remember_position(self.to_play)

    def _play_assume_legal(self, move: Move) -> None:
        color, point = move
        board = self.board
        if color != board.to_play:
            # The opponent has let a turn go by: the position now stands with `color` to play.
            play_pass(board, opponent(color))
            self._remember_position(color)
        if point == PASS:
            play_pass(board, color)
        else:
            play_move(board, point, color)
        self.moves.append(move)
        self.n_handed_over = 0
        self._remember_position(opponent(color))

    def _remember_position(self, to_play: int) -> None:
        position = int(self.board.hash)
        self._seen[position] = self._seen.get(position, 0) | to_play

    def _would_repeat(self, color: int, point: int) -> bool:
        seen_to_play = self._seen.get(int(hash_after(self.board, point, color)), 0)
        if self.rules.ko == "situational":
            return bool(seen_to_play & opponent(color))
        return seen_to_play != 0

    def _closing_passes(self) -> Iterator[Move]:
        for move in reversed(self.moves):
            if move.point != PASS:
                return
            yield move


def _board_with(size: int, black: Sequence[int], white: Sequence[int]) -> Any:
    """A position with these stones. Raises ValueError where they cannot stand."""
    stones = [(BLACK, point) for point in black] + [(WHITE, point) for point in white]
    board = new_board(size)
    used: set[int] = set()
    for color, point in stones:
        if not is_on_board(point, size):
            raise ValueError(f"set-up stone {point} is not a point on {size}x{size}")
        if point in used:
            raise ValueError(f"set-up stone {format_vertex(point, size)} is given twice")
        used.add(point)
        play_move(board, point, color)
    # Stones that can all stand together never capture each other on the way, in any order.
    colors = board.color
    for color, point in stones:
        if colors[point] != color:
            raise ValueError(f"set-up stone {format_vertex(point, size)} has no liberty")
    return board


def _check_color(color: int) -> None:
    if color not in (BLACK, WHITE):
        raise ValueError(f"color {color} is neither black ({BLACK}) nor white ({WHITE})")
