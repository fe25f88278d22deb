"""The engine `mcts`: stronger than chance, keeps its tree, knows when to pass."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from goengine.board import BLACK, WHITE
from goengine.endgame.passing import choose_move
from goengine.engines import make_engine
from goengine.engines.mcts import MctsEngine
from goengine.points import PASS, all_points, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.rules.scoring import score_game
from goengine.search.orders import Limits, Order, Purpose
from goengine.search.reading import MoveReading, SearchReading
from tests.diagrams import SEND_TWO, game_on, play_all

TO_THE_END = find_rules("tromp-taylor")  # every stone on the board counts


def kept_by(engine: MctsEngine) -> int:
    return int(engine.report.rsplit(", ", 1)[1].split()[0])


def mcts(seed: int, playouts: int) -> MctsEngine:
    engine = make_engine("mcts", seed, playouts)
    assert isinstance(engine, MctsEngine)
    return engine


def play_out(game: Game, players: dict[int, str], seed: int, playouts: int) -> float:
    engines = {color: make_engine(name, seed, playouts) for color, name in players.items()}
    while not game.is_over and len(game.moves) < 3 * game.size**2:
        game.play(game.to_play, engines[game.to_play].choose(game, game.to_play))
    return score_game(game).margin


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_it_beats_random(color: int) -> None:
    for seed in range(3):
        players = {color: "mcts", 3 - color: "random"}
        margin = play_out(Game(9, TO_THE_END), players, seed, 300)
        assert margin > 0 if color == BLACK else margin < 0


def test_it_beats_flat_sampling() -> None:
    """A tree sees answers: it wins more games than it loses."""
    wins = 0
    for seed in range(6):
        color = BLACK if seed % 2 else WHITE
        players = {color: "mcts", 3 - color: "montecarlo"}
        margin = play_out(Game(7, TO_THE_END, 9.5), players, seed, 500)
        wins += margin > 0 if color == BLACK else margin < 0
    assert wins >= 4


def test_the_same_seed_plays_the_same() -> None:
    games = []
    for seed in (1, 1, 2):
        game, engine = Game(5), mcts(seed, 200)
        for _ in range(6):
            game.play(game.to_play, engine.choose(game, game.to_play))
        games.append((game.moves, engine.win_rate))
    assert games[0] == games[1] != games[2]


def test_it_keeps_its_tree() -> None:
    game, engine = Game(7), mcts(1, 2000)
    n_moves = 4
    kept = []
    for _ in range(n_moves):
        game.play(game.to_play, engine.choose(game, game.to_play))
        kept.append(kept_by(engine))
    assert kept[0] == 0
    assert all(n > 0 for n in kept[1:])
    game.undo(2)
    engine.choose(game, game.to_play)
    # Visits from before the node had children are not among what is found again.
    assert kept[2] + 2000 - 8 <= kept_by(engine) <= kept[2] + 2000
    before = kept_by(engine)
    engine.choose(game, game.to_play)
    assert kept_by(engine) == before + 2000, "the same position goes on"
    engine.choose(Game(5), BLACK)
    assert kept_by(engine) == 0


def test_an_answer_that_was_foreseen_is_kept() -> None:
    game, engine = Game(5), mcts(1, 3000)
    game.play(BLACK, engine.choose(game, BLACK))
    reading = engine._search.read().moves[0]
    game.play(WHITE, reading.variation[1])
    engine.choose(game, BLACK)
    assert kept_by(engine) > 50


WON = """
    . . X O .
    X X X O O
    . . X O .
    X X X O O
    . . X O .
"""


@pytest.mark.parametrize(
    ("komi", "color", "passes"),
    [(0.5, BLACK, True), (7.5, BLACK, False), (7.5, WHITE, True), (0.5, WHITE, False)],
)
def test_a_pass_is_answered_where_that_wins(komi: float, color: int, passes: bool) -> None:
    game = game_on(WON, 3 - color, "tromp-taylor", komi)
    game.play(3 - color, PASS)
    for seed in range(3):
        engine = mcts(seed, 1000)
        assert (engine.choose(game, color) == PASS) == passes
        assert engine.win_rate is not None, "also of a pass that nobody tried"
        assert (engine.win_rate > 0.5) == passes


def test_dead_stones_do_not_make_it_pass() -> None:
    """White has four stones in black's territory: by area, all alive, the game is not won."""
    game = game_on(
        """
        . . X O .
        . . X O .
        . O X O .
        . . X O .
        . . X O .
        """,
        BLACK,
        "chinese",
        -3.5,
    )
    game.play(BLACK, PASS)
    assert mcts(1, 2000).choose(game, WHITE) != PASS


@pytest.mark.parametrize("rules", ["chinese-ogs", "tromp-taylor"])
def test_it_never_repeats_a_position(rules: str) -> None:
    game = game_on(SEND_TWO, WHITE, rules)
    play_all(game, "w A1 b C1")
    for seed in range(3):
        assert mcts(seed, 200).choose(game, WHITE) != parse_vertex("B1", 4)


def test_it_tells_what_it_found() -> None:
    engine, game = mcts(1, 3000), Game(9)
    progress: list[float] = []
    engine.on_progress = progress.append
    move = engine.choose(game, BLACK)
    assert game.moves == []
    assert progress == sorted(progress)
    assert progress[-1] == 1.0
    assert engine.win_rate is not None
    assert 0.2 < engine.win_rate < 0.8
    assert engine.ownership is not None
    assert abs(engine.ownership[all_points(9)]).max() <= 1
    assert "3000 playouts" in engine.report
    assert game.is_legal(BLACK, move)


def test_every_size_of_game_after_another() -> None:
    """One engine, boards of one capacity and of another."""
    engine = mcts(1, 50)
    for size in (9, 2, 19, 5):
        game = Game(size, find_rules("aga"))
        assert game.is_legal(BLACK, engine.choose(game, BLACK))


def test_memory_is_taken_as_it_is_needed() -> None:
    """144 MB of nodes, but a small search touches few of them."""

    def resident() -> int:
        with open("/proc/self/statm") as statm:  # noqa: PTH123
            return int(statm.read().split()[1]) * 4096

    before = resident()
    engine = mcts(1, 50)
    engine.choose(Game(9), BLACK)
    assert resident() - before < 50e6


EYES = """
    X . X O .
    . X X O O
    X . X O .
    . X X O O
    X . X O .
"""


@pytest.mark.parametrize(("komi", "color"), [(30.5, BLACK), (-30.5, WHITE), (4.5, BLACK)])
def test_who_has_only_eyes_left_passes(komi: float, color: int) -> None:
    """Also where all is lost and one move is as good as another."""
    game = game_on(EYES, color, "chinese", komi)
    for seed in range(3):
        assert mcts(seed, 500).choose(game, color) == PASS


def reading_of(visits_and_rates: dict[str, tuple[int, float | None]]) -> SearchReading:
    """Of a search on 5x5 that found only this."""
    moves = tuple(
        MoveReading(parse_vertex(vertex, 5), n, rate, 0, None, 0, None, (), ())
        for vertex, (n, rate) in visits_and_rates.items()
    )
    ownership = dict.fromkeys(all_points(5), 0.0)
    return SearchReading(5, BLACK, 1, 1, None, None, None, ownership, 0, 0, 0, 0, moves)


@pytest.mark.parametrize(
    ("found", "chosen"),
    [
        # an own eye where it wins something; not where it is lost anyway
        ({"B5": (90, 0.4), "pass": (10, 0.1)}, "B5"),
        ({"B5": (90, 0.04), "pass": (10, 0.04)}, "pass"),
        # not the second best
        ({"pass": (90, 0.4), "B5": (10, 0.4)}, "pass"),
    ],
)
def test_when_an_own_eye_is_filled(found: dict[str, tuple[int, float | None]], chosen: str) -> None:
    game = game_on(EYES, BLACK, "tromp-taylor", 30.5)
    assert choose_move(game, BLACK, reading_of(found)).move == parse_vertex(chosen, 5)


def test_what_is_lost_is_lost_in_the_game_as_it_is() -> None:
    """Extra komi makes it look even: own eyes are not filled for that."""
    game = game_on(EYES, BLACK, "tromp-taylor", 30.5)
    reading = reading_of({"B5": (90, 0.5), "pass": (10, 0.4)})
    assert choose_move(game, BLACK, reading).move == parse_vertex("B5", 5)
    for real, chosen in ((0.0, "pass"), (0.2, "B5")):
        found = replace(reading, extra_komi=-30.0, real_win_rate=real)
        assert choose_move(game, BLACK, found).move == parse_vertex(chosen, 5)


def test_territory_that_nobody_can_take_is_settled() -> None:
    """Though the search is not sure: who has lost fills his eyes in it."""
    reading = reading_of({"B5": (90, 0.4), "pass": (10, 0.1)})
    for color in (BLACK, WHITE):
        game = game_on(EYES, color, "japanese", 0.5)
        assert choose_move(game, color, reading).move == PASS
        game = game_on(EYES.replace("X . X O .", ". . . O .", 1), color, "japanese", 0.5)
        assert choose_move(game, color, reading).move == parse_vertex("B5", 5)


WON_FOR_BLACK = """
    . . . . .
    . O . . .
    X X X X X
    . . . . .
    . . . . .
"""


def seconds_of(engine: MctsEngine, game: Game, limits: Limits) -> float:
    started = time.monotonic()
    engine.find(game, Order(game.to_play, Purpose.MOVE, limits, lambda found: ""), {})
    return time.monotonic() - started


def test_time_under_a_clock() -> None:
    """Longer where moves are close, shorter where it is won."""
    game, engine = Game(9), mcts(1, 100)
    engine.choose(game, BLACK)  # kernels are there
    assert 0.2 < seconds_of(engine, game, Limits(None, 0.1, 0.3)) < 0.45  # all corners alike
    assert 0.2 <= seconds_of(engine, game, Limits(None, 0.2)) < 0.35
    game = game_on(WON_FOR_BLACK)
    engine.choose(game, BLACK)
    assert seconds_of(engine, game, Limits(None, 5.0, 10.0)) < 2.5
    assert seconds_of(engine, game, Limits(None, 0.3, 0.6, 0.3)) >= 0.3
