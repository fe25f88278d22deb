"""A game of a real client while its daemon is killed again and again."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.process.daemons import ROOT, Daemon, running_daemon

PLAYOUTS = 3000  # enough for kills to hit searches, too
GTP = [sys.executable, "-m", "clients.main", "gtp"]


def play_while_daemons_die(directory: Path, n_kills: int, seed: int) -> int:
    """Fails if a move is lost or played twice, or a reply is. Returns the number of kills.

    The engine plays both colours; after each of its moves the game is asked for.
    """
    rng = random.Random(seed)
    n_done = 0
    with running_daemon(directory, slots=1) as daemon:
        daemon.status()
        killer = threading.Thread(target=_kill, args=(daemon, n_kills, rng))
        client = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "clients.main",
                "gtp",
                "--connect",
                daemon.address,
                "--size",
                "9",
                "--playouts",
                str(PLAYOUTS),
            ],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert client.stdin
        assert client.stdout

        def ask(line: str) -> str:
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

        killer.start()
        played: list[str] = []
        number = 0
        while killer.is_alive():
            number += 1
            color = "bw"[len(played) % 2]
            reply = ask(f"{number} genmove {color}")
            head, vertex = reply.split(" ", 1)
            assert head == f"={number}", reply
            played.append(f"{color}[{'tt' if vertex == 'pass' else _sgf(vertex)}]")
            record = ask("printsgf")
            found = list(record.replace("\n", "").rstrip(")").split(";")[2:])
            assert [move.lower() for move in found] == played, record
            if len(played) > 60:
                assert ask("clear_board") == "="
                played = []
        killer.join()
        n_done = n_kills
        assert ask("7777 quit") == "=7777"
        assert client.wait(timeout=20) == 0
        client.stdin.close()
        client.stdout.close()
    return n_done


def _kill(daemon: Daemon, n_kills: int, rng: random.Random) -> None:
    for _ in range(n_kills):
        time.sleep(rng.uniform(0.0, 3.0))
        daemon.kill()
        time.sleep(rng.choice([0.0, 0.2]))
        daemon.start()
    time.sleep(2.0)


def _sgf(vertex: str) -> str:
    column = "ABCDEFGHJ".index(vertex[0])
    return f"{'abcdefghi'[column]}{'abcdefghi'[9 - int(vertex[1:])]}"
