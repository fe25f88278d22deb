"""Many playouts in one call, for benchmarks and for sampling a position."""

import numpy as np

from goengine.jit import kernel
from goengine.playouts.light import play_light
from goengine.playouts.scoring import score_finished


@kernel
def run_light(boards, n_playouts, komi, ownership):
    """Play boards[0] out `n_playouts` times on boards[1], whose random state goes on.

    Returns the number of moves and of black wins. Adds to `ownership`.
    """
    n_moves = 0
    n_black_wins = 0
    for _ in range(n_playouts):
        random = boards[1].random
        boards[1] = boards[0]
        boards[1].random = random
        n_moves += np.int64(play_light(boards[1]))
        n_black_wins += score_finished(boards[1], ownership) > komi
    return n_moves, n_black_wins
