"""The `goengined` command. This release has no server; it says so."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from goengine import __version__

EXIT_UNAVAILABLE = 69  # EX_UNAVAILABLE of sysexits.h

NO_SERVER = (
    "this release has no server yet; "
    "`goengine gtp` and `goengine play` carry their engine with them"
)

HELP = f"""\
usage: goengined [--version] [--help]

goengined {__version__}: {NO_SERVER}.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own). Returns the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments in (["--version"], ["-V"]):
        print(f"goengined {__version__}")
        return 0
    if arguments in (["--help"], ["-h"]):
        print(HELP, end="")
        return 0
    print(f"goengined: {NO_SERVER}", file=sys.stderr)
    return EXIT_UNAVAILABLE


if __name__ == "__main__":
    sys.exit(main())
