"""A game of a real client while its daemon is killed again and again."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.process.daemons import ROOT, Daemon, running_daemon
from tests.process.records import moves_in, sgf_move

PLAYOUTS = 3000  # enough for kills to hit searches, too
GTP = [sys.executable, "-m", "clients.main", "gtp"]


def play_while_daemons_die(directory: Path, n_kills: int, seed: int) -> int:
    """Fails if a move is lost or played twice, or a reply is. Returns the number of kills.

    The engine plays both colours; after each of its moves the game is asked for.
    """
    rng = random.Random(seed)
    is_over = threading.Event()
    with running_daemon(directory, slots=1) as daemon:
        killer = threading.Thread(target=_kill, args=(daemon, n_kills, rng, is_over))
        client = subprocess.Popen(
            [*GTP, "--connect", daemon.address, "--size", "9", "--playouts", str(PLAYOUTS)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        killer.start()
        try:
            n_moves = _play(client, killer)
        finally:
            is_over.set()
            killer.join()
            client.kill()
            client.communicate()
    assert n_moves >= n_kills // 2, "and it was a game"
    return n_kills


def _play(client: subprocess.Popen[str], killer: threading.Thread) -> int:
    """Until the killer has done its work. Returns the number of moves."""
    played: list[str] = []
    number = 0
    while killer.is_alive():
        number += 1
        color = "bw"[len(played) % 2]
        head, vertex = ask(client, f"{number} genmove {color}").split(" ", 1)
        assert head == f"={number}"
        played.append(sgf_move(color, vertex))
        record = ask(client, "printsgf")
        assert moves_in(record) == played, record
        if len(played) > 60:
            assert ask(client, "clear_board") == "="
            played = []
    assert ask(client, "7777 quit") == "=7777"
    assert client.wait(timeout=20) == 0
    return number


def ask(client: subprocess.Popen[str], line: str) -> str:
    assert client.stdin
    assert client.stdout
    client.stdin.write(f"{line}\n")
    client.stdin.flush()
    reply = ""
    while not reply.endswith("\n\n"):
        more = client.stdout.readline()
        assert more, "the client ended"
        reply += more
    return reply.strip()


def _kill(daemon: Daemon, n_kills: int, rng: random.Random, is_over: threading.Event) -> None:
    for _ in range(n_kills):
        if is_over.wait(rng.uniform(0.0, 6.0)):  # it takes half of that to start
            return
        daemon.kill()
        time.sleep(rng.choice([0.0, 0.2]))
        daemon.start()
    is_over.wait(4.0)
