"""`goengine signature`: one number for what the search does.

One worker, one seed, fixed simulations: the same tree on every machine with the same
numba. A commit that should not change play keeps it.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence

from goengine.points import MAX_SIZE, MIN_SIZE
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.parameters import POLICIES
from goengine.search.workspace import TALLY_GENERATION

SIZES = (9, 13, 19)
SIMULATIONS = 10_000  # a move
N_MOVES = 4
N_NODES = 100_000  # so few that the collector is at work too


def signature(size: int, simulations: int = SIMULATIONS) -> str:
    """Play the first moves against itself with each policy, and hash the trees."""
    digest = hashlib.sha256()
    for policy in POLICIES:
        search = LocalSearch(N_NODES, seed=1)
        search.set_parameters(size, {"policy": policy})
        game = Game(size)
        for _ in range(N_MOVES):
            search.set_game(game, game.to_play)
            search.run(simulations)
            tree = search.memory.tree
            for column in (tree.stats, tree.amaf, tree.owned, tree.first_child, tree.move):
                digest.update(column[1 : tree.n_used].tobytes())
            tallies = search.memory.tallies[0]
            digest.update(tallies[:TALLY_GENERATION].tobytes())
            game.play(game.to_play, search.read().moves[0].move)
    return digest.hexdigest()[:16]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="goengine signature", description=__doc__)
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=list(SIZES),
        choices=range(MIN_SIZE, MAX_SIZE + 1),
        metavar="N",
    )
    options = parser.parse_args(argv)
    for size in options.sizes:
        sys.stdout.write(f"{size:2}x{size:<2} {signature(size)}\n")
        sys.stdout.flush()
    return 0
