"""GTP with a daemon, one line at a time, for a client that waits for every answer."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from clients.gtp_lines import OneHead, format_failure
from clients.link import Failed, Link
from daemon.protocol import Part, Settings
from goengine.gtp_line import parse_line


class _Boards(msgspec.Struct):
    territory: list[float] = []


class _Frame(msgspec.Struct):
    """How a search goes."""

    progress: float | None = None
    best: dict[str, float | None] = {}  # one move with its win rate
    realwinrate: float | None = None
    boards: _Boards = msgspec.field(default_factory=_Boards)


class _Move(msgspec.Struct):
    """How it ended."""

    winrate: float | None = None
    extrakomi: float = 0.0
    realwinrate: float | None = None
    boards: _Boards = msgspec.field(default_factory=_Boards)


class _Report(msgspec.Struct):
    frame: _Frame | None = None
    move: _Move | None = None


_reports = msgspec.json.Decoder(_Report)


class DaemonSession:
    """A game in a daemon, and what its last search said.

    on_progress     called several times a second while a line is run, with the fraction of the
                    search that is done, 0 to 1, or None if that is not known
    win_rate        of the colour that was asked for in the game as it is, 0 to 1; None if the
                    engine does not say
    extra_komi      points for white with which the engine has made it an even game for itself
    territory       a number for each point, rows from the top left: 1000 is black's for sure, 0
                    white's; empty if the engine does not say
    """

    def __init__(
        self,
        link: Link,
        check_daemon: Callable[[], None] = lambda: None,
        on_notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`check_daemon` may raise to end the session; `on_notice` gets lines for people."""
        self.on_progress: Callable[[float | None], None] | None = None
        self.win_rate: float | None = None
        self.extra_komi = 0.0
        self.territory: list[float] = []
        self._link = link
        self._check_daemon = check_daemon
        self._on_notice = on_notice
        self._progress: float | None = None

    def open(self, settings: Settings) -> None:
        """Make the game and ask for reports. Raises Failed and LinkError."""
        self._link.finish(self._link.open(settings), self._take_part, self._check_daemon)
        self.run_line("goengine-report json")

    def run_line(self, line: str, file: str | None = None) -> str:
        """Return the reply, whole; `file` is the text of the one that a loadsgf names.

        Raises LinkError, and what `check_daemon` raises.
        """
        reply: list[str] = []
        request = parse_line(line)
        one_head = OneHead(request.id if request else "")

        def on_part(part: Part) -> None:
            if part.stream == "reply":
                reply.append(one_head.fit(part.text))
            else:
                self._take_part(part)

        self._progress = None
        if "genmove" in line:
            self.win_rate, self.extra_komi, self.territory = None, 0.0, []
        try:
            end = self._link.finish(self._link.gtp(line, file), on_part, self._between)
        except Failed as failure:
            return format_failure("", str(failure))
        return "".join([*reply, one_head.fit(end.text)])

    def _between(self) -> None:
        self._check_daemon()
        if self.on_progress:
            self.on_progress(self._progress)

    def _take_part(self, part: Part) -> None:
        if part.stream == "notice":
            self._on_notice(part.text.rstrip())
        elif part.stream == "report":
            for line in part.text.splitlines():
                self._take_report(line)

    def _take_report(self, line: str) -> None:
        try:
            report = _reports.decode(line)
        except msgspec.DecodeError:
            return  # a report of a kind that is not ours
        if report.frame:
            self._progress = report.frame.progress
            best = next(iter(report.frame.best.values()), None)
            self.win_rate = _first_known(report.frame.realwinrate, best)
            self.territory = report.frame.boards.territory
        if report.move:
            self.win_rate = _first_known(report.move.realwinrate, report.move.winrate)
            self.extra_komi = report.move.extrakomi
            self.territory = report.move.boards.territory


def _first_known(*rates: float | None) -> float | None:
    return next((rate for rate in rates if rate is not None), None)
