"""An engine as a process: questions, answers, and all that must not come instead."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator

import pytest

from clients.match import engine_process
from clients.match.engine_process import EngineProcess, Misbehaved, Refused
from tests.match.matches import engine_words, new_mark, processes_with, wait_until


@contextlib.asynccontextmanager
async def running(mode: str, mark: str = "") -> AsyncIterator[EngineProcess]:
    engine = await EngineProcess.start(engine_words(mode, mark or new_mark()))
    try:
        yield engine
    finally:
        await engine.close()


async def offence_of(mode: str, command: str = "name", patience: float = 5.0) -> Misbehaved:
    """The engine misbehaves at the given command; the fault that asking for it brings."""
    mark = new_mark()
    async with running(f"{mode}@{command}", mark) as engine:
        assert (await engine.ask("version", 5.0)).text == mode
        with pytest.raises(Misbehaved) as caught:
            await engine.ask(command, patience)
        with pytest.raises(Misbehaved) as again:
            await engine.ask("version", 5.0)
        assert again.value is caught.value, "it is not to be used any more"
        assert f"* {caught.value.offence}: {caught.value.detail[:100]}" in engine.transcript
    assert processes_with(mark) == []
    return caught.value


def test_questions_and_answers() -> None:
    async def talk() -> None:
        mark = new_mark()
        async with running("refuse@komi", mark) as engine:
            answer = await engine.ask("name", 5.0)
            assert answer.text == "bad engine"
            assert 0 < answer.seconds < 5
            commands = (await engine.ask("list_commands", 5.0)).text.split("\n")
            assert {"genmove", "quit"} < set(commands)
            with pytest.raises(Refused, match=r"^I would rather not$"):
                await engine.ask("komi 7", 5.0)
            engine.check()
            assert (await engine.ask("version", 5.0)).text == "refuse"
            lines = [line.split(maxsplit=1)[1] for line in engine.transcript.splitlines()]
            assert lines[:2] == ["> 1 name", "< =1 bad engine"]
            assert "< ?3 I would rather not" in lines
            assert len(processes_with(mark)) == 1
        assert processes_with(mark) == []
        assert engine.transcript.count("> 5 quit") == 1, "it was asked to go"

    asyncio.run(talk())


@pytest.mark.parametrize(
    ("mode", "offence", "detail"),
    [
        ("endless_line", "flood", "more than 1048576 bytes"),
        ("endless_lines", "flood", "more than 1048576 bytes"),
        ("endless_blanks", "flood", "more than 1048576 bytes"),
        ("endless_junk", "junk", "a line that is no answer: junk"),
        ("junk_before", "junk", "a line that is no answer: thinking..."),
        ("wrong_id", "out of turn", "an answer that nobody asked for: =3"),
        ("no_id", "out of turn", "an answer that nobody asked for: = bad engine"),
        ("exit_0", "crash", "the engine ended with exit status 0"),
        ("exit_3", "crash", "the engine ended with exit status 3; its last words: out of memory"),
        ("killed", "crash", "the engine ended with signal 9"),
    ],
)
def test_offences(mode: str, offence: str, detail: str) -> None:
    started = time.monotonic()
    fault = asyncio.run(offence_of(mode))
    assert (fault.offence, fault.detail[: len(detail)]) == (offence, detail)
    assert time.monotonic() - started < 4, "and found at once, not when patience ends"


@pytest.mark.parametrize("mode", ["hang", "close_stdin"])
def test_no_answer_within_patience(mode: str) -> None:
    fault = asyncio.run(offence_of(mode, patience=0.2))
    assert (fault.offence, fault.detail) == ("hang", "no answer to 'name' within 0.2 s")


def test_who_closes_stdout_has_left_even_if_its_process_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_process, "_SECONDS_TO_END", 0.1)
    fault = asyncio.run(offence_of("close_stdout", patience=60.0))
    assert (fault.offence, fault.detail) == ("crash", "the engine closed its stdout")


@pytest.mark.parametrize(
    ("mode", "offence", "detail"),
    [
        ("junk_after", "junk", "a line that is no answer: that was hard"),
        ("unasked", "out of turn", "an answer that nobody asked for: = D4"),
        ("two_answers", "out of turn", "an answer that nobody asked for: =1 bad engine"),
    ],
)
def test_what_comes_after_an_answer_is_found_by_the_next_look(
    mode: str, offence: str, detail: str
) -> None:
    async def talk() -> Misbehaved:
        async with running(f"{mode}@name") as engine:
            assert (await engine.ask("name", 5.0)).text == "bad engine"
            with pytest.raises(Misbehaved) as caught:
                await engine.ask("version", 5.0)
            with pytest.raises(Misbehaved):
                engine.check()
            return caught.value

    fault = asyncio.run(talk())
    assert (fault.offence, fault.detail) == (offence, detail)


def test_stderr_is_read_and_costs_nothing() -> None:
    async def talk() -> str:
        async with running("flood_stderr@komi") as engine:
            assert (await engine.ask("name", 5.0)).text == "bad engine"
            await engine.ask("komi 7", 10.0)
            for _ in range(3):
                assert (await engine.ask("version", 5.0)).text == "flood_stderr"
            return engine.transcript

    lines = asyncio.run(talk()).splitlines()
    assert any(line.endswith("! a warning that nobody reads") for line in lines)
    assert lines[0].endswith("> 1 name"), "what was said is not pushed out by a flood"
    assert len(lines) < 2000
    assert max(map(len, lines)) < 600


def test_bytes_that_are_no_text_are_read_as_something() -> None:
    async def talk() -> str:
        async with running("not_utf8@name") as engine:
            return (await engine.ask("name", 5.0)).text

    assert "�" in asyncio.run(talk())


def test_lines_of_windows() -> None:
    script = "read n c; printf '=%s two words\\r\\n\\r\\n' $n; read n c"

    async def talk() -> str:
        engine = await EngineProcess.start(["sh", "-c", script])
        try:
            return (await engine.ask("name", 5.0)).text
        finally:
            await engine.close()

    assert asyncio.run(talk()) == "two words"


@pytest.mark.parametrize(
    ("command", "directory", "reason"),
    [
        (["/nowhere/engine"], None, "/nowhere/engine cannot be started: No such file or directory"),
        (["/etc/passwd"], None, "/etc/passwd cannot be started: Permission denied"),
        (["a\0b"], None, "embedded null byte"),
        (["true"], "/nowhere", "true cannot be started: No such file or directory"),
    ],
)
def test_what_cannot_be_started(command: list[str], directory: str | None, reason: str) -> None:
    with pytest.raises(Misbehaved, match=reason) as caught:
        asyncio.run(EngineProcess.start(command, directory=directory))
    assert caught.value.offence == "start"


def test_cores_directory_and_environment() -> None:
    core = min(os.sched_getaffinity(0))
    script = (
        "read n c; cores=$(grep Cpus_allowed_list /proc/self/status | cut -f2); "
        'echo "=$n $cores $PWD $SIGN"; echo; read n c'
    )

    async def talk() -> str:
        engine = await EngineProcess.start(
            ["sh", "-c", script], directory="/", environment={"SIGN": "green"}, cores=[core]
        )
        try:
            return (await engine.ask("name", 5.0)).text
        finally:
            await engine.close()

    assert asyncio.run(talk()) == f"{core} / green"


def test_who_does_not_quit_is_ended_with_all_of_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "_SECONDS_TO_END", 0.2)
    mark = new_mark()
    words = " ".join(engine_words("hang@quit", mark))

    async def talk() -> None:
        child = f"sh -c 'sleep 1000; true' {mark}"
        engine = await EngineProcess.start(["sh", "-c", f"{child} & {words}; true"])
        assert (await engine.ask("name", 5.0)).text == "bad engine"
        async with asyncio.timeout(5.0):
            while len(processes_with(mark)) < 2:  # the child may still be on its way
                await asyncio.sleep(0.01)
        await engine.close()

    asyncio.run(talk())
    assert processes_with(mark) == []


def test_a_child_that_keeps_the_pipes_keeps_nobody_waiting() -> None:
    async def talk() -> None:
        async with running("leave_child@name") as engine:
            with pytest.raises(Misbehaved):
                await engine.ask("name", 0.5)

    started = time.monotonic()
    asyncio.run(talk())
    assert time.monotonic() - started < 4, "the child lives for five seconds"


def test_a_question_that_was_given_up_spoils_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "_SECONDS_TO_END", 0.2)

    async def talk() -> None:
        mark = new_mark()
        async with running("late=1000", mark) as engine:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await engine.ask("genmove b", 60.0)
            os.kill(processes_with(mark)[0], signal.SIGSTOP)
        assert processes_with(mark) == []

    asyncio.run(talk())


def test_the_engine_dies_with_the_process_that_started_it() -> None:
    mark = new_mark()
    if (pid := os.fork()) == 0:

        async def talk() -> None:
            async with running("hang@komi", mark) as engine:
                await engine.ask("komi 7", 60.0)

        asyncio.run(talk())
        os._exit(0)
    wait_until(lambda: len(processes_with(mark)) == 1)
    time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    wait_until(lambda: processes_with(mark) == [], seconds=2)
