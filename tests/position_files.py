"""Positions as text that anyone can add to: tests/positions/*.t."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "positions"


@dataclass
class Case:
    title: str
    place: str  # file and line, for failures
    rows: list[str] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)  # words; the rows of `becomes` joined

    def __str__(self) -> str:
        return self.title


def read_cases(name: str) -> list[Case]:
    """The cases of tests/positions/`name`."""
    cases: list[Case] = []
    becomes: list[str] | None = None
    for number, line in enumerate((FOLDER / name).read_text().splitlines(), 1):
        if line.startswith("%"):
            cases.append(Case(line[1:].strip(), f"{name}:{number}"))
            becomes = None
        elif not line.strip() or line.startswith("#"):
            continue
        elif set(line.split()) <= set(".XOxo"):
            if becomes is not None:
                becomes.append(line.strip())
            else:
                cases[-1].rows.append(line.strip())
        elif line.strip() == "becomes":
            becomes = []
            cases[-1].lines.append(["becomes"])
        else:
            becomes = None
            cases[-1].lines.append(line.split())
        if becomes and len(becomes) == len(cases[-1].rows):
            cases[-1].lines[-1].append("\n".join(becomes))
    return cases
