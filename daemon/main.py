"""The `goengined` command: reads the configuration, then hands over to the server.

Questions and mistakes are answered before anything heavy is imported.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from daemon.config import (
    KEYS,
    ConfigError,
    OptionError,
    describe,
    did_you_mean,
    find_config,
    load_config,
    option,
    print_config,
)
from daemon.logs import set_up_log
from goengine import __version__

log = logging.getLogger("goengined")

EXIT_INTERRUPTED = 130  # as a shell reports a program that SIGINT ended
EXIT_CLOSED_PIPE = 141  # the same for SIGPIPE

PRIVATE_MEGABYTES = 256  # for the tree of a daemon that serves one client
LEAST_MEGABYTES = 8


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise OptionError(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own).

    Returns the exit code, by sysexits.h: 64 for a wrong option, 78 for a wrong file, 70 for a
    fault of ours, or what the server says.
    """
    try:
        return _main(sys.argv[1:] if argv is None else list(argv))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more at exit; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_CLOSED_PIPE


def _main(argv: list[str]) -> int:
    try:
        arguments = _parse(argv)
        overrides = _overrides(arguments)
        path = _file(arguments)
        config = load_config(path, overrides)
    except SystemExit as end:  # argparse has printed the help or the version
        print(end="", flush=True)
        return int(end.code or 0)
    except ConfigError as error:
        print(f"goengined: {error}", file=sys.stderr)
        return os.EX_USAGE if isinstance(error, OptionError) else os.EX_CONFIG
    if arguments.print_config:
        print(print_config(config), end="", flush=True)
        return os.EX_OK
    set_up_log(config.log_level)
    log.info("configuration: %s", path or "defaults")
    _take_all_descriptors()
    try:
        try:
            from daemon.server import run_daemon
        except OSError as error:  # there is no place for kernels
            log.error("%s", error)
            return os.EX_CONFIG
        return run_daemon(
            config, arguments.lifeline, lambda: load_config(_file(arguments), overrides)
        )
    except Exception:
        log.exception("ended by a fault of its own")
        return os.EX_SOFTWARE


def _take_all_descriptors() -> None:
    """As many as this process may have: libzmq aborts when it has none for a client on ipc."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="goengined",
        usage="goengined [--config FILE] [--print-config] [--KEY VALUE ...]",
        description="Searches and keeps games for many clients at once.",
        epilog="Each KEY also stands in the configuration file; the command line wins.",
        add_help=False,
        allow_abbrev=False,
    )
    general = parser.add_argument_group("general")
    general.add_argument("-h", "--help", action="help", help="print this and end")
    general.add_argument(
        "-V",
        "--version",
        action="version",
        version=f"goengined {__version__}",
        help="print the version and end",
    )
    general.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="read this file (default: the first that exists of $GOENGINE_CONFIG, "
        "~/.config/goengine/goengined.toml, /etc/goengine/goengined.toml)",
    )
    general.add_argument(
        "--print-config", action="store_true", help="print the configuration as a file and end"
    )
    # For programs that start a daemon for themselves alone.
    general.add_argument("--private", type=Path, metavar="DIRECTORY", help=argparse.SUPPRESS)
    general.add_argument("--lifeline", type=_descriptor, metavar="FD", help=argparse.SUPPRESS)
    _add_keys(parser)
    return parser


def _add_keys(parser: argparse.ArgumentParser) -> None:
    groups: dict[str, argparse._ArgumentGroup] = {}
    for name, key in KEYS.items():
        group = groups.get(key.group) or parser.add_argument_group(key.group)
        groups[key.group] = group
        is_table = name == "parameters"
        about = key.meaning if is_table else f"{key.meaning} ({describe(name)})"
        group.add_argument(
            option(name),
            dest=name,
            metavar=key.kind.metavar,
            action="append" if is_table else "store",
            help=about.replace("%", "%%"),
        )


def _parse(argv: list[str]) -> argparse.Namespace:
    """Raises OptionError, and SystemExit when everything is said."""
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    if rest:
        wrong = rest[0].partition("=")[0]
        if not wrong.startswith("-"):
            raise OptionError(f"{wrong!r} is no option; `goengined --help` lists them")
        known = [*map(option, KEYS), "--config", "--print-config", "--version", "--help"]
        hint = did_you_mean(wrong, known) or "; `goengined --help` lists them"
        raise OptionError(f"there is no option {wrong}{hint}")
    if arguments.private and arguments.config:
        raise OptionError("--private reads no file; leave --config out")
    return arguments


def _file(arguments: argparse.Namespace) -> Path | None:
    return None if arguments.private else arguments.config or find_config()


def _overrides(arguments: argparse.Namespace) -> dict[str, str]:
    """Text by key, for `load_config`. Raises OptionError."""
    overrides: dict[str, str] = {}
    if arguments.private:
        directory = str(arguments.private.absolute())
        overrides = {
            "listen": f"ipc://{directory}",
            "state_directory": directory,
            "slots": "1",
            "slot_megabytes": str(_private_megabytes()),
        }
    for name in KEYS:
        if name != "parameters" and getattr(arguments, name) is not None:
            overrides[name] = getattr(arguments, name)
    for assignment in arguments.parameters or ():
        name, equals, value = assignment.partition("=")
        if not name or not equals:
            raise OptionError(f"--set: {assignment!r} is not NAME=VALUE")
        overrides[f"parameters.{name}"] = value
    return overrides


def _private_megabytes() -> int:
    """What a private daemon takes for its tree; less where there is little, as in containers."""
    try:
        room = os.statvfs("/dev/shm")
    except OSError:  # what is wrong with it is told when it is used
        return PRIVATE_MEGABYTES
    free = room.f_bavail * room.f_frsize >> 20
    return max(LEAST_MEGABYTES, min(PRIVATE_MEGABYTES, free * 3 // 4))


def _descriptor(text: str) -> int:
    try:
        os.fstat(int(text))
    except (ValueError, OverflowError, OSError):
        raise argparse.ArgumentTypeError(f"{text!r} is no open file descriptor") from None
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
