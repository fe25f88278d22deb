"""`goengine gauntlet`: this code against GNU Go and against its own last release, in one line."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from clients.match.definition import (
    Conditions,
    Match,
    MatchError,
    PairingTable,
    Player,
    make_pairing,
)
from clients.match.live_table import Display, format_rate, problems
from clients.match.players import ROOT
from clients.match.runner import Runner
from clients.match.standings import Standing
from clients.options import board_size, positive_integer

EXIT_FAILURE = 1
_GNUGO_OPTIONS = "--mode gtp --level 10 --chinese-rules"
_GNUGO_PLACES = ("/usr/games", "/usr/local/bin", "/usr/bin")  # also where PATH may not lead
_PLAYOUTS = 2000
_GAMES = 40


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    folder = options.results or _cache() / "gauntlet" / _fingerprint()
    match = _match(options, folder)
    if not match.pairings:
        print("goengine gauntlet: no opponent: neither gnugo nor a release tag is there",
              file=sys.stderr)  # fmt: skip
        return EXIT_FAILURE
    display = Display(Console(stderr=True, highlight=False))
    runner = Runner(match, lambda pairing, record: None)
    started = time.monotonic()
    display.open(runner)
    try:
        asyncio.run(runner.run(None))
    except MatchError as error:
        print(f"goengine gauntlet: {error}", file=sys.stderr)
        return EXIT_FAILURE
    finally:
        display.close()
    runner.look()
    for problem in problems(runner):
        print(f"goengine gauntlet: {problem}", file=sys.stderr)
    parts = ", ".join(_format(standing) for standing in runner.standings)
    print(f"{options.size}x{options.size}, {options.playouts} playouts: {parts}; "
          f"{time.monotonic() - started:.0f} s")  # fmt: skip
    return EXIT_FAILURE if problems(runner) else 0


def _format(standing: Standing) -> str:
    tally = standing.tally
    score = f"{standing.pairing.second} {tally.wins}-{tally.losses}"
    return f"{score} = {format_rate(standing.rate)}"


def _match(options: argparse.Namespace, folder: Path) -> Match:
    players = {"now": Player(engine="mcts", playouts=options.playouts, workers=1)}
    places = ":".join(_GNUGO_PLACES)
    gnugo = shutil.which("gnugo") or shutil.which("gnugo", path=places)
    if gnugo:
        players["GNU Go"] = Player(command=f"{shlex.quote(gnugo)} {_GNUGO_OPTIONS}")
    else:
        print("goengine gauntlet: gnugo is not installed; playing without it", file=sys.stderr)
    release = _last_release()
    if release:
        name, tree = release
        command = [sys.executable, "-m", "clients.main", "gtp", "--embedded", "--engine", "mcts",
                   "--playouts", str(options.playouts), "--workers", "1"]  # fmt: skip
        players[name] = Player(command=shlex.join(command), directory=str(tree))
    else:
        print("goengine gauntlet: git knows no release tag v*; playing without", file=sys.stderr)
    conditions = Conditions(size=options.size, games=options.games)
    pairings = [
        make_pairing(PairingTable(players=["now", name]), conditions, players)
        for name in players
        if name != "now"
    ]
    return Match(
        path=folder / "gauntlet",
        title="gauntlet",
        results=folder,
        players=players,
        pairings=pairings,
        games_at_once=None,
        cores=None,
        pin=True,
        forfeits_in_a_row=3,
        published=None,
    )


def _last_release() -> tuple[str, Path] | None:
    """The newest tag v* before this code, and a folder with its sources."""
    describe = ("describe", "--tags", "--match", "v[0-9]*")
    is_release = bool(_git(*describe, "--exact-match", "--dirty").strip()) and not _changes()
    tag = _git(*describe, "--abbrev=0", "HEAD^" if is_release else "HEAD").strip()
    if not tag:
        return None
    tree = _cache() / "releases" / f"{tag}-{_git('rev-parse', f'{tag}^{{commit}}')[:12]}"
    if not tree.exists():
        draft = tree.with_name(f".{tree.name}.draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", tag], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x"], cwd=draft, input=archive.stdout, check=True)
        draft.rename(tree)
    return tag, tree


def _fingerprint() -> str:
    """Names this code: the commit, and what was changed since."""
    changes = _changes()
    digest = f"+{hashlib.sha256(changes).hexdigest()[:8]}" if changes else ""
    return (_git("rev-parse", "--short=12", "HEAD").strip() or "unversioned") + digest


def _changes() -> bytes:
    """What stands in the sources that is not committed."""
    folders = ("goengine", "daemon", "clients")
    new = _git("ls-files", "--others", "--exclude-standard", "--", *folders).splitlines()
    changed = _git("diff", "HEAD", "--", *folders).encode()
    return changed + b"".join((ROOT / name).read_bytes() for name in sorted(new))


def _git(*arguments: str) -> str:
    """What git prints; nothing if it fails or is not there."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def _cache() -> Path:
    """Beside the compiled kernels."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("GOENGINE_CACHE_DIR") or Path(base) / "goengine")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="goengine gauntlet",
        description="Play this code against GNU Go 3.8 level 10 and against the last release, at "
        "fixed playouts, and print one line. Interrupted, it goes on where it was.",
    )
    parser.add_argument("--size", type=board_size, default=9, metavar="N", help="default: 9")
    parser.add_argument(
        "--playouts", type=positive_integer, default=_PLAYOUTS, metavar="N",
        help=f"for each of our moves (default: {_PLAYOUTS})",
    )  # fmt: skip
    parser.add_argument(
        "--games", type=positive_integer, default=_GAMES, metavar="N",
        help=f"against each opponent (default: {_GAMES})",
    )  # fmt: skip
    parser.add_argument("--results", type=Path, metavar="DIR", help="where games are kept")
    return parser
