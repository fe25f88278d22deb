"""tests/positions/engine.t"""

from __future__ import annotations

import pytest

from goengine.board import BLACK, WHITE
from goengine.engines import make_engine
from goengine.points import PASS, format_vertex
from tests.diagrams import draw, game_on
from tests.position_files import Case, read_cases

COLORS = {"b": BLACK, "w": WHITE}


@pytest.mark.parametrize("case", read_cases("engine.t"), ids=str)
@pytest.mark.parametrize("engine", ["montecarlo", "mcts"])
@pytest.mark.parametrize("seed", range(3))
def test_choice(case: Case, engine: str, seed: int) -> None:
    settings = {words[0]: words[1:] for words in case.lines if words[0] != "choose"}
    komi = float(settings["komi"][0])
    choices = [words[1:] for words in case.lines if words[0] == "choose"]
    for color, *allowed in choices:
        game = game_on("\n".join(case.rows), COLORS[color], settings["rules"][0], komi)
        for word in settings.get("pass", []):
            game.to_play = COLORS[word]
            game.play(COLORS[word], PASS)
        move = make_engine(engine, seed, 4000).choose(game, COLORS[color])
        chosen = {format_vertex(move, game.size), "pass" if move == PASS else "stone"}
        assert not chosen.isdisjoint(allowed), f"{case.place}: {chosen}\n{draw(game)}"
