"""Liberty maps: hashes worked out by hand, the choice and what is learnt against plain twins."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE, play_move
from goengine.jit import COMPILED, kernel
from goengine.playouts.liberty_maps import (
    REPLIES,
    choice_key,
    choose_by_map,
    liberty_hash,
    tell_choices,
)
from goengine.playouts.pachi import choose_pachi, play_pachi
from goengine.playouts.patterns import fill_patterns
from goengine.playouts.rates import load_rates
from goengine.points import all_points, format_vertex, parse_vertex, stride_for
from goengine.randomness import random_state
from goengine.ratings import blank_ratings, count_of, mixed, rating_for, sum_of, tell_rating
from goengine.search.parameters import new_parameters
from goengine.tactics.notes import blank_notes
from goengine.words import U0, U1
from tests.diagrams import board_from
from tests.playouts.drawn import owner_kernel
from tests.random_boards import random_boards

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N_PLAYOUTS = 200 if COMPILED else 4


@kernel
def ask_key(liberties, point, color):
    return choice_key(liberties, point, color)


@kernel
def ask_rating(ratings, key):
    return rating_for(ratings, key)


@kernel
def ask_mixed(word):
    return mixed(word)


def stirred(word: int) -> int:
    return int(ask_mixed(np.uint64(word)))


def notes_with(size: int, **changes: Any) -> Any:
    notes = blank_notes()[0]
    fill_patterns(notes, "pachi")
    load_rates(notes, new_parameters(size, changes)[0])
    return notes


def known(ratings: Any, key: int) -> tuple[int, int]:
    word = np.uint64(ask_rating(ratings, np.uint64(key)))
    return int(count_of(word)), int(sum_of(word))


# --- the hash of liberties ------------------------------------------------------


def hash_at(text: str, vertex: str) -> int:
    board = board_from(text)
    head = np.uint64(board.chain[parse_vertex(vertex, int(board.rows))])
    return int(liberty_hash(board, head))


LONE = """
    . . . . .
    . . . . .
    . O O . .
    . X . O .
    . . O . .
"""


def test_the_same_liberties_with_the_same_neighbours_have_one_hash() -> None:
    """What else stands on the board does not count, nor how the chain came by its liberties."""
    elsewhere = """
        . . . . X
        O . . . .
        . O O . .
        . X . O .
        . . O . .
    """
    assert hash_at(LONE, "B2") == hash_at(elsewhere, "B2")


@pytest.mark.parametrize(
    ("changed", "vertex"),
    [
        pytest.param(LONE.replace(". . O . .\n", "X . O . .\n"), "B2", id="a neighbour of A2"),
        pytest.param(LONE.replace(". . O . .\n", "O . O . .\n"), "B2", id="of another colour"),
        pytest.param(LONE.replace(". X . O .", "O X . O ."), "B2", id="a liberty less"),
        pytest.param(LONE.replace(". O O . .", ". O . . ."), "B2", id="beside C2"),
        pytest.param(LONE, "C3", id="another chain"),
    ],
)
def test_another_neighbour_is_another_hash(changed: str, vertex: str) -> None:
    assert hash_at(changed, vertex) != hash_at(LONE, "B2")


def test_a_hash_by_hand() -> None:
    """Two liberties; bits 0 to 3 are black to the south, west, east, north, 4 to 7 white."""
    text = """
        . . . .
        . . . .
        . O O .
        X . . .
    """
    # A2: south is black, west the edge, east white. B1: south the edge, west black, north white.
    a2, b1 = parse_vertex("A2", 4), parse_vertex("B1", 4)
    sides_of_a2, sides_of_b1 = 0b0110_0011, 0b1001_0011
    factor = 0x9E3779B97F4B
    expected = (a2 << 8 | sides_of_a2) * factor ^ (b1 << 8 | sides_of_b1) * factor
    assert expected < 1 << 64
    assert hash_at(text, "A1") == expected


def test_hashes_of_random_positions() -> None:
    seen: dict[int, frozenset[tuple[int, ...]]] = {}
    steps = (-stride_for(7), -1, 1, stride_for(7))
    for board in random_boards(7, 2, 9):
        for head in {int(board.chain[p]) for p in all_points(7) if board.color[p]}:
            liberties = set()
            stone = head
            while True:
                for step in steps:
                    if board.color[stone + step] == 0:
                        liberties.add(stone + step)
                stone = int(board.next_stone[stone])
                if stone == head:
                    break
            what = frozenset(
                (liberty, *(int(board.color[liberty + step]) for step in steps))
                for liberty in liberties
            )
            found = int(liberty_hash(board, np.uint64(head)))
            assert seen.setdefault(found, what) == what, "two kinds of liberties, one hash"
    assert len(seen) == len(set(seen.values())) > 50, "one kind of liberties, two hashes"


# --- the choice -----------------------------------------------------------------


class NaiveRandom:
    """randomness.py in plain numbers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, n: int) -> int:
        state = self.state
        state ^= state << 13 & (1 << 64) - 1
        state ^= state >> 7
        state ^= state << 17 & (1 << 64) - 1
        self.state = state
        return (state >> 32) * n >> 32


def naive_choice(
    moves: list[int], means: dict[int, float], random: NaiveRandom, free: float, threshold: float
) -> int:
    """Algorithm 7 word for word; no mean: not in the map."""
    i = random.below(len(moves))
    if (0 < free < 1 and random.below(65536) < int(free * 65536)) or free == 1:
        return moves[i]
    j = i
    while True:
        m = moves[j]
        if m not in means:
            return m
        if means[m] >= threshold:
            return m
        j = (j + 1) % len(moves)
        if j == i:
            return moves[i]


@pytest.mark.parametrize("free", [0.0, 0.1, 0.5, 1.0])
def test_the_choice_as_published(free: float) -> None:
    random = Random(f"{free}")
    board = board_from(LONE)
    points = [p for p in all_points(5) if board.color[p] == 0]
    chains = [int(board.chain[p]) for p in all_points(5) if board.color[p]]
    hashes = [np.uint64(liberty_hash(board, np.uint64(chain))) for chain in chains]
    board.random = random_state(5)
    kinds = set()
    for _ in range(300 if COMPILED else 60):
        threshold = random.choice((0.0, 0.5, 0.7, 1.0))
        notes = notes_with(
            5, liberty_maps="on", liberty_map_free=free, liberty_map_threshold=threshold
        )
        ratings = blank_ratings()[0]
        moves = random.sample(points, random.randint(2, 5))
        means = {}
        notes.n = np.uint64(len(moves))
        for index, move in enumerate(moves):
            liberties = random.choice(hashes)
            notes.points[index], notes.liberties[index] = move, liberties
            key = np.uint64(ask_key(liberties, np.uint64(move), np.uint64(BLACK)))
            values = [random.choice((0, 6)) for _ in range(random.choice((0, 1, 4)))]
            for value in values:
                tell_rating(ratings, key, U0, np.uint64(value))
            if values:
                means[move] = sum(values) / len(values) / 6
        twin = NaiveRandom(int(board.random))
        expected = naive_choice(moves, means, twin, free, threshold)
        chosen = int(choose_by_map(board, notes, ratings, np.uint64(BLACK)))
        assert chosen == expected
        assert int(board.random) == twin.state
        kinds.add((chosen in means, means.get(chosen, 1) >= threshold))
        assert (int(notes.n_chosen), int(notes.chosen_points[0])) == (1, chosen)
        assert int(notes.chosen_colors[0]) == BLACK
    assert len(kinds) == 3, "new, good and, for want of others, bad moves"


# --- what is learnt -------------------------------------------------------------

# White threatens the two stones, which can run to either side.
RUN = """
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . . X X . . .
    . . O . . . .
    . . . O . . .
    . . . . . . .
"""


def played(notes: Any, ratings: Any, seed: int) -> tuple[Any, list[int]]:
    board = board_from(RUN)
    board.to_play = WHITE
    play_move(board, parse_vertex("B4", 7), WHITE)
    board.random = random_state(seed)
    moves = np.zeros(3 * 49 + 10, np.uint16)
    moves[:3] = 1, 2, 3  # of a tree
    n_moves = 3 + int(play_pachi(board, notes, ratings, moves, np.uint64(3)))
    return board, [int(move) for move in moves[:n_moves]]


def value_of(board: Any, point: int, color: int) -> int:
    stride = stride_for(int(board.rows))
    value = 0
    for place in (point, point, point - 1, point + 1, point - stride, point + stride):
        inside = place if board.color[place] != 3 else point  # sides at the edge go with the point
        value += int(owner_kernel(board, np.uint64(inside))) == color
    return value


class NaiveMap:
    """Ratings as lists of values by key."""

    def __init__(self, replies: bool) -> None:
        self.replies = replies
        self.values: dict[Any, list[int]] = {}
        self.n_left_out = 0

    def learn(self, board: Any, notes: Any, moves: list[int]) -> None:
        for index in range(int(notes.n_chosen)):
            key, point = int(notes.chosen_keys[index]), int(notes.chosen_points[index])
            place = len(moves) - (int(board.n_moves) - int(notes.chosen_at[index]))
            if moves[place] != point:
                continue
            value = value_of(board, point, int(notes.chosen_colors[index]))
            if self.replies:
                answer = moves[place + 1] if place + 1 < len(moves) else 0
                row, column = divmod(answer, stride_for(7))
                at_row, at_column = divmod(point, stride_for(7))
                if max(abs(row - at_row), abs(column - at_column)) > 2:
                    answer = 0
                everything = self.values.setdefault((key, "all"), [])
                this = self.values.setdefault((key, answer), [])
                is_bad = len(this) >= 8 and np.mean(this) > np.mean(everything) + 1e-12
                everything.append(value)
                this.append(value)
                if is_bad:
                    self.n_left_out += 1
                    continue
            self.values.setdefault(key, []).append(value)

    def key_of(self, what: Any) -> int:
        if isinstance(what, int):
            return what
        key, answer = what
        return stirred(key ^ 1) if answer == "all" else stirred(key ^ (answer << 8 | 2))


@pytest.mark.parametrize("mode", ["on", "replies"])
def test_what_playouts_tell(mode: str) -> None:
    notes, ratings = notes_with(7, liberty_maps=mode), blank_ratings()[0]
    naive = NaiveMap(mode == "replies")
    for seed in range(N_PLAYOUTS):
        board, moves = played(notes, ratings, seed)
        array = np.array(moves, np.uint16)
        naive.learn(board, notes, moves)
        tell_choices(board, notes, ratings, array, np.uint64(len(moves)), U1)
        assert int(notes.n_chosen) == 0
        for what, values in naive.values.items():
            assert known(ratings, naive.key_of(what)) == (len(values), sum(values)), what
    assert len(naive.values) > (20 if COMPILED else 1)
    assert (naive.n_left_out > 0) == (mode == "replies" and COMPILED)


def test_a_choice_that_was_not_played_is_not_told() -> None:
    notes, ratings = notes_with(7, liberty_maps="on"), blank_ratings()[0]
    for seed in range(20):
        board, moves = played(notes, ratings, seed)
        if int(notes.n_chosen):
            break
    wrong = np.full(len(moves), 1, np.uint16)
    tell_choices(board, notes, ratings, wrong, np.uint64(len(moves)), U1)
    assert not ratings.words.any()


def test_off_notes_nothing_and_draws_the_same() -> None:
    ratings = blank_ratings()[0]
    ratings.words[:] = np.uint64(2**64 - 1)
    games = []
    for table in (ratings, blank_ratings()[0]):
        notes = notes_with(7)
        games.append(played(notes, table, 3)[1])
        assert int(notes.n_chosen) == 0
    assert games[0] == games[1]


def test_a_move_that_did_badly_is_avoided() -> None:
    """What counts in the end: of the rule's two moves one is known to fail."""
    board = board_from("\n".join([". . . . ."] * 2 + [". . X . .", ". . O . .", ". . . . ."]))
    board.to_play = WHITE
    play_move(board, parse_vertex("B3", 5), WHITE)
    board.random = random_state(2)
    rates = {"two_liberties_rate": 1, "liberty_map_free": 0}
    notes, ratings = notes_with(5, liberty_maps="on", **rates), blank_ratings()[0]

    def chosen() -> set[str]:
        moves = (choose_pachi(board, notes, ratings, np.uint64(BLACK)) for _ in range(40))
        return {format_vertex(int(move), 5) for move in moves}

    assert chosen() == {"C4", "D3"}
    for index in range(int(notes.n_chosen)):
        if int(notes.chosen_points[index]) == parse_vertex("C4", 5):
            tell_rating(ratings, notes.chosen_keys[index], U0, U0)
    assert chosen() == {"D3"}


def test_no_more_choices_are_noted_than_there_is_room_for() -> None:
    board = board_from(LONE)
    board.random = random_state(1)
    notes, ratings = notes_with(5, liberty_maps=int(REPLIES)), blank_ratings()[0]
    notes.n = np.uint64(2)
    notes.points[:2] = parse_vertex("A2", 5), parse_vertex("C2", 5)
    for _ in range(200):
        choose_by_map(board, notes, ratings, np.uint64(BLACK))
    assert int(notes.n_chosen) == len(notes.chosen_keys)
