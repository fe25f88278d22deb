"""A record with what was found in it: comments, values, marks and better variations.

    C       what `wording.remark` says, below what is there already
    SBKV    Black's win rate in %, SBKS Black's points: Sabaki draws its graph from them
    DO      doubtful; BM[1] a mistake, BM[2] a blunder; unless somebody has judged the move before

Nothing is taken away but earlier values of SBKV and SBKS.
"""

from __future__ import annotations

from collections.abc import Sequence

from sgfmill import sgf

from clients.analyse.findings import Finding, Grade
from clients.analyse.record import OPPONENT, Color, Record
from clients.analyse.wording import percent, remark
from goengine.points import format_sgf_letters, parse_vertex

_MARKS: dict[Grade, tuple[str, bytes]] = {
    "doubtful": ("DO", b""),
    "mistake": ("BM", b"1"),
    "blunder": ("BM", b"2"),
}
_JUDGEMENTS = ("BM", "DO", "IT", "TE")
_LETTERS: dict[Color, str] = {"black": "B", "white": "W"}


def annotate(record: Record, findings: Sequence[Finding], heading: str) -> bytes:
    """The record with `heading` in its first comment. Changes the nodes of `record`."""
    last_number = None
    for finding in findings:
        node = record.moves[finding.number - 1].node
        if last_number != finding.number - 1:
            _set_values(node.parent, finding.black_win_rate_before, finding.score_before)
        _set_values(node, finding.black_win_rate_after, finding.score_after)
        last_number = finding.number
        _add_comment(node, remark(finding))
        if finding.grade in _MARKS and not any(map(node.has_property, _JUDGEMENTS)):
            node.set_raw(*_MARKS[finding.grade])
        if not finding.agrees:
            _add_variation(node.parent, finding, record.size)
    _add_comment(record.game.get_root(), heading)
    return record.serialise()


def _set_values(node: sgf.Tree_node, black_win_rate: float, black_score: float | None) -> None:
    node.set_raw("SBKV", f"{100 * black_win_rate:.2f}".encode("ascii"))
    if black_score is not None:
        node.set_raw("SBKS", f"{black_score:.2f}".encode("ascii"))


def _add_comment(node: sgf.Tree_node, text: str) -> None:
    """Below what is there, which may be in any character set: not a byte of it is touched."""
    before = node.get_raw("C") + b"\n\n" if node.has_property("C") else b""
    escaped = text.replace("\\", "\\\\").replace("]", "\\]")
    node.set_raw("C", before + escaped.encode("ascii", "replace"))


def _add_variation(parent: sgf.Tree_node, finding: Finding, size: int) -> None:
    """What the engine would have played; where the record has such moves already, it joins them."""
    color, node = finding.color, parent
    for order, vertex in enumerate(finding.best.variation):
        identifier = _LETTERS[color]
        letters = format_sgf_letters(parse_vertex(vertex, size), size).encode("ascii")
        same = [
            child
            for child in node
            if child.has_property(identifier) and child.get_raw(identifier) == letters
        ]
        if same:
            node = same[0]
        else:
            node = node.new_child()
            node.set_raw(identifier, letters)
        if order == 0:
            player = color.capitalize()
            _add_comment(
                node,
                f"goengine's choice instead of {finding.move}: {player}'s win rate "
                f"{percent(finding.best.win_rate)} (after {finding.move}: "
                f"{percent(finding.win_rate_after)})",
            )
        color = OPPONENT[color]
