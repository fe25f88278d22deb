"""What `goengine play` shows: the board, who plays and how it stands, a bar while it waits."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from clients.terminal_board import (
    IN_16_COLORS,
    IN_ASCII,
    IN_COLOR,
    Position,
    board_width,
    draw_board,
)

PANEL_WIDTH = 32
GAP = 2  # columns between board and panel
BAR_WIDTH = 28
BAR_DELAY = 0.5  # seconds; what is faster needs no bar


@dataclass(frozen=True)
class Player:
    color: str  # black or white
    name: str
    n_captured: int  # stones that this player has taken


@dataclass(frozen=True)
class Scene:
    """All that is shown of a game at one moment."""

    position: Position
    title: str
    players: tuple[Player, ...]
    to_play: str | None  # None when the game is over
    last_move: str  # "" before the first
    win_rate: float | None  # that the engine expects for itself, 0 to 1
    extra_komi: float = 0.0  # points for white that it has counted on top of komi


class TerminalView:
    """Draws on a console; in plain text where colours, UTF-8 or a terminal are missing."""

    def __init__(self, console: Console, plain: bool = False) -> None:
        utf8 = console.encoding.lower().startswith("utf")
        self.console = console
        colorless = console.color_system is None or console.no_color
        self.plain = plain or colorless or not utf8
        if self.plain:
            self.glyphs = IN_ASCII
        else:
            self.glyphs = IN_16_COLORS if console.color_system == "standard" else IN_COLOR
        # stderr stays as it is: whoever writes there may keep it for later.
        self._live_options: Any = {
            "console": console,
            "transient": True,
            "redirect_stderr": False,
        }
        self._live: Live | None = None  # what moves on the screen just now
        self._notices: list[str] = []  # that came when nothing could be shown
        self._lock = threading.Lock()  # over these two
        self._scene: Scene | None = None  # the last one shown

    def show(self, scene: Scene, message: str = "") -> None:
        """Show a scene and a message under it.

        On a terminal it takes the place of the last one; elsewhere a scene that did not change
        is not shown again.
        """
        if self.console.is_terminal:
            if self._scene is None:  # what was on the screen stays above, to scroll back to
                self.console.file.write("\n" * self.console.height)
            self.console.clear()
        if self.console.is_terminal or scene != self._scene:
            self._draw(scene)
        self._scene = scene
        self._show_notices()
        self.say(message)

    def show_interim(self, scene: Scene) -> None:
        """Show a scene that soon changes, where it can be replaced."""
        if self.console.is_terminal:
            self.show(scene)
            self.console.print()

    def _draw(self, scene: Scene) -> None:
        board = draw_board(scene.position, self.glyphs)
        panel = self._panel(scene)
        width = board_width(scene.position.size)
        if self.plain or self.console.width < width + GAP + PANEL_WIDTH:
            self.console.print(board, panel, sep="\n")
        else:
            layout = Table.grid(padding=(0, GAP, 0, 0))
            layout.add_row(board, panel)
            self.console.print(layout)

    def say(self, message: str) -> None:
        if message:
            self.console.print(f"\n{message}", markup=False, soft_wrap=True)

    def notice(self, text: str) -> None:
        """Tell what the daemon says, from any thread, where it does not spoil the screen.

        Above what moves, or with the next scene; elsewhere than on a terminal on stderr.
        """
        if not self.console.is_terminal:
            print(text, file=sys.stderr, flush=True)
            return
        with self._lock:
            self._notices.append(text)
        self._show_notices(only_above_live=True)

    def _show_notices(self, only_above_live: bool = False) -> None:
        with self._lock:
            if self._notices and (self._live or not only_above_live):
                self.console.print(Text("\n".join(self._notices), "dim"))
                self._notices.clear()

    def _set_live(self, live: Live | None) -> None:
        with self._lock:
            self._live = live
        self._show_notices(only_above_live=True)

    def ask(self, prompt: str) -> str | None:
        """Return the line that the player types, None at the end of the input."""
        try:
            line = input(f"\n{prompt} ")
            if not sys.stdin.isatty():  # nobody saw it being typed
                self.console.print(line, markup=False, soft_wrap=True)
            return line
        except EOFError:
            self.console.print()
            return None
        except KeyboardInterrupt:
            self.console.print()  # the shell's prompt begins on a line of its own
            raise

    @contextmanager
    def bar(self, label: str) -> Iterator[Callable[[float | None], None]]:
        """Give a function that takes the fraction done, or None; a bar appears if it takes long."""
        progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(BAR_WIDTH, complete_style="green", finished_style="green"),
            TextColumn("{task.elapsed:.0f} s"),
            **self._live_options,
        )
        task = progress.add_task(label, total=1.0)
        started = time.monotonic()

        def on_progress(fraction: float | None) -> None:
            progress.update(task, completed=fraction or 0.0)
            progress.tasks[0].total = 1.0 if fraction is not None else None  # None: it pulses
            is_late = time.monotonic() - started > BAR_DELAY
            if self.console.is_terminal and is_late and not progress.live.is_started:
                progress.start()
                self._set_live(progress.live)

        try:
            yield on_progress
        finally:
            self._set_live(None)
            if progress.live.is_started:
                progress.stop()

    @contextmanager
    def spinner(self, label: str) -> Iterator[None]:
        """Something that moves while nothing is known of how long it takes."""
        if not self.console.is_terminal:
            yield
            return
        with Live(Spinner("dots", label), **self._live_options) as live:
            self._set_live(live)
            try:
                yield
            finally:
                self._set_live(None)

    def _panel(self, scene: Scene) -> Text:
        panel = Text(no_wrap=True)
        if not self.plain:
            panel.append("\n")
        panel.append(f"{scene.title}\n\n", "bold")
        for player in scene.players:
            panel.append_text(self._player_line(player, player.color == scene.to_play))
        if scene.last_move:
            panel.append(f"\n{scene.last_move}\n")
        if scene.win_rate is not None:
            panel.append_text(self._win_rate_lines(scene.win_rate))
        if scene.extra_komi:
            panel.append(f"\nExtra komi in its search: {scene.extra_komi:+.3g}\n")
        panel.rstrip()
        return panel

    def _player_line(self, player: Player, is_to_play: bool) -> Text:
        stone, style = self.glyphs.black if player.color == "black" else self.glyphs.white
        return Text.assemble(
            (f" {stone} ", style),
            (f" {player.name:<14}", "bold" if is_to_play else ""),
            f" captured {player.n_captured}\n",
        )

    def _win_rate_lines(self, win_rate: float) -> Text:
        text = Text(f"The engine's win rate: {win_rate:.0%}\n")
        if not self.plain:
            n_full = round(win_rate * BAR_WIDTH)
            text.append("━" * n_full, "green")
            text.append("━" * (BAR_WIDTH - n_full), "dim")
        return text


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command, instead of an exit of rich's own."""
        raise BrokenPipeError


def make_console() -> Console:
    """A console on stdout. Bytes on stdin that are not UTF-8 become U+FFFD, not an error."""
    if sys.stdin.isatty():
        import readline  # noqa: F401  lines can be edited and called back
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    return _Console(highlight=False)
