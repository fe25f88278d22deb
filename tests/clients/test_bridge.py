"""Lines in, replies out: the bridge against a daemon without an engine."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clients import link as links
from clients.bridge import MAX_OPEN, Bridge
from clients.link import Link, LinkError
from daemon.protocol import MAX_LINE, Gtp, Settings
from tests.clients.fake_daemon import RECORD, FakeDaemon


class Conversation:
    """A bridge in a thread, between pipes that the test holds."""

    def __init__(self, fake: FakeDaemon) -> None:
        self.notices: list[str] = []
        self.error: Exception | None = None
        self._stdin, self._requests = os.pipe()
        self._replies, self._stdout = os.pipe()
        self.link = Link(fake.address, "test", self.notices.append)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._is_closed = False

    def _run(self) -> None:
        try:
            self.link.finish(self.link.open(Settings()))
            with os.fdopen(self._stdout, "wb") as stdout:
                Bridge(self.link, self._stdin, stdout).run()
        except Exception as error:
            self.error = error
        finally:
            self.link.close()

    def write(self, data: bytes) -> None:
        os.write(self._requests, data)

    def read(self, n_bytes: int) -> bytes:
        """Exactly so many bytes; hangs if they do not come."""
        data = b""
        while len(data) < n_bytes and (chunk := os.read(self._replies, n_bytes - len(data))):
            data += chunk
        return data

    def expect(self, data: bytes) -> None:
        assert self.read(len(data)) == data

    def end_input(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            os.close(self._requests)

    def rest(self) -> bytes:
        """Everything until the bridge ends by itself."""
        data = self.read(1 << 30)
        self._thread.join(10)
        assert not self._thread.is_alive()
        return data

    def close(self) -> None:
        self.end_input()
        self._thread.join(10)
        os.close(self._stdin)
        os.close(self._replies)


@pytest.fixture
def talk(fake: FakeDaemon) -> Iterator[Conversation]:
    conversation = Conversation(fake)
    yield conversation
    conversation.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds of patience become fractions of them."""
    monkeypatch.setattr(links, "RESEND_AFTER", 0.1)
    monkeypatch.setattr(links, "TICK", 0.05)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("requests", "replies"),
    [
        (b"", b""),
        (b"name\n", b"= name\n\n"),
        (b"name", b"= name\n\n"),
        (b"7 name\n", b"=7 name\n\n"),
        (b"\n\r\nname\r\n# comment\n", b"= name\n\n"),
        (b"1 a\r\n2 b\r\nc\r\n", b"=1 a\n\n=2 b\n\n= c\n\n"),
        (b"a\nquit\nb\n", b"= a\n\n= quit\n\n"),
        (b"a\n3 quit # now\nb\n", b"= a\n\n=3 quit\n\n"),
        (b"\xff\xfe\n", "= \ufffd\ufffd\n\n".encode()),
        ("é\n".encode(), "= é\n\n".encode()),
        (b"8 bad\nb\n", b"?8 unknown command\n\n= b\n\n"),
        (b"9 dropped\nb\n", b"?9 there is no game here\n\n= b\n\n"),
        (b"dropped\n", b"? there is no game here\n\n"),
        (b"5 analyze\n", b"=5\ninfo start 1\n\n"),
        (b"5 analyze\n\nb\n", b"=5\ninfo start 1\n\n= b\n\n"),
        (b"4 x" + MAX_LINE * b"x" + b"\n5 b\n", b"?4 line too long\n\n=5 b\n\n"),
        (b"4 " + 800_000 * b"\x01" + b"\n5 b\n", b"?4 line too long\n\n=5 b\n\n"),
        (b"a\x00\x01b\tc\n", b"= ab c\n\n"),
    ],
)
def test_whole_conversations(talk: Conversation, requests: bytes, replies: bytes) -> None:
    def send() -> None:
        talk.write(requests)
        talk.end_input()

    sender = threading.Thread(target=send)
    sender.start()
    assert talk.rest() == replies
    sender.join()


def test_many_lines_at_once(talk: Conversation, fake: FakeDaemon) -> None:
    n_lines = 5 * MAX_OPEN
    talk.write(b"".join(b"%d x\n" % id for id in range(n_lines)))
    talk.end_input()
    assert talk.rest() == b"".join(b"=%d x\n\n" % id for id in range(n_lines))
    assert fake.lines()[:n_lines] == [f"{id} x" for id in range(n_lines)]


def test_no_more_than_some_lines_are_on_their_way(talk: Conversation, fake: FakeDaemon) -> None:
    talk.write(b"think\n" + (MAX_OPEN + 10) * b"x\n")
    until(lambda: len(fake.lines()) == MAX_OPEN)
    time.sleep(0.05)
    assert len(fake.lines()) == MAX_OPEN
    assert fake.lines() == ["think"] + (MAX_OPEN - 1) * ["x"]
    fake.stop_thinking()
    talk.expect(b"= C3\n\n" + (MAX_OPEN + 10) * b"= x\n\n")


@pytest.mark.parametrize("line", [b"\n", b"# nothing\n", b"\r\n"])
def test_any_line_ends_an_analysis_at_once(talk: Conversation, line: bytes) -> None:
    talk.write(b"5 analyze\n")
    talk.expect(b"=5\ninfo start 1\n")
    talk.write(line)
    talk.expect(b"\n")


def test_a_search_is_interrupted(talk: Conversation, fake: FakeDaemon) -> None:
    talk.write(b"6 think\n7 name\n")
    until(lambda: len(fake.lines()) == 2)
    talk.write(b"# interrupt\n")
    talk.expect(b"=6 C3\n\n=7 name\n\n")


def test_the_end_of_the_input_ends_an_analysis(talk: Conversation, fake: FakeDaemon) -> None:
    talk.write(b"5 analyze\n")
    talk.expect(b"=5\ninfo start 1\n")
    fake.say("info more\n")
    talk.expect(b"info more\n")
    talk.end_input()
    assert talk.rest() == b"\n"


def test_reports_and_notices_go_to_stderr(
    talk: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    talk.write(b"1 report x\n")
    talk.expect(b"=1 report x\n\n")
    assert capsys.readouterr().err == '{"frame": {}}\ncompiling\n'


@pytest.mark.usefixtures("quick")
def test_what_is_not_answered_is_sent_again(talk: Conversation, fake: FakeDaemon) -> None:
    talk.write(b"1 silent\n")
    talk.expect(b"=1 silent\n\n")
    first, second = (request for request in fake.received if isinstance(request, Gtp))
    assert first == second


@pytest.mark.usefixtures("quick")
def test_work_in_progress_is_not_done_twice(talk: Conversation, fake: FakeDaemon) -> None:
    talk.write(b"1 think\n")
    until(lambda: fake.lines().count("1 think") >= 3)
    talk.write(b"# interrupt\n")
    talk.end_input()
    assert talk.rest() == b"=1 C3\n\n"


def test_no_head_is_doubled_when_an_analysis_is_taken_up_again(
    talk: Conversation, fake: FakeDaemon
) -> None:
    talk.write(b"5 analyze\n")
    talk.expect(b"=5\ninfo start 1\n")
    fake.kill()
    fake.start()
    talk.expect(b"info start 2\n")
    talk.write(b"6 name\n")
    talk.expect(b"\n=6 name\n\n")


def test_no_reply_is_doubled_over_a_restart(talk: Conversation, fake: FakeDaemon) -> None:
    talk.write(b"1 name\n2 think\n3 version\n")
    talk.expect(b"=1 name\n\n")
    until(lambda: len(fake.lines()) == 3)
    fake.kill()
    talk.write(b"4 late\n# interrupt\n5 quit\n")
    fake.start()
    assert talk.rest() == b"=2 C3\n\n=3 version\n\n=4 late\n\n=5 quit\n\n"
    assert fake.lines()[3:8] == ["2 think", "3 version", "4 late", "# interrupt", "5 quit"]


def test_an_answer_that_was_lost_is_given_again(talk: Conversation, fake: FakeDaemon) -> None:
    executed: list[str] = []

    def answer_into_the_void(line: object, request: Gtp) -> str:
        executed.append(request.line)
        peer, fake._peer = fake._peer, b"nobody"
        fake._orders.put(lambda: setattr(fake, "_peer", peer))
        return "=1 once\n\n"

    fake.answer = answer_into_the_void
    talk.write(b"1 once\n")
    talk.expect(b"=1 once\n\n")
    assert executed == ["1 once"]


def test_a_daemon_that_is_gone_is_told_once(
    talk: Conversation, fake: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "PATIENCE", 0.4)
    talk.write(b"1 name\n")
    talk.expect(b"=1 name\n\n")
    fake.kill()
    talk.write(b"2 name\n")
    until(lambda: len(talk.notices) == 1)
    time.sleep(0.1)
    fake.start()
    talk.expect(b"=2 name\n\n")
    assert talk.notices == ["the daemon does not answer; waiting for it", "the daemon is back"]


def test_another_protocol_is_the_end(talk: Conversation, fake: FakeDaemon) -> None:
    talk.write(b"1 name\n")
    talk.expect(b"=1 name\n\n")
    fake.version = 2
    talk.write(b"2 name\n")
    assert talk.rest() == b""
    assert isinstance(talk.error, LinkError)
    assert "protocol 2" in str(talk.error)


class TestFiles:
    def test_load(self, talk: Conversation, fake: FakeDaemon, tmp_path: Path) -> None:
        file = tmp_path / "my  game.sgf"
        file.with_name("my game.sgf").write_text("(;é)", encoding="utf-8")
        talk.write(f"1 loadsgf {file} 12\n".encode())
        talk.expect(b"=1 4\n\n")
        assert [r.file for r in fake.received if isinstance(r, Gtp)] == ["(;é)"]
        assert fake.lines() == [f"1 loadsgf {file} 12"]

    def test_load_latin_1(self, talk: Conversation, fake: FakeDaemon, tmp_path: Path) -> None:
        (tmp_path / "7").write_bytes(b"(;\xe9)")
        talk.write(f"loadsgf {tmp_path}/7\n".encode())
        talk.expect(b"= 4\n\n")
        assert [r.file for r in fake.received if isinstance(r, Gtp)] == ["(;é)"]

    def test_load_nothing(self, talk: Conversation, fake: FakeDaemon) -> None:
        talk.write(b"1 loadsgf\n")
        talk.expect(b"=1 0\n\n")
        assert fake.lines() == ["1 loadsgf"]

    @pytest.mark.parametrize(
        ("file", "reason"),
        [
            ("/no/such/file", "No such file or directory"),
            ("/dev/zero", "not a regular file"),
            ("/tmp", "not a regular file"),
        ],
    )
    def test_cannot_load(self, talk: Conversation, file: str, reason: str) -> None:
        talk.write(f"1 analyze\n2 loadsgf {file} 3\n3 name\n".encode())
        talk.expect(b"=1\ninfo start 1\n\n")
        talk.expect(f"?2 cannot load file: {file}: {reason}\n\n".encode())
        talk.expect(b"=3 name\n\n")

    @pytest.mark.parametrize("content", [b"x" * 4_000_001, b'"' * 4_000_000])
    def test_load_too_much(self, talk: Conversation, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "f").write_bytes(content)
        talk.write(f"1 loadsgf {tmp_path}/f\n2 name\n".encode())
        talk.end_input()
        first, second, _ = talk.rest().decode().split("\n\n")
        assert first.startswith("?1 cannot load file: ")
        assert "long" in first
        assert second == "=2 name"

    def test_save(self, talk: Conversation, fake: FakeDaemon, tmp_path: Path) -> None:
        file = tmp_path / "my game.sgf"
        talk.write(f"1 printsgf {file}\n2 loadsgf {file}\n3 printsgf\n".encode())
        talk.expect(f"=1\n\n=2 {len(RECORD) + 1}\n\n=3 {RECORD}\n\n".encode())
        assert file.read_text(encoding="utf-8") == f"{RECORD}\n"
        assert fake.lines()[0] == "1 printsgf"

    def test_cannot_save(self, talk: Conversation) -> None:
        talk.write(b"1 printsgf /no/such/place\nprintsgf /dev/null\n3 name\n")
        talk.expect(b"?1 cannot save file: /no/such/place: No such file or directory\n\n")
        talk.expect(b"? cannot save file: /dev/null: not a regular file\n\n=3 name\n\n")

    def test_nothing_to_save(self, talk: Conversation, fake: FakeDaemon, tmp_path: Path) -> None:
        fake.answer = lambda line, request: f"?{line.id} no\n\n"
        talk.write(f"1 printsgf {tmp_path}/f\n".encode())
        talk.expect(b"?1 no\n\n")
        assert not (tmp_path / "f").exists()
