"""What must hold after every fault, and after the end.

Players see to it themselves that every acknowledged move is there once.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from goengine.tree.checking import check_tree
from goengine.tree.columns import GENERATION
from tests.chaos.players import Player
from tests.chaos.stage import N_SLOTS, N_WORKERS, Stage
from tests.process.trees import tree_in

PATIENCE = 60.0  # seconds until all is as before; a daemon takes 1 to 20 to start
MOST_CPU = 0.3  # seconds in one second, by all processes of a daemon that nobody asks anything
SPARE_DESCRIPTORS = 3
OWED = 10**6  # visits that killed workers may owe: what is checked is the shape
STATE_FILES = {"games.sqlite", "games.sqlite-wal", "lock"}


class Broken(AssertionError):
    """An invariant does not hold."""


def demand(complaints: Callable[[], Iterator[str]], seconds: float = PATIENCE) -> float:
    """Wait until there are none. Returns how long that took. Raises Broken."""
    started = time.monotonic()
    while found := list(complaints()):
        if time.monotonic() - started > seconds:
            raise Broken("; ".join(found))
        time.sleep(0.05)
    return time.monotonic() - started


def unserved(players: list[Player], n_before: dict[Player, int]) -> Iterator[str]:
    """Who has not had all answers of a round since then."""
    for player in players:
        if player.failure is not None:
            raise player.failure
        if player.n_rounds < n_before[player] + 2:  # the first may have begun before
            yield f"{player.game} waits for an answer"


def leaks(stage: Stage, n_descriptors: int) -> Iterator[str]:
    """What a daemon has that is up and has served players."""
    family = stage.daemon.family()
    if not family.is_complete:
        yield f"processes: {family}"
    if len(stage.segments()) > N_SLOTS + 1:
        yield f"segments: {[path.name for path in stage.segments()]}"
    n_now = count_descriptors(stage)
    if n_now > n_descriptors + SPARE_DESCRIPTORS:
        yield f"{n_now} descriptors, {n_descriptors} in the beginning"
    yield from _strange_files(stage)


def remains(stage: Stage) -> Iterator[str]:
    """What is there after a clean end and should not."""
    if pids := stage.daemon.family().pids:
        yield f"processes: {pids}"
    if segments := stage.segments():
        yield f"segments: {[path.name for path in segments]}"
    if sockets := {"requests", "control", "analysis"} & _names_in(stage.daemon.directory):
        yield f"sockets: {sockets}"
    yield from _strange_files(stage)


def forgotten_games(stage: Stage, players: list[Player]) -> Iterator[str]:
    """Games that nobody plays."""
    known = {name for player in players for name in (player.game, *player.left_behind)}
    for game in stage.daemon.status()["games"]:
        if game["name"] not in known:
            yield f"game {game['name']} was closed and is still there"


def restlessness(stage: Stage) -> Iterator[str]:
    """Does a daemon that nobody asks anything use the processors? Takes a second."""
    before = _cpu_seconds(stage)
    time.sleep(1.0)
    used = _cpu_seconds(stage) - before
    if used > MOST_CPU:
        yield f"{used:.2f} CPU seconds in a second, and nobody has asked anything"


def check_trees(stage: Stage) -> int:
    """With nobody at work. Returns the number of trees. Raises BrokenTree."""
    n_trees = 0
    for path in stage.segments():
        if ".slot" in path.name:
            tree = tree_in(path, N_WORKERS)
            if tree.words[GENERATION]:
                check_tree(tree, OWED, [tree.start])
                n_trees += 1
    return n_trees


def count_descriptors(stage: Stage) -> int:
    with suppress(FileNotFoundError):
        return len(_names_in(Path(f"/proc/{stage.daemon.process.pid}/fd")))
    return 0


def _strange_files(stage: Stage) -> Iterator[str]:
    if strange := _names_in(stage.daemon.state_directory) - STATE_FILES:
        yield f"files in the state directory: {sorted(strange)}"


def _names_in(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def _cpu_seconds(stage: Stage) -> float:
    ticks = 0
    for pid in stage.daemon.family().pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
