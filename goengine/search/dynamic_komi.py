"""Dynamic komi (Baudiš 2011, ch. 4): extra komi that makes a one-sided game an even one.

All but `linear_komi` are told from the view of the player who searches for a move: `given` are
the points that it gives to the opponent, and it takes points where they are negative.
"""

import math

import numpy as np

from goengine.jit import inlined_kernel

FILLED_AT_THE_END = 0.8  # share of the points; where more are filled the game is over


@inlined_kernel
def linear_komi(n_stones, n_played, points_a_stone, n_moves):
    """Algorithm 3: what black gives for handicap stones, less and less over so many moves."""
    if n_played >= n_moves:
        return 0.0
    return points_a_stone * n_stones * (1.0 - n_played / n_moves)


@inlined_kernel
def given_by_score(given, score, filled, steepness, turn):
    """Algorithm 4, where `score` is the average after extra komi and `filled` a share of the board.

    The phase is printed as the share plus s. For c > 0 nothing would ever be adjusted then, and
    the text has it strong early and weak late, with s the point where that turns: less s.

    In units of 1/64, so that a result which is a tie with it is one exactly.
    """
    given += score / (1.0 + math.exp(steepness * (filled - turn)))
    return np.floor(64.0 * given + 0.5) / 64.0


@inlined_kernel
def given_by_value(given, ratchet, win_rate, red, green, step):
    """Algorithm 5: a step towards a win rate between `red` and `green`. Returns also the ratchet.

    The ratchet is the least that was given when the win rate was red. By the text as much is
    never given again; by the algorithm as printed it might be, and komi would flap there.
    """
    if win_rate < red:
        return given - step, min(ratchet, given) if given > 0.0 else ratchet
    if win_rate > green and given + step < ratchet:
        return given + step, ratchet
    return given, ratchet


@inlined_kernel
def given_by_median(median):
    """SuperGo 1.5.3: what makes half of the results wins. In whole points, so it makes no ties."""
    return np.floor(median)


@inlined_kernel
def limited(given, filled, most_taken, end):
    """4.4.2: not more than so many points are taken, and none past that part of the game."""
    if filled >= end * FILLED_AT_THE_END:
        return max(given, 0.0)
    return max(given, -most_taken)
