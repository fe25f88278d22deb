"""Local trees: sequences and what they are told against a plain twin; forced replies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goengine.board import BLACK, WHITE, copy_board, play_move, play_pass
from goengine.jit import COMPILED, kernel
from goengine.points import PASS, parse_vertex
from goengine.ratings import count_of, mixed, rating_for, sum_of, tell_rating
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.parameters import MAX_LOCAL_MOVES
from goengine.search.reading import child_for
from goengine.search.workspace import DEPTH_SUM, N_MOVES
from goengine.tree.columns import ROOT
from goengine.words import U1
from tests.diagrams import game_on, play_all
from tests.playouts.test_liberty_maps import value_of
from tests.search.searches import CERTAIN, OneWorker, digest_of
from tests.tactics.test_distance import plain_distances

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

_ROOT_KEY = 0x6C6F63616C747265


@kernel
def ask_mixed(word):
    return mixed(word)


@kernel
def ask_rating(ratings, key):
    return rating_for(ratings, key)


def next_key(key: int, move: int) -> int:
    return int(ask_mixed(np.uint64(key ^ move)))


def first_key(color: int, move: int) -> int:
    return next_key(_ROOT_KEY ^ color << 16, move)


class NaiveSequences:
    """Lists of moves, and the values that each got."""

    def __init__(self, search: OneWorker, max_distance: int) -> None:
        self.search = search
        self.max_distance = max_distance
        self.values: dict[tuple[int, tuple[int, ...]], list[int]] = {}

    def learn(self, moves: list[int]) -> None:
        """`moves` are those of the last simulation that count."""
        board = copy_board(self.search.memory.root(int(self.search.space.boards[0].rows)).boards[0])
        color, sequence = 3 - int(board.to_play), [int(board.last)]
        for move in moves:
            mover = int(board.to_play)
            if move == PASS:
                play_pass(board, mover)
                sequence = [PASS]
                continue
            last = sequence[-1]
            if last == PASS or plain_distances(board, last)[move] > self.max_distance:
                color, sequence = mover, []
            sequence.append(move)
            value = value_of(self.search.space.boards[0], sequence[0], color)
            self.values.setdefault((color, tuple(sequence)), []).append(value)
            play_move(board, move, mover)

    def check(self) -> None:
        for (color, (first, *replies)), values in self.values.items():
            key = first_key(color, first)
            for reply in replies:
                key = next_key(key, reply)
            word = np.uint64(ask_rating(self.search.memory.ratings[0], np.uint64(key)))
            assert (int(count_of(word)), int(sum_of(word))) == (len(values), sum(values))


@pytest.mark.parametrize("distance", [1, 2, 4])
def test_what_simulations_tell(distance: int) -> None:
    game = Game(7)
    play_all(game, "b D4 w C3")
    search = OneWorker(
        game,
        expand_visits=1,
        local_tree_rate=0.7,
        local_tree_distance=distance,
        local_tree_visits=1,
        local_tree_threshold=0.5,
        local_tree_playout=3,
    )
    naive = NaiveSequences(search, distance)
    n_forced = 0
    for _ in range(150 if COMPILED else 8):
        before = search.tally.copy()
        search.simulate(1)
        depth = int(search.tally[DEPTH_SUM] - before[DEPTH_SUM])
        n_moves = depth + int(search.tally[N_MOVES] - before[N_MOVES])
        n_told = int(search.space.sequences[0].n)
        assert depth + 3 <= n_told <= depth + 3 + 4 or n_told == n_moves
        n_forced += n_told - depth - 3
        naive.learn([int(move) for move in search.space.moves[:n_told]])
        naive.check()
    lengths = {len(sequence) for _, sequence in naive.values}
    if COMPILED:
        assert {1, 2, 3} <= lengths
        assert {color for color, _ in naive.values} == {BLACK, WHITE}
        assert n_forced > 0
    search.check()


# --- forcing --------------------------------------------------------------------


class Forced:
    """White has answered E5; black plays E4 in the tree. Ratings say what comes then."""

    def __init__(self, text: str = "", **changes: Any) -> None:
        game = game_on(text) if text else Game(9)
        play_all(game, "b E5 w D5")
        changes = {"local_tree_rate": 1, "local_tree_playout": 0, **changes}
        self.search = OneWorker(game, expand_visits=10**6, **changes)
        self.search.simulate(1)
        self.search.memory.ratings.words[:] = 0
        child = child_for(self.search.tree, ROOT, self.point("E4"))
        assert child is not None
        self.search.tree.prior[child] = CERTAIN

    def point(self, vertex: str) -> int:
        return parse_vertex(vertex, 9)

    def rate(self, vertices: str, value: int, count: int = 50) -> None:
        """White's D5 begins the sequence. `value` is what white has of it."""
        key = first_key(WHITE, self.point("D5"))
        for vertex in vertices.split():
            key = next_key(key, self.point(vertex))
        for _ in range(count):
            tell_rating(self.search.memory.ratings[0], np.uint64(key), U1, np.uint64(value))

    def moves(self) -> list[int]:
        """Forced in the next simulation."""
        self.search.simulate(1)
        space = self.search.space
        n = int(space.sequences[0].n)
        assert int(space.moves[0]) == self.point("E4")
        return [int(move) for move in space.moves[1:n]]

    def expect(self, *vertices: str) -> None:
        assert self.moves() == [self.point(vertex) for vertex in vertices]


def test_the_best_reply_is_forced_and_then_its_reply() -> None:
    forced = Forced()
    forced.rate("E4 F4", 4)
    forced.rate("E4 D4", 5)
    forced.rate("E4 D4 E3", 1)  # good for black: white has little of D5
    forced.rate("E4 D4 D3", 2)
    forced.expect("D4", "E3")


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_no_more_than_are_wanted(limit: int) -> None:
    forced = Forced(local_tree_moves=limit)
    forced.rate("E4 D4", 6)
    forced.rate("E4 D4 E3", 0)
    forced.rate("E4 D4 E3 D3", 6)
    forced.expect(*["D4", "E3"][:limit])


@pytest.mark.parametrize(
    ("value", "count", "is_forced"),
    [(4, 50, True), (3, 50, False), (0, 500, False), (6, 49, False)],
)
def test_only_what_is_known_to_be_good(value: int, count: int, is_forced: bool) -> None:
    forced = Forced()
    forced.rate("E4 D4", value, count)
    forced.expect(*["D4"] * is_forced)


def test_only_what_is_near() -> None:
    forced = Forced()
    forced.rate("E4 C7", 6)
    forced.rate("E4 A1", 6)
    forced.expect()
    far = Forced(local_tree_distance=10)
    far.rate("E4 A1", 6)
    far.expect("A1")


def test_neither_own_eyes_nor_bad_self_ataris_nor_what_is_illegal() -> None:
    text = """
        . X . . . . . . .
        O X . . . . . . .
        . X . . . . . . .
        X . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X . . . . . O O
        . X . . . . . O .
    """
    forced = Forced(text, local_tree_distance=10)
    for vertex in ("J1", "A9", "A1", "E5"):
        forced.rate(f"E4 {vertex}", 6)
    forced.expect()
    forced.rate("E4 D4", 5)
    forced.expect("D4")


def test_as_often_as_the_rate_says() -> None:
    n = 100 if COMPILED else 20
    forced = Forced(local_tree_rate=0.25)
    forced.rate("E4 D4", 6, 4000)
    n_forced = sum(forced.moves() != [] for _ in range(n))
    assert 0.1 * n < n_forced < 0.45 * n


def test_forced_moves_are_moves_of_the_simulation() -> None:
    """AMAF is told of them: white's D4 at the node after E4."""
    forced = Forced()
    forced.rate("E4 D4", 6, 500)
    before = forced.search.tally.copy()
    assert forced.moves() == [forced.point("D4")]
    n_moves = int(forced.search.tally[N_MOVES] - before[N_MOVES])
    assert int(forced.search.space.first_at[forced.point("D4")]) <= 1 < n_moves
    assert int(forced.search.space.boards[0].n_moves) == 3 + n_moves


def test_all_the_room_that_may_be_asked_for() -> None:
    search = OneWorker(
        Game(5),
        expand_visits=1,
        local_tree_rate=1,
        local_tree_moves=MAX_LOCAL_MOVES,
        local_tree_playout=MAX_LOCAL_MOVES,
        local_tree_visits=1,
        local_tree_threshold=0,
        local_tree_distance=10,
    )
    search.simulate(400 if COMPILED else 10)
    search.check()


# --- whole searches -------------------------------------------------------------

ON = [{"liberty_maps": "on"}, {"liberty_maps": "replies"}, {"local_tree_rate": 0.5}]


def search_with(changes: dict[str, Any], n: int) -> LocalSearch:
    search = LocalSearch(20_000, seed=3)
    search.set_parameters(5, {"expand_visits": 2, "local_tree_visits": 3, **changes})
    game = Game(5)
    play_all(game, "b C3 w C2")
    search.set_game(game, game.to_play)
    search.run(n)
    return search


@pytest.mark.parametrize("changes", ON, ids=lambda changes: next(iter(changes)))
def test_ratings_are_deterministic_and_change_the_search(changes: dict[str, Any]) -> None:
    n = 300 if COMPILED else 15
    one, same, plain = (search_with(each, n) for each in (changes, changes, {}))
    assert digest_of(one) == digest_of(same)
    assert (one.memory.ratings.words == same.memory.ratings.words).all()
    assert one.memory.ratings.words.any()
    assert not plain.memory.ratings.words.any(), "off, they are not touched"
    if COMPILED:
        assert digest_of(one) != digest_of(plain)


def test_ratings_are_kept_in_a_game_and_gone_with_it() -> None:
    search = search_with({"liberty_maps": "on"}, 100 if COMPILED else 15)
    before = search.memory.ratings.words.copy()
    game = Game(5)
    play_all(game, "b C3 w C2 b B2")
    search.set_game(game, game.to_play)
    search.make_room()
    assert (search.memory.ratings.words == before).all()
    search.set_game(Game(6), BLACK)
    assert not search.memory.ratings.words.any(), "points of another board"
    search.set_parameters(6, {"liberty_maps": "on"})
    search.run(100 if COMPILED else 10)
    assert search.memory.ratings.words.any()
    search.start_over(1)
    assert not search.memory.ratings.words.any(), "another game"
