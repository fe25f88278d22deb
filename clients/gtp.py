"""`goengine gtp`: the engine on stdin and stdout, as GUIs, referees and bots start it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import BinaryIO, Protocol

from clients.options import add_engine_options, add_game_options


class Session(Protocol):
    ended: bool

    def run_line(self, line: str) -> str | None: ...


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    # Takes a second to import, which a wrong option should not wait for.
    from daemon.embedded import open_session

    try:
        session = open_session(
            options.engine,
            options.playouts,
            options.seed,
            options.size,
            options.rules,
            options.komi,
        )
    except ValueError as error:
        print(f"goengine gtp: {error}", file=sys.stderr)
        return 2
    session.name = options.name or session.name
    session.version = options.engine_version or session.version
    serve(session, sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(session: Session, requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer each line as it comes, until `quit` or the end of the input.

    Bytes that are not UTF-8 reach the session as U+FFFD and are for it to refuse.
    """
    while not session.ended and (line := requests.readline()):
        reply = session.run_line(line.decode("utf-8", errors="replace"))
        if reply is not None:
            replies.write(reply.encode())
            replies.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="goengine gtp", description=__doc__)
    add_engine_options(parser)
    add_game_options(parser, size=19)
    identity = parser.add_argument_group("what the engine says it is")
    identity.add_argument("--name", metavar="NAME", help="the answer to `name`")
    identity.add_argument(
        "--engine-version", metavar="X.Y", help="the answer to `version`; some GUIs ask for X.Y"
    )
    return parser
