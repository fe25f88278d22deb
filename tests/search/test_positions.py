"""tests/positions/search.t: the default policy with the default playouts."""

from __future__ import annotations

import pytest

from goengine.points import format_vertex
from goengine.search.local import LocalSearch
from tests.diagrams import COLORS, draw, game_on, play_all
from tests.position_files import Case, read_cases

PLAYOUTS = 20_000
N_NODES = 400_000  # so many that nothing is ever dropped
QUESTIONS = [
    pytest.param(case, color, wanted, id=f"{color}: {case}")
    for case in read_cases("search.t")
    for word, color, *wanted in case.lines
    if word == "choose"
]


@pytest.mark.parametrize(("case", "color", "wanted"), QUESTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_most_visited_move(case: Case, color: str, wanted: list[str], seed: int) -> None:
    settings = {word: words for word, *words in case.lines}
    before = settings.get("play", [])
    to_play = COLORS[before[0] if before else color]
    game = game_on("\n".join(case.rows), to_play, komi=float(settings["komi"][0]))
    play_all(game, " ".join(before))

    search = LocalSearch(N_NODES, seed)
    search.set_parameters(game.size)
    search.set_game(game, COLORS[color])
    search.run(PLAYOUTS)
    moves = search.read().moves
    if format_vertex(moves[0].move, game.size) in wanted:
        return
    if "hard" in settings:
        pytest.xfail(" ".join(settings["hard"]))
    found = [
        f"{format_vertex(move.move, game.size)} {move.visits} {move.win_rate}" for move in moves[:5]
    ]
    pytest.fail(f"{case.place}: {color} {wanted}, but {found} in\n{draw(game)}")
