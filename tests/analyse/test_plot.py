"""The picture of a game."""

from __future__ import annotations

import sys
from xml.etree import ElementTree

import pytest

from clients.analyse.findings import Finding
from clients.analyse.plot import HEIGHT, WIDTH, plot_game
from clients.analyse.png import NoPng, check_png, to_png
from tests.analyse.test_findings import finding

pytestmark = pytest.mark.uncompiled
SVG = "{http://www.w3.org/2000/svg}"


def drawn(findings: list[Finding], turn: int | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(plot_game(findings, "A – B", turn))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def test_curves_marks_and_labels() -> None:
    findings = [
        finding("black", 0.5, 0.44, 1),
        finding("white", 0.56, 0.44, 2),
        finding("black", 0.56, 0.2, 3),
        finding("white", 0.8, 0.8, 4),
    ]
    root = drawn(findings, turn=3)
    assert len(of_class(root, "curve")) == 1  # no score was told
    marks = [each for each in of_class(root, "mark") if each.find(f"{SVG}title") is not None]
    assert [each.get("class") for each in marks] == [
        "mark doubtful black",
        "mark mistake white",
        "mark blunder black",
    ]
    title = marks[-1].find(f"{SVG}title")
    assert title is not None
    assert (title.text or "").startswith("3. Black B2: Black's win rate 56.0 % -> 20.0 %, loses 36")
    labels = [each.text for each in of_class(root, "label")]
    assert labels == ["3 B2 −36.0 %", "2 B2 −12.0 %", "1 B2 −6.0 %"]
    assert "turning point, move 3" in [each.text for each in root.iter(f"{SVG}text")]


def test_moves_that_were_left_out_are_gaps() -> None:
    findings = [finding("black", 0.5, 0.5, number) for number in (1, 2, 5)]
    lines = of_class(drawn(findings), "curve")
    assert [len(line.get("points", "").split()) for line in lines] == [3, 2]


@pytest.mark.parametrize("n_moves", [1, 2, 30, 400])
def test_all_of_it_is_in_the_picture(n_moves: int) -> None:
    findings = [
        finding("white" if n % 2 else "black", 0.99, 0.01 + n % 7 / 10, n)
        for n in range(1, n_moves + 1)
    ]
    root = drawn(findings)
    for each in root.iter():
        for name, most in (("x", WIDTH), ("cx", WIDTH), ("y", HEIGHT), ("cy", HEIGHT)):
            assert 0 <= float(each.get(name, 0)) <= most


def test_names_are_text() -> None:
    text = plot_game([finding("black", 0.5, 0.5)], "<script>&\x00", None)
    assert "<script" not in text
    assert ElementTree.fromstring(text) is not None


def test_png_without_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(NoPng, match=r"--png needs resvg: pip install 'goengine\[png\]'"):
        check_png()


def test_png() -> None:
    pytest.importorskip("resvg_py")
    data = to_png(plot_game([finding("black", 0.5, 0.5)], "A – B", None))
    assert data.startswith(b"\x89PNG")
