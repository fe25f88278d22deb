"""Moves on 9x9 as `printsgf` tells them, to compare with what a client remembers."""

from __future__ import annotations


def moves_in(record: str) -> list[str]:
    """Of the reply to `printsgf`, such as ["b[ee]", "w[tt]"]."""
    return record.strip().lower().replace("\n", "").rstrip(")").split(";")[2:]


def sgf_move(color: str, vertex: str) -> str:
    """The same for a colour, b or w, and a vertex."""
    if vertex.lower() == "pass":
        return f"{color}[tt]"
    column = "ABCDEFGHJ".index(vertex[0].upper())
    return f"{color}[{'abcdefghi'[column]}{'abcdefghi'[9 - int(vertex[1:])]}]"
