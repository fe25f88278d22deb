"""tests/positions/endgame.t, through GTP: what a controller asks at the end of a game."""

from __future__ import annotations

import pytest

from goengine.board import chain_stones
from goengine.engines import make_engine
from goengine.gtp import GtpSession
from goengine.points import format_vertex, parse_vertex
from goengine.rules.game import Game
from tests.diagrams import COLORS, draw, game_on, parse_diagram
from tests.position_files import Case, read_cases

PLAYOUTS = 2000


def session_for(case: Case, seed: int) -> GtpSession:
    settings = {words[0]: words[1] for words in case.lines}
    text = "\n".join(case.rows)
    game = game_on(text, COLORS[settings["to"]], settings["rules"], float(settings["komi"]))
    return GtpSession(engine=make_engine("mcts", seed, PLAYOUTS), game=game)


def say(session: GtpSession, line: str) -> str:
    reply = session.run_line(line)
    assert reply is not None
    assert reply.startswith("=")
    return reply[1:].strip()


def whole_chains(game: Game, vertices: list[str]) -> set[str]:
    points = [parse_vertex(vertex, game.size) for vertex in vertices]
    stones = {stone for point in points for stone in chain_stones(game.board, point)}
    return {format_vertex(stone, game.size) for stone in stones}


@pytest.mark.parametrize("case", read_cases("endgame.t"), ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_left(case: Case, seed: int) -> None:
    session = session_for(case, seed)
    game = session.game
    picture = f"{case.place}\n{draw(game)}"
    size = game.size
    dead = {format_vertex(at, size) for at in parse_diagram("\n".join(case.rows)).dead}
    assert set(say(session, "final_status_list dead").split()) == dead, picture
    for words in case.lines:
        match words:
            case ["score", score]:
                assert say(session, "final_score") == score, picture
            case ["seki", *vertices]:
                found = set(say(session, "final_status_list seki").split())
                assert found == whole_chains(game, vertices), picture
            case ["dame", *vertices]:
                assert set(say(session, "final_status_list dame").split()) == set(vertices), picture
    if not any(words[0] == "seki" for words in case.lines):
        assert say(session, "final_status_list seki") == "", picture


@pytest.mark.parametrize("case", read_cases("endgame.t"), ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_passing(case: Case, seed: int) -> None:
    for words in case.lines:
        if words[0] == "genmove":
            session = session_for(case, seed)
            vertex = say(session, f"genmove {words[1]}")
            chosen = {vertex, "pass" if vertex == "pass" else "stone"}
            assert not chosen.isdisjoint(words[2:]), f"{case.place}: {vertex}\n{draw(session.game)}"
