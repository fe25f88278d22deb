"""Engines play legal games to their end, and the better one wins."""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.engines import ENGINE_NAMES, make_engine
from goengine.engines.engine import Engine
from goengine.points import all_points, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import RULESETS, find_rules
from goengine.rules.scoring import score_game


def play_game(game: Game, black: Engine, white: Engine) -> None:
    players = {BLACK: black, WHITE: white}
    while not game.is_over and len(game.moves) < 6 * game.size**2:
        game.play(game.to_play, players[game.to_play].choose(game, game.to_play))


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("name", ENGINE_NAMES)
def test_games_under_all_rules_are_legal_and_end(name: str, rules: str) -> None:
    for size, n_games in ((2, 8), (3, 8), (5, 2), (9, 1)):
        for seed in range(n_games):
            game = Game(size, find_rules(rules))
            play_game(game, make_engine(name, seed, 20), make_engine(name, seed + 100, 20))
            assert game.is_over or size < 5  # tiny boards are taken off again and again


def test_montecarlo_beats_random() -> None:
    wins = 0
    for seed in range(10):
        game = Game(9, komi=7.5)
        engines = make_engine("montecarlo", seed, 500), make_engine("random", seed, 1)
        color = BLACK if seed % 2 else WHITE
        play_game(game, *(engines if color == BLACK else engines[::-1]))
        margin = score_game(game).margin
        wins += margin > 0 if color == BLACK else margin < 0
    assert wins == 10


@pytest.mark.parametrize("name", ENGINE_NAMES)
def test_the_seed_decides(name: str) -> None:
    moves = []
    for seed in (1, 1, 2, 3):
        game = Game(5)
        play_game(game, make_engine(name, seed, 50), make_engine(name, seed + 10, 50))
        moves.append(game.moves)
    assert moves[0] == moves[1]
    assert moves[0] != moves[2] or moves[0] != moves[3]


def test_the_best_opening_on_5x5_is_the_centre() -> None:
    engine = make_engine("montecarlo", 1, 20_000)
    assert engine.choose(Game(5), BLACK) == parse_vertex("C3", 5)


def test_what_a_search_tells() -> None:
    engine = make_engine("montecarlo", 1, 3000)
    progress: list[float] = []
    engine.on_progress = progress.append
    game = Game(9)
    move = engine.choose(game, BLACK)
    assert game.moves == []
    assert engine.win_rate is not None
    assert 0.3 < engine.win_rate < 0.6
    assert "playouts" in engine.report
    assert progress == sorted(progress)
    assert progress[-1] == pytest.approx(1.0, abs=0.02)
    assert engine.ownership is not None
    assert abs(engine.ownership[all_points(9)]).max() <= 1
    assert game.is_legal(BLACK, move)


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_engines_answer_out_of_turn(color: int) -> None:
    game = Game(9)
    for name in ENGINE_NAMES:
        move = make_engine(name, 1, 50).choose(game, color)
        assert game.is_legal(color, move)


@pytest.mark.parametrize(
    ("name", "playouts", "message"),
    [("katago", 1, "the engines are random, montecarlo, mcts"), ("random", 0, "at least 1, not 0")],
)
def test_bad_requests(name: str, playouts: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_engine(name, 1, playouts)


def test_a_search_out_of_turn_is_for_the_colour_that_was_asked() -> None:
    for komi, win_rate in ((100.5, 1.0), (-100.5, 0.0)):
        engine = make_engine("montecarlo", 1, 100)
        engine.choose(Game(5, komi=komi), WHITE)
        assert engine.win_rate == win_rate


def test_handicap_compensation_counts_in_playouts() -> None:
    game = Game(5, find_rules("chinese"), komi=23.5)
    game.place_handicap([parse_vertex(vertex, 5) for vertex in ("B2", "D4", "B4", "D2")])
    engine = make_engine("montecarlo", 1, 100)
    engine.choose(game, BLACK)
    assert engine.win_rate == 0.0, "25 points are not enough against 23.5 and 4"


@pytest.mark.parametrize("playouts", [1, 10, 100, 1000, 5000])
def test_no_more_playouts_than_asked_for(playouts: int) -> None:
    engine = make_engine("montecarlo", 1, playouts)
    engine.choose(Game(9), BLACK)
    n_done = int(engine.report.split("; ")[1].split()[0])
    assert 0.8 * playouts <= n_done <= max(2, playouts)


def test_a_second_search_of_the_same_position_is_another_one() -> None:
    engine = make_engine("montecarlo", 1, 1000)
    results = set()
    for _ in range(4):
        engine.choose(Game(9), BLACK)
        results.add(engine.win_rate)
    assert len(results) > 1
