"""`goengine ctl`: look at a daemon, and control it."""

from __future__ import annotations

import argparse
import json
import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from clients.link import Failed, LinkError, NoAnswer, ask_control
from clients.options import add_connect_option, add_key_options, game_name
from clients.private_daemon import NoDaemon, named_or_found
from daemon.addresses import SYSTEM_DIRECTORY, Address, is_listening, user_directory
from daemon.protocol import VERSION, Control, Drain, Drop, End, ShutDown, Status, Stop

EXIT_FAILURE = 1
EXIT_USAGE = 2
_INTERVAL = 0.5  # seconds between two looks
_PATIENCE = 3.0  # seconds for an answer
_ID = "1"  # each connection carries one request


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    if options.command == "doctor":  # with or without a daemon
        return _examine(options)
    try:
        address = _find(options)
        run: Callable[[argparse.Namespace, Address], None] = options.run
        run(options, address)
    except Failed as failure:
        _complain(str(failure))
        return EXIT_USAGE if failure.is_usage else EXIT_FAILURE
    except (NoDaemon, LinkError) as error:
        _complain(str(error))
        return EXIT_FAILURE
    return 0


def _find(options: argparse.Namespace) -> Address:
    address = named_or_found(options.connect, options.key, options.server_key)
    if address is None:
        places = " or ".join(f"ipc://{place}" for place in (user_directory(), SYSTEM_DIRECTORY))
        raise NoDaemon(f"no daemon at {places}; start one with goengined")
    return address


def _ask(address: Address, request: Control) -> End:
    try:
        return ask_control(address, request, _PATIENCE)
    except NoAnswer:
        if is_listening(address):
            raise
        raise NoDaemon(f"no daemon at {address.text}; start one with goengined") from None


def _status(address: Address) -> Any:
    return _ask(address, Status(v=VERSION, id=_ID)).data


def _show_status(options: argparse.Namespace, address: Address) -> None:
    data = _status(address)
    if options.json:
        print(json.dumps(data, indent=2))
        return
    from rich.console import Console

    Console(highlight=False).print(_page(data, address))


def _show_top(options: argparse.Namespace, address: Address) -> None:
    """Until somebody presses q or Ctrl-C, also over restarts of the daemon."""
    from rich.console import Console
    from rich.live import Live

    page = _page(_status(address), address)
    console = Console(highlight=False)
    with _single_keys() as q_was_pressed, Live(page, console=console, screen=True) as live:
        while not q_was_pressed(_INTERVAL):
            try:
                live.update(_page(_status(address), address), refresh=True)
            except (NoDaemon, NoAnswer) as error:
                live.update(f"{error}\n\nWaiting for it. Leave with q.", refresh=True)


def _page(data: Any, address: Address) -> Any:
    from clients.status_page import parse_status, status_page

    try:
        return status_page(parse_status(data), address.text)
    except ValueError as error:
        raise LinkError(f"the daemon at {address.text} tells nothing useful: {error}") from None


@contextmanager
def _single_keys() -> Iterator[Callable[[float], bool]]:
    """Give a function that waits for some seconds and says whether to leave."""
    if not sys.stdin.isatty():
        yield lambda seconds: select.select([], [], [], seconds) != ([], [], [])
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def q_was_pressed(seconds: float) -> bool:
        ready, _, _ = select.select([fd], [], [], seconds)
        return bool(ready) and os.read(fd, 1) in (b"q", b"Q", b"\x04", b"")

    try:
        tty.setcbreak(fd)
        yield q_was_pressed
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _stop(options: argparse.Namespace, address: Address) -> None:
    print(_ask(address, Stop(v=VERSION, id=_ID, game=options.game)).text)


def _drop(options: argparse.Namespace, address: Address) -> None:
    print(_ask(address, Drop(v=VERSION, id=_ID, game=options.game)).text)


def _drain(options: argparse.Namespace, address: Address) -> None:
    print(_ask(address, Drain(v=VERSION, id=_ID)).text)


def _shut_down(options: argparse.Namespace, address: Address) -> None:
    with suppress(NoDaemon):  # it may be gone before it has answered
        _ask(address, ShutDown(v=VERSION, id=_ID))
    print("the daemon ends; its games are kept")


def _examine(options: argparse.Namespace) -> int:
    from clients.doctor.command import run_doctor

    return run_doctor(options.config, options.connect, options.json)


def _complain(text: str) -> None:
    print(f"goengine ctl: {text}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="goengine ctl", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", required=True)
    add_connect_option(parser)
    add_key_options(parser)
    # Without a default of its own, which would hide what stands before the command.
    connect = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    add_connect_option(connect)
    add_key_options(connect)

    def add(name: str, run: Callable[..., object], purpose: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=purpose, description=purpose, parents=[connect])
        command.set_defaults(run=run)
        return command

    status = add("status", _show_status, "what runs, once")
    status.add_argument("--json", action="store_true", help="as the daemon says it")
    add("top", _show_top, "what runs, again and again; q ends it")
    for name, run, purpose in (
        ("stop", _stop, "end a game's search; it answers with what it has"),
        ("drop", _drop, "forget a game, whoever owns it"),
    ):
        add(name, run, purpose).add_argument("game", type=game_name, metavar="GAME")
    doctor = add("doctor", _examine, "check this installation, and say what to change")
    doctor.add_argument("--json", action="store_true", help="a list of findings")
    doctor.add_argument(
        "--config", type=Path, metavar="FILE", help="the daemon's (default: as goengined finds it)"
    )
    add("drain", _drain, "take no new games, and end when all clients are gone")
    add("shutdown", _shut_down, "end now; the games are kept")
    return parser
