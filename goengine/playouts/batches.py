"""Many playouts in one call: from Python, never one at a time.

`boards` is an array of two positions: boards[0] is where playouts start,
boards[1] is overwritten by each; only its random state goes on.
"""

import numpy as np

from goengine.board.moves import play_move, play_pass
from goengine.board.records import BLACK
from goengine.jit import inlined_kernel, kernel
from goengine.playouts.light import is_candidate, play_light
from goengine.playouts.scoring import score_finished
from goengine.words import U0, U1


@kernel
def run_light(boards, n_playouts, komi, ownership):
    """Play boards[0] out. Returns the number of moves and of black wins.

    Adds the owners of all points to `ownership`.
    """
    n_moves = 0
    n_black_wins = 0
    for _ in range(n_playouts):
        _start_again(boards)
        n_moves += np.int64(play_light(boards[1], None, U0))
        n_black_wins += score_finished(boards[1], ownership) > komi
    return n_moves, n_black_wins


@kernel
def sample_moves(boards, moves, n_each, komi, wins, margins, ownership):
    """Play each of `moves`, 0 for a pass, in boards[0] and then out, `n_each` times.

    A win counts 1 and a tie a half, for the side to play in boards[0]; margins
    are points for that side after komi. Adds to `wins`, `margins` and `ownership`.
    """
    color = boards[0].to_play
    sign = 1.0 if color == BLACK else -1.0
    for index in range(len(moves)):
        for _ in range(n_each):
            _start_again(boards)
            if moves[index] == U0:
                play_pass(boards[1], color)
            else:
                play_move(boards[1], moves[index], color)
            play_light(boards[1], None, U0)
            margin = sign * (score_finished(boards[1], ownership) - komi)
            margins[index] += margin
            if margin > 0.0:
                wins[index] += 1.0
            elif margin == 0.0:
                wins[index] += 0.5


@kernel
def list_candidates(board, color, points):
    """Write the points that `color` may play and that are no own eye. Returns their number.

    Knows simple ko only.
    """
    n_found = U0
    for index in range(board.n_empty):
        point = np.uint64(board.empty[index])
        if is_candidate(board, point, color):
            points[n_found] = point
            n_found += U1
    return n_found


@inlined_kernel
def _start_again(boards):
    random = boards[1].random
    boards[1] = boards[0]
    boards[1].random = random
