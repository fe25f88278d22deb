"""How much of a result tells by how much it was won (Baudiš 2011, 7.1.1; SuperGo 1.5.2)."""

import numpy as np

from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal
from goengine.jit import inlined_kernel, kernel
from goengine.search.dynamic_komi import FILLED_AT_THE_END
from goengine.search.parameters import DECIDED, FIXED, PHASE


@inlined_kernel
def value_scale_of(parameters, board, black_wins):
    """For a search from `board`, in which black has won so much of late.

    phase       grows as the board fills
    decided     grows as one side wins more of the simulations than the other
    endgame     is large where the player has few moves left
    """
    if parameters.value_scaling == FIXED:
        return parameters.value_scale
    return _value_scale(parameters, board, black_wins)


@kernel
def _value_scale(parameters, board, black_wins):
    if parameters.value_scaling == PHASE:
        share = min(1.0, filled_share(board) / FILLED_AT_THE_END)
    elif parameters.value_scaling == DECIDED:
        share = abs(2.0 * black_wins - 1.0)
    else:
        share = 1.0 if _n_possible(board) < parameters.endgame_moves else 0.0
    return parameters.value_scale + share * (parameters.value_scale_full - parameters.value_scale)


@inlined_kernel
def filled_share(board):
    """Of the points: those with a stone."""
    n_points = np.float64(np.int64(board.rows * board.rows))
    return 1.0 - np.float64(np.int64(board.n_empty)) / n_points


@inlined_kernel
def _n_possible(board):
    """Legal points that are no own eye."""
    n = 0
    for index in range(board.n_empty):
        point = np.uint64(board.empty[index])
        if is_legal(board, point, board.to_play) and not is_eye(board, point, board.to_play):
            n += 1
    return n
