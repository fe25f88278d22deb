"""Long ways through a game: against a plain twin, in little memory, with words nearly full."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from goengine.board import BLACK
from goengine.jit import COMPILED
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.position import Restriction
from goengine.search.reading import children_by_visits
from goengine.search.workspace import N_SIMULATIONS
from goengine.tree.collector import Collection
from goengine.tree.columns import ROOT
from goengine.tree.packing import MAX_VISITS, PEAK_VISITS
from tests.search.naive_forest import NaiveForest
from tests.search.searches import (
    PLAIN,
    OneWorker,
    all_nodes,
    best_of,
    children_of,
    digest_of,
    searched,
    visits_at,
)

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

N = 300 if COMPILED else 20


def test_the_same_walk_grows_the_same_trees() -> None:
    digests = set()
    for _ in range(2):
        game = Game(3)
        search = searched(game, N)
        for vertex in ("B2", "A1", "undo", "C3", "undo", "undo", "C1"):
            if vertex == "undo":
                game.undo()
            else:
                game.play(game.to_play, parse_vertex(vertex, 3))
            search.set_game(game, game.to_play)
            search.simulate(N // 4)
        digests.add(digest_of(search))
    assert len(digests) == 1


class Followed(OneWorker):
    """Tells its twin of every collection."""

    twin: NaiveForest | None = None
    n_collections = 0

    def make_room(self) -> Collection:
        done = super().make_room()
        self.n_collections += 1
        if self.twin:
            self.twin.make_room(done.min_visits)
            self.twin.compare()
        return done


class Walk:
    """Somebody who analyses: plays, takes back, jumps, changes komi, asks for either colour."""

    def __init__(self, seed: int, n_nodes: int) -> None:
        self.random = Random(seed)
        # With a prior for own eyes: every legal move has a node.
        parameters = {**PLAIN, "expand_visits": 1, "eye_prior": 10}
        self.search = Followed(Game(3), n_nodes=n_nodes, **parameters)
        self.search.forget()
        self.twin = self.search.twin = NaiveForest(self.search)
        self.game = Game(3, find_rules("chinese"), 0.5)
        self.saved = [self.game.copy()]
        self.n_found = 0

    def step(self) -> None:
        random, game = self.random, self.game
        what = random.choice(("play", "play", "play", "undo", "undo", "jump", "komi"))
        if what == "play":
            self._play()
        elif what == "undo" and game.moves:
            game.undo(random.randint(1, min(3, len(game.moves))))
        elif what == "jump":
            self.saved.append(game.copy())
            self.game = random.choice(self.saved).copy()
        elif what == "komi":
            game.komi = random.choice((0.5, 0.5, 4.5))
        color = self.game.to_play if random.random() < 0.9 else 3 - self.game.to_play
        avoided = [Restriction(BLACK, frozenset({PASS}), 2)] if random.random() < 0.1 else []
        self._set_game(color, avoided)
        for _ in range(random.choice((0, 1, 5, 25))):
            self._simulate()
        self.twin.compare()
        self.search.check()

    def _play(self) -> None:
        game, tree = self.game, self.search.tree
        legal = [point for point in all_points(3) if game.is_legal(game.to_play, point)]
        best = [int(tree.move[row]) for row in children_by_visits(tree, tree.start)[:3]]
        known = [move for move in best if game.is_legal(game.to_play, move)]
        if known and self.random.random() < 0.8:
            game.play(game.to_play, self.random.choice(known))
        else:
            game.play(game.to_play, self.random.choice([PASS, *legal]))

    def _set_game(self, color: int, avoided: list[Restriction]) -> None:
        game = self.game
        kept = self.search.set_game(game, color, avoided)
        conditions = (game.komi, bool(avoided))
        assert kept == self.twin.set_game(conditions, bool(avoided), game.moves, color)
        if kept == 0 and self.search.roots == [ROOT]:
            self.twin.roots = self.twin.roots[-1:]  # not even a row for another root was left
        self.n_found += kept > 0

    def _simulate(self) -> None:
        if self.search.needs_room:
            self.search.make_room()
        self.twin.simulate()


@pytest.mark.parametrize("seed", range(8 if COMPILED else 1))
def test_random_walks(seed: int) -> None:
    walk = Walk(seed, n_nodes=20_000)
    for _ in range(80 if COMPILED else 12):
        walk.step()
    assert walk.n_found > (20 if COMPILED else 1)
    assert walk.search.n_collections == 0


@pytest.mark.parametrize("seed", range(4 if COMPILED else 1))
@pytest.mark.parametrize("n_nodes", [300, 40, 13] if COMPILED else [60, 13])
def test_random_walks_in_little_memory(seed: int, n_nodes: int) -> None:
    walk = Walk(seed, n_nodes)
    for _ in range(80 if COMPILED else 12):
        walk.step()
    assert walk.search.n_collections > 0


def test_moves_at_the_start_are_those_of_the_position() -> None:
    """Wherever one jumps, what has a node is what the rules allow there."""
    random = Random(3)
    search = searched(Game(3), 1)
    game = Game(3)
    for _ in range(30 if COMPILED else 6):
        if game.moves and random.random() < 0.4:
            game.undo()
        else:
            legal = [point for point in all_points(3) if game.is_legal(game.to_play, point)]
            game.play(game.to_play, random.choice([PASS, *legal]))
        search.set_game(game, game.to_play)
        search.simulate(3)
        assert all(game.is_legal(game.to_play, move) for move in search.moves)
        assert (int(search.read().to_play), search.read().simulations) == (game.to_play, 3)


# --- words ------------------------------------------------------------------------


def test_others_go_before_their_words_can_spill() -> None:
    game = Game(3)
    search = searched(game, N)
    search.tally[N_SIMULATIONS] += int(MAX_VISITS) - N
    other = Game(3, komi=50)
    assert search.set_game(other, BLACK) == 0
    assert len(search.roots) == 2, "just as many as are allowed"
    search.simulate(1)
    assert search.set_game(game, BLACK) == N
    assert search.roots == [ROOT], "one too many"
    search.simulate(1)
    assert search.set_game(game, BLACK) == N + 1
    assert search.set_game(other, BLACK) == 0


@pytest.mark.parametrize("order", ["taking back", "at random"])
@pytest.mark.parametrize("most_strokes", [3, 19, 30])
def test_no_word_spills_whoever_looks_at_what(order: str, most_strokes: int) -> None:
    """Millions of simulations at a stroke, all down one line, from everywhere on it."""
    random = Random(f"{order} {most_strokes}")
    search = searched(Game(2), 200 if COMPILED else 60, n_nodes=5000)
    line = [Game(2)]
    while len(line) < 5 and children_of(search.tree, best_of(search)):
        line.append(line[-1].copy())
        line[-1].play(line[-1].to_play, int(search.tree.move[best_of(search)]))
        search.set_game(line[-1], line[-1].to_play)
    assert len(line) > 2
    peak = 0
    for number in range(100 if COMPILED else 20):
        game = line[-1 - number % len(line)] if order == "taking back" else random.choice(line)
        search.set_game(game, game.to_play)
        search.simulate(1)
        for _ in range(random.choice((0, most_strokes, most_strokes))):
            stroke(search, int(MAX_VISITS) // 20)
            search.check()
            peak = max(peak, *(visits_at(search.tree, row) for row in all_nodes(search.tree)))
            if visits_at(search.tree, search.tree.start) > int(MAX_VISITS):
                assert search.make_room().halved
    assert int(MAX_VISITS) < peak < PEAK_VISITS


def stroke(search: OneWorker, n: int) -> None:
    """As `n` simulations that all go down the same line, each told to AMAF seven times."""
    search.seat.load()
    tree, node = search.tree, search.tree.start
    tree.stats[node] += np.uint64(n << 36 | n * 100)
    while children := children_of(tree, node):
        for child in children:
            assert (int(tree.amaf[child]) >> 36) + 7 * n < 1 << 28, "a word spills"
            tree.amaf[child] += np.uint64(7 * n << 36)
        node = max(children, key=lambda child: int(tree.stats[child]))
        tree.stats[node] += np.uint64(n << 36 | n * 100)
    search.tally[N_SIMULATIONS] += n
