"""Local trees: sequences of moves that answer each other, wherever in the tree they come about.

Baudiš 2011, 7.1.2. A sequence is moves of a simulation each of which lies near the one before it,
along chains; any other move begins a new one. A sequence is a node of a local tree, that of the
colour which began it. It has a rating, under a hash of its moves: the mean local value of its
first move for who made it.

So replies that the search finds in one place of the tree are known in all others. After the leaf
the sequence that the simulation is in is **forced**: it goes on for some moves with the replies
that did best, before the playout takes over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal, play_move, play_pass
from goengine.jit import inlined_kernel, kernel
from goengine.playouts.local_value import local_value
from goengine.playouts.rates import RATE_ONE
from goengine.randomness import random_below
from goengine.ratings import SIXTHS, count_of, mixed, rating_for, sum_of, tell_rating
from goengine.record_types import as_record
from goengine.search.parameters import MAX_DEPTH, MAX_LOCAL_MOVES
from goengine.tactics.distance import fill_distances
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.words import U0, U1, U3, U16

MAX_FOLLOWED = MAX_DEPTH + 2 * MAX_LOCAL_MOVES  # in the tree, forced, and of the playout

_NONE = U0  # the key of no sequence
_ROOT = np.uint64(0x6C6F63616C747265)  # where keys begin, apart from those of liberty maps

# By place in the moves of the simulation, for the first n of them:
#   keys    of the sequence that the move is the last of; _NONE after a pass
#   firsts  the first move of that sequence, and `colors` whose it was
# key, first, color: the same for the sequence that would go on now.
SEQUENCES_DTYPE = as_record(
    np.dtype(
        [
            ("keys", np.uint64, (MAX_FOLLOWED,)),
            ("firsts", np.uint16, (MAX_FOLLOWED,)),
            ("colors", np.uint8, (MAX_FOLLOWED,)),
            ("n", np.uint64),
            ("key", np.uint64),
            ("first", np.uint64),
            ("color", np.uint64),
        ],
        align=True,
    )
)


def blank_sequences() -> Any:
    """An array of one record of zeros."""
    return np.zeros(1, SEQUENCES_DTYPE).view(np.recarray)


@kernel
def force_sequence(root, space, depth):
    """Play on from the leaf as the sequence did best so far. Returns the number of moves.

    Draws whether it does so at all, and follows the moves of the tree in any case.
    """
    parameters = root.parameters[0]
    board = space.boards[0]
    sequences = space.sequences[0]
    _begin_anew(root, space)
    _follow_moves(parameters, space, depth)
    rate = np.uint64(parameters.local_tree_rate * np.float64(RATE_ONE))
    if random_below(board, RATE_ONE) >= rate:
        return U0
    n_wanted = np.uint64(parameters.local_tree_moves)
    n_forced = U0
    while n_forced < n_wanted and sequences.key != _NONE:
        move = _best_reply(parameters, space)
        if move == U0:
            break
        play_move(board, move, board.to_play)
        space.moves[depth + n_forced] = np.uint16(move)
        n_forced += U1
        _follow_moves(parameters, space, depth + n_forced)
    return n_forced


@kernel
def tell_sequences(root, space, n_moves, generation):
    """Rate the sequences of a simulation of `n_moves` moves by its finished playout.

    Those of the tree, what was forced, and the first moves of the playout count.
    """
    parameters = root.parameters[0]
    sequences = space.sequences[0]
    n_known = sequences.n + np.uint64(parameters.local_tree_playout)
    _follow_moves(parameters, space, min(n_known, n_moves))
    for index in range(sequences.n):
        if sequences.keys[index] == _NONE:
            continue
        first = np.uint64(sequences.firsts[index])
        value = local_value(space.boards[0], first, np.uint64(sequences.colors[index]))
        tell_rating(space.ratings[0], sequences.keys[index], generation, value)


@inlined_kernel
def _begin_anew(root, space):
    """Before the first move of the tree; the last move of the game begins the first sequence."""
    sequences = space.sequences[0]
    space.reading[0] = root.boards[0]
    board = space.reading[0]
    sequences.n = U0
    sequences.key = _NONE
    if board.last != U0:
        _begin_with(sequences, board.last, U3 - board.to_play)


@inlined_kernel
def _begin_with(sequences, move, color):
    sequences.key = reply_key(_ROOT ^ color << U16, move)
    sequences.first = move
    sequences.color = color


@inlined_kernel
def reply_key(key, move):
    """Of a sequence that goes on with this move."""
    return mixed(key ^ move)


@kernel
def _follow_moves(parameters, space, n_moves):
    """Note the sequences up to so many moves of the simulation; plays them on space.reading[0]."""
    sequences = space.sequences[0]
    board = space.reading[0]
    while sequences.n < n_moves:
        index = sequences.n
        move = np.uint64(space.moves[index])
        color = board.to_play
        if move == U0:
            sequences.key = _NONE
            play_pass(board, color)
        else:
            if sequences.key != _NONE and _is_near_last(parameters, space, board, move):
                sequences.key = reply_key(sequences.key, move)
            else:
                _begin_with(sequences, move, color)
            play_move(board, move, color)
        sequences.keys[index] = sequences.key
        sequences.firsts[index] = np.uint16(sequences.first)
        sequences.colors[index] = np.uint8(sequences.color)
        sequences.n = index + U1


@inlined_kernel
def _is_near_last(parameters, space, board, move):
    distance = np.uint64(parameters.local_tree_distance)
    fill_distances(board, board.last, distance, space.distances, space.queue)
    return space.distances[move] <= distance


@inlined_kernel
def _best_reply(parameters, space):
    """The reply near the last move that did best for who is to play, if any is good, or 0."""
    board = space.boards[0]
    notes = space.notes[0]
    sequences = space.sequences[0]
    color = board.to_play
    distance = np.uint64(parameters.local_tree_distance)
    fill_distances(board, board.last, distance, space.distances, space.queue)
    best, most = U0, parameters.local_tree_threshold
    for index in range(board.n_empty):
        point = np.uint64(board.empty[index])
        if space.distances[point] > distance:
            continue
        rating = rating_for(space.ratings[0], reply_key(sequences.key, point))
        if count_of(rating) < parameters.local_tree_visits or rating == U0:
            continue
        value = sum_of(rating)
        if color != sequences.color:
            value = count_of(rating) * SIXTHS - value
        mean = np.float64(np.int64(value)) / np.float64(np.int64(count_of(rating) * SIXTHS))
        if (
            mean >= most
            and is_legal(board, point, color)
            and not is_eye(board, point, color)
            and not is_bad_self_atari(board, notes, point, color)
        ):
            best, most = point, mean
    return best
