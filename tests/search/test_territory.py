"""By territory: a stone costs a point in the tree, dame are nobody's, prisoners count."""

from __future__ import annotations

from random import Random

import pytest

from goengine.board import BLACK, WHITE
from goengine.jit import COMPILED
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.rules.scoring import score_game
from goengine.search.parameters import PLAYOUTS
from goengine.search.reading import child_for
from goengine.search.workspace import MARGIN_SUM
from goengine.tree.checking import check_tree
from goengine.tree.columns import ROOT
from tests.diagrams import parse_diagram, play_all
from tests.search.naive_simulation import Watcher
from tests.search.searches import CERTAIN, OneWorker, visits_at, walk_to

pytestmark = [pytest.mark.uncompiled, pytest.mark.boundscheck]

# Three eyes each; black has a stone more, and so a point more by area alone.
EYES = """
    . X . X .
    X X X X X
    X X X O O
    O O O O .
    . O . O O
"""
# Four points of territory each, and a dame on C3.
DAME = """
    . X X O .
    . X O O .
    . X . O .
    X X X O O
    . X O O .
"""
OPEN = """
    . X . O .
    . X . O .
    . X . O .
    X X . O O
    . X . O .
"""
DEAD_STONE = """
    . X .
    X X X
    o . X
"""
DEAD_EYES = """
    . X . X .
    X X X X X
    X X X X X
    X . X o .
    X X X X o
"""

# position, prisoners of black and white, what is played before both pass
ENDED = [
    (EYES, (0, 0), ""),
    (EYES, (2, 0), ""),
    (EYES, (0, 1), ""),
    (EYES, (1, 1), "b A5"),
    (EYES, (0, 0), "b A5 w A1"),
    (DAME, (0, 0), ""),
    (DAME, (3, 0), "b C3"),
    (DAME, (0, 0), "w C3"),
    (DAME, (0, 2), "b A4 w pass b C3"),
    (OPEN, (0, 0), ""),
    (OPEN, (0, 0), "b C5 w C4 b C3"),
    (DEAD_STONE, (0, 0), ""),
    (DEAD_STONE, (0, 1), "b B1"),
    (DEAD_EYES, (0, 0), ""),
]


def by_territory(text: str, color: int, komi: float, prisoners: tuple[int, int] = (0, 0)) -> Game:
    diagram = parse_diagram(text)
    game = Game(diagram.size, find_rules("japanese"), komi)
    game.set_up(diagram.black, diagram.white, color, prisoners)
    return game


@pytest.mark.parametrize("playout", PLAYOUTS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(("text", "prisoners", "moves"), ENDED)
def test_two_passes_score_as_the_rules_do(
    text: str, prisoners: tuple[int, int], moves: str, color: int, playout: str
) -> None:
    """Whether the moves before them were played in the game or in the tree."""
    start = by_territory(text, BLACK if moves.startswith("b") else WHITE, 0.5, prisoners)
    game = start.copy()
    play_all(game, moves)
    dead = [stone for stone in parse_diagram(text).dead if game.board.color[stone]]
    expected = score_game(game, dead).margin
    line = [*moves.split()[1::2], "pass", "pass"]
    for search, path in (
        (OneWorker(start, playout=playout, expand_visits=1), line),
        (OneWorker(game, color, playout=playout, expand_visits=1), ["pass", "pass"]),
    ):
        node = walk_to(search, *path)
        n_before, before = visits_at(search.tree, node), int(search.tally[MARGIN_SUM])
        search.simulate(4)
        assert visits_at(search.tree, node) == n_before + 4
        komi = float(search.memory.position[0].komi)
        assert (int(search.tally[MARGIN_SUM]) - before) / 4 - komi == expected


@pytest.mark.parametrize("prisoners", [(0, 0), (3, 0), (1, 4)])
@pytest.mark.parametrize("size", [3, 5])
def test_every_simulation_with_handicap_and_prisoners(
    size: int, prisoners: tuple[int, int]
) -> None:
    if not COMPILED and size > 3:
        pytest.skip("too slow as plain Python")
    n_over = 0
    for seed in range(4):
        random = Random(f"{size} {prisoners} {seed}")
        game = Game(size, find_rules("japanese"), 0.5)
        stones = random.sample(all_points(size), size)
        if prisoners == (0, 0):
            game.place_handicap(stones[:-1])
        else:
            game.set_up(stones[:-1], stones[-1:], random.choice((BLACK, WHITE)), prisoners)
        for _ in range(random.randrange(2 * size)):
            legal = [point for point in all_points(size) if game.is_legal(game.to_play, point)]
            game.play(game.to_play, random.choice([*legal, PASS]))
        if seed % 2:
            game.play(game.to_play, PASS)  # another one ends the game
        policy = "rave" if seed < 2 else "ucb1"
        playout = PLAYOUTS[seed % 3]
        search = OneWorker(game, seed=seed, expand_visits=1, policy=policy, playout=playout)
        watcher = Watcher(search, game)
        for _ in range(100 if COMPILED else 5):
            watcher.step()
        n_over += watcher.n_over
        check_tree(search.tree)
    if COMPILED and size == 3:
        assert n_over > 0


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("text", [DAME, OPEN, DEAD_STONE])
def test_every_simulation_where_one_has_passed(text: str, color: int) -> None:
    game = by_territory(text, 3 - color, 0.5, (1, 0))
    game.play(3 - color, PASS)
    search = OneWorker(game, expand_visits=1, playout="light")
    watcher = Watcher(search, game)
    for _ in range(100 if COMPILED else 3):
        watcher.step()
    to_pass = child_for(search.tree, ROOT, PASS)
    assert to_pass is not None
    search.tree.prior[to_pass] = CERTAIN
    n_over = watcher.n_over
    for _ in range(10):
        watcher.step()
    assert watcher.n_over == n_over + 10
    assert (watcher.n_with_dame > 0) == (text != DEAD_STONE)
    check_tree(search.tree)


# Black leads by so much, by territory and by area.
@pytest.mark.parametrize(("komi", "prisoners", "by_rules", "area"), [
    (0.5, (0, 0), -0.5, 0.5),
    (-0.5, (0, 0), 0.5, 1.5),
    (1.5, (2, 0), 0.5, -0.5),
    (1.5, (1, 0), -0.5, -0.5),
    (-1.5, (0, 1), 0.5, 2.5),
    (-0.5, (0, 1), -0.5, 1.5),
])  # fmt: skip
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_half_a_point(
    komi: float, prisoners: tuple[int, int], by_rules: float, area: float, color: int
) -> None:
    game = by_territory(EYES, color, komi, prisoners)
    assert score_game(game).margin == by_rules
    for rules, lead in (("japanese", by_rules), ("chinese", area)):
        game.rules = find_rules(rules)
        wins = (lead > 0) == (color == BLACK)
        search = OneWorker(game, value_scale=0)
        search.simulate(400 if COMPILED else 40)
        win_rate = search.read().win_rate
        assert win_rate is not None
        assert win_rate > 0.9 if wins else win_rate < 0.1
        # Where eyes are no moves, there are only passes.
        search = OneWorker(game, value_scale=0, policy="ucb1")
        search.simulate(20)
        reading = search.read()
        assert (reading.win_rate, reading.score, reading.score_stdev) == (wins, lead, 0)


def value_of(game: Game, vertex: str, n: int) -> float:
    """The win rate of whoever plays there, when answers have been looked at."""
    game = game.copy()
    game.play(game.to_play, parse_vertex(vertex, game.size))
    search = OneWorker(game, n_nodes=100_000, value_scale=0)
    search.simulate(n)
    win_rate = search.read().win_rate
    assert win_rate is not None
    return 1 - win_rate


# position, to play, komi, moves that keep the half point, moves that fill own territory
LEADS = [
    (EYES, BLACK, -0.5, "pass", "A5 C5 E5"),
    (EYES, WHITE, 0.5, "pass", "A1 C1 E2"),
    (DAME, BLACK, -0.5, "pass C3", "A1 A3 A4 A5"),
    (DAME, WHITE, 0.5, "pass C3", "E1 E3 E4 E5"),
]


@pytest.mark.parametrize(("text", "color", "komi", "kept", "filled"), LEADS)
def test_own_territory_is_left_and_a_dame_is_worth_a_pass(
    text: str, color: int, komi: float, kept: str, filled: str
) -> None:
    if not COMPILED and text == DAME:
        pytest.skip("too slow as plain Python")
    game = by_territory(text, color, komi)
    n = 2000 if COMPILED else 30
    for vertex in kept.split():
        assert value_of(game, vertex, n) > 0.85, vertex
    for vertex in filled.split():
        assert value_of(game, vertex, n) < 0.1, vertex
    search = OneWorker(game, n_nodes=100_000, value_scale=0)
    search.simulate(n)
    assert search.read().moves[0].move in [parse_vertex(each, 5) for each in kept.split()]


@pytest.mark.parametrize(("color", "komi"), [(BLACK, 0.5), (WHITE, -0.5)])
def test_the_last_dame_wins_by_area_alone(color: int, komi: float) -> None:
    if not COMPILED:
        pytest.skip("too slow as plain Python")
    game = by_territory(DAME, color, komi)
    assert value_of(game, "C3", 2000) < 0.15
    game.rules = find_rules("chinese")
    assert value_of(game, "C3", 2000) > 0.85


def test_stones_cost_the_same_before_a_search_and_in_it() -> None:
    """The same line, from each of its positions on: what komi has not, the tree has."""
    line = "b C3 w C4 b B4 w D3 b pass w C2 b B2 w pass"
    vertices = line.split()[1::2]
    for n_before in range(len(vertices) - 1):
        game = Game(5, find_rules("japanese"), 0.5)
        play_all(game, " ".join(line.split()[: 2 * n_before]))
        search = OneWorker(game, expand_visits=1)
        walk_to(search, *vertices[n_before:])
        depth = len(vertices) - n_before
        colors = [game.to_play if ply % 2 == 0 else 3 - game.to_play for ply in range(depth)]
        ahead = sum(
            {BLACK: 1, WHITE: -1}[color] * (vertex != "pass")
            for color, vertex in zip(colors, vertices[n_before:], strict=True)
        )
        assert float(search.memory.position[0].komi) + ahead == 0.5
