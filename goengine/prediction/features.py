"""What can be said of a move at a glance, as one number in each of a few groups.

A model has a weight for each number; the sum of a move's weights says how likely it is
(R. Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007, has the idea
and most of these features).
"""

import numpy as np

from goengine.board.chains import other_liberty
from goengine.board.neighbors import neighbor, seen_by
from goengine.board.records import stride_of
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.tactics.distance import line_of
from goengine.tactics.ladders import N_LADDER_KINDS
from goengine.tactics.liberties import (
    HEAD_MASK,
    chains_on,
    is_self_atari,
    liberties_after,
    own_sides,
)
from goengine.tactics.notes import N_FEATURE_GROUPS, N_PATTERN_CODES
from goengine.words import U0, U1, U2, U3, U6, U16

# The groups: where each begins, and how many numbers it has.
SHAPE = np.uint64(0)  # the eight points around, own stones as black
N_SHAPES = N_PATTERN_CODES
LINE = np.uint64(N_SHAPES)  # from the edge
N_LINES = 8
LAST = LINE + np.uint64(N_LINES)  # distance from the last move, 0 without one
N_DISTANCES = 20
BEFORE = LAST + np.uint64(N_DISTANCES)  # distance from the move before it
NEAR = BEFORE + np.uint64(N_DISTANCES)  # distance from the last move, along chains
N_NEAR = 8
CAPTURE = NEAR + np.uint64(N_NEAR)
N_CAPTURES = 8
ESCAPE = CAPTURE + np.uint64(N_CAPTURES)
N_ESCAPES = 4
ATARI = ESCAPE + np.uint64(N_ESCAPES)
N_ATARIS = 8
SELF_ATARI = ATARI + np.uint64(N_ATARIS)
N_SELF_ATARIS = 4
LADDER = SELF_ATARI + np.uint64(N_SELF_ATARIS)  # see tactics/ladders.py
CONTACT = LADDER + np.uint64(N_LADDER_KINDS)  # fewest liberties of chains beside it
N_LIBERTY_CLASSES = 6
N_CONTACTS = N_LIBERTY_CLASSES * N_LIBERTY_CLASSES
N_FEATURES = int(CONTACT) + N_CONTACTS
N_GROUPS = 11
assert N_GROUPS <= N_FEATURE_GROUPS

_MAX_DISTANCE = np.uint64(N_DISTANCES - 1)


@kernel
def note_features(board, notes, point, color, nearness, ladder, is_bad):
    """Write the features of a move to notes.features.

    Whoever asks knows `nearness`, along chains; the kind of `ladder`; and whether it
    `is_bad`, see is_bad_self_atari.
    """
    features = notes.features
    features[0] = np.uint32(seen_by(np.uint64(board.around[point]), color))
    features[1] = np.uint32(LINE + min(line_of(board, point), np.uint64(N_LINES)) - U1)
    features[2] = np.uint32(LAST + _distance(board, point, board.last))
    features[3] = np.uint32(BEFORE + _distance(board, point, board.last2))
    features[4] = np.uint32(NEAR + nearness)
    features[5] = np.uint32(CAPTURE + _kind_of_capture(board, point, color))
    features[6] = np.uint32(ESCAPE + _kind_of_escape(board, point, color))
    features[7] = np.uint32(ATARI + _kind_of_atari(board, point, color))
    self_atari = U0
    if is_bad:
        self_atari = U1
    elif is_self_atari(board, point, color):
        self_atari = U2
    features[8] = np.uint32(SELF_ATARI + self_atari)
    features[9] = np.uint32(LADDER + ladder)
    own = _fewest_liberties(board, point, color)
    enemy = _fewest_liberties(board, point, U3 - color)
    features[10] = np.uint32(CONTACT + own * np.uint64(N_LIBERTY_CLASSES) + enemy)


@inlined_kernel
def rate_noted(notes):
    """The sum of the weights of the noted features."""
    rating = 0.0
    for group in range(N_GROUPS):
        rating += np.float64(notes.feature_weights[notes.features[group]])
    return rating


@inlined_kernel
def _distance(board, point, other):
    """dx + dy + the greater of them: 2 beside, 3 diagonally; 0 if there is no other."""
    if other == U0:
        return U0
    stride = stride_of(board)
    row = point // stride
    column = point - row * stride
    other_row = other // stride
    other_column = other - other_row * stride
    dy = row - other_row if row > other_row else other_row - row
    dx = column - other_column if column > other_column else other_column - column
    return min(dx + dy + max(dx, dy), _MAX_DISTANCE)


@inlined_kernel
def _fewest_liberties(board, point, color):
    """Of the chains of `color` beside the point, 5 for more; 0 if there is none."""
    fewest = U6
    sides = own_sides(board, point, color)
    while sides != U0:
        head = board.chain[neighbor(board, point, trailing_zeros(sides))]
        sides &= sides - U1
        fewest = min(fewest, np.uint64(min(board.n_liberties[head], 5)))
    return fewest if fewest != U6 else U0


@inlined_kernel
def _size_class(n_stones):
    """0 for one stone, 1 for two or three, 2 for more."""
    return np.uint64(n_stones > 1) + np.uint64(n_stones > 3)


@inlined_kernel
def _kind_of_capture(board, point, color):
    """0 none; else 1 + the class of the largest chain taken, and 3 more if it saves a chain."""
    kind = U0
    saves = U0
    heads = chains_on(board, point, own_sides(board, point, U3 - color))
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if board.n_liberties[head] == 1:
            kind = max(kind, U1 + _size_class(board.n_stones[head]))
            if _attacks(board, head, color):
                saves = U3
    return kind + saves if kind != U0 else U0


@inlined_kernel
def _attacks(board, head, color):
    """Is a chain of `color` beside that of `head` in atari?"""
    stone = head
    while True:
        sides = own_sides(board, stone, color)
        while sides != U0:
            beside = board.chain[neighbor(board, stone, trailing_zeros(sides))]
            sides &= sides - U1
            if board.n_liberties[beside] == 1:
                return True
        stone = np.uint64(board.next_stone[stone])
        if stone == head:
            return False


@inlined_kernel
def _kind_of_escape(board, point, color):
    """0 no own chain in atari; 1 one stone gets two liberties, 2 more stones do, 3 in vain."""
    kind = U0
    heads = chains_on(board, point, own_sides(board, point, color))
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if board.n_liberties[head] == 1:
            kind = max(kind, U2 if board.n_stones[head] > 1 else U1)
    if kind != U0 and liberties_after(board, point, color)[0] < U2:
        return U3
    return kind


@inlined_kernel
def _kind_of_atari(board, point, color):
    """0 none; else 1 + the class of the chain, and 3 more if running gains it no liberty."""
    kind = U0
    heads = chains_on(board, point, own_sides(board, point, U3 - color))
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if board.n_liberties[head] == 2:
            other = other_liberty(board, head, point)
            this = U1 + _size_class(board.n_stones[head])
            if liberties_after(board, other, U3 - color)[0] < U2:
                this += U3
            kind = max(kind, this)
    return kind
