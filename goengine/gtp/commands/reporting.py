"""Commands that ask what searches found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError, quote

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession

_FORMATS = {"json": "json", "none": ""}


@command("goengine-report")
def goengine_report(session: GtpSession, report_format: str) -> None:
    """json: frames while a search goes on and the move at its end, beside the replies."""
    if report_format not in _FORMATS:
        raise GtpError(f"syntax error: {quote(report_format)} is not one of {', '.join(_FORMATS)}")
    session.report_format = _FORMATS[report_format]


@command("pachi-result")
def pachi_result(session: GtpSession) -> str:
    """Of the last move that was searched and played; `format_result` says what."""
    if not session.last_result:
        raise GtpError("unknown: no move was searched yet")
    return session.last_result
