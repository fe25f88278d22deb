"""`goengine signature`: one number for what the search does.

One worker, one seed, fixed simulations: the same tree on every machine with the same
numba. A commit that should not change play keeps it.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from itertools import product

from goengine.points import MAX_SIZE, MIN_SIZE
from goengine.rules.game import Game
from goengine.search.local import LocalSearch
from goengine.search.parameters import PLAYOUTS, POLICIES
from goengine.search.workspace import TALLY_GENERATION
from goengine.tree.columns import ROOT

SIZES = (9, 13, 19)
SIMULATIONS = 2_000  # a move
N_MOVES = 4
N_NODES = 10_000  # so few that the collector is at work too


def signature(size: int, simulations: int = SIMULATIONS) -> str:
    """Play the first moves with each policy and each kind of playouts, and hash the trees."""
    digest = hashlib.sha256()
    for policy, playout in product(POLICIES, PLAYOUTS):
        search = LocalSearch(N_NODES, seed=1)
        search.set_parameters(size, {"policy": policy, "playout": playout})
        game = Game(size)
        for _ in range(N_MOVES):
            search.set_game(game, game.to_play)
            search.forget_others()  # what is hashed is the tree of one position
            search.run(simulations)
            tree = search.memory.tree
            for column in tree[:-1]:
                digest.update(column[ROOT : tree.n_used].tobytes())
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
