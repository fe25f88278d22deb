"""What is shown while something is awaited."""

from __future__ import annotations

import io
import threading

import pytest
from rich.console import Console

from clients import terminal_view
from clients.terminal_board import Position
from clients.terminal_view import Scene, TerminalView

SCENE = Scene(Position(5, frozenset(), frozenset()), "a game", (), None, "", None)


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def view(screen: io.StringIO) -> TerminalView:
    console = Console(file=screen, force_terminal=True, width=80, height=24, highlight=False)
    return TerminalView(console)


def test_a_notice_stands_above_the_spinner(view: TerminalView, screen: io.StringIO) -> None:
    with view.spinner("starting"):
        thread = threading.Thread(target=view.notice, args=["compiling [kernels] ..."])
        thread.start()
        thread.join()
        assert "compiling [kernels] ..." in screen.getvalue()
    view.show(SCENE)
    assert screen.getvalue().count("compiling") == 1


def test_a_notice_waits_for_the_next_scene(view: TerminalView, screen: io.StringIO) -> None:
    view.notice("the daemon is back")
    assert screen.getvalue() == ""
    view.show(SCENE, "Your move")
    board, _, rest = screen.getvalue().partition("the daemon is back")
    assert "a game" in board
    assert "Your move" in rest
    view.show(SCENE)
    assert screen.getvalue().count("the daemon is back") == 1


def test_a_notice_waits_for_the_bar(
    view: TerminalView, screen: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    with view.bar("thinking") as on_progress:
        on_progress(None)
        view.notice("compiling")
        assert screen.getvalue() == ""  # it may be over before a bar is worth it
        monkeypatch.setattr(terminal_view, "BAR_DELAY", 0)
        on_progress(None)
        assert "compiling" in screen.getvalue()
        on_progress(0.5)
        view.notice("compiled")
        assert "compiled" in screen.getvalue()


def test_notices_go_to_stderr_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    view = TerminalView(Console(file=io.StringIO()))
    with view.spinner("starting"), view.bar("thinking") as on_progress:
        on_progress(0.1)
        view.notice("compiling")
    assert capsys.readouterr() == ("", "compiling\n")
