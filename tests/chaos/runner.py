"""Plays games while one thing after the other goes wrong, in an order drawn from a seed."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from daemon.addresses import parse_address
from daemon.protocol import Settings
from tests.chaos.faults import Fault, Scene, rest
from tests.chaos.invariants import (
    Broken,
    check_trees,
    count_descriptors,
    demand,
    forgotten_games,
    leaks,
    remains,
    restlessness,
    unserved,
)
from tests.chaos.players import Player
from tests.chaos.stage import KeptDaemon, Stage

COMPILING = 240.0  # seconds that the first round may take
LOOK_EVERY = 9  # faults; then everybody rests and the daemon is looked at


def schedule(seed: int, faults: Sequence[Fault]) -> Iterator[Fault]:
    """All kinds in some order, then all in another, for ever."""
    rng = random.Random(seed)
    while True:
        yield from rng.sample(faults, len(faults))


class Run:
    """
    history     names of the faults so far
    """

    def __init__(
        self,
        directory: Path,
        state_directory: Path,
        is_small: bool,
        seed: int,
        faults: Sequence[Fault],
    ) -> None:
        """is_small: as in Stage."""
        self.history: list[str] = []
        self._seed = seed
        self._faults = faults
        self._directory = directory
        self._state_directory = state_directory
        self._is_small = is_small
        self._started = time.monotonic()

    def play(self, seconds: float) -> None:
        """Raises Broken, Lost, BrokenTree, and whatever else ends a player."""
        daemon = KeptDaemon(
            self._directory,
            self._state_directory,
            pondering_seconds=1,
            orphan_seconds=60,
            log_level="warning",
        )
        stage = Stage(daemon, self._is_small)
        try:
            daemon.wait()
            with self._players(daemon) as players:
                self._go_through(Scene(stage, players, random.Random(self._seed)), seconds)
            demand(lambda: forgotten_games(stage, players))
            code = daemon.end()
            if code != os.EX_OK:
                raise Broken(f"it ended with {code}")
            demand(lambda: remains(stage))
        finally:
            daemon.give_up()

    @contextmanager
    def _players(self, daemon: KeptDaemon) -> Iterator[list[Player]]:
        address = parse_address(daemon.address)
        players = [
            Player("patient", address, Settings(size=9, playouts=150), in_a_row=True),
            Player("hasty", address, Settings(size=9, playouts=300), in_a_row=False),
            Player("timed", address, Settings(size=9, seconds=0.1), in_a_row=False),
        ]
        for player in players:
            player.start()
        yield players
        for player in players:
            player.leave()
        for player in players:
            player.join()
            if player.failure is not None:
                raise player.failure

    def _go_through(self, scene: Scene, seconds: float) -> None:
        demand(lambda: unserved(scene.players, dict.fromkeys(scene.players, 0)), COMPILING)
        self._started = time.monotonic()
        n_descriptors = count_descriptors(scene.stage)
        for fault in schedule(self._seed, self._faults):
            self._inflict(fault, scene, n_descriptors)
            is_over = time.monotonic() - self._started > seconds
            if is_over or len(self.history) % LOOK_EVERY == 0:
                self._look(scene)
            if is_over:
                return

    def _inflict(self, fault: Fault, scene: Scene, n_descriptors: int) -> None:
        self.history.append(fault.name)
        daemon, players = scene.stage.daemon, scene.players
        n_exits = len(daemon.exits)
        for player in players:
            player.refusals.clear()
        with fault.inflict(scene):
            time.sleep(fault.seconds * scene.rng.uniform(0.7, 1.3))
        rounds = {player: player.n_rounds for player in players}
        took = demand(lambda: unserved(players, rounds))
        took += demand(lambda: leaks(scene.stage, n_descriptors))
        refusals = [text for player in players for text in player.refusals]
        if refusals and not fault.may_refuse:
            raise Broken(f"refused: {refusals}")
        exits = daemon.exits[n_exits:]
        if not set(exits) <= set(fault.exits):
            raise Broken(f"it ended with {exits}")
        ended = f", ended with {', '.join(map(str, exits))}" if exits else ""
        refused = f", {len(refusals)} refused" if refusals else ""
        if "Traceback" in daemon.log.read_text(errors="replace"):
            raise Broken("a fault of its own; see the log")
        self._say(f"{fault.name:<34} all well {took:.1f} s later{ended}{refused}")

    def _look(self, scene: Scene) -> None:
        """With everybody at rest."""
        rest(scene.players)
        demand(lambda: forgotten_games(scene.stage, scene.players))
        demand(lambda: restlessness(scene.stage))
        n_trees = check_trees(scene.stage)
        for player in scene.players:
            player.play_on()
        self._say(f"{'(everybody rests)':<34} idle, {n_trees} trees are clean")

    def _say(self, text: str) -> None:
        print(f"{time.monotonic() - self._started:7.1f} s  {text}", flush=True)
