"""What GUIs say when they start, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from goengine.gtp import GtpSession
from goengine.gtp.registry import COMMANDS
from tests.gtp.engines_for_tests import vertices
from tests.gtp.readings_for_tests import ReadingEngine

pytestmark = pytest.mark.uncompiled


def read_conversations() -> dict[str, list[tuple[str, str]]]:
    """Title: lines with their replies."""
    text = (Path(__file__).parent / "gui_conversations.txt").read_text(encoding="utf-8")
    conversations = {}
    for part in text.split("\n% ")[1:]:
        title, _, said = part.partition("\n")
        exchanges = said.strip().removeprefix("> ").split("\n> ")
        conversations[title] = [
            (line, reply.replace("{commands}", "\n".join(sorted(COMMANDS))))
            for line, _, reply in (exchange.partition("\n") for exchange in exchanges)
        ]
    return conversations


@pytest.mark.parametrize("title", read_conversations())
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_conversation(title: str, ending: str) -> None:
    session = GtpSession(engine=_engine_for(read_conversations()[title]), version="1.20")
    for line, reply in read_conversations()[title]:
        assert session.run_line(line + ending) == reply + "\n\n", line


def _engine_for(exchanges: list[tuple[str, str]]) -> ReadingEngine:
    """One that chooses the moves of the conversation; an analysis takes one, too."""
    chosen = []
    for line, reply in exchanges:
        if "genmove" in line:
            chosen += vertices(reply.split()[-1], 9)
        elif "analyze " in line:
            chosen += vertices("pass", 9)
    return ReadingEngine(*chosen)
