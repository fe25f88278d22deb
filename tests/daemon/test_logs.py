"""Lines of the log: whom they concern, and that nothing from outside breaks them."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.logs import (
    LONGEST_LINE,
    LogFormatter,
    about,
    is_stderr_the_journal,
    set_subject,
)


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += self.format(record).split("\n")


@pytest.fixture
def written() -> Iterator[Lines]:
    """What the logger `test` writes; its form is for the journal."""
    handler = Lines()
    handler.setFormatter(LogFormatter(is_journal=True, has_time=False))
    log = logging.getLogger("test")
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    yield handler
    log.removeHandler(handler)


def test_every_level_has_its_priority(written: Lines) -> None:
    log = logging.getLogger("test")
    for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL):
        log.log(level, "x")
    assert written.lines == ["<7>test: x", "<6>test: x", "<4>test: x", "<3>test: x", "<2>test: x"]


def test_whom_a_line_concerns(written: Lines) -> None:
    log = logging.getLogger("test")
    with about("lisa", "c-1"):
        log.info("one")
        with about("max"):
            log.info("two")
        log.info("three")
    log.info("four")
    assert written.lines == [
        "<6>test: game lisa, client c-1: one",
        "<6>test: game max: two",
        "<6>test: game lisa, client c-1: three",
        "<6>test: four",
    ]


def test_tasks_do_not_speak_for_each_other(written: Lines) -> None:
    async def work(game: str) -> None:
        set_subject(game)
        for _ in range(2):
            await asyncio.sleep(0)
            logging.getLogger("test").info("at work")

    async def all_at_once() -> None:
        await asyncio.gather(work("a"), work("b"))
        logging.getLogger("test").info("done")

    asyncio.run(all_at_once())
    assert sorted(written.lines) == [
        "<6>test: done",
        *["<6>test: game a: at work"] * 2,
        *["<6>test: game b: at work"] * 2,
    ]


def test_a_traceback_is_found_by_its_game(written: Lines) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        with about("lisa"):
            logging.getLogger("test").exception("failed")
    assert written.lines[:2] == [
        "<3>test: game lisa: failed",
        "<3>test: game lisa: Traceback (most recent call last):",
    ]
    assert all(line.startswith("<3>test: game lisa: ") for line in written.lines)
    assert written.lines[-1].endswith(": lines")


def test_nothing_from_outside_breaks_a_line(written: Lines) -> None:
    with about("g", "evil\n<0>fake: x\x1b[2J" + "y" * 100):
        logging.getLogger("test").info("got %s", "a\r\n<0>b\x00\x9b\u2028" + "z" * 10_000)
    (line,) = written.lines
    assert line.isprintable()
    assert line.startswith("<6>test: game g, client evil <0>fake: x\N{REPLACEMENT CHARACTER}[2J")
    assert len(line) < LONGEST_LINE + 100
    assert line.endswith("z ...")


def test_for_people_a_line_has_its_level_and_perhaps_the_time() -> None:
    record = logging.LogRecord("test", logging.INFO, "", 0, "got %d", (3,), None)
    with about("lisa"):
        assert LogFormatter(False, False).format(record) == "INFO test: game lisa: got 3"
        stamped = LogFormatter(False, True).format(record)
    assert stamped.endswith(" INFO test: game lisa: got 3")
    assert stamped[:2] == "20"


def test_a_journal_that_stderr_does_not_go_to(tmp_path: Path) -> None:
    here, there = os.fstat(2), tmp_path.stat()
    assert is_stderr_the_journal({"JOURNAL_STREAM": f"{here.st_dev}:{here.st_ino}"})
    assert not is_stderr_the_journal({"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"})
    assert not is_stderr_the_journal({})
