"""GTP one line at a time, and what the reports beside it say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clients.daemon_session import DaemonSession
from clients.gtp_lines import OneHead
from clients.link import Failed, Link
from daemon.protocol import Part, Settings
from tests.clients.fake_daemon import FakeDaemon
from tests.clients.fake_game import FakeGame


@pytest.fixture
def link(fake: FakeDaemon) -> Iterator[Link]:
    link = Link(fake.address, "test")
    yield link
    link.close()


def test_a_search_and_its_reports(fake: FakeDaemon, link: Link) -> None:
    FakeGame(fake)
    session = DaemonSession(link)
    session.open(Settings())
    assert fake.lines() == ["goengine-report json"]
    assert session.win_rate is None
    assert session.territory == []
    assert session.run_line("genmove black") == "= A1\n\n"
    assert session.win_rate == 0.42
    assert len(session.territory) == 25
    assert session.run_line("genmove white") == "= B1\n\n"
    session.run_line("play black pass")
    assert session.run_line("genmove white") == "= pass\n\n"  # without a search
    assert session.win_rate is None
    assert session.territory == []


def test_progress_and_notices(fake: FakeDaemon, link: Link) -> None:
    seen: list[float | None] = []
    notices: list[str] = []
    session = DaemonSession(link, on_notice=notices.append)

    def stop_when_seen(progress: float | None) -> None:
        seen.append(progress)
        if progress == 0.25:
            fake.stop_thinking()

    session.open(Settings())
    session.run_line("report x")
    assert notices == ["compiling"]
    session.on_progress = stop_when_seen
    for text in ('{"frame": {"progress": 0.25}}', '{"other": []}', "nonsense", '{"frame": 7}'):
        fake.later(Part(id="", stream="report", text=f"{text}\n"))
    assert session.run_line("think") == "= C3\n\n"
    assert seen[0] is None
    assert 0.25 in seen


def test_a_reply_in_parts_is_put_together(fake: FakeDaemon, link: Link) -> None:
    session = DaemonSession(link)
    session.open(Settings())
    fake.later(Part(id="", text="=\nfirst\n"))
    session.on_progress = lambda _: fake.stop_thinking()
    assert session.run_line("think") == "=\nfirst\n\n", "and has one head"


def test_failures(fake: FakeDaemon, link: Link) -> None:
    session = DaemonSession(link)
    fake.fail_open = ("settings", "no such engine")
    with pytest.raises(Failed, match="no such engine"):
        session.open(Settings())
    assert session.run_line("dropped") == "? there is no game here\n\n"


def test_the_daemon_is_checked_while_waiting(link: Link) -> None:
    class Over(Exception):
        pass

    def check() -> None:
        raise Over

    with pytest.raises(Over):
        DaemonSession(link, check).run_line("think")


def test_one_head_over_a_restart() -> None:
    """The daemon says the beginning of the reply once more, or it never came."""
    head = OneHead("5")
    assert head.fit("=5\n") == "=5\n"
    assert head.fit("info 1\n") == "info 1\n"
    assert head.fit("=5\ninfo 2\n") == "info 2\n"
    assert head.fit("\n") == "\n"
    lost = OneHead("")
    assert lost.fit("") == ""
    assert lost.fit("info 3\n") == "=\ninfo 3\n"
    assert lost.fit("\n") == "\n"


def test_a_reply_whose_head_was_lost(fake: FakeDaemon, link: Link) -> None:
    session = DaemonSession(link)
    fake.answer = lambda line, request: "info\n\n" if line.command == "analyze" else None
    assert session.run_line("7 analyze") == "=7\ninfo\n\n"


def test_the_win_rate_is_that_of_the_game_as_it_is(fake: FakeDaemon, link: Link) -> None:
    """Extra komi is told beside it."""
    session = DaemonSession(link)
    session._take_report('{"frame": {"best": {"D4": 0.47}, "extrakomi": 19.0, "realwinrate": 0.9}}')
    assert session.win_rate == 0.9
    session._take_report('{"move": {"winrate": 0.48, "extrakomi": 20.0, "realwinrate": 0.93}}')
    assert (session.win_rate, session.extra_komi) == (0.93, 20.0)
    session._take_report('{"move": {"winrate": 0.48}}')
    assert (session.win_rate, session.extra_komi) == (0.48, 0.0)
