"""After `goengine warm` no game waits for a compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# For each side a wall, with a bar behind it that makes two eyes.
WALLS = [*(f"b D{row} w F{row}" for row in range(1, 10)), "b A5 b B5 b C5 w G5 w H5 w J5"]
GAME = f"""
boardsize 9
genmove b
genmove w
undo
kata-set-rules tromp-taylor
genmove w
reg_genmove w
play b pass
set_position b A1 w B2
gogui-setup_player w
fixed_handicap 2
clear_board
place_free_handicap 5
genmove w
final_score
kata-set-rules japanese
genmove b
genmove w
final_score
set_position {" ".join(WALLS)}
final_score
genmove b
"""


def test_a_warm_engine_compiles_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "GOENGINE_CACHE_DIR": str(tmp_path)}

    def goengine(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "clients.main", *arguments]
        return subprocess.run(
            command, input=stdin, env=environment, capture_output=True, text=True, check=True
        )

    warming = goengine("warm", "--sizes", "9")
    assert "up to 9x9" in warming.stdout
    for engine in ("random", "montecarlo", "mcts"):
        options = ("--engine", engine, "--playouts", "200", "--size", "9")
        played = goengine("gtp", *options, stdin=GAME)
        assert "internal error" not in played.stdout
        assert "compil" not in played.stderr
