"""Commands about the program itself."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from goengine.gtp.registry import COMMANDS, command

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("protocol_version")
def protocol_version(session: GtpSession) -> str:
    return "2"


@command("name")
def name(session: GtpSession) -> str:
    return session.name


@command("version")
def version(session: GtpSession) -> str:
    return session.version


@command("known_command")
def known_command(session: GtpSession, command_name: str) -> str:
    return "true" if command_name in COMMANDS else "false"


@command("list_commands")
def list_commands(session: GtpSession) -> str:
    return "\n".join(sorted(COMMANDS))


@command("quit")
def quit_session(session: GtpSession) -> None:
    session.ended = True
    session.rest()


@command("cputime")
def cputime(session: GtpSession) -> str:
    """Seconds of processor time that this process has used."""
    return f"{time.process_time():.3f}"
