"""What GoGui offers in its dialogs, and that it may interrupt a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.gtp.registry import command

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("gogui-analyze_commands")
def gogui_analyze_commands(session: GtpSession) -> str:
    """A line type/label/command for each; a dboard has a number from -1 to 1 for every point."""
    return (
        "dboard/Ownership/goengine-ownership\n"
        "dboard/Criticality/goengine-criticality\n"
        "param/Search parameters/goengine-param"
    )


@command("gogui-interrupt")
def gogui_interrupt(session: GtpSession) -> None:
    """That there is this command says that the comment `# interrupt` ends a search."""
