"""Where games start: files, and positions made by a seed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from clients.match import openings as module
from clients.match.definition import MatchError, Openings, Pairing
from clients.match.engine_process import Misbehaved
from clients.match.openings import Opening, find_openings
from clients.match.players import Seat
from clients.match.referee import Referee
from tests.match.matches import make, player

COUNT = 3


def pairing_with(openings: Openings | None, size: int = 5, rules: str = "chinese") -> Pairing:
    first, second = player("good", "-"), player("pass", "-")
    return make(first, second, openings=openings, size=size, rules=rules)


def find(
    directory: Path, openings: Openings, size: int = 5, rules: str = "chinese"
) -> list[Opening]:
    pairing = pairing_with(openings, size, rules)
    return asyncio.run(find_openings(pairing, directory, directory / "results"))


def sgf_file(directory: Path, name: str, text: str) -> None:
    (directory / name).write_text(f"(;GM[1]FF[4]{text})")


def test_no_openings(tmp_path: Path) -> None:
    assert asyncio.run(find_openings(pairing_with(None), tmp_path, tmp_path)) == []


def test_a_text_file(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("# two openings\nC3 c2\n\n  D4 pass E5  \n")
    expected = [["C3", "C2"], ["D4", "pass", "E5"]]
    assert find(tmp_path, Openings(file="some.txt")) == expected
    assert find(tmp_path / "..", Openings(file=str(tmp_path / "some.txt"))) == expected


def test_sgf_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    sgf_file(tmp_path, "b.sgf", "SZ[5];B[cc];W[bb];B[]")
    sgf_file(tmp_path, "a.sgf", "SZ[5];B[aa];W[ee](;B[cc])(;B[dd])")
    expected = [["A5", "E1", "C3"], ["C3", "B4", "pass"]]
    assert find(tmp_path, Openings(file="*.sgf")) == expected
    assert find(tmp_path / "..", Openings(file=f"{tmp_path}/*.sgf")) == expected
    assert find(tmp_path, Openings(file="a.sgf")) == expected[:1]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("x.txt", "C3 C3", "the opening C3 C3 cannot be played: C3 is occupied"),
        ("x.txt", "C3 F1", "cannot be played: 'F1' is not on a 5x5 board"),
        ("x.txt", "A2 E5 B1 A1", "cannot be played: A1 is suicide"),
        ("x.txt", "C3 pass pass", "the opening C3 pass pass ends the game"),
        ("x.txt", "# nothing\n\n", "there are no openings in"),
        ("y.txt", "", "there are no openings in"),
        ("x.txt", "\udcff", "x.txt: no openings: "),
        ("x.sgf", "(;SZ[9];B[cc])", "x.sgf: no openings: it is a game on 9x9"),
        ("x.sgf", "(;SZ[5]AB[aa];B[cc])", "only moves by turns can be an opening"),
        ("x.sgf", "(;SZ[5];W[cc])", "only moves by turns can be an opening, black first"),
        ("x.sgf", "(;SZ[5];B[cc];B[dd])", "only moves by turns can be an opening"),
        ("x.sgf", "no game", "x.sgf: no openings: "),
    ],
)
def test_files_that_are_no_openings(tmp_path: Path, name: str, text: str, reason: str) -> None:
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(MatchError) as caught:
        find(tmp_path, Openings(file="x.*"))
    assert reason in str(caught.value)


class Made(NamedTuple):
    directory: Path
    openings: list[Opening]
    judged: list[tuple[Opening, float]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """By our engine."""
    directory = tmp_path_factory.mktemp("made")
    judged = []
    really_judge = module._win_rate

    async def judge(seat: Seat, opening: Opening, pairing: Pairing) -> float:
        judged.append((opening, await really_judge(seat, opening, pairing)))
        return judged[-1][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_win_rate", judge)
        openings = find(directory, Openings(moves=4, count=COUNT, seed=1), size=9)
    return Made(directory, openings, judged)


def test_openings_are_made(made: Made) -> None:
    openings = made.openings
    assert openings == [opening for opening, rate in made.judged if 0.35 <= rate <= 0.65]
    assert len({rate for _, rate in made.judged}) > 1
    assert len(openings) == COUNT
    assert len({tuple(opening) for opening in openings}) == COUNT
    for opening in openings:
        referee = Referee(9, pairing_with(None).ruleset)
        for vertex in opening:
            referee.play(vertex)
            row, column = referee.place_of(vertex)
            assert 2 <= row <= 6
            assert 2 <= column <= 6
        assert len(opening) == 4


def test_openings_that_were_made_are_not_made_again(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, openings, _ = made
    assert len(list((directory / "results" / "openings").iterdir())) == 1

    async def seat(*_: object, seed: int) -> Seat:
        raise Misbehaved("start", "nobody should be asked")

    monkeypatch.setattr(module, "seat", seat)
    assert find(directory, Openings(moves=4, count=COUNT, seed=1), size=9) == openings
    for other in (
        Openings(moves=5, count=COUNT, seed=1),
        Openings(moves=4, count=COUNT, seed=2),
        Openings(moves=4, count=COUNT, seed=1, balance=0.3),
    ):
        with pytest.raises(MatchError, match="openings cannot be judged: nobody should be asked"):
            find(directory, other, size=9)


class FakeEngine:
    async def close(self) -> None:
        pass


class FakeJudge:
    """Says of openings with a stone at B2 that they are lost, of others that they are even."""

    engine = FakeEngine()
    lost_at = " B2"

    def __init__(self) -> None:
        self.said: list[str] = []
        self.is_lost = False

    async def say(self, command: str) -> str:
        self.said.append(command)
        if command == "clear_board":
            self.is_lost = False
        self.is_lost |= command.endswith(self.lost_at)
        return f"black A1 100 {0.1 if self.is_lost else 0.5}"


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
    judge = FakeJudge()

    async def seat(*_: object, seed: int) -> FakeJudge:
        return judge

    monkeypatch.setattr(module, "seat", seat)
    return judge


def test_a_seed_makes_the_same_openings(tmp_path: Path, judge: FakeJudge) -> None:
    wanted = Openings(moves=3, count=8, seed=1)
    first = find(tmp_path / "a", wanted)
    assert find(tmp_path / "b", wanted) == first
    assert find(tmp_path / "c", Openings(moves=3, count=8, seed=2)) != first
    assert find(tmp_path / "d", Openings(moves=3, count=4, seed=1)) == first[:4]


def test_only_even_openings_are_taken(tmp_path: Path, judge: FakeJudge) -> None:
    openings = find(tmp_path, Openings(moves=3, count=20), rules="japanese")
    assert not any("B2" in opening for opening in openings)
    assert any(command.endswith(" B2") for command in judge.said), "and some were not"
    assert judge.said[:4] == ["boardsize 5", "kata-set-rules japanese", "clear_board", "komi 0.5"]
    assert judge.said[4:8] == [
        f"play b {openings[0][0]}",
        f"play w {openings[0][1]}",
        f"play b {openings[0][2]}",
        "genmove w",
    ]


def test_too_few_even_openings(tmp_path: Path, judge: FakeJudge) -> None:
    judge.lost_at = ""
    with pytest.raises(MatchError, match="only 0 of 3 openings from seed 1 are even"):
        find(tmp_path, Openings(moves=3, count=3, seed=1))
    assert judge.said.count("clear_board") == 150
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(("size", "moves"), [(3, 40), (7, 10), (9, 26)])
def test_no_room_for_openings(tmp_path: Path, judge: FakeJudge, size: int, moves: int) -> None:
    with pytest.raises(MatchError, match=f"there is no room for openings of {moves} moves"):
        find(tmp_path, Openings(moves=moves), size=size, rules="tromp-taylor")


def test_openings_fill_the_room_if_they_must() -> None:
    opening = module._draw(Random(1), 9, pairing_with(None, size=7))
    assert sorted(opening) == ["C3", "C4", "C5", "D3", "D4", "D5", "E3", "E4", "E5"]


def test_a_spoilt_file_of_openings(tmp_path: Path, judge: FakeJudge) -> None:
    wanted = Openings(moves=3, count=2)
    find(tmp_path, wanted)
    path = next((tmp_path / "results" / "openings").iterdir())
    path.write_text("[[")
    with pytest.raises(MatchError, match=r"\.json: no openings: "):
        find(tmp_path, wanted)
