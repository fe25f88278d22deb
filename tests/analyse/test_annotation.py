"""A record with what was found: all that was there is still there."""

from __future__ import annotations

from typing import Any

import pytest
from sgfmill import sgf

from clients.analyse.analyst import Analyst, Limits
from clients.analyse.annotation import annotate
from clients.analyse.findings import Finding, Thresholds
from clients.analyse.record import parse_record
from tests.analyse.fake_engine import FakeEngine
from tests.analyse.records import EVERYTHING, PLAIN

pytestmark = pytest.mark.uncompiled

OURS = {"C", "SBKV", "SBKS", "BM", "DO"}


def annotated(
    data: bytes, engine: FakeEngine, numbers: list[int] | None = None
) -> tuple[sgf.Sgf_game, list[Finding]]:
    record = parse_record(data, "game.sgf")
    chosen = numbers or [move.number for move in record.moves]
    analyst = Analyst(engine, record, Limits(50, None), Thresholds())
    analyst.load(chosen[-1], None, None)
    findings = list(analyst.analyse(chosen))
    return sgf.Sgf_game.from_bytes(annotate(record, findings, "All in all")), findings


def check_kept(before: Any, after: Any) -> None:
    """Everything below `before` is below `after`, in the same order; new nodes come behind."""
    for identifier in before.properties():
        was, now = before.get_raw_list(identifier), after.get_raw_list(identifier)
        if identifier == "C" and was[0]:
            assert now[0].startswith(was[0])
        elif identifier != "C":
            assert was == now
    assert set(after.properties()) - set(before.properties()) <= OURS
    for old, new in zip(before, after, strict=False):
        check_kept(old, new)
    assert len(after) >= len(before)


def test_everything_is_kept() -> None:
    game, _ = annotated(EVERYTHING, FakeEngine({"C3": 0.2, "C3 C2": 0.9}))
    check_kept(sgf.Sgf_game.from_bytes(EVERYTHING).get_root(), game.get_root())
    comment = game.get_root().get("C")
    assert comment == "Wurzel: größer als 3 ] und \\ mehr\n\nAll in all"
    assert game.get_main_sequence()[1].get("C").startswith("erste Züge\n\nWhite C3: White's win")


def test_values_are_those_that_were_found() -> None:
    engine = FakeEngine({"": 0.6, "C3": 0.55, "C3 B4": 0.7, "C3 B4 D2": 0.123456})
    game, findings = annotated(PLAIN, engine)
    nodes = game.get_main_sequence()
    values = [node.get_raw("SBKV") for node in nodes]
    assert values == [b"60.00", b"55.00", b"70.00", b"12.35", b"50.00"]
    for finding, node in zip(findings, nodes[1:], strict=True):
        assert float(node.get_raw("SBKV")) == pytest.approx(100 * finding.black_win_rate_after)
        assert float(node.get_raw("SBKS")) == finding.score_after
        assert f"{100 * finding.win_rate_after:.1f} %" in node.get("C")
        assert f"loses {100 * finding.loss:.1f} %" in node.get("C")


@pytest.mark.parametrize(
    ("after", "mark"),
    [(0.5, {}), (0.44, {"DO": b""}), (0.35, {"BM": b"1"}), (0.2, {"BM": b"2"})],
)
@pytest.mark.parametrize("judged", [b"", b"IT[]"])
def test_marks(after: float, mark: dict[str, bytes], judged: bytes) -> None:
    data = b"(;SZ[5];B[cc]" + judged + b")"
    game, _ = annotated(data, FakeEngine({"C3": after}))
    node = game.get_main_sequence()[1]
    marks = [name for name in ("BM", "DO", "IT", "TE") if node.has_property(name)]
    assert {name: node.get_raw(name) for name in marks} == ({"IT": b""} if judged else mark)


def test_the_better_move_is_a_variation() -> None:
    game, findings = annotated(PLAIN, FakeEngine({"C3": 0.4}, {"": "E5"}), [1])
    main, better = game.get_root()
    assert main.get_move() == ("b", (2, 2))
    assert better.get_move() == ("b", (4, 4))
    assert better.get("C") == (
        "goengine's choice instead of C3: Black's win rate 50.0 % (after C3: 40.0 %)"
    )
    assert findings[0].best.variation[:2] == ["E5", "A1"]
    assert better[0].get_move() == ("w", (0, 0))
    assert not game.get_root().has_property("BM")


def test_the_same_move_needs_no_variation() -> None:
    game, _ = annotated(PLAIN, FakeEngine({}, {"": "C3"}), [1])
    assert len(game.get_root()) == 1
    assert "goengine's choice too" in game.get_main_sequence()[1].get("C")


def test_a_variation_that_is_there_already_is_joined() -> None:
    data = b"(;SZ[5](;B[cc];W[dd])(;B[ea]C[mine];W[aa]))"
    game, _ = annotated(data, FakeEngine({}, {"": "E5"}), [1])
    better = game.get_root()[1]
    assert better.get("C").startswith("mine\n\ngoengine's choice instead of C3")
    assert [child.get_move() for child in better] == [("w", (4, 0)), ("w", (0, 0))]


def test_a_record_in_another_character_set() -> None:
    data = "(;CA[GBK]SZ[5]C[誠];B[cc]C[許功蓋誠])".encode("gbk")
    record = parse_record(data, "game.sgf")
    text = annotate(record, [], "All in all").decode("gbk")
    assert "C[誠\n\nAll in all]" in text
    assert "C[許功蓋誠]" in text
