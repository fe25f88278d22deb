"""The referee against a game that shares no code with it; ko, superko and handicap."""

from __future__ import annotations

import random

import pytest

from clients.match.referee import Illegal, Referee
from goengine.points import PASS, all_points, format_vertex
from goengine.rules.rulesets import find_rules
from tests.twins.naive_game import NaiveGame

STONES = {None: 0, "b": 1, "w": 2}
N_GAMES = {3: 60, 5: 40, 9: 6}


def referee_after(moves: str, size: int = 5, rules: str = "chinese") -> Referee:
    referee = Referee(size, find_rules(rules))
    for vertex in moves.split():
        referee.play(vertex)
    return referee


def position_of(referee: Referee) -> bytes:
    return bytes(STONES[color] for row in referee.board.board for color in row)


@pytest.mark.parametrize("size", [3, 5, 9])
@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "aga"])
def test_same_as_the_plain_twin(size: int, rules: str) -> None:
    """Random moves, legal and illegal, always to a full board and past it."""
    reasons: set[str] = set()
    for seed in range(N_GAMES[size]):
        reasons |= compare_one_game(size, rules, seed)
    expected = {"occupied", "suicide"}
    if size < 9:
        expected.add("ko" if rules == "chinese" else "repeats")
    assert expected <= reasons, "the games come to what they are to compare"


def compare_one_game(size: int, rules: str, seed: int) -> set[str]:
    """Returns what moves were refused for."""
    rng = random.Random(f"{size} {rules} {seed}")
    referee = Referee(size, find_rules(rules))
    twin = NaiveGame(size, find_rules(rules))
    points = all_points(size)
    reasons = set()
    for _ in range(4 * size**2):
        point = PASS if rng.random() < 0.03 else rng.choice(points)
        color = twin.to_play
        vertex = format_vertex(point, size)
        if twin.is_legal(color, point):
            referee.play(vertex)
            twin.play(color, point)
        else:
            with pytest.raises(Illegal) as caught:
                referee.play(vertex)
            reasons |= {"occupied", "suicide", "ko", "repeats"} & set(str(caught.value).split())
        assert position_of(referee) == twin.position
        assert referee.to_move == ("black" if twin.to_play == 1 else "white")
        assert referee.captured == {"black": twin.captures[2], "white": twin.captures[1]}
    return reasons


def test_a_refused_move_changes_nothing() -> None:
    referee = referee_after("A2 E5 B1", rules="tromp-taylor")
    before = position_of(referee)
    for vertex in ("A1", "A2", "F1", "A6", "", "I1", "resign", "A1 B1", "½"):
        with pytest.raises(Illegal):
            referee.play(vertex)
        assert position_of(referee) == before
        assert (referee.to_move, referee.n_passes) == ("white", 0)
        assert referee.captured == {"black": 0, "white": 0}
    referee.play("c3")
    assert referee.board.get(2, 2) == "w"


def test_ko_may_be_taken_after_moves_elsewhere() -> None:
    referee = referee_after("C4 D4 B3 E3 C2 D2 A1 C3 D3")
    assert referee.captured == {"black": 0, "white": 1}
    with pytest.raises(Illegal, match="C3 takes the ko back at once"):
        referee.play("C3")
    referee.play("E5")
    referee.play("pass")
    referee.play("C3")
    assert referee.captured == {"black": 1, "white": 1}
    with pytest.raises(Illegal, match="D3 takes the ko back at once"):
        referee.play("D3")


# On 4x4, white to move sent two stones and black took them; B1 takes one and brings back what
# stood there with white to move.
SENT_TWO = "A3 C3 B3 D3 A2 C2 pass B1 pass D1 B2 A1 C1"


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "new-zealand"])
def test_a_position_may_return_with_the_other_to_move(rules: str) -> None:
    referee_after(f"{SENT_TWO} B1", size=4, rules=rules)


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese-ogs"])
def test_a_position_may_not_return(rules: str) -> None:
    referee = referee_after(SENT_TWO, size=4, rules=rules)
    with pytest.raises(Illegal, match="B1 repeats an earlier position"):
        referee.play("B1")


def test_passing_makes_a_situation() -> None:
    # Black's pass brought the position with white to move; so here B1 repeats the situation
    # that stood after white's first B1.
    moves = "A3 C3 B3 D3 A2 C2 B2 D1 pass B1 pass A1 C1"
    referee = referee_after(moves, size=4, rules="aga")
    with pytest.raises(Illegal, match="B1 repeats an earlier position"):
        referee.play("B1")
    referee_after(f"{moves} B1", size=4, rules="chinese")


def test_several_stones_may_be_suicide_where_rules_allow_it() -> None:
    moves = "A1 A3 pass B2 pass C1"
    with pytest.raises(Illegal, match="B1 is suicide"):
        referee_after(f"{moves} pass A2 B1", size=5)
    referee = referee_after(f"{moves} pass A2 B1", size=5, rules="tromp-taylor")
    assert referee.captured == {"black": 2, "white": 0}
    assert referee.board.get(0, 0) is referee.board.get(0, 1) is None
    with pytest.raises(Illegal, match="A1 is suicide"):
        referee_after("pass B1 pass A2 A1", rules="tromp-taylor")


def test_two_passes_in_a_row_end_the_game() -> None:
    assert not referee_after("pass C3 PASS").is_over
    assert referee_after("pass C3 PASS pass").is_over


def test_handicap() -> None:
    referee = Referee(9, find_rules("chinese"))
    referee.place_handicap(["C3", "G7"])
    assert referee.to_move == "white"
    assert [place for _, place in referee.board.list_occupied_points()] == [(2, 2), (6, 6)]
    referee.play("E5")
    with pytest.raises(Illegal, match="C3 is occupied"):
        referee.play("C3")


@pytest.mark.parametrize("stones", [["C3", "C3"], ["C3", "K1"], ["C3", "pass"], ["C3", "x"]])
def test_handicap_that_cannot_be(stones: list[str]) -> None:
    with pytest.raises(Illegal):
        Referee(9, find_rules("chinese")).place_handicap(stones)


def test_the_position_with_handicap_may_not_return() -> None:
    referee = Referee(2, find_rules("tromp-taylor"))
    referee.place_handicap(["A1"])
    for vertex in ("B2", "A2", "B1", "A1", "A2"):
        referee.play(vertex)
    assert referee.captured == {"black": 3, "white": 0}
    with pytest.raises(Illegal, match="A1 repeats an earlier position"):
        referee.play("A1")


def test_vertices_and_places() -> None:
    referee = Referee(9, find_rules("chinese"))
    assert referee.place_of("j1") == (0, 8)
    assert referee.vertex_at((8, 7)) == "H9"
